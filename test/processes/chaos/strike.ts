// Doing to a house what a point says, and undoing it.

import { rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { Fault, Point } from './points.ts'
import type { RealHouse } from './realHouse.ts'

type Undo = () => Promise<void>

export async function control(house: RealHouse, action: string, body?: object): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${house.controlUrl}/${action}`, {
    method: 'POST',
    headers,
    body: body === undefined ? '' : JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`the simulator refused ${action}: ${await answer.text()}`)
}

async function kill(house: RealHouse, name: Extract<Fault, { kill: unknown }>['kill']): Promise<Undo> {
  const part = house.parts[name]
  part.kill()
  await part.ended()
  // Its pty's number is free for the next that asks, so the link it left might lead to another house's modem.
  if (name === 'simulator') rmSync(house.modem.link, { force: true })
  return async () => part.start()
}

async function unplug(house: RealHouse, how: 'sameName' | 'otherName'): Promise<Undo> {
  await control(house, 'unplug')
  return async () => {
    if (how === 'otherName') house.modem.rename()
    await control(house, 'plug')
  }
}

/** Does one thing; what it resolves with undoes it. */
async function strikeOnce(house: RealHouse, fault: Fault, given: Struck): Promise<Undo> {
  const { parts, proxies } = house
  if ('kill' in fault) return kill(house, fault.kill)
  if ('unplug' in fault) return unplug(house, fault.unplug)
  if ('stop' in fault) {
    parts[fault.stop].pause()
    return async () => parts[fault.stop].resume()
  }
  if ('press' in fault) given.pressAgain()
  else if ('clockDays' in fault) house.gatewayClock?.setDays(fault.clockDays)
  else if ('delay' in fault) await pause(given.point.forMs)
  else {
    const proxy = 'cut' in fault ? proxies[fault.cut] : proxies.gateway
    if ('cut' in fault) proxy?.cut()
    else if ('silence' in fault) proxy?.silence()
    else proxy?.halfClose(fault.halfClose)
    return async () => {
      if ('halfClose' in fault) proxy?.cut()
      proxy?.heal()
    }
  }
  return async () => {}
}

export interface Struck {
  readonly point: Point
  readonly pressAgain: () => void
}

/** Does all that a point says, in its order; what it resolves with undoes it in the same order. */
export async function strike(house: RealHouse, given: Struck): Promise<Undo> {
  const undos: Undo[] = []
  for (const fault of given.point.faults) undos.push(await strikeOnce(house, fault, given))
  return async () => {
    for (const undo of undos) await undo()
  }
}

/** Whether the gateway beats anew after a fault: it was restarted, connected again, or its modem was. */
export const beatsAgain = ({ faults }: Point) =>
  faults.some(
    fault =>
      'kill' in fault ||
      'unplug' in fault ||
      'halfClose' in fault ||
      ('cut' in fault && fault.cut === 'gateway'),
  )
