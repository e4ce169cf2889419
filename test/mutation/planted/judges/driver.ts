// The judge of driver and verdict: calls to far ends of every kind in the faultless house, against what their relays did.

import type { ModemFaultName } from '@callgate/simulator/presets'
import type { HouseGate } from '../../../simulation/house/furnish.ts'
import { createHouse, type House } from '../../../simulation/house/house.ts'

const learned = { learned: true, discriminating: true, reactMinMs: 500, reactMaxMs: 12_000 } as const
const gates: readonly HouseGate[] = [
  { farEnd: 'reject_busy', profile: { mode: 'reject', ...learned } },
  { farEnd: 'answer_release_2s', profile: { mode: 'answer_release', ...learned } },
  { farEnd: 'answer_hold', profile: { mode: 'answer_hold', ...learned } },
  { farEnd: 'reject_busy', profile: { mode: 'unverified' } },
  {
    farEnd: 'ring_forever',
    profile: { mode: 'reject', ...learned },
    network: { ringLimitMs: 11_000, givesUpWith: { token: 'NO ANSWER', cause: 0 } },
  },
  { farEnd: 'ring_forever', profile: { mode: 'unverified' } },
  { farEnd: 'busy_before_alert', profile: { mode: 'unverified' } },
]

/** What the modem does in each round: a list of calls may be empty, or stay unanswered once. */
const rounds: readonly (readonly ModemFaultName[])[] = [[], ['clcc_always_empty'], ['clcc_unanswered_once']]

async function pressAll(house: House): Promise<string[]> {
  const found: string[] = []
  for (const [place, { farEnd }] of gates.entries()) {
    const before = house.relayCount(place)
    const openingId = await house.press(place)
    const ending = await house.ended(openingId)
    const { confidence, safeToRetry } = await house
      .cloud()
      .database.knex('openings')
      .where({ id: openingId })
      .first()
    const moved = house.relayCount(place) > before
    const said = `${farEnd}: ${ending.status}, ${ending.reason}, opened ${ending.opened}, ${confidence}`
    if (ending.reason === 'no_report') found.push(`A2: ${said}`)
    if (!moved && farEnd === 'reject_busy') found.push(`A3: it was not called until it opened; ${said}`)
    if (moved && (ending.opened === 'no' || safeToRetry)) found.push(`A3: it moved; ${said}`)
    if (!moved && ending.opened === 'likely') found.push(`A3: it did not move; ${said}`)
    if (gates[place]?.profile.mode === 'unverified' && ending.opened === 'likely' && confidence === 'likely')
      found.push(`A3: nobody has verified this gate; ${said}`)
    await house.world.advance(6_000)
  }
  return found
}

export async function judge(): Promise<readonly string[]> {
  const house = await createHouse(1, gates)
  try {
    const found: string[] = []
    for (const faults of rounds) {
      for (const { simulator } of house.gateways) simulator.setFaults(faults)
      found.push(...(await pressAll(house)))
    }
    const states = house.gateways.map(({ simulator }) => simulator.state())
    const calls = states.flatMap(state => state.calls).length
    const openings = rounds.length * gates.length
    if (calls !== openings) found.push(`P1: ${calls} calls for ${openings} openings`)
    const written = house.gateways.flatMap(({ simulator }) => simulator.wireLog())
    if (written.some(({ text }) => text === 'AT+CFUN=1,1')) found.push('A2: a modem that answers was reset')
    const violations = states.flatMap(state => state.violationLog)
    return [...found, ...violations.map(({ atMs, violation }) => `P5: ${violation} at ${atMs} ms`)]
  } catch (error) {
    return [`A2: ${error}`]
  } finally {
    await house.close()
  }
}
