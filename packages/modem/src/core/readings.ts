// Readings: what the replies to the health questions say.

export type Registration = 'home' | 'roaming' | 'searching' | 'denied' | 'none' | 'unknown'

const registrations: readonly Registration[] = ['none', 'home', 'searching', 'denied', 'unknown', 'roaming']

/** The `<stat>` of AT+CREG (SIM800 AT manual V1.09 3.2.32). */
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

/** `+CSQ: rssi,ber` in dBm: -113 + 2 rssi; null for 99, not known (3.2.35). */
export function signalReading(line: string | undefined): number | null {
  const rssi = integersOf(line)[0]
  return rssi === undefined || rssi > 31 || rssi < 0 ? null : -113 + 2 * rssi
}

/** The millivolts of `+CBC: 0,95,4123` (3.2.52). */
export function voltageReading(line: string | undefined): number | null {
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

/** The cause in `+CEER: Cause:17`, the last number of the line; null where there is none up to 127 (3.2.7). */
export function causeReading(line: string | undefined): number | null {
  const cause = /(\d{1,3})\s*$/.exec(line ?? '')?.[1]
  return cause === undefined || Number(cause) > 127 ? null : Number(cause)
}
