// What a modem lacks: the standard's commands that it refused at its start, as words that a person can be told.

/** Without it no call could be followed, so the modem is not used. */
export type UnfitTrouble =
  /** It does not list its calls (AT+CLCC). */
  | 'call_list_missing'
  /** It does not say whether it is on the network (AT+CREG). */
  | 'registration_missing'

/** Without it the modem works, and less is known or possible. */
export type Lack =
  /** It reports no call by itself: a change is seen at the next question. */
  | 'call_reports'
  /** It does not say why a call ended (AT+CEER). */
  | 'call_causes'
  /** It does not say whether gates see our number (AT+CLIR). */
  | 'caller_id'
  /** It does not say who rings, so no gate can confirm by calling back (AT+CLIP). */
  | 'callers'
  /** It reports no messages, so no gate can confirm by one (AT+CMGF, AT+CNMI). */
  | 'messages'

/** One of these refused is enough. */
const lackOfCommand: Readonly<Record<string, Lack>> = {
  'AT+CEER': 'call_causes',
  'AT+CLIR?': 'caller_id',
  'AT+CLIP=1': 'callers',
  'AT+CMGF=0': 'messages',
  'AT+CNMI=2,1': 'messages',
}

/**
 * What follows from the commands that the modem refused. `callReports` are those that switch reports of calls on; with
 * one of them there are reports.
 */
export function lacksOf(refused: ReadonlySet<string>, callReports: readonly string[]): readonly Lack[] {
  const lacks = [...refused].flatMap(text => lackOfCommand[text] ?? [])
  const hasReports = callReports.some(text => !refused.has(text))
  return [...new Set(hasReports ? lacks : (['call_reports', ...lacks] as const))]
}
