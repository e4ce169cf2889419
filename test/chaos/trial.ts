// One trial: a press in a house, one fault at its moment, recovery, judgement.

import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { terminalWithinMs } from '@callgate/contract/timing'
import { member, parseJson, text } from '../../packages/demo/src/json.ts'
import { judge } from './judge.ts'
import { atMoment, isEnded, rowsOf } from './moment.ts'
import type { Fault, Point } from './points.ts'
import { type ChaosGate, eventually, type RealHouse } from './realHouse.ts'
import { callsTo, dialsTo, logBytes, readSimulatorLog } from './simulatorLog.ts'

export interface Trial {
  readonly point: string
  /** False: the opening was over before the moment came. */
  readonly isHit: boolean
  readonly violations: readonly string[]
  /** How the opening ended. */
  readonly reason: string
  readonly dials: number
  /** From the undoing of the fault to the end of the opening and a gateway that can take another, milliseconds. */
  readonly recoveryMs: number
}

const answersWithinMs = 120_000

interface Answer {
  readonly openingId: string | undefined
  readonly opened: boolean
}

/** Presses as a client that never gives up: with the same Idempotency-Key until there is an outcome. */
async function press(house: RealHouse, gate: ChaosGate, apiKey: string, key: string): Promise<Answer> {
  const headers = { authorization: `Bearer ${apiKey}`, 'idempotency-key': key }
  const endMs = performance.now() + answersWithinMs
  while (performance.now() < endMs) {
    try {
      const signal = AbortSignal.timeout(60_000)
      const answer = await fetch(`${house.baseUrl}/api/v1/gates/${gate.id}/open`, {
        method: 'POST',
        headers,
        signal,
      })
      const body = parseJson(await answer.text())
      const error = member(body, 'error')
      if (answer.status === 200)
        return { openingId: text(body, 'openingId'), opened: member(body, 'opened') === true }
      if (answer.status === 502) return { openingId: text(error, 'openingId'), opened: false }
      if (answer.status === 429) await pause(2_000)
      else if (answer.status < 500 && answer.status !== 409)
        throw new Error(`${answer.status} ${text(error, 'message')}`)
    } catch (error) {
      // The connection was lost with the cloud; anything else is a mistake of ours.
      if (!(error instanceof TypeError || error instanceof DOMException)) throw error
    }
    await pause(100)
  }
  throw new Error('the press was never answered')
}

const control = (house: RealHouse, action: 'plug' | 'unplug') =>
  fetch(`${house.controlUrl}/${action}`, { method: 'POST', body: '' })

/** Does it; what is given back undoes it, and says whether a gateway then has to say that it is ready again. */
async function strike(house: RealHouse, fault: Fault, forMs: number): Promise<() => Promise<void>> {
  const { parts, proxy } = house
  if ('kill' in fault) {
    const part = parts[fault.kill]
    part.kill()
    await part.ended()
    // Its pty's number is free for the next that asks, so the link it left might lead to another house's modem.
    if (fault.kill === 'simulator') rmSync(house.link, { force: true })
    return async () => part.start()
  }
  if ('stop' in fault) {
    parts[fault.stop].pause()
    return async () => parts[fault.stop].resume()
  }
  if ('unplug' in fault) {
    await control(house, 'unplug')
    return async () => void (await control(house, 'plug'))
  }
  if ('cut' in fault) proxy.cut()
  else if ('halfClose' in fault) proxy.halfClose(fault.halfClose)
  else await pause(forMs)
  return async () => {
    if ('halfClose' in fault) proxy.cut()
    proxy.heal()
  }
}

/** Whether the gateway beats anew after the fault: it was restarted, connected again, or its modem was. */
const beatsAgain = (fault: Fault) => !('stop' in fault || 'delay' in fault)

const openCount = ({ database }: RealHouse, gateId: string) =>
  database
    .prepare<[string], { openCount: number }>('select "openCount" from "gates" where "id" = ?')
    .get(gateId)?.openCount ?? 0

/** Tries a point on one gate. Throws when the house does not recover. */
export async function tryPoint(
  house: RealHouse,
  point: Point,
  given: { readonly gate: ChaosGate; readonly apiKey: string },
): Promise<Trial> {
  const { apiKey, gate } = given
  const sinceMs = Date.now()
  const fromByte = logBytes(house.simulatorLog)
  const countedBefore = openCount(house, gate.id)
  const key = randomUUID()
  let isAnswered = false
  let undo: Promise<() => Promise<void>> | undefined
  const watched = { house, gate, sinceMs, fromByte, answered: () => isAnswered }
  const moment = atMoment(point.when, watched, async () => {
    undo = strike(house, point.fault, point.forMs)
    await undo
  })
  const pressed = press(house, gate, apiKey, key).finally(() => {
    isAnswered = true
  })
  const over = pressed.then(() => pause(500)).then(() => false)
  const isHit = await Promise.race([moment.hit, over])
  moment.forget()
  const undoNow = await undo
  if (undoNow && !('delay' in point.fault)) await pause(point.forMs)
  await undoNow?.()
  const undoneMs = Date.now()
  if (isHit) await house.ready(beatsAgain(point.fault) ? undoneMs : 0)
  const lastRow = () => rowsOf(house, gate.id, sinceMs).at(-1)
  const row = await eventually('the opening has ended', terminalWithinMs, () => {
    const found = lastRow()
    return found && isEnded(found) ? found : undefined
  })
  const answered = await pressed
  const recoveryMs = Date.now() - undoneMs
  // A verdict that is still on its way may correct a timeout: once more when the journal has been emptied.
  await house.reported()
  const replayed = await press(house, gate, apiKey, key)
  const entries = readSimulatorLog(house.simulatorLog, fromByte)
  const dialledAtMs = dialsTo(entries, gate.phoneNumber)
  const violations = judge({
    dialledAtMs,
    relayFired: callsTo(entries, gate.phoneNumber).some(call => call.relayFired),
    rows: rowsOf(house, gate.id, sinceMs),
    answered,
    replayed,
    claimedAtMs: house.claimedAtMs.get(row.id),
    simulatorStoppedMs: 'stop' in point.fault && point.fault.stop === 'simulator' ? point.forMs : 0,
    counted: openCount(house, gate.id) - countedBefore,
  })
  return {
    point: point.name,
    isHit,
    violations,
    reason: lastRow()?.reason ?? '',
    dials: dialledAtMs.length,
    recoveryMs,
  }
}
