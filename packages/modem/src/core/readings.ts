// Readings: the values in the replies to the health questions.

import { fieldsOf, numberOf } from './fields.ts'

export type Registration = 'home' | 'roaming' | 'searching' | 'denied' | 'none' | 'unknown'

/** By number. 6, 7 and 8 allow no call of ours, only messages or emergency calls. 9 and 10 allow calls. */
const registrations: readonly Registration[] = [
  ...(['none', 'home', 'searching', 'denied', 'unknown', 'roaming'] as const),
  ...(['denied', 'denied', 'denied', 'home', 'roaming'] as const),
]

/** The `<stat>` of AT+CREG and AT+CEREG (3GPP TS 27.007 7.2 and 10.1.22; SIM800 AT manual V1.09 3.2.32 up to 5). */
export function registrationOf(stat: number): Registration {
  return registrations[stat] ?? 'unknown'
}

/**
 * Whether the modem still has the settings of its start-up: the first integer of `+CREG: 2,1,"1816","F9A1"` is the 2 of
 * AT+CREG=2. A restart resets it, and may leave no other sign.
 */
export function settingsReading(line: string | undefined): boolean {
  return numberOf(fieldsOf(line, '+CREG')[0]) === 2
}

/** The registration in the reply to AT+CREG or AT+CEREG, which have the same form. */
const registrationFields = (line: string | undefined) => [
  ...fieldsOf(line, '+CREG'),
  ...fieldsOf(line, '+CEREG'),
]

/** The second integer of `+CREG: 2,1,"1816","F9A1"`. */
export function registrationReading(line: string | undefined): Registration | undefined {
  const stat = numberOf(registrationFields(line)[1], 2)
  return stat === undefined ? undefined : registrationOf(stat)
}

/** Whether this registration lets a call be made. */
export const allowsCalls = (registration: Registration) =>
  registration === 'home' || registration === 'roaming'

/**
 * Whether calls over LTE (VoLTE) are possible. `+CIREG: n,reg_info,ext_info` needs reg_info 1 and, where ext_info (hexadecimal)
 * is given, its first bit, which means voice (27.007 8.71).
 */
export function imsReading(line: string | undefined): boolean {
  const [, isRegistered, services = '1'] = fieldsOf(line, '+CIREG')
  return isRegistered === '1' && /^[0-9A-F]{1,8}$/i.test(services) && Number.parseInt(services, 16) % 2 === 1
}

/** `+CSQ: rssi,ber` in dBm: -113 + 2 rssi; null for 99, not known (3.2.35). */
export function signalReading(line: string | undefined): number | null {
  const rssi = numberOf(fieldsOf(line, '+CSQ')[0])
  return rssi === undefined || rssi > 31 ? null : -113 + 2 * rssi
}

/** The millivolts of `+CBC: 0,95,4123` (3.2.52), or of `+CBC: 3.978V` (SIM7600, A76XX; docs/families.md). */
export function voltageReading(line: string | undefined): number | null {
  const [first = '', , millivolts] = fieldsOf(line, '+CBC')
  const volts = /^(\d{1,2}\.\d{1,3}) ?V$/i.exec(first)?.[1]
  return volts === undefined ? (numberOf(millivolts, 5) ?? null) : Math.round(Number(volts) * 1_000)
}

/** Whether there is no room for another message: the first storage of `+CPMS: "SM",30,30,…` is full (4.2.9). */
export function isStorageFull(line: string | undefined): boolean {
  const [, used, room] = fieldsOf(line, '+CPMS').map(field => numberOf(field))
  return used !== undefined && room !== undefined && used >= room
}

/** The name in `+COPS: 0,0,"ORANGE"`; null while there is none (3.2.22). */
export function operatorReading(line: string | undefined): string | null {
  return fieldsOf(line, '+COPS')[2]?.slice(0, 64) || null
}

/**
 * `+CLIR: n,m` (3.2.19): `never` where the subscription hides our number for good (m = 1), `onRequest` where it is
 * hidden unless the dial string says otherwise (m = 3, or n = 1), else `shown`.
 */
export function callerIdReading(line: string | undefined): 'shown' | 'onRequest' | 'never' {
  const [setting, provision] = fieldsOf(line, '+CLIR').map(field => numberOf(field))
  if (provision === 1) return 'never'
  return provision === 3 || setting === 1 ? 'onRequest' : 'shown'
}

/** The remaining tries for the PIN in `+SPIC: 3,3,10,10` or `+QPINC: "SC",3,10`; undefined where the modem does not say. */
export function pinTriesReading(line: string | undefined): number | undefined {
  const [first, second] = [...fieldsOf(line, '+SPIC'), ...fieldsOf(line, '+QPINC')]
  return numberOf(first === 'SC' ? second : first, 2)
}

/** Whether AT+CCALR? says that calls can be made (6.2.12). */
export function callReadyReading(line: string | undefined): boolean {
  return numberOf(fieldsOf(line, '+CCALR')[0]) === 1
}
