// What a modem lacks: the commands of the standard that it refused at its start, as names that can be shown to a person.

/** Without one of these no call could be followed, so the modem is not used. */
export type UnfitTrouble =
  /** It does not list its calls (AT+CLCC). */
  | 'call_list_missing'
  /** It does not say whether it is on the network (AT+CREG). */
  | 'registration_missing'

/** Without one of these the modem works, but less is known or possible. */
export type Lack =
  /** It reports no call by itself: a change is noticed at the next question. */
  | 'call_reports'
  /** It does not say why a call ended (AT+CEER). */
  | 'call_causes'
  /** It does not say whether gates see our number (AT+CLIR). */
  | 'caller_id'
  /** It does not say who rings, so no gate can confirm by calling back (AT+CLIP). */
  | 'callers'
  /** It reports no messages, so no gate can confirm by one (AT+CMGF, AT+CNMI). */
  | 'messages'

/** Each item is lacking where one of its commands was refused. */
const lackOfCommand: Readonly<Record<string, Lack>> = {
  'AT+CEER': 'call_causes',
  'AT+CLIR?': 'caller_id',
  'AT+CLIP=1': 'callers',
  'AT+CMGF=0': 'messages',
  'AT+CNMI=2,1': 'messages',
}

/**
 * What the modem lacks, by the commands that it refused. `callReports` are those that switch reports of calls on; one of them is
 * enough for reports.
 */
export function lacksOf(refused: ReadonlySet<string>, callReports: readonly string[]): readonly Lack[] {
  const lacks = [...refused].flatMap(text => lackOfCommand[text] ?? [])
  const hasReports = callReports.some(text => !refused.has(text))
  return [...new Set(hasReports ? lacks : (['call_reports', ...lacks] as const))]
}
