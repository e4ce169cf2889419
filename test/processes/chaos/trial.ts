// One trial: a press in a house, the faults of a point at its moment, recovery, and the checks.

import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { terminalWithinMs } from '@callgate/contract/wire/timing'
import { judge, judgeCalls, judgeDials, judgeModem, judgeRecords, judgeStrays, type Press } from './judge.ts'
import { atMoment, isEnded, rowsOf } from './moment.ts'
import type { Point } from './points.ts'
import { press } from './press.ts'
import { type ChaosActor, type ChaosGate, eventually, type RealHouse } from './realHouse.ts'
import { dialsOf, dialsTo, logBytes, readSimulatorLog, violationsIn } from './simulatorLog.ts'
import { beatsAgain, control, strike } from './strike.ts'

export interface Trial {
  readonly point: string
  /** False: the opening was over before the moment came. */
  readonly isHit: boolean
  readonly violations: readonly string[]
  /** How the first press ended. */
  readonly reason: string
  readonly dials: number
  /** From the end of the faults until every opening has ended and the gateway is ready, milliseconds. */
  readonly recoveryMs: number
}

export interface Cast {
  readonly gate: ChaosGate
  /** The second one presses only at points with the fault `press`. */
  readonly actors: readonly [ChaosActor, ChaosActor]
}

const absencesOf = ({ parts }: RealHouse) => ({
  gateway: parts.gateway.absences(),
  simulator: parts.simulator.absences(),
})

/** The presses of a trial. Each can be repeated with its Idempotency-Key after the trial. */
function presses(house: RealHouse, gate: ChaosGate) {
  const begun: {
    readonly actor: ChaosActor
    readonly key: string
    readonly answered: Promise<Press['answered']>
  }[] = []
  return {
    begin(actor: ChaosActor) {
      const key = randomUUID()
      const answered = press(house, gate, actor, key)
      // An early rejection must not end the process; the promise is awaited later.
      answered.catch(() => {})
      begun.push({ actor, key, answered })
      return answered
    },
    count: () => begun.length,
    answered: () => Promise.all(begun.map(({ answered }) => answered)),
    replay: () =>
      Promise.all(
        begun.map(async ({ actor, answered, key }) => ({
          apiKeyId: actor.apiKeyId,
          answered: await answered,
          replayed: await press(house, gate, actor, key),
        })),
      ),
  }
}

/** Presses, injects the faults when the moment comes, and ends them. Returns whether it came, and when the faults ended. */
async function pressAndStrike(
  house: RealHouse,
  point: Point,
  { actors, gate }: Cast,
  given: {
    readonly sinceMs: number
    readonly fromByte: number
    readonly pressing: ReturnType<typeof presses>
  },
) {
  const { fromByte, pressing, sinceMs } = given
  let isAnswered = false
  let undo: Promise<() => Promise<void>> | undefined
  const watched = { house, gate, sinceMs, fromByte, answered: () => isAnswered }
  const moment = atMoment(point.when, watched, async () => {
    undo = strike(house, { point, pressAgain: () => void pressing.begin(actors[1]) })
    await undo
  })
  const answered = pressing.begin(actors[0]).finally(() => {
    isAnswered = true
  })
  const isHit = await Promise.race([moment.hit, answered.then(() => pause(500)).then(() => false)])
  moment.forget()
  const undoNow = await undo
  if (undoNow && !point.faults.some(fault => 'delay' in fault)) await pause(point.forMs)
  await undoNow?.()
  return { isHit, undoneMs: Date.now() }
}

/** Tries a point on one gate. Throws when the house does not recover. */
export async function tryPoint(house: RealHouse, point: Point, cast: Cast): Promise<Trial> {
  const { gate } = cast
  const sinceMs = Date.now()
  const fromByte = logBytes(house.simulatorLog)
  const pressing = presses(house, gate)
  if (point.modem) await control(house, 'faults', { faults: [point.modem] })
  const { isHit, undoneMs } = await pressAndStrike(house, point, cast, { sinceMs, fromByte, pressing })
  if (isHit) await house.ready(beatsAgain(point) ? undoneMs : 0)
  const rows = () => rowsOf(house, gate.id, sinceMs)
  await eventually('every opening has ended', 2 * terminalWithinMs, () => {
    const found = rows()
    return (found.length >= pressing.count() && found.every(isEnded)) || undefined
  })
  const endedAfterMs = Date.now() - undoneMs
  await pressing.answered()
  const recoveryMs = Date.now() - undoneMs
  if (point.modem) await control(house, 'faults', { faults: [] })
  // A verdict on its way may correct a timeout, so wait until the journal is empty.
  await house.reported()
  const pressed = await pressing.replay()
  const entries = readSimulatorLog(house.simulatorLog, fromByte)
  const dials = dialsOf(entries)
  const ended = rows()
  const found = (await house.verify()).map(finding => `wrong: ${finding}`)
  const judged = judge({
    dials,
    rows: ended,
    presses: pressed,
    said: house.said,
    modemViolations: violationsIn(entries),
    absences: absencesOf(house),
    phoneNumber: gate.phoneNumber,
    endedAfterMs,
  })
  const violations = [...judged, ...found]
  const reason = ended[0]?.reason ?? ''
  return { point: point.name, isHit, violations, reason, dials: dials.length, recoveryMs }
}

/** Violations in the whole log of a house: also calls that came after their trial, or belong to none. */
export function judgeWhole(house: RealHouse): string[] {
  const { gates, said, simulatorLog } = house
  const entries = readSimulatorLog(simulatorLog, 0)
  const dials = dialsOf(entries)
  const absences = absencesOf(house)
  const ofGates = gates.flatMap(({ id, phoneNumber }) => {
    const rows = rowsOf(house, id, 0)
    const running = rows.filter(row => !isEnded(row)).map(row => `not ended: ${row.id}`)
    const facts = { said, dials: dialsTo(dials, phoneNumber), rows, absences }
    return [...running, ...judgeDials(facts), ...judgeRecords(facts)]
  })
  const numbers = gates.map(({ phoneNumber }) => phoneNumber)
  return [
    ...ofGates,
    ...judgeStrays(dials, numbers),
    ...judgeCalls({ dials, absences }),
    ...judgeModem(violationsIn(entries)),
  ]
}
