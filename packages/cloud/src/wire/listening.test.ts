import { fakeWorld } from '@callgate/world/fake'
import { beforeEach, describe, expect, it } from 'vitest'
import { Listening } from './listening.ts'

let world: ReturnType<typeof fakeWorld>
let listening: Listening
beforeEach(() => {
  world = fakeWorld(1)
  listening = new Listening(world)
})

/** Listens for `ms`, with a message at the end. */
async function listen(ms: number) {
  listening.begin()
  await world.advance(ms)
  listening.hear()
}

/** Loses the connection for `ms`, then listens again. */
async function loseFor(ms: number) {
  listening.end()
  await world.advance(ms)
  listening.begin()
}

describe('listening', () => {
  it('is whole after the longest time that a beat may take', async () => {
    expect(listening.isWhole()).toBe(false)
    await listen(9_999)
    expect(listening.isWhole()).toBe(false)
    await world.advance(1)
    expect(listening.isWhole()).toBe(true)
    listening.end()
    expect(listening.isWhole()).toBe(false)
  })

  it('begins again where the connection is lost before', async () => {
    await listen(9_999)
    await loseFor(0)
    await world.advance(9_999)
    expect(listening.isWhole()).toBe(false)
    await world.advance(1)
    expect(listening.isWhole()).toBe(true)
  })

  it('stays whole over an outage that is too short for a gateway to count as offline', async () => {
    await listen(10_001)
    await loseFor(19_999)
    expect(listening.isWhole()).toBe(true)
    await world.advance(1)
    expect(listening.isWhole()).toBe(false)
    await world.advance(10_000)
    expect(listening.isWhole()).toBe(true)
  })

  it('adds up outages that leave no time in between for a beat of each gateway', async () => {
    await listen(10_001)
    for (const ms of [9_000, 9_000]) {
      await loseFor(ms)
      await world.advance(500)
      listening.hear()
      expect(listening.isWhole()).toBe(true)
    }
    await loseFor(9_000)
    expect(listening.isWhole()).toBe(false)
  })

  it('counts from the last message where the connection was dead before it was lost', async () => {
    await listen(10_001)
    await world.advance(20_000)
    await loseFor(1_000)
    expect(listening.isWhole()).toBe(false)
  })

  it('begins again after a missed message, whatever was known before', async () => {
    await listen(10_001)
    await loseFor(1_000)
    listening.miss()
    expect(listening.isWhole()).toBe(false)
    await world.advance(10_001)
    expect(listening.isWhole()).toBe(true)
    listening.end()
    listening.miss()
    expect(listening.isWhole()).toBe(false)
  })
})
