// People who calibrate a gate on the dashboard: they open its page, follow it, and leave when the calibration is over.

import type { CalibrationAnswer, CalibrationCall } from '@callgate/contract/app/calibration'
import type { Calibrating } from './backgroundPlan.ts'
import { wasRefused } from './databaseWay.ts'
import type { CalibrationOperation } from './desk.ts'
import { phoneNumberOf } from './furnish.ts'
import type { House } from './house.ts'
import type { Presser } from './presser.ts'

/** A press of a test call was prepared, or may have been: the answer can be lost. */
export interface Prepared {
  readonly gate: number
  readonly atMs: number
}

export interface Installers {
  /** Somebody comes to calibrate a gate. */
  send(calibrating: Calibrating): void
  /** Somebody else ends the current calibration. */
  end(gate: number): void
  /** Everybody has left, and nothing that they began is still to come. */
  areDone(): boolean
}

type Calibration = NonNullable<CalibrationAnswer['calibration']>
type Press = (gate: number, guest: Presser) => void

/** The interval at which the dashboard reads. */
const checkEveryMs = 3_000
/** A press that is no test call by then has joined another opening, or was refused. */
const becomesCallWithinMs = 9_000

/** The modem's call for an opening, as a person at the gate sees it; undefined where there was none. */
async function seenCall(house: House, gate: number, openingId: string) {
  const { begunMs, endedMs, grantedMs } = (await house.times()).get(openingId) ?? {}
  if (typeof begunMs !== 'number' || typeof grantedMs !== 'number') return undefined
  const call = house.gateways
    .flatMap(({ simulator }) => simulator.state().calls)
    .find(
      ({ atMs, phoneNumber }) =>
        phoneNumber === phoneNumberOf(gate) && atMs >= grantedMs && atMs <= (endedMs ?? atMs),
    )
  return call && { ...call, pressedMs: begunMs }
}

/** The actions of a person at one gate. */
interface Person {
  readonly house: House
  readonly calibrating: Calibrating
  ask(operation: CalibrationOperation, body?: object): Promise<CalibrationAnswer | string>
  /** Presses the gate, as the user who prepared the test call or as anybody else. */
  press(guest: Presser): void
  /** Leaves; `how` is counted. */
  go(how: string): void
  /** Somebody presses after the delay, even where this person has left. */
  pressLater(delayMs: number): void
  /** Prepares a test call and presses, unless it has just done so. */
  call(isHidden: boolean): Promise<void>
}

async function answer({ ask, calibrating, house }: Person, { calls }: Calibration) {
  const isAsked = ({ end, hasMoved }: CalibrationCall) =>
    end !== null && end !== 'unclear' && hasMoved === null
  const { openingId } = calls.find(isAsked) ?? {}
  if (openingId === undefined) return
  const seen = await seenCall(house, calibrating.gate, openingId)
  const hasMoved = seen?.relayFired === true
  const afterMs = seen && hasMoved ? (seen.endedAtMs ?? seen.atMs) - seen.pressedMs : undefined
  const afterS = afterMs === undefined ? {} : { afterS: Math.min(60, Math.round(afterMs / 1_000)) }
  await ask('answerTestCall', { openingId, hasMoved, ...afterS })
}

async function decide({ ask, calibrating, call, go, pressLater }: Person, page: Calibration) {
  const { calls, proposal } = page
  if (calibrating.hides && proposal?.profile && !calls.some(({ isHidden }) => isHidden)) return call(true)
  const answered = await ask(proposal?.profile ? 'acceptCalibration' : 'endCalibration')
  if (typeof answered === 'string') return
  go(proposal?.profile ? 'calibration accepted' : `calibration cannot tell: ${proposal?.why}`)
  // The measured profile is used.
  for (const laterMs of [6_000, 40_000]) pressLater(laterMs)
}

function createPerson(house: House, prepared: Prepared[], pressGate: Press, calibrating: Calibrating) {
  const { ids, world } = house
  const { gate } = calibrating
  let isGone = false
  let laterPresses = 0
  let waitsUntilMs = 0
  const ask: Person['ask'] = (operation, body) => house.cloud().desk.calibration(ids, gate, operation, body)
  const press: Person['press'] = guest => pressGate(gate, guest)
  const person: Person = {
    house,
    calibrating,
    ask,
    press,
    go(how) {
      isGone = true
      world.log.info('goes away', { who: 'installer', met: [how], gate: gate + 1 })
    },
    pressLater(delayMs) {
      laterPresses += 1
      world.after(delayMs, () => {
        laterPresses -= 1
        press(undefined)
      })
    },
    async call(isHidden) {
      if (world.monotonicMs() < waitsUntilMs) return
      prepared.push({ gate, atMs: world.monotonicMs() })
      if (typeof (await ask('prepareTestCall', { isHidden })) === 'string') return
      waitsUntilMs = world.monotonicMs() + becomesCallWithinMs
      press('user')
    },
  }
  return { person, isGone: () => isGone, isDone: () => isGone && laterPresses === 0 }
}

/** One person at one gate, who checks its page from time to time. */
function createInstaller(house: House, prepared: Prepared[], pressGate: Press, calibrating: Calibrating) {
  const { world } = house
  const { isDone, isGone, person } = createPerson(house, prepared, pressGate, calibrating)
  const { ask, call, go, press } = person
  const leavesMs = world.monotonicMs() + calibrating.leavesAfterMs
  let hasStarted = false

  async function leave() {
    if (calibrating.ends) await ask('endCalibration')
    go(calibrating.ends ? 'calibration ended' : 'calibration left')
  }

  async function check() {
    if (world.monotonicMs() >= leavesMs) return leave()
    const page = await ask('getCalibration')
    if (typeof page === 'string') return go('calibration of no gate')
    const { calibration } = page
    if (!calibration) {
      if (hasStarted) return go('calibration is gone')
      hasStarted = typeof (await ask('startCalibration')) !== 'string'
      return
    }
    hasStarted = true
    if (calibration.step === 'call' && calibration.restMs === 0) await call(false)
    if (calibration.step === 'answer') await answer(person, calibration)
    if (calibration.step === 'decide') await decide(person, calibration)
    // Members come as well.
    if (world.random() < 0.08) {
      world.log.info('a member comes', { who: 'house', met: ['press of a member in a calibration'] })
      press(undefined)
    }
  }

  return { check, isDone, isGone, giveUp: () => go('calibration never reached a cloud'), leavesMs }
}

/** `press` is a press of the plan, which is recorded as such. */
export function createInstallers(house: House, prepared: Prepared[], press: Press): Installers {
  const { ids, world } = house
  const installers: ReturnType<typeof createInstaller>[] = []

  /** Does it at the cloud that is reached now; nothing where that cloud is dead. */
  function atDesk(work: () => Promise<void>): void {
    house.cloud().life.enter(() => {
      work().catch((error: unknown) => {
        if (!wasRefused(error)) throw error
      })
    })
  }

  function checkAgain(installer: ReturnType<typeof createInstaller>) {
    if (installer.isGone()) return
    atDesk(installer.check)
    // A cloud that is away does not keep the person at the gate for ever.
    if (world.monotonicMs() > installer.leavesMs + 60_000) return installer.giveUp()
    world.after(checkEveryMs, () => checkAgain(installer))
  }

  return {
    send(calibrating) {
      const installer = createInstaller(house, prepared, press, calibrating)
      installers.push(installer)
      world.log.info('comes to calibrate', { who: 'installer', gate: calibrating.gate + 1 })
      checkAgain(installer)
    },
    end(gate) {
      atDesk(async () => {
        await house.cloud().desk.calibration(ids, gate, 'endCalibration')
        world.log.info('ends a calibration', { who: 'owner', met: ['calibration ended'], gate: gate + 1 })
      })
    },
    areDone: () => installers.every(({ isDone }) => isDone()),
  }
}
