// Openings and beats on the fake clock, with the size of the heap after a collection: before them, and after.

import { type ExchangeRig, exchangeRig, playedBeat, said } from '@callgate/cloud/opening/exchange.kit'
import { collectedMemory } from './processUse.ts'

export interface HeapFigures {
  readonly openings: number
  readonly beats: number
  readonly beforeBytes: number
  readonly afterBytes: number
}

const [openings = '10000'] = process.argv.slice(2)
const beatsOfAnHour = 360
const warmOpenings = 1_000

async function openAll(rig: ExchangeRig, count: number): Promise<void> {
  const guest = await rig.addGuest(await rig.addGate())
  for (let done = 0; done < count; done++) {
    await rig.run(guest, said.completed)
    // The time of the cool-down.
    await rig.world.advance(6_000)
  }
}

let seq = 0
async function beatAll(rig: ExchangeRig, count: number): Promise<void> {
  for (let beat = 0; beat < count; beat++) {
    seq += 1
    const body = JSON.stringify({ online: true, connectionId: 'C', modem: { signalDbm: -60 - (seq % 40) } })
    const of = { ...playedBeat, gatewayId: rig.gatewayId, bootId: 'A'.repeat(22), seq, isOnline: true, body }
    await rig.exchange.heartbeat.beat(of)
    await rig.world.advance(10_000)
  }
}

/** Clears the records: the kit keeps each hint, and the fake world each line of the log. */
function forgetNotes({ hints, world }: ExchangeRig): void {
  hints.length = 0
  ;(world.lines as unknown[]).length = 0
}

const rig = await exchangeRig()
await openAll(rig, warmOpenings)
await beatAll(rig, beatsOfAnHour)
await rig.world.advance(600_000)
forgetNotes(rig)
const beforeBytes = collectedMemory().heapBytes
await openAll(rig, Number(openings))
await beatAll(rig, beatsOfAnHour)
await rig.world.advance(600_000)
forgetNotes(rig)
const afterBytes = collectedMemory().heapBytes
process.send?.({
  openings: Number(openings),
  beats: beatsOfAnHour,
  beforeBytes,
  afterBytes,
} satisfies HeapFigures)
await rig.close()
