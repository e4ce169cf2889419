// Readings: what the replies to the health questions say.

export type Registration = 'home' | 'roaming' | 'searching' | 'denied' | 'none' | 'unknown'

/** By number. 6, 7 and 8 allow no call of ours: messages alone, or emergency calls. 9 and 10 allow calls. */
const registrations: readonly Registration[] = [
  ...(['none', 'home', 'searching', 'denied', 'unknown', 'roaming'] as const),
  ...(['denied', 'denied', 'denied', 'home', 'roaming'] as const),
]

/** The `<stat>` of AT+CREG and AT+CEREG (3GPP TS 27.007 7.2 and 10.1.22; SIM800 AT manual V1.09 3.2.32 up to 5). */
export function registrationOf(stat: number): Registration {
  return registrations[stat] ?? 'unknown'
}

/** The integers of a reply such as `+CBC: 0,95,4123`, as many as come first. */
function integersOf(line: string | undefined): number[] {
  const match = /^\+[A-Z]+:\s*(-?\d+(?:,-?\d+){0,7})/.exec(line ?? '')
  return (match?.[1] ?? '').split(',').filter(Boolean).map(Number)
}

/**
 * Whether the modem still has the settings of its start-up: the first integer of `+CREG: 2,1,"1816","F9A1"` is the 2 of
 * AT+CREG=2. A restart resets it, and may leave no other sign.
 */
export function settingsReading(line: string | undefined): boolean {
  return integersOf(line)[0] === 2
}

/** The second integer of `+CREG: 2,1,"1816","F9A1"`. */
export function registrationReading(line: string | undefined): Registration | undefined {
  const stat = integersOf(line)[1]
  return stat === undefined ? undefined : registrationOf(stat)
}

/** Whether this registration lets a call be made. */
export const allowsCalls = (registration: Registration) =>
  registration === 'home' || registration === 'roaming'

/**
 * Whether calls over LTE (VoLTE) are possible: `+CIREG: n,reg_info,ext_info` with reg_info 1, and the first bit of
 * ext_info (hexadecimal), which stands for voice, where it is there (27.007 8.71).
 */
export function imsReading(line: string | undefined): boolean {
  const [, isRegistered, services = '1'] =
    /^\+CIREG: \d,([01])(?:,"?([0-9A-F]{1,8})"?)?$/i.exec(line ?? '') ?? []
  return isRegistered === '1' && Number.parseInt(services, 16) % 2 === 1
}

/** `+CSQ: rssi,ber` in dBm: -113 + 2 rssi; null for 99, not known (3.2.35). */
export function signalReading(line: string | undefined): number | null {
  const rssi = integersOf(line)[0]
  return rssi === undefined || rssi > 31 || rssi < 0 ? null : -113 + 2 * rssi
}

/** The millivolts of `+CBC: 0,95,4123` (3.2.52), or of `+CBC: 3.978V` (SIM7600, A76XX; docs/families.md). */
export function voltageReading(line: string | undefined): number | null {
  const volts = /^\+CBC: (\d{1,2}\.\d{1,3})V$/.exec(line ?? '')?.[1]
  if (volts !== undefined) return Math.round(Number(volts) * 1_000)
  return integersOf(line)[2] ?? null
}

/** Whether there is no room for another message: the first storage of `+CPMS: "SM",30,30,…` is full (4.2.9). */
export function isStorageFull(line: string | undefined): boolean {
  const [, used, room] = /^\+CPMS: "\w{2}",(\d{1,4}),(\d{1,4})/.exec(line ?? '') ?? []
  return used !== undefined && Number(used) >= Number(room)
}

/** The name in `+COPS: 0,0,"ORANGE"`; null while there is none (3.2.22). */
export function operatorReading(line: string | undefined): string | null {
  return /^\+COPS: \d,\d,"([^"]{1,64})"/.exec(line ?? '')?.[1] ?? null
}

/**
 * `+CLIR: n,m` (3.2.19): `never` where the subscription hides our number for good (m = 1), `onRequest` where it is
 * hidden unless the dial string says otherwise (m = 3, or n = 1), else `shown`.
 */
export function callerIdReading(line: string | undefined): 'shown' | 'onRequest' | 'never' {
  const [setting, provision] = integersOf(line)
  if (provision === 1) return 'never'
  return provision === 3 || setting === 1 ? 'onRequest' : 'shown'
}

/** The tries left for the PIN in `+SPIC: 3,3,10,10` or `+QPINC: "SC",3,10`; undefined where it does not say. */
export function pinTriesReading(line: string | undefined): number | undefined {
  const tries = /^\+(?:SPIC: |QPINC: "SC",)(\d{1,2})(?:,|$)/.exec(line ?? '')?.[1]
  return tries === undefined ? undefined : Number(tries)
}

/** Whether AT+CCALR? says that calls can be made (6.2.12). */
export function callReadyReading(line: string | undefined): boolean {
  return integersOf(line)[0] === 1
}

/** The causes of a call's end by their names (3GPP TS 24.008 10.5.4.11), as modems word them that give no number. */
const causeNames: Readonly<Record<string, number>> = {
  'unassigned (unallocated) number': 1,
  'unassigned/unallocated number': 1,
  'no route to destination': 3,
  'operator determined barring': 8,
  'normal call clearing': 16,
  'user busy': 17,
  'no user responding': 18,
  'user alerting, no answer': 19,
  'call rejected': 21,
  'number changed': 22,
  'destination out of order': 27,
  'invalid number format (incomplete number)': 28,
  'invalid/incomplete number': 28,
  'normal, unspecified': 31,
  'no circuit/channel available': 34,
  'network out of order': 38,
  'temporary failure': 41,
  'switching equipment congestion': 42,
}

/**
 * The cause of the last call in the reply to AT+CEER: `Cause:17` (SIM800), a number with its name (A76XX: `"16 Normal call
 * clearing"`; others with `"CC …",` before it), or a name alone. Null where it has none up to 127. Two numbers, as in
 * Quectel's `5,36`, are of the data connection, which has causes of its own under the same numbers.
 */
export function causeReading(line: string | undefined): number | null {
  const text = /^\+CEER:\s*(.*)$/.exec(line ?? '')?.[1] ?? ''
  const number = /^(?:Cause:\s*|"CC [^"]{0,40}",\s*)?"?(\d{1,3})(?:"?$|,?\s*"?[A-Z])/i.exec(text)?.[1]
  if (number !== undefined) return Number(number) > 127 ? null : Number(number)
  return causeNames[text.replaceAll('"', '').toLowerCase()] ?? null
}
