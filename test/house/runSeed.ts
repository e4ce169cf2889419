// One seed of the house on a wire that loses, repeats and delays either way, judged by rows and by the simulator's log.

import { createHouse, type House, type HouseGate } from './house.ts'
import type { WireFaults } from './wire.ts'

export interface SeedRun {
  readonly violations: readonly string[]
  readonly openings: number
  readonly calls: number
  /** How often each fault of the wire was met. */
  readonly faults: Readonly<Record<keyof WireFaults, number>>
}

interface Pressed {
  readonly openingId: string
  readonly atMs: number
}

const learned = { learned: true, discriminating: true, reactMinMs: 500, reactMaxMs: 12_000 } as const
const gates: readonly HouseGate[] = [
  { farEnd: 'reject_busy', profile: { mode: 'reject', ...learned } },
  { farEnd: 'answer_release_2s', profile: { mode: 'answer_release', ...learned } },
]
/** Granted within 12 s, and fresh for 6 s after that (safety.md, P2). */
const dialWithinMs = 18_000
const terminalWithinMs = 90_000

/** The openings that the gateway said it dials, by its log, beside the ATDs that the modem read. */
function dialledOnce({ simulator, world }: House): string[] {
  const said = world.lines.filter(line => line.message === 'dialling').map(line => line.fields['openingId'])
  const again = said.filter((openingId, at) => said.indexOf(openingId) !== at)
  const read = simulator.state().calls.length
  return [
    ...again.map(openingId => `P1: ${openingId} was dialled again`),
    ...(read > said.length ? [`P1: ${read} ATD for ${said.length} grants`] : []),
  ]
}

function dialledInTime({ world }: House, pressed: readonly Pressed[]): string[] {
  return world.lines.flatMap(({ atMs, fields, message }) => {
    const press = message === 'dialling' && pressed.find(one => one.openingId === fields['openingId'])
    return press && atMs - press.atMs > dialWithinMs
      ? [`P2: ${press.openingId} was dialled ${atMs - press.atMs} ms after its press`]
      : []
  })
}

function lineRespected({ simulator }: House): string[] {
  return simulator.state().violationLog.map(({ atMs, violation }) => `P5: ${violation} at ${atMs} ms`)
}

async function recordedAndEnded({ database, simulator }: House): Promise<string[]> {
  const rows = await database.knex('openings').select('id', 'status', 'phoneNumber', 'grantedAt')
  const running = rows.filter(({ status }) => status === 'initiated' || status === 'connected')
  const strays = simulator
    .state()
    .calls.filter(
      ({ phoneNumber }) => !rows.some(row => row.phoneNumber === phoneNumber && row.grantedAt !== null),
    )
  return [
    ...running.map(({ id, status }) => `A2: ${id} is still ${status}`),
    ...strays.map(({ callId }) => `A1: call ${callId} has no granted opening`),
  ]
}

/** Builds the house of the seed, presses for some 60 s of its time, waits until all must have ended, and judges. */
export async function runSeed(seed: number): Promise<SeedRun> {
  const house = await createHouse(seed, gates, { lose: 0.2, repeat: 0.2, delay: 0.15 })
  try {
    const { broker, simulator, world } = house
    const pressed: Pressed[] = []
    for (let press = 0; press < 4; press++) {
      const gate = world.randomInt(0, gates.length - 1)
      pressed.push({ atMs: world.monotonicMs(), openingId: await house.press(gate) })
      await world.advance(world.randomInt(0, 20_000))
    }
    await world.advance(terminalWithinMs)
    const violations = [
      ...dialledOnce(house),
      ...dialledInTime(house, pressed),
      ...lineRespected(house),
      ...(await recordedAndEnded(house)),
    ].map(violation => `seed ${seed}: ${violation}`)
    return { violations, openings: pressed.length, calls: simulator.state().calls.length, faults: broker.met }
  } finally {
    await house.close()
  }
}
