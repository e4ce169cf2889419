// Injects the faults of a point into a house, and ends them.

import { rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { PartName } from './layout.ts'
import type { Fault, Point } from './points.ts'
import type { PartProcess } from './processes.ts'
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

function partOf({ parts }: RealHouse, name: PartName): PartProcess {
  const part = parts[name]
  if (!part) throw new Error(`this house has no ${name}`)
  return part
}

async function kill(house: RealHouse, name: PartName): Promise<Undo> {
  const part = partOf(house, name)
  part.kill()
  await part.ended()
  // Another process may get the number of this pty, so the old link could lead to the modem of another house.
  if (name === 'simulator') rmSync(house.modem.link, { force: true })
  return async () => part.start()
}

/** Longer than a cloud may take to leave the others. */
const drainedWithinMs = 75_000

async function drain(house: RealHouse, name: PartName): Promise<Undo> {
  const part = partOf(house, name)
  part.end()
  return async () => {
    const late = pause(drainedWithinMs, 'late', { ref: false })
    if ((await Promise.race([part.ended(), late])) === 'late') throw new Error(`${name} does not stop`)
    part.start()
  }
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
  const { proxies } = house
  if ('kill' in fault) return kill(house, fault.kill)
  if ('drain' in fault) return drain(house, fault.drain)
  if ('unplug' in fault) return unplug(house, fault.unplug)
  if ('stop' in fault) {
    const part = partOf(house, fault.stop)
    part.pause()
    return async () => part.resume()
  }
  if ('lag' in fault) {
    await house.standbys?.cutOff()
    return async () => house.standbys?.promote()
  }
  if ('promote' in fault) await house.standbys?.promote()
  else if ('clockOf' in fault) await house.cloudClocks?.[fault.clockOf].setHours(fault.hours)
  else if ('press' in fault) given.pressAgain()
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

/**
 * Whether to wait for a beat after the fault: the gateway sends one because it, its modem or its broker was restarted or
 * connected again. With several clouds, one that was cut off learns who is online only by the next beat.
 */
export const beatsAgain = ({ kind }: Pick<RealHouse, 'kind'>, { faults }: Point) =>
  faults.some(
    fault =>
      ('kill' in fault && (kind !== 'clouds' || fault.kill === 'broker')) ||
      'unplug' in fault ||
      'halfClose' in fault ||
      ('cut' in fault && (kind === 'clouds' || fault.cut === 'gateway')),
  )
