// Replays a report: reads the file, replays each of its calls, and says in words how today's driver judges them.

import { CallProfile } from '@callgate/contract/call/callProfile'
import { type CallVerdict, Evidence, Verdict } from '@callgate/contract/call/verdict'
import { faultFinder } from '@callgate/contract/validate'
import type { RecordedCall, Recording } from '@callgate/modem/record/recording'
import { readReport } from '@callgate/modem/record/reportFile'
import { type Replayed, type ReplayParts, replayCall, replayFailedSetUp } from './replayCall.ts'

const checks = [
  ['profile', faultFinder(CallProfile, 'the profile')],
  ['verdict', faultFinder(Verdict, 'the verdict')],
  ['evidence', faultFinder(Evidence, 'the evidence')],
] as const

export type ReportRead =
  | { readonly ok: true; readonly recording: Recording }
  /** `message` is a sentence for a person. */
  | { readonly ok: false; readonly message: string }

/** Reads a report, and checks what its calls say against the contract. */
export function readCheckedReport(text: string): ReportRead {
  const read = readReport(text)
  if (!read.ok) return read
  for (const [place, call] of read.recording.calls.entries())
    for (const [name, faultsOf] of checks) {
      const [fault] = faultsOf(call[name])
      if (fault) return { ok: false, message: `Call ${place + 1}: ${fault.sentence}` }
    }
  return read
}

export interface ReplayedCall {
  readonly call: RecordedCall
  readonly replayed: Replayed
}

/** Replays all calls, one after the other. */
export async function replayAll(
  { calls }: Recording,
  parts: ReplayParts = {},
): Promise<readonly ReplayedCall[]> {
  const all: ReplayedCall[] = []
  for (const call of calls) all.push({ call, replayed: await replayCall(call, parts) })
  return all
}

const seconds = (ms: number | null) => (ms === null ? null : `${(ms / 1_000).toFixed(1)} s`)

/** A verdict in one line. */
export function verdictText(verdict: CallVerdict): string {
  const { cause, confidence, endToken, opened, reason, ringMs, safeToRetry, setupMs, status, talkMs } =
    verdict
  const times = [
    ['to ringing', seconds(setupMs)],
    ['ringing', seconds(ringMs)],
    ['answered', seconds(talkMs)],
  ].flatMap(([name, time]) => (time === null ? [] : [`${name} ${time}`]))
  const signs = [endToken, cause === null ? null : `cause ${cause}`].filter(sign => sign !== null)
  return [
    `${status}, ${reason}, opened ${opened} (${confidence})`,
    ...(safeToRetry ? ['safe to retry'] : []),
    ...times,
    ...signs,
  ].join('; ')
}

function callText({ call, replayed }: ReplayedCall, place: number): readonly string[] {
  const at = new Date(call.nowMs).toISOString().slice(0, 19).replace('T', ' ')
  const head = `Call ${place + 1}, ${at}, ${call.phoneNumber}, profile ${call.profile.mode}:`
  switch (replayed.result) {
    case 'same':
      return [`${head} the same. ${verdictText(replayed.verdict)}`]
    case 'notReplayed':
      return [`${head} not replayed: ${replayed.why}`]
    case 'differs': {
      const { line, recorded, today } = replayed.parting
      const where = line === undefined ? 'They part at' : `They part at line ${line}:`
      const witnesses = (verdict: CallVerdict) => `    by ${verdict.witnesses.join(', ')}`
      return [
        `${head} DIFFERS`,
        `  recorded ${verdictText(call.verdict)}`,
        witnesses(call.verdict),
        `  today    ${verdictText(replayed.verdict)}`,
        witnesses(replayed.verdict),
        `  ${where} ${recorded}`,
        `  There today's driver ${today}.`,
      ]
    }
  }
}

/** What today's driver makes of the set-up that failed, for a person; empty where none did. */
export async function failedSetUpText({ failedSetUp }: Recording): Promise<string> {
  if (!failedSetUp) return ''
  return `The last set-up had failed. With its answers, today's driver ends at: ${await replayFailedSetUp(failedSetUp)}\n`
}

/** What came of all calls, for a person. */
export function replayText(all: readonly ReplayedCall[]): string {
  const count = (result: Replayed['result']) =>
    all.filter(({ replayed }) => replayed.result === result).length
  const sum = `${all.length} calls: ${count('same')} the same, ${count('differs')} different, ${count('notReplayed')} not replayed`
  return [...all.flatMap(callText), sum].join('\n')
}
