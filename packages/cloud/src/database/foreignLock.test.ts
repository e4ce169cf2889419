import { fakeWorld } from '@callgate/world/fake'
import { describe, expect, it } from 'vitest'
import { patientTransactions } from './foreignLock.ts'

const locked = new Error('locked')
const broken = new Error('broken')
const isLocked = (error: unknown) => error === locked

/** A lock that is held until a moment, with the number of attempts to take it. */
function heldUntil(world: { monotonicMs(): number }, freeAtMs: number) {
  const tries: number[] = []
  const begin = async () => {
    tries.push(world.monotonicMs())
    if (world.monotonicMs() < freeAtMs) throw locked
  }
  return { begin, tries }
}

describe('patientTransactions', () => {
  it('runs at once when nothing is locked, and sets no timer', async () => {
    const world = fakeWorld()
    const run = patientTransactions({ world, withinMs: 1_000 }, isLocked)
    expect(await run(async () => 'done')).toBe('done')
    expect(world.nextTimerMs()).toBeUndefined()
  })

  it('begins within a tenth of a second after the lock is free, and reports once that it waits', async () => {
    const world = fakeWorld()
    let told = 0
    const run = patientTransactions({ world, withinMs: 2_000, onWait: () => told++ }, isLocked)
    for (const round of [1, 2]) {
      const lock = heldUntil(world, world.monotonicMs() + 700)
      const work = run(async hasBegun => {
        await lock.begin()
        hasBegun()
        return round
      })
      await world.advance(800)
      expect(await work).toBe(round)
      expect(lock.tries.length).toBeLessThan(15)
    }
    expect(told).toBe(1)
  })

  it('gives up when its time is over', async () => {
    const world = fakeWorld()
    const run = patientTransactions({ world, withinMs: 2_000 }, isLocked)
    const lock = heldUntil(world, 60_000)
    const failure = run(lock.begin).catch((error: unknown) => [error, Math.floor(world.monotonicMs())])
    await world.advance(3_000)
    expect(await failure).toEqual([locked, 2_000])
  })

  it('runs nothing twice that has begun, and passes other errors on at once', async () => {
    const world = fakeWorld()
    const run = patientTransactions({ world, withinMs: 2_000 }, isLocked)
    let times = 0
    const begun = run(async hasBegun => {
      times++
      hasBegun()
      throw locked
    })
    await expect(begun).rejects.toBe(locked)
    await expect(run(() => Promise.reject(broken))).rejects.toBe(broken)
    expect(times).toBe(1)
  })

  it('lets a hundred wait, and refuses the next at once', async () => {
    const world = fakeWorld()
    const run = patientTransactions({ world, withinMs: 2_000 }, isLocked)
    const outcomes: string[] = []
    const lock = heldUntil(world, 500)
    const work = (name: string) =>
      run(lock.begin).then(
        () => outcomes.push(name),
        () => outcomes.push(`${name} refused`),
      )
    const all = Array.from({ length: 101 }, (_, place) => work(`${place}`))
    await world.advance(0)
    expect(outcomes).toEqual(['100 refused'])
    await world.advance(700)
    await Promise.all(all)
    expect(outcomes).toHaveLength(101)
    // There is room again after the others are done.
    expect(await run(async () => 'next')).toBe('next')
  })
})
