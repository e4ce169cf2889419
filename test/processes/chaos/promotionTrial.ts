// Trials in which a standby of the database takes over: one that has every commit, and one that lacks the last ones.

import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { claimFreshMs } from '@callgate/contract/wire/timing'
import { member, parseJson, text } from '../../../packages/demo/src/json.ts'
import { modemChecks } from '../../checker/callChecks.ts'
import { atMoment } from './moment.ts'
import type { Point } from './points.ts'
import { press } from './press.ts'
import { eventually, type RealHouse } from './realHouse.ts'
import { isEnded, type Row } from './records.ts'
import { type Dial, dialsOf, dialsTo, logBytes, readSimulatorLog, violationsIn } from './simulatorLog.ts'
import { strike } from './strike.ts'
import { type Cast, type Trial, tryPoint } from './trial.ts'
import { factsOf } from './trialFacts.ts'

export const promotes = ({ faults }: Point) => faults.some(fault => 'promote' in fault)
export const lags = ({ faults }: Point) => faults.some(fault => 'lag' in fault)

/**
 * A point at which a synchronous standby takes over: all rules of a trial hold, and no press is refused because of the takeover.
 */
export async function tryPromotion(house: RealHouse, point: Point, cast: Cast): Promise<Trial> {
  await house.standbys?.make(true)
  const marks = await house.records.marks()
  const trial = await tryPoint(house, point, cast)
  const marked = (await house.records.marks()) - marks
  if (marked === 0) return trial
  return { ...trial, violations: [...trial.violations, 'lost: presses are refused, and no commit was lost'] }
}

/** The answer of a cloud to a press. */
interface PressAnswer {
  readonly status: number
  /** Whether it says that the gate was certainly not opened. */
  readonly isNo: boolean
  /** Whether it has the outcome of the opening. */
  readonly isOutcome: boolean
}

/** How long the same press is sent, in milliseconds: after 160 s it is a new press. */
const repeatedForMs = 140_000
const repeatedEveryMs = 1_500
const answersWithinMs = 60_000

/** Reasons that leave the state of the gate unknown. */
const unknowing = new Set([
  'outcome_unknown',
  'no_report',
  'modem_lost',
  'modem_lost_after_ring',
  'dial_no_response',
])

async function send(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<PressAnswer | undefined> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers,
      signal: AbortSignal.timeout(answersWithinMs),
    })
    const body = parseJson(await answer.text())
    const error = member(body, 'error')
    const reason = text(error, 'reason') ?? ''
    const isRetrySafe = member(error, 'safeToRetry') === true
    const { status } = answer
    const isNo = status === 502 && (isRetrySafe || !unknowing.has(reason))
    return { status, isNo, isOutcome: status === 200 || status === 502 }
  } catch {
    return undefined
  }
}

/** A client that sends one press to both clouds in turn until it is stopped. */
function insistent(house: RealHouse, { actors: [actor], gate }: Cast) {
  const headers = { authorization: `Bearer ${actor.apiKey}`, 'idempotency-key': randomUUID() }
  const told: PressAnswer[] = []
  let isOver = false
  const isAnswered = () => told.some(({ isOutcome }) => isOutcome)
  const run = (async () => {
    for (let tries = 0; !isOver; tries++) {
      const url = `${house.baseUrls[tries % house.baseUrls.length]}/api/v1/gates/${gate.id}/open`
      const answer = await send(url, headers)
      if (answer) told.push(answer)
      await pause(answer === undefined ? 100 : repeatedEveryMs)
    }
  })()
  return {
    told: () => told,
    isAnswered,
    async stop() {
      isOver = true
      await run
    },
  }
}

/** Longer than presses are refused after a restore, in milliseconds. */
const recoversWithinMs = 240_000

const isServing = async (baseUrl: string) => {
  const signal = AbortSignal.timeout(2_000)
  return (await fetch(`${baseUrl}/readyz`, { signal }).catch(() => undefined))?.status === 200
}

interface Lost {
  readonly dials: readonly Dial[]
  readonly rows: readonly Row[]
  readonly told: readonly PressAnswer[]
  /** When each claim of the trial was seen, in milliseconds by the wall clock. */
  readonly claimedMs: readonly number[]
}

const marginMs = 500

/**
 * The rules where rows may be lost: one call for the press, in time, and no client is told a false no. Returns violations, in
 * words.
 */
export function checkLost({ claimedMs, dials, rows, told }: Lost): string[] {
  const late = dials.filter(
    ({ atMs }) => !claimedMs.some(ms => ms <= atMs && atMs <= ms + claimFreshMs + marginMs),
  )
  const moved = dials.some(({ relayFired }) => relayFired)
  const denying = rows.filter(({ confidence, opened }) => opened === 'no' && confidence !== 'unknown')
  return [
    ...(dials.length > 1 ? [`double: ${dials.length} ATD for one Idempotency-Key`] : []),
    ...late.map(() => 'late: an ATD without a fresh claim'),
    ...(moved ? denying.map(({ reason }) => `wrong: ${reason}, surely not opened, but the relay fired`) : []),
    ...(moved && told.some(({ isNo }) => isNo)
      ? ['wrong: told as surely not opened, but the relay fired']
      : []),
    ...rows.flatMap(row => (isEnded(row) ? [] : [`not ended: ${row.status}`])),
  ]
}

/** Finds ATDs to numbers without a press. */
const straysIn = (dials: readonly Dial[], pressed: string) =>
  dials.flatMap(({ phoneNumber }) =>
    phoneNumber === pressed ? [] : [`A1: an ATD to ${phoneNumber}, which nobody pressed`],
  )

/** A point at which an asynchronous standby takes over, which lacks the commits since the moment of the point. */
export async function tryLag(house: RealHouse, point: Point, cast: Cast): Promise<Trial> {
  const { gate } = cast
  await house.standbys?.make(false)
  const sinceMs = Date.now() - marginMs
  const fromByte = logBytes(house.simulatorLog)
  let client: ReturnType<typeof insistent> | undefined
  let undo: Promise<() => Promise<void>> | undefined
  const watched = { house, gate, sinceMs, fromByte, answered: () => client?.isAnswered() ?? false }
  const moment = atMoment(point.when, watched, async () => {
    undo = strike(house, { point, pressAgain: () => {} })
    await undo
  })
  if ('unpressedMs' in point.when) {
    await moment.hit
    await undo
    await pause(point.when.unpressedMs)
  }
  client = insistent(house, cast)
  const isHit = await Promise.race([moment.hit, pause(60_000).then(() => false)])
  moment.forget()
  const promote = await undo
  house.lostAt.add(gate.id)
  await pause(point.forMs)
  await promote?.()
  const promotedMs = Date.now()
  await house.reported()
  await pause(Math.max(0, promotedMs + repeatedForMs - Date.now()))
  await client.stop()
  await eventually('both clouds serve again', recoversWithinMs, async () => {
    const serve = await Promise.all(house.baseUrls.map(isServing))
    return serve.every(Boolean) || undefined
  })
  const recoveryMs = Date.now() - promotedMs
  const entries = readSimulatorLog(house.simulatorLog, fromByte)
  const dials = dialsOf(entries)
  const rows = await house.records.rowsOf(gate.id, sinceMs)
  const claims = [...house.said.claimedAtMs].filter(([, ms]) => ms >= sinceMs)
  const own = dialsTo(dials, gate.phoneNumber)
  const untold: string[] = []
  // Earlier records may be lost as well: their acknowledgement was only as good as the commit.
  const isToldLater = own.some(({ endedAtMs = 0 }) => endedAtMs >= promotedMs)
  for (const [openingId] of isToldLater ? claims : [])
    if (house.said.verdicts.has(openingId) && !(await house.records.isToldEnd(openingId)))
      untold.push(`lost: the report of ${openingId} is nowhere`)
  const after = await pressAfter(house, cast)
  const absences = { gateway: house.parts.gateway.absences(), simulator: house.parts.simulator.absences() }
  const { gatewayIds, said } = house
  const [gatewayId] = gatewayIds
  const seen = { gatewayIds, said, rows, absences, modemViolations: violationsIn(entries) }
  const facts = factsOf(
    { ...seen, dials: dials.map(dial => ({ ...dial, gatewayId })) },
    { presses: rows.length, accepted: [], keyed: [] },
  )
  return {
    point: point.name,
    isHit,
    violations: [
      ...checkLost({ dials: own, rows, told: client.told(), claimedMs: claims.map(([, ms]) => ms) }),
      ...untold,
      ...after,
      ...straysIn(dials, gate.phoneNumber),
      ...modemChecks.flatMap(check => check(facts)),
    ],
    reason: rows[0]?.reason ?? '',
    dials: own.length,
    recoveryMs,
  }
}

/** Another gate opens after the takeover. */
async function pressAfter(house: RealHouse, { actors, bystander }: Cast): Promise<string[]> {
  if (!bystander) return []
  const { outcome } = await press({ baseUrls: house.baseUrls }, bystander, actors[1], randomUUID())
  return outcome === 'opened' || outcome === 'running' ? [] : [`lost: ${outcome} when it was over`]
}
