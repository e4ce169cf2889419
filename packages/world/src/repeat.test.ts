import { beforeEach, expect, it } from 'vitest'
import { type FakeWorld, fakeWorld } from './fake.ts'
import { repeat } from './repeat.ts'

let world: FakeWorld
let begun: number
beforeEach(() => {
  world = fakeWorld(1)
  begun = 0
})

const count = async () => void begun++
/** Work that ends when the test says so. */
function longWork() {
  let end = () => {}
  const work = () =>
    new Promise<void>(resolve => {
      begun++
      end = resolve
    })
  return { work, end: () => end() }
}

it('begins after the interval, not at once, and goes on', async () => {
  repeat(world, 1_000, count)
  await world.advance(999)
  expect(begun).toBe(0)
  await world.advance(1)
  expect(begun).toBe(1)
  await world.advance(3_000)
  expect(begun).toBe(4)
})

it('begins after a given first delay', async () => {
  repeat(world, 1_000, count, undefined, 10)
  await world.advance(10)
  expect(begun).toBe(1)
  await world.advance(999)
  expect(begun).toBe(1)
  await world.advance(1)
  expect(begun).toBe(2)
})

it('never overlaps itself: the interval begins when the work ends', async () => {
  const { end, work } = longWork()
  repeat(world, 1_000, work)
  await world.advance(5_000)
  expect(begun).toBe(1)
  end()
  await world.advance(999)
  expect(begun).toBe(1)
  await world.advance(1)
  expect(begun).toBe(2)
})

it('reports a failure and continues', async () => {
  const told: string[] = []
  const fail = async () => {
    begun++
    throw new Error('no disk')
  }
  repeat(world, 1_000, fail, why => told.push(why))
  await world.advance(2_000)
  expect(begun).toBe(2)
  expect(told).toEqual(['Error: no disk', 'Error: no disk'])
  expect(world.lines).toEqual([])
})

it('logs a failure that has no other receiver', async () => {
  repeat(world, 1_000, () => Promise.reject(new Error('no disk')))
  await world.advance(1_000)
  expect(world.lines.map(({ fields, level }) => ({ level, ...fields }))).toEqual([
    { level: 'error', why: 'Error: no disk' },
  ])
})

it('begins nothing after a stop', async () => {
  const stop = repeat(world, 1_000, count)
  await world.advance(1_500)
  await stop()
  await world.advance(10_000)
  expect(begun).toBe(1)
})

it('waits at a stop for the running work, which is not repeated', async () => {
  const { end, work } = longWork()
  const stop = repeat(world, 1_000, work)
  await world.advance(1_000)
  let hasStopped = false
  void stop().then(() => {
    hasStopped = true
  })
  await world.advance(5_000)
  expect(hasStopped).toBe(false)
  end()
  await world.advance(5_000)
  expect(hasStopped).toBe(true)
  expect(begun).toBe(1)
})

it('tells the work whether it has to end', async () => {
  const seen: boolean[] = []
  const { end, work } = longWork()
  const stop = repeat(world, 1_000, async isStopped => {
    seen.push(isStopped())
    await work()
    seen.push(isStopped())
  })
  await world.advance(1_000)
  void stop()
  end()
  await world.advance(0)
  expect(seen).toEqual([false, true])
})
