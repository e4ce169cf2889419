import { describe, expect, it } from 'vitest'
import { fakeWorld } from './fake.ts'
import { newId } from './ids.ts'
import { ageMs, moment } from './world.ts'

describe('the fake world', () => {
  it('is the same for the same seed, and differs for another seed', () => {
    const draws = (seed: number) => {
      const world = fakeWorld(seed)
      return [
        world.random(),
        world.randomInt(1, 1_000_000),
        newId(world, 'gate'),
        Buffer.from(world.randomBytes(40)).toString('hex'),
      ]
    }
    expect(draws(7)).toEqual(draws(7))
    expect(draws(7)).not.toEqual(draws(8))
  })

  it('stands still while another process works, however many turns of the event loop that takes', async () => {
    const world = fakeWorld(1, 1)
    let checks = 0
    let firedAfter = 0
    world.waitFor(() => ++checks < 30_000)
    world.after(1, () => {
      firedAfter = checks
    })
    await world.advance(1)
    expect(firedAfter).toBe(30_000)
  })

  it('goes on at last where the other process waits for the time itself', async () => {
    const world = fakeWorld(1, 1)
    let isWaiting = true
    world.waitFor(() => isWaiting, 1)
    world.after(1, () => {
      isWaiting = false
    })
    await world.advance(1)
    expect(isWaiting).toBe(false)
  })

  it('fires timers late, in order, after a stall in which none fired', async () => {
    const world = fakeWorld()
    const seen: number[] = []
    for (const delayMs of [20, 10, 400])
      world.after(delayMs, () => seen.push(Math.floor(world.monotonicMs())))
    world.stall(300)
    world.stall(-50)
    expect(seen).toEqual([])
    await world.advance(0)
    expect(seen).toEqual([300, 300])
    await world.advance(100)
    expect(seen).toEqual([300, 300, 400])
  })

  it('fires timers in order of time, then of creation, and lets promises settle between two', async () => {
    const world = fakeWorld()
    const seen: string[] = []
    world.after(20, () => seen.push(`late ${Math.floor(world.monotonicMs())}`))
    world.after(10, () => {
      seen.push(`first ${Math.floor(world.monotonicMs())}`)
      Promise.resolve()
        .then(() => seen.push('settled'))
        .catch(() => {})
    })
    world.after(10, () => seen.push('second'))
    world.after(10, () => seen.push('cancelled')).cancel()
    await world.advance(20)
    expect(seen).toEqual(['first 10', 'settled', 'second', 'late 20'])
    expect(Math.floor(world.monotonicMs())).toBe(20)
  })

  it('moves until a fact holds, and throws when it never does', async () => {
    const world = fakeWorld(3)
    let count = 0
    const again = () => {
      world.after(1_000, () => {
        count++
        again()
      })
    }
    again()
    await world.until(() => count === 3)
    expect(Math.floor(world.monotonicMs())).toBe(3_000)
    await expect(world.until(() => false, 5_000)).rejects.toThrow('seed 3')
  })

  it('has fractions of a millisecond in each clock but the wall clock, and in the time between two moments', async () => {
    const world = fakeWorld(7)
    const isWhole = () => [world.nowMs(), world.monotonicMs(), world.sinceBootMs()].map(Number.isInteger)
    const since = moment(world)
    expect(isWhole()).toEqual([true, false, false])
    await world.advance(10_000)
    expect(isWhole()).toEqual([true, false, false])
    expect(Number.isInteger(ageMs(world, since))).toBe(false)
    expect(ageMs(world, since)).toBeGreaterThanOrEqual(10_000)
    expect(ageMs(world, since)).toBeLessThan(10_001)
    await world.advance(0.3)
    expect(isWhole()).toEqual([true, false, false])
  })

  it('lets a delay pass that is too small to change a later time', async () => {
    const world = fakeWorld()
    await world.advance(40 * 86_400_000)
    const beforeMs = world.monotonicMs()
    world.after(1e-12, () => {})
    world.fireNext()
    expect(world.monotonicMs()).toBeGreaterThan(beforeMs)
  })

  it('jumps the wall clock without moving an age', () => {
    const world = fakeWorld()
    const since = moment(world)
    world.jumpWallClock(86_400_000)
    expect(ageMs(world, since)).toBe(0)
    expect(world.nowMs()).toBe(Date.UTC(2026, 0, 6, 8))
  })
})

describe('an id', () => {
  it('carries its prefix and sorts by time', async () => {
    const world = fakeWorld()
    const first = newId(world, 'open')
    await world.advance(1)
    const second = newId(world, 'open')
    expect(first).toMatch(/^open_[0-9a-hjkmnp-tv-z]{26}$/)
    expect(first < second).toBe(true)
    expect(newId(world, 'open')).not.toBe(second)
  })
})
