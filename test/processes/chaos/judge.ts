// Compares what the simulator's own log says with what the cloud recorded and answered.

import { claimFreshMs, grantWithinMs, terminalWithinMs } from '@callgate/contract/wire/timing'
import type { SeenMessages } from './layout.ts'
import type { Absence } from './processes.ts'
import { isEnded, type Row } from './records.ts'
import { type Dial, dialsTo } from './simulatorLog.ts'

/** The longest time between an event and its line in the log, on a busy machine. */
const marginMs = 500
/** The cool-down of the default profile: the pause after a call that may have moved the gate. */
const coolDownMs = 5_000

/** The cloud does not notice a standstill of up to so long, milliseconds. A press may wait so long before it is read. */
const unnoticedMs = 1_000

/** The longest call, and the time that a restarted gateway may need until it hangs up. */
const callWithinMs = 60_000 + 5_000

/** What an answer to a press said. */
export interface Answer {
  readonly openingId: string | undefined
  /** `opened`, `running`, or the reason why it was not opened. */
  readonly outcome: string | undefined
}

/** One press, repeated by its client until it was answered. */
export interface Press {
  readonly apiKeyId: string
  /** When its client sent it, and each time that it was repeated; wall clock, milliseconds. */
  readonly sentAtMs: readonly number[]
  readonly answered: Answer
  /** The later answer to the same Idempotency-Key, after the trial. */
  readonly replayed: Answer
}

/** What happened at one gate. */
export interface Facts {
  /** Of the gate that was pressed. */
  readonly phoneNumber: string
  /** To whatever number. */
  readonly dials: readonly Dial[]
  readonly rows: readonly Row[]
  readonly presses: readonly Press[]
  readonly said: SeenMessages
  /** What the gateway wrote to the modem and must never write, in words. */
  readonly modemViolations: readonly string[]
  readonly absences: { readonly gateway: readonly Absence[]; readonly simulator: readonly Absence[] }
  /** From the undoing of the fault to the end of the last opening, milliseconds. */
  readonly endedAfterMs: number
}

/** Reasons that say that nothing was dialled. */
const undialled = new Set(['not_dialled', 'interrupted', 'gateway_offline', 'modem_busy', 'modem_not_ready'])

/** The opening of an ATD: the last one that was granted before it, because a number has one call at a time. */
function openingOf({ atMs }: Dial, rows: readonly Row[]): Row | undefined {
  const granted = (row: Row) => Date.parse(row.grantedAt ?? '')
  return rows.filter(row => granted(row) <= atMs).sort((one, other) => granted(other) - granted(one))[0]
}

type Timed = Pick<Facts, 'dials' | 'rows' | 'said' | 'absences'>

/** The latest time at which the modem reads what was written until `writtenMs`. A stopped modem reads it when it goes on. */
function readByMs(writtenMs: number, { simulator }: Facts['absences']): number {
  const stop = simulator.find(
    ({ fromMs, how, untilMs }) => how === 'stopped' && fromMs <= writtenMs && writtenMs <= untilMs,
  )
  return (stop?.untilMs ?? writtenMs) + marginMs
}

/** Checks one ATD: it was granted, and dialled in time. Every claim that the cloud receives passes our proxy. */
function judgeDial({ absences, rows, said }: Timed, dial: Dial): string[] {
  const row = openingOf(dial, rows)
  if (!row) return ['wrong: an ATD without a grant']
  const acceptedMs = Date.parse(row.calledAt)
  const claimedMs = said.claimedAtMs.get(row.id)
  const isLate = (untilMs: number) => dial.atMs > readByMs(untilMs, absences)
  return [
    ...(isLate(acceptedMs + grantWithinMs + claimFreshMs)
      ? [`late: dialled ${dial.atMs - acceptedMs} ms after acceptance`]
      : []),
    ...(claimedMs === undefined ? [`wrong: an ATD for ${row.id}, which was never claimed`] : []),
    ...(claimedMs !== undefined && isLate(claimedMs + claimFreshMs)
      ? [`late: dialled ${dial.atMs - claimedMs} ms after its claim`]
      : []),
  ]
}

/** Finds ATDs to numbers that nobody pressed. */
export const judgeStrays = (dials: readonly Dial[], phoneNumbers: readonly string[]) =>
  dials.flatMap(({ phoneNumber }) =>
    phoneNumbers.includes(phoneNumber) ? [] : [`wrong: an ATD to ${phoneNumber}, which nobody pressed`],
  )

/** Checks the ATDs to one number: each granted and in time, one for an opening, none before the cool-down is over. */
export function judgeDials(facts: Timed): string[] {
  const { dials, rows } = facts
  const twice = rows.flatMap(row => {
    const count = dials.filter(dial => openingOf(dial, rows) === row).length
    return count > 1 ? [`double: ${count} ATD for ${row.id}`] : []
  })
  const onTop = dials.slice(1).flatMap((dial, place) => {
    const before = openingOf(dials[place] ?? dial, rows)
    if (!before || before === openingOf(dial, rows)) return []
    const quietMs = before.opened === 'no' ? 0 : coolDownMs
    const earlyMs = Date.parse(before.completedAt ?? '') + quietMs - dial.atMs
    return earlyMs > marginMs ? [`double: dialled again ${earlyMs} ms too soon after ${before.id}`] : []
  })
  return [...twice, ...onTop, ...dials.flatMap(dial => judgeDial(facts, dial))]
}

/** How much of the time from `fromMs` to `untilMs` lies in any of the absences, milliseconds. */
function absentMs(absences: readonly Absence[], fromMs: number, untilMs: number): number {
  let sumMs = 0
  let countedUntilMs = fromMs
  for (const absence of absences.toSorted((one, other) => one.fromMs - other.fromMs)) {
    const beginMs = Math.max(absence.fromMs, countedUntilMs)
    const endMs = Math.min(absence.untilMs, untilMs)
    sumMs += Math.max(0, endMs - beginMs)
    countedUntilMs = Math.max(countedUntilMs, endMs)
  }
  return sumMs
}

/** Checks that each call ended in time, without the time in which gateway or simulator was stopped or dead. */
export const judgeCalls = ({ absences, dials }: Pick<Facts, 'absences' | 'dials'>) =>
  dials.flatMap(({ atMs, endedAtMs }) => {
    if (endedAtMs === undefined) return []
    // A killed simulator ends its call, but cannot log that.
    const killed = absences.simulator.find(({ how, untilMs }) => how === 'killed' && untilMs >= atMs)
    const untilMs = Math.min(endedAtMs, killed?.fromMs ?? Number.POSITIVE_INFINITY)
    if (untilMs === Number.POSITIVE_INFINITY) return ['call: never hung up']
    const lastedMs = untilMs - atMs - absentMs([...absences.gateway, ...absences.simulator], atMs, untilMs)
    return lastedMs > callWithinMs ? [`call: lasted ${Math.round(lastedMs)} ms`] : []
  })

/** Violations that no fault explains: a restarted gateway hangs up first, and sets a returned port up again. */
export const judgeModem = (modemViolations: readonly string[]) =>
  modemViolations.map(violation => `modem: ${violation}`)

/** Checks that the record has what the gateway reported, in time or late. */
function judgeReported({ said }: Facts, row: Row): string[] {
  const verdicts = said.verdicts.get(row.id)
  if (verdicts && !verdicts.has(row.reason ?? ''))
    return [`lost: the gateway said ${[...verdicts].join(', ')}, recorded is ${row.reason}`]
  return row.reason === 'no_report' ? ['lost: the gateway is back, and its report is not'] : []
}

/**
 * What a record says against what the relay did, which is logged before the modem can say anything of it: a verdict may
 * doubt, and then says that it does not know, but what it says has to be so.
 */
function judgeRecord({ dials, rows }: Pick<Facts, 'dials' | 'rows'>, row: Row): string[] {
  const { confidence, opened, reason, status } = row
  const own = dials.filter(dial => openingOf(dial, rows) === row)
  const relayFired = own.some(dial => dial.relayFired)
  const isDialled = own.length > 0
  return [
    ...(opened === 'no' && confidence !== 'unknown' && relayFired
      ? [`wrong: ${reason}, ${confidence} not opened, but the relay fired`]
      : []),
    ...(status === 'completed' && !isDialled ? ['wrong: completed without an ATD'] : []),
    ...(status === 'completed' && isDialled && !relayFired
      ? [`wrong: ${reason}, completed, but no relay fired`]
      : []),
    ...(isDialled && undialled.has(reason ?? '') ? [`wrong: ${reason}, but there was an ATD`] : []),
  ]
}

/** The records of one gate, but for those that joined, against the ATDs to its number. */
export const judgeRecords = (facts: Pick<Facts, 'dials' | 'rows'>) =>
  facts.rows.flatMap(row => (row.joinedOpeningId === null ? judgeRecord(facts, row) : []))

/**
 * Checks the age of a press by its client's clock: the record's own does not know how long the press waited in the socket of a
 * cloud that stood still. A client that repeats its request still wants the gate.
 */
function judgeAge({ absences, dials, rows }: Facts, { answered, sentAtMs }: Press): string[] {
  const row = rows.find(({ id }) => id === answered.openingId)
  if (!row?.grantedAt) return []
  const sentBefore = (ms: number) => Math.max(...sentAtMs.filter(atMs => atMs <= ms))
  const grantedMs = Date.parse(row.grantedAt)
  const waitedMs = grantedMs - sentBefore(grantedMs)
  const lateDials = dials.flatMap(dial => {
    const untilMs = sentBefore(dial.atMs) + unnoticedMs + grantWithinMs + claimFreshMs
    if (openingOf(dial, rows) !== row || dial.atMs <= readByMs(untilMs, absences)) return []
    return [`late: dialled ${dial.atMs - sentBefore(dial.atMs)} ms after its press`]
  })
  return [
    ...(waitedMs > grantWithinMs + unnoticedMs + marginMs
      ? [`late: granted ${waitedMs} ms after its press`]
      : []),
    ...lateDials,
  ]
}

/** Checks that a press has exactly one opening, and that every answer names it with its true outcome. */
function judgePress({ rows }: Facts, { answered, apiKeyId, replayed }: Press): string[] {
  const own = rows.filter(row => row.apiKeyId === apiKeyId)
  const [row] = own
  if (!row) return ['lost: the press was answered, but there is no opening']
  const isNamed = answered.openingId === row.id && replayed.openingId === row.id
  const truth = row.status === 'completed' ? 'opened' : row.reason
  // An early answer, before a late report of the gateway brought the end.
  const isEarly = answered.outcome === 'running' || answered.outcome === 'no_report'
  return [
    ...(own.length > 1 ? [`double: ${own.length} openings for one Idempotency-Key`] : []),
    ...(isNamed
      ? []
      : [`lost: ${row.id} was answered as ${answered.openingId}, then as ${replayed.openingId}`]),
    ...(answered.outcome === replayed.outcome
      ? []
      : [`wrong: answered ${answered.outcome}, then ${replayed.outcome}`]),
    ...(isEarly || answered.outcome === truth ? [] : [`wrong: ${truth}, but answered ${answered.outcome}`]),
  ]
}

/** What may become of a press at a cloud that no fault touches: the gate opens, or the modem is in a call for all of its time. */
const bystanders = new Set(['opened', 'running', 'modem_busy'])

/** Checks the press at a cloud that no fault touches: it is answered at once, and opens. */
export const judgeBystander = (told: {
  readonly failures: readonly string[]
  readonly presses: readonly Press[]
}) => [
  ...told.failures.map(why => `lost: the cloud that was not touched refused a press: ${why}`),
  ...told.presses.flatMap(({ answered: { outcome } }) =>
    bystanders.has(outcome ?? '') ? [] : [`lost: ${outcome} at the cloud that was not touched`],
  ),
]

/** All violations, in words. */
export function judge(all: Facts): string[] {
  const { endedAfterMs, phoneNumber, presses, rows } = all
  const facts = { ...all, dials: dialsTo(all.dials, phoneNumber) }
  const nobodys = rows.filter(row => !presses.some(({ apiKeyId }) => apiKeyId === row.apiKeyId))
  return [
    ...presses.flatMap(press => [...judgePress(facts, press), ...judgeAge(facts, press)]),
    ...nobodys.map(({ id }) => `wrong: nobody pressed for ${id}`),
    ...rows.flatMap(row => (isEnded(row) ? [] : [`not ended: ${row.status}`])),
    ...(endedAfterMs > terminalWithinMs ? [`not ended: until ${endedAfterMs} ms after recovery`] : []),
    ...rows.flatMap(row => (row.joinedOpeningId === null ? judgeReported(facts, row) : [])),
    ...judgeDials(facts),
    ...judgeRecords(facts),
    ...judgeCalls(all),
    ...judgeStrays(all.dials, [phoneNumber]),
    ...judgeModem(facts.modemViolations),
  ]
}
