// The simulation without faults: how openings end, and that the same seed gives the same run.

import { type CallProfileUpdate, callProfile } from '@callgate/contract/call/callProfile'
import { sayReason } from '@callgate/contract/call/sayReason'
import { afterEach, describe, expect, it } from 'vitest'
import type { HouseGate } from './furnish.ts'
import { createHouse, type House } from './house.ts'
import { runSeed } from './runSeed.ts'
import { trueKeys } from './signingKeys.ts'

const learned = { learned: true, discriminating: true, reactMinMs: 500, reactMaxMs: 12_000 } as const
const gates: readonly HouseGate[] = [
  { farEnd: 'reject_busy', profile: { mode: 'reject', ...learned } },
  { farEnd: 'answer_release_2s', profile: { mode: 'answer_release', ...learned } },
  { farEnd: 'ring_forever', profile: { mode: 'unverified' } },
  { farEnd: 'busy_before_alert', profile: { mode: 'unverified' } },
]

let house: House | undefined
afterEach(async () => {
  await house?.close()
  house = undefined
})

async function pressAll(seed: number) {
  const built = await createHouse(seed, gates)
  house = built
  const endings = []
  for (const place of gates.keys()) {
    endings.push(await built.ended(await built.press(place)))
    await built.world.advance(6_000)
  }
  return { built, endings, relays: [...gates.keys()].map(built.relayCount) }
}

describe('the simulation', () => {
  it.each([1, 2, 3, 4, 5])(
    'opens the gates that open, and records why the others did not (seed %i)',
    async seed => {
      const { built, endings, relays } = await pressAll(seed)
      expect(endings).toMatchObject([
        { status: 'completed', reason: 'rejected_after_ring', opened: 'likely' },
        { status: 'completed', reason: 'answered_released', opened: 'likely' },
        { status: 'timeout', reason: 'no_reaction' },
        { status: 'failed', reason: 'busy' },
      ])
      expect(relays).toEqual([1, 1, 0, 0])
      const state = built.gateways[0]?.simulator.state()
      expect(state?.violations).toBe(0)
      expect(state?.calls).toHaveLength(4)
    },
  )

  it('calls once for two presses, and once more after the cool-down', async () => {
    house = await createHouse(7, gates)
    const [first, second] = [await house.press(0), await house.press(0)]
    expect(await house.ended(first)).toMatchObject({ status: 'completed', joinedOpeningId: null })
    expect(await house.ended(second)).toMatchObject({ status: 'completed', joinedOpeningId: first })
    expect(house.relayCount(0)).toBe(1)
    await house.world.advance(5_000)
    expect(await house.ended(await house.press(0))).toMatchObject({
      status: 'completed',
      joinedOpeningId: null,
    })
    expect(house.relayCount(0)).toBe(2)
  })

  it('gives the same run for the same seed, and another run for another seed', async () => {
    const stories = []
    for (const seed of [11, 11, 12]) {
      const { built } = await pressAll(seed)
      stories.push(built.story())
      await built.close()
      house = undefined
    }
    expect(stories[0]).toBe(stories[1])
    expect(stories[0]).not.toBe(stories[2])
  })
})

describe('a gate that opens by ringing and is not calibrated', () => {
  it('is not called again within its cool-down, although the first call rang unanswered', async () => {
    const built = await createHouse(19, [{ farEnd: 'ring_opens', profile: { mode: 'unverified' } }])
    house = built
    const first = await built.press(0)
    const nobodyKnows = { status: 'timeout', reason: 'no_reaction', opened: 'unknown' }
    expect(await built.ended(first)).toMatchObject(nobodyKnows)
    expect(await built.ended(await built.press(0))).toMatchObject({ ...nobodyKnows, joinedOpeningId: first })
    expect(built.relayCount(0)).toBe(1)
  })
})

describe('a gate that answers and is not calibrated', () => {
  const answering = ['answer_release_2s', 'answer_hold'] as const

  it('opens although nobody can know it, until its profile has the value that the failure message names', async () => {
    const built = await createHouse(
      17,
      answering.map((farEnd): HouseGate => ({ farEnd, profile: { mode: 'unverified' } })),
    )
    house = built
    const pressEach = async () => {
      const endings = []
      for (const place of answering.keys()) {
        endings.push(await built.ended(await built.press(place)))
        await built.world.advance(6_000)
      }
      return { endings, relays: [...answering.keys()].map(built.relayCount) }
    }
    const unexpected = { status: 'failed', reason: 'answered_unexpectedly', opened: 'unknown' }
    expect(await pressEach()).toMatchObject({ endings: [unexpected, unexpected], relays: [1, 1] })
    const said = sayReason('answered_unexpectedly', { gateId: 'gate_a', safeToRetry: false })
    const change = JSON.parse(/ with (\{.*?\})/.exec(said)?.[1] ?? '') as CallProfileUpdate
    const profile = JSON.stringify({ ...callProfile({ mode: 'unverified' }), ...change })
    built.cloud().database.change('update gates set "callProfile" = ?', profile)
    expect(await pressEach()).toMatchObject({
      endings: [
        { status: 'completed', reason: 'answered_released', opened: 'likely' },
        { status: 'completed', reason: 'answered', opened: 'likely' },
      ],
      relays: [2, 2],
    })
  })
})

describe('a gate that confirms by a message', () => {
  const confirm = { kind: 'sms', from: null, pattern: 'gate OPENED', withinMs: 20_000 } as const
  const confirming: readonly HouseGate[] = [
    { farEnd: 'sms_confirmation_ok', profile: { mode: 'reject', ...learned, confirm } },
    {
      farEnd: 'sms_confirmation_ok',
      profile: { mode: 'reject', ...learned, confirm: { ...confirm, pattern: 'refused' } },
    },
    { farEnd: 'sms_confirmation_missing', profile: { mode: 'reject', ...learned, confirm } },
  ]

  it('is recorded as certainly opened only after its message', async () => {
    house = await createHouse(31, confirming)
    const endings = []
    for (const place of confirming.keys()) endings.push(await house.ended(await house.press(place)))
    expect(confirming.map((_, place) => house?.relayCount(place))).toEqual([1, 1, 1])
    expect(endings).toMatchObject([
      { status: 'completed', reason: 'confirmed', opened: 'yes' },
      { status: 'completed', reason: 'rejected_after_ring', opened: 'likely' },
      { status: 'completed', reason: 'rejected_after_ring', opened: 'likely' },
    ])
  })
})

it.each([2, 3, 11])('gives the same run with real signatures (seed %i)', async seed => {
  const { story: quick, ...withDigests } = await runSeed(seed)
  const { story, ...withSignatures } = await runSeed(seed, trueKeys)
  expect(withSignatures).toEqual(withDigests)
  const unsigned = (lines: readonly string[]) =>
    lines.map(line => line.replace(/"[^"]*":"[^"]{86}"/, 'signed'))
  expect(unsigned(story())).toEqual(unsigned(quick()))
  expect(story()).not.toEqual(quick())
})
