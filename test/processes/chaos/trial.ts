// One trial: a press in a house, the faults of a point at its moment, recovery, and the checks.

import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { terminalWithinMs } from '@callgate/contract/wire/timing'
import { modemChecks } from '../../checker/callChecks.ts'
import { checkFacts } from '../../checker/checker.ts'
import { slowness } from '../slowness.ts'
import { isDrained, mayHoldSpace, untouchedCloud } from './cloudPoints.ts'
import { checkFailOver, failOversMs } from './failOver.ts'
import type { ChaosActor, ChaosGate } from './furnish.ts'
import { checkEvents } from './houseEvents.ts'
import type { CloudName, SeenMessages } from './layout.ts'
import { atMoment } from './moment.ts'
import type { Point } from './points.ts'
import { type Desk, press } from './press.ts'
import { eventually, type RealHouse } from './realHouse.ts'
import { isEnded, type Row } from './records.ts'
import { dialsOf, logBytes, readSimulatorLog, violationsIn } from './simulatorLog.ts'
import { beatsAgain, control, strike } from './strike.ts'
import { checkBystander, checkTrial, type Press } from './trialChecker.ts'
import { factsOf } from './trialFacts.ts'

export interface Trial {
  readonly point: string
  /** False: the opening was over before the moment came. */
  readonly isHit: boolean
  readonly violations: readonly string[]
  /** How the first press ended. */
  readonly reason: string
  readonly dials: number
  /** The time from the end of the faults until every opening has ended and the gateway is ready, in milliseconds. */
  readonly recoveryMs: number
  /** With two gateways: how long after the press the second one dialled, where it was granted the opening. */
  readonly failOversMs?: readonly number[]
}

export interface Cast {
  readonly gate: ChaosGate
  /** The second actor presses only at points with the fault `press`, and at the gate of the bystander. */
  readonly actors: readonly [ChaosActor, ChaosActor]
  /** Pressed at the cloud that no fault touches, as soon as another one is hit. */
  readonly bystander?: ChaosGate
}

const absencesOf = ({ parts }: RealHouse) => ({
  gateway: parts.gateway.absences(),
  simulator: parts.simulator.absences(),
})

/** The presses of a trial at one gate. Each can be repeated with its Idempotency-Key after the trial. */
function presses(desk: Desk, gate: ChaosGate) {
  const begun: {
    readonly actor: ChaosActor
    readonly key: string
    readonly sentAtMs: readonly number[]
    readonly answered: Promise<Press['answered']>
  }[] = []
  return {
    gate,
    begin(actor: ChaosActor) {
      const key = randomUUID()
      const sentAtMs: number[] = []
      const noting = { ...desk, onSend: () => void sentAtMs.push(Date.now()) }
      const answered = press(noting, gate, actor, key)
      // An early rejection must not end the process; the promise is awaited later.
      answered.catch(() => {})
      begun.push({ actor, key, sentAtMs, answered })
      return answered
    },
    count: () => begun.length,
    answered: () => Promise.all(begun.map(({ answered }) => answered)),
    replay: () =>
      Promise.all(
        begun.map(async ({ actor, answered, key, sentAtMs }) => ({
          apiKeyId: actor.apiKeyId,
          sentAtMs,
          answered: await answered,
          // With two clouds, at the one that did not get the press.
          replayed: await press({ ...desk, baseUrls: desk.baseUrls.toReversed() }, gate, actor, key),
        })),
      ),
  }
}
type Pressing = ReturnType<typeof presses>

/** How long a client waits before it hangs up or asks the next cloud, in milliseconds: shorter than many openings. */
const impatientMs = 4_000

/** The presses of a trial: somebody at the gate, and a bystander where one cloud is untouched. Failures are reported in words. */
function pressers(house: RealHouse, point: Point, { bystander, gate }: Cast) {
  const failures: { readonly mine: string[]; readonly others: string[] } = { mine: [], others: [] }
  const [first = '', second = first] = house.baseUrls
  const desk = (baseUrls: readonly string[], told: string[]): Desk => ({
    baseUrls,
    ...((house.baseUrls.length > 1 || point.awayMs !== undefined) && { firstWithinMs: impatientMs }),
    awayMs: point.awayMs,
    onFailure: why => void told.push(why),
  })
  const urlOf: Readonly<Record<CloudName, string>> = { cloud: first, otherCloud: second }
  const untouched = house.parts.otherCloud && untouchedCloud(point)
  return {
    failures,
    mine: presses(desk(house.baseUrls, failures.mine), gate),
    others:
      untouched && bystander ? presses(desk([urlOf[untouched]], failures.others), bystander) : undefined,
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
    readonly pressing: ReturnType<typeof pressers>
  },
) {
  const { fromByte, pressing, sinceMs } = given
  const { mine, others } = pressing
  let isAnswered = false
  let undo: Promise<() => Promise<void>> | undefined
  const watched = { house, gate, sinceMs, fromByte, answered: () => isAnswered }
  const moment = atMoment(point.when, watched, async () => {
    undo = strike(house, { point, pressAgain: () => void mine.begin(actors[1]) })
    await undo
    void others?.begin(actors[1])
  })
  if ('unpressedMs' in point.when) {
    await moment.hit
    await undo
    await pause(point.when.unpressedMs)
  }
  const answered = mine.begin(actors[0]).finally(() => {
    isAnswered = true
  })
  const isHit = await Promise.race([moment.hit, answered.then(() => pause(500)).then(() => false)])
  moment.forget()
  const undoNow = await undo
  if (undoNow && !point.faults.some(fault => 'delay' in fault)) await pause(point.forMs)
  await undoNow?.()
  return { isHit, undoneMs: Date.now() }
}

/** The time within which a cloud that cannot reach the database has ended again, in milliseconds. */
const startedWithinMs = 30_000

/** Clouds that ended by themselves after they had served: no fault may cause that. */
const checkLives = ({ parts }: RealHouse) =>
  (['cloud', 'otherCloud'] as const).flatMap(name => {
    const ended = parts[name]?.lives().filter(livedMs => livedMs > startedWithinMs) ?? []
    return ended.map(livedMs => `lost: ${name} ended by itself after ${livedMs} ms`)
  })

/** The observed messages of the gateways; with two, the claim of the one that was granted the opening. */
function saidIn({ other, said }: RealHouse, rows: readonly Row[]): SeenMessages {
  if (!other) return said
  const granted = rows.flatMap(({ gatewayId, id }) => {
    const claimedMs = (gatewayId === other.gatewayIds[1] ? other.said : said).claimedAtMs.get(id)
    return claimedMs === undefined ? [] : [[id, claimedMs] as const]
  })
  return {
    claimedAtMs: new Map(granted),
    verdicts: new Map([...said.verdicts, ...other.said.verdicts]),
  }
}

/** The current size of each modem's log, in bytes. */
const logsOf = ({ gatewayIds: [first, second], other, simulatorLog }: RealHouse) =>
  [
    { gatewayId: first, path: simulatorLog },
    ...(other && second !== undefined ? [{ gatewayId: second, path: other.simulatorLog }] : []),
  ].map(log => ({ ...log, fromByte: logBytes(log.path) }))

/** What each modem has read since then, by gateway, and of all modems in the order of time. */
function readLogs(logs: ReturnType<typeof logsOf>) {
  const entries = logs.map(({ fromByte, path }) => readSimulatorLog(path, fromByte))
  const byGateway = entries.map((read, place) => {
    const { gatewayId = '' } = logs[place] ?? {}
    return dialsOf(read).map(dial => ({ ...dial, gatewayId }))
  })
  const dials = byGateway.flat().sort((one, other) => one.atMs - other.atMs)
  return { byGateway, dials, violations: entries.flatMap(violationsIn) }
}

/** How far behind a cloud may take the clock of the database to be, in milliseconds. The pause of the gate is longer. */
const clockMarginMs = 2_000

/** The rows of the presses, once every opening has ended. */
function untilEnded(
  { records }: RealHouse,
  all: readonly Pressing[],
  { sinceMs, ...beside }: { readonly sinceMs: number; readonly isHit: boolean; readonly failures: object },
): Promise<readonly (readonly Row[])[]> {
  let seen: object = {}
  return eventually(
    'every opening has ended',
    2 * terminalWithinMs,
    async () => {
      const rows = await Promise.all(all.map(({ gate }) => records.rowsOf(gate.id, sinceMs)))
      seen = { ...beside, presses: all.map(({ count }) => count()), rows }
      const isOver = all.every(({ count }, place) => {
        const own = rows[place] ?? []
        return own.length >= count() && own.every(isEnded)
      })
      return isOver ? rows : undefined
    },
    () => `: ${JSON.stringify(seen)}`,
  )
}

/** Tries a point on one gate. Throws when the house does not recover. */
export async function tryPoint(house: RealHouse, point: Point, cast: Cast): Promise<Trial> {
  for (const clock of Object.values(house.cloudClocks ?? {})) await clock.setHours(0)
  const sinceMs = Date.now() - clockMarginMs
  const sinceSeq = await house.records.newestEvent()
  const logs = logsOf(house)
  const fromByte = logs[0]?.fromByte ?? 0
  await house.other?.askedSecond(cast.gate)
  const pressing = pressers(house, point, cast)
  const { failures, mine, others } = pressing
  if (point.modem) await control(house, 'faults', { faults: [point.modem] })
  const { isHit, undoneMs } = await pressAndStrike(house, point, cast, { sinceMs, fromByte, pressing })
  if (isHit) await house.ready(beatsAgain(house, point) ? undoneMs : 0)
  const all = others === undefined ? [mine] : [mine, others]
  const ended = await untilEnded(house, all, { isHit, failures, sinceMs })
  const endedAfterMs = Date.now() - undoneMs
  await Promise.all(all.map(({ answered }) => answered()))
  const recoveryMs = Date.now() - undoneMs
  if (point.modem) await control(house, 'faults', { faults: [] })
  // A verdict on its way may correct a timeout, so the trial waits until the journal is empty.
  await house.reported()
  const refusals = isDrained(point) ? failures.mine : []
  const pressed = await Promise.all(all.map(({ replay }) => replay()))
  const { byGateway, dials, violations: modemViolations } = readLogs(logs)
  const rows = await Promise.all(all.map(({ gate }) => house.records.rowsOf(gate.id, sinceMs)))
  const byTwo = { byGateway, rows: rows.flat() }
  const two = house.other?.gatewayIds
  const found = (await house.verify()).map(finding => `wrong: ${finding}`)
  const seen = {
    gatewayIds: house.gatewayIds,
    said: saidIn(house, rows.flat()),
    modemViolations,
    absences: absencesOf(house),
    endedAfterMs,
  }
  const numbers = all.map(({ gate }) => gate.phoneNumber)
  const checked = numbers.flatMap((phoneNumber, place) => {
    // The calls to the other one of the two gates are checked with that gate.
    const own = dials.filter(dial => dial.phoneNumber === phoneNumber || !numbers.includes(dial.phoneNumber))
    return checkTrial({ ...seen, dials: own, rows: rows[place] ?? [], presses: pressed[place] ?? [] })
  })
  const violations = [
    ...checked,
    ...found,
    ...refusals.map(why => `lost: a cloud that drains refused a press: ${why}`),
    ...checkLives(house),
    ...(two ? checkFailOver(two, byTwo, slowness()) : []),
    ...checkBystander({
      failures: failures.others,
      mayHoldSpace: mayHoldSpace(point),
      presses: pressed[1] ?? [],
    }),
    ...(await checkEvents(house, point, sinceSeq, rows.flat())),
  ]
  const reason = ended[0]?.[0]?.reason ?? ''
  return {
    point: point.name,
    isHit,
    violations: [...new Set(violations)],
    reason,
    dials: dials.length,
    recoveryMs,
    ...(two && { failOversMs: failOversMs(two, byTwo) }),
  }
}

/** Violations in the whole log of a house, including calls that came after their trial or belong to none. */
export async function checkWhole(house: RealHouse): Promise<string[]> {
  const { gatewayIds, lostAt, records } = house
  const { dials, violations: modemViolations } = readLogs(logsOf(house).map(log => ({ ...log, fromByte: 0 })))
  const [lost, kept] = [true, false].map(isLost => house.gates.filter(({ id }) => lostAt.has(id) === isLost))
  const rows = (await Promise.all((kept ?? []).map(({ id }) => records.rowsOf(id, 0)))).flat()
  const own = dials.filter(dial => !lost?.some(({ phoneNumber }) => phoneNumber === dial.phoneNumber))
  const seen = { gatewayIds, said: saidIn(house, rows), modemViolations, absences: absencesOf(house) }
  const facts = (of: typeof dials) =>
    factsOf({ ...seen, rows, dials: of }, { presses: rows.length, accepted: [], keyed: [] })
  return [...checkFacts(facts(own)), ...modemChecks.flatMap(check => check(facts(dials)))]
}
