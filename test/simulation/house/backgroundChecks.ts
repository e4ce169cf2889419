// Checks of what happens beside the openings: tasks give way and run once, a console never calls, and a gate has one calibration.

import { taskEndsWithinMs } from '@callgate/contract/wire/timing'
import { openingOf, unseenMs } from '../../checker/attribution.ts'
import { unknownAfterMs } from '../../checker/callChecks.ts'
import { messageChecks } from './messageChecks.ts'
import { meets } from './spans.ts'
import type { Gateway, Truth } from './truth.ts'

/** The modem is free again this long after the hint of an opening to which a task has to give way. */
const givesWayWithinMs = 6_000

/** Whether a task of this gateway sent a code to the modem in that time. */
function hasSentCode({ lines }: Truth, of: string, beganMs: number, endedMs: number): boolean {
  const own = lines.filter(({ gatewayId }) => gatewayId === of).flatMap(line => line.lines)
  return own.some(
    ({ atMs, direction, text }) =>
      direction === 'toModem' && text.startsWith('AT+CUSD') && atMs >= beganMs && atMs <= endedMs,
  )
}

/**
 * Promise T1: a running task ends within 6 s of the hint of an opening. This does not apply where its daemon could not act, or
 * where its modem has a fault; messages have rules of their own, in `messageChecks`. A task that waits for a bad disk before its
 * code holds no modem, so nothing waits for it.
 */
function taskGivesWay(truth: Truth): string[] {
  const { drift, gateways, hints, sent, taskRuns, tasks } = truth
  return taskRuns.flatMap(({ beganMs, endedMs = Number.POSITIVE_INFINITY, gatewayId, taskId }) => {
    if (tasks.find(({ id }) => id === taskId)?.kind === 'sms') return []
    const { badDisk = [], couldNotHangUp = [] } =
      gateways.find(gateway => gateway.gatewayId === gatewayId) ?? {}
    // The gateway ignores hints of openings that it has claimed before. A claim that it wrote while it was cut off was never sent,
    // but the report of its end is.
    const wasClaimed = (hint: Truth['hints'][number]) =>
      sent.some(
        one =>
          (one.kind === 'claim' || one.phase !== 'declined') &&
          one.gatewayId === gatewayId &&
          one.openingId === hint.openingId &&
          one.atMs <= hint.atMs,
      )
    const first = hints.find(
      hint => hint.gatewayId === gatewayId && hint.atMs > beganMs && hint.atMs < endedMs && !wasClaimed(hint),
    )
    if (!first) return []
    const byMs = first.atMs + givesWayWithinMs * (1 + drift)
    if (endedMs <= byMs || meets(couldNotHangUp, beganMs, byMs)) return []
    if (meets(badDisk, beganMs, byMs) && !hasSentCode(truth, gatewayId, beganMs, endedMs)) return []
    return [`T1: ${taskId} still ran ${givesWayWithinMs} ms after the hint of ${first.openingId}`]
  })
}

const mayTakeMs = (text: string) => (/^AT\+CUSD=1/.test(text) ? 5_000 : 3_000)

/** Violations by a console and by tasks on the line of one modem. */
function lineOf({ drift, gateways }: Truth, { gatewayId, lines }: Truth['lines'][number]): string[] {
  const found: string[] = []
  const { couldNotHangUp = [], starts = [] }: Partial<Gateway> =
    gateways.find(gateway => gateway.gatewayId === gatewayId) ?? {}
  let asked: { readonly atMs: number; readonly text: string } | undefined
  /** Since when a session with the network is open. */
  let openMs: number | undefined
  for (const { atMs, direction, text } of lines) {
    const isAway = (sinceMs: number) => starts.some(start => start.atMs > sinceMs && start.atMs <= atMs)
    if (direction === 'fromModem') {
      if (/^(?:OK|ERROR|RDY|\+CM[ES] ERROR.*)$/.test(text)) asked = undefined
      if (/^\+CUSD: [^1]/.test(text) || text === 'RDY') openMs = undefined
      continue
    }
    if (/^\s*A\/|^\s*AT.*D[\d+>LT"]/i.test(text) && !/^ATD\+\d+[iI]?;$/.test(text))
      found.push(`P4: the modem of ${gatewayId} read ${JSON.stringify(text)} at ${atMs} ms`)
    if (/^ATD/.test(text)) {
      const leastMs = asked && mayTakeMs(asked.text) * (1 - drift)
      if (asked && atMs - asked.atMs < (leastMs ?? 0) && !isAway(asked.atMs))
        found.push(`T1: an ATD at ${atMs} ms, and ${asked.text} had no answer yet`)
      if (openMs !== undefined && !isAway(openMs) && !meets(couldNotHangUp, openMs, atMs))
        found.push(`T1: an ATD at ${atMs} ms in a USSD session that is open since ${openMs} ms`)
    }
    if (/^AT\+CUSD=/.test(text)) {
      asked = { atMs, text }
      openMs = /^AT\+CUSD=1/.test(text) ? atMs : undefined
    }
  }
  return found
}

const lineOfTasks = (truth: Truth) => truth.lines.flatMap(lines => lineOf(truth, lines))

/** Promise T2: a task begins once, whatever is repeated, killed and started. */
function taskRunsOnce({ taskRuns }: Truth): string[] {
  const ids = taskRuns.map(({ taskId }) => taskId)
  return [...new Set(ids.filter((id, place) => ids.indexOf(id) !== place))].map(
    id => `T2: ${id} began ${ids.filter(one => one === id).length} times`,
  )
}

/** Promise T2: a task is recorded as the chosen boot has reported it, and that boot always reports it in the same words. */
function taskRecordedAsTold({ tasks, told }: Truth): string[] {
  return tasks.flatMap(({ bootId, endedAs, gatewayId, id, told: kept }) => {
    const words = told.filter(one => one.told.taskId === id)
    const own = words.filter(one => one.gatewayId === gatewayId && one.bootId === bootId)
    const said = kept === null ? undefined : JSON.stringify({ taskId: id, ...JSON.parse(kept) })
    const isTold = own.some(one => JSON.stringify(JSON.parse(one.text)) === said)
    return [
      ...(new Set(words.map(one => one.text)).size > 1 ? [`T2: ${id} was told in different words`] : []),
      ...(endedAs === 'done' && kept === null ? [`T2: ${id} is done, and nobody has told it`] : []),
      ...(said !== undefined && !isTold ? [`T2: ${id} is recorded as its boot has not told it`] : []),
    ]
  })
}

/** A cloud checks every 2 s. */
const checksEveryMs = 2_000
const takesMs = 3_000

/**
 * Promise T2: a task ends in the cloud within 150 s, a message within 270 s. This is by the cloud's clock, so it is not checked
 * where that was set.
 */
function taskEnds({ away, clockSetMs, drift, stood, tasks }: Truth): string[] {
  const awayMs = [...away, ...stood].reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0)
  return tasks.flatMap(({ createdAt, endedAt, id, kind }) => {
    if (endedAt === null) return [`T2: ${id} has not ended`]
    const tookMs = Date.parse(endedAt) - Date.parse(createdAt)
    const longestMs = (taskEndsWithinMs[kind] + checksEveryMs + takesMs) * (1 + 8 * drift) + awayMs
    return clockSetMs.length === 0 && tookMs > longestMs
      ? [`T2: ${id} ended ${tookMs} ms after it was asked`]
      : []
  })
}

/** The answers of the house's networks to a code, as a person reads them. */
const networkSays: readonly unknown[] = [
  'Credit 5.00 EUR',
  '1 Credit 2 Options 0 Exit',
  'Aveți 5,00 EUR până la 31.12',
  'Credit 5.00 EUR RDY OK Valid until 31.12.2026',
  'Credit 5.00 EUR NO CARRIER BUSY OK Valid until 31.12.2026',
]

/**
 * Whether the modem printed that text first after it had accepted the code. The driver's documentation names this case: a network
 * that opens a menu between a code and its answer, and no line says which of the two it is.
 */
function isFirstAfterCode({ lines }: Truth, run: Truth['taskRuns'][number], text: string): boolean {
  const own = lines
    .filter(({ gatewayId }) => gatewayId === run.gatewayId)
    .flatMap(line => line.lines)
    .filter(({ atMs }) => atMs >= run.beganMs && atMs <= (run.endedMs ?? atMs))
  const code = own.findIndex(line => line.direction === 'toModem' && line.text.startsWith('AT+CUSD=1'))
  const said = own.slice(code + 1).filter(({ direction }) => direction === 'fromModem')
  const accepted = said.findIndex(line => line.text === 'OK')
  const first = said.slice(accepted + 1).find(line => line.text.startsWith('+CUSD'))
  return code >= 0 && accepted >= 0 && first?.text.includes(`"${text}"`) === true
}

/**
 * Promise T2: the answer of a task is the network's whole answer to its code, and no text that the network sent by itself. The two
 * cannot be told apart where the serial line has lost output of the modem meanwhile, or where such a text is the first after the
 * code.
 */
function answersAreOfNetworks(truth: Truth): string[] {
  return truth.tasks.flatMap(({ endedAs, gatewayId, id, kind, told }) => {
    if (kind !== 'ussd' || endedAs !== 'done' || told === null) return []
    const run = truth.taskRuns.find(({ taskId }) => taskId === id)
    const { lostReplies = [] } = truth.gateways.find(gateway => gateway.gatewayId === gatewayId) ?? {}
    if (run && lostReplies.some(atMs => run.beganMs <= atMs && atMs <= (run.endedMs ?? atMs))) return []
    const { text } = JSON.parse(told).answer
    if (networkSays.includes(text) || (run && isFirstAfterCode(truth, run, text))) return []
    return [`T2: ${id} is told with the answer ${JSON.stringify(text)}`]
  })
}

/**
 * Promise T2: the known balance of a SIM card is its network's answer to a task. A clock that was set forward by a month may have
 * ended the time for which the task is kept.
 */
function balanceIsTold({ clockSetMs, sims, tasks }: Truth): string[] {
  return sims.flatMap(({ answer, id }) => {
    if (answer === null) return []
    const texts = tasks.flatMap(({ endedAs, gatewayId, told }) =>
      gatewayId === id && endedAs === 'done' ? [JSON.parse(told ?? '{}').answer?.text] : [],
    )
    const isKnown = texts.includes(answer) || (clockSetMs.length > 0 && networkSays.includes(answer))
    return isKnown ? [] : [`T2: the balance of ${id} is of no task`]
  })
}

/**
 * Promise C1: a gate has one calibration at a time; each begins, and ends once. Where a clock was set, a calibration may be over
 * early.
 */
function oneCalibration({ clockSetMs, events }: Truth): string[] {
  if (clockSetMs.length > 0) return []
  const steps = events.filter(({ kind }) => kind.startsWith('gate.calibrat'))
  return steps.flatMap(({ kind, targetId }, place) => {
    const before = steps.slice(0, place).findLast(step => step.targetId === targetId)
    const isStart = kind === 'gate.calibration_started'
    const goesOn = before?.kind === 'gate.calibration_started'
    return isStart === goesOn ? [`C1: ${kind} of ${targetId}, and before it ${before?.kind}`] : []
  })
}

const pausesMs = 30_000
/** The recorded end of a call is up to this much earlier than the real end. */
const grainMs = 1_000

/** The test calls as the modems read them, in order. */
function testCallsOf(truth: Truth) {
  const { calls, observing } = truth
  return calls
    .flatMap(call => {
      const opening = openingOf(truth, call)
      return opening && observing.includes(opening.id) ? [call] : []
    })
    .sort((a, b) => a.atMs - b.atMs)
}

/**
 * Promise C1: each test call comes 30 s after the one before, even if that belonged to another calibration. A gateway reports the
 * end of a call by the time since its claim, so the end counts as earlier by the stalls of its machine. A call that its modem
 * slept over counts from its report.
 */
function testCallsApart(truth: Truth): string[] {
  const { clockSetMs, drift } = truth
  const testCalls = testCallsOf(truth)
  return testCalls.flatMap((call, place) => {
    const { phoneNumber } = call
    const before = testCalls.slice(0, place).findLast(one => one.phoneNumber === phoneNumber)
    if (before?.endedAtMs === undefined || clockSetMs.length > 0) return []
    // It was reported as unknown before the modem woke and carried out the call.
    if (before.isSleptOver && before.readMs - before.atMs > unknownAfterMs * (1 - drift)) return []
    const opening = openingOf(truth, before)
    const pauseMs = call.atMs - before.endedAtMs + (opening ? unseenMs(truth, opening, before.endedAtMs) : 0)
    return pauseMs < pausesMs * (1 - 8 * drift) - grainMs
      ? [`C1: ${phoneNumber} was observed ${pauseMs} ms after a test call`]
      : []
  })
}

/**
 * Promise C1: a test call is an ordinary opening of the admin who prepared it, at a gate that is being calibrated. There are not
 * more of them than were prepared.
 */
function observedAsPrepared({ calibrations, observing, prepared, rows }: Truth): string[] {
  const isObserved = (openingId: string) => observing.includes(openingId)
  const own = rows.filter(({ id }) => isObserved(id))
  const kept = calibrations.flatMap(({ openingIds }) => openingIds)
  return [
    ...(own.length > prepared.length ? [`C1: ${own.length} test calls, ${prepared.length} prepared`] : []),
    ...own
      .filter(({ userId }) => userId === null)
      .map(({ id }) => `C1: ${id} observes, and no admin pressed`),
    ...kept.filter(id => !isObserved(id)).map(id => `C1: ${id} is a test call that does not observe`),
  ]
}

export const backgroundChecks = [
  taskGivesWay,
  lineOfTasks,
  taskRunsOnce,
  taskRecordedAsTold,
  taskEnds,
  answersAreOfNetworks,
  balanceIsTold,
  oneCalibration,
  testCallsApart,
  observedAsPrepared,
  ...messageChecks,
]
