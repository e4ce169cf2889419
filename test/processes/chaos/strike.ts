// Injects the faults of a point into a house, and ends them.

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
  // Another process may get the number of its pty, so the old link could lead to another house's modem.
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

/** Injects one fault. Resolves with the function that ends it. */
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

/** Injects all faults of a point, in their order. Resolves with the function that ends them in the same order. */
export async function strike(house: RealHouse, given: Struck): Promise<Undo> {
  const undos: Undo[] = []
  for (const fault of given.point.faults) undos.push(await strikeOnce(house, fault, given))
  return async () => {
    for (const undo of undos) await undo()
  }
}

/** Whether the gateway sends a beat after the fault, because it or its modem was restarted or connected again. */
export const beatsAgain = ({ faults }: Point) =>
  faults.some(
    fault =>
      'kill' in fault ||
      'unplug' in fault ||
      'halfClose' in fault ||
      ('cut' in fault && fault.cut === 'gateway'),
  )
