import { beforeEach, expect, it } from 'vitest'
import { type FakeWorld, fakeWorld } from './fake.ts'
import { createStops, type Stops } from './stops.ts'

const never = () => new Promise<void>(() => {})

let world: FakeWorld
let stops: Stops
let stopped: string[]
beforeEach(() => {
  world = fakeWorld(1)
  stops = createStops(world)
  stopped = []
})

const note = (part: string) => () => void stopped.push(part)
const errors = () => world.lines.filter(({ level }) => level === 'error').map(({ fields }) => fields)

it('stops the parts once, the last started first, and logs nothing', async () => {
  stops.add('lock', note('lock'), { onlyIfClean: true })
  stops.add('broker', async () => note('broker')())
  stops.add('presses', note('presses'), { withinMs: 1_000 })
  await stops.run()
  await stops.run()
  expect(stopped).toEqual(['presses', 'broker', 'lock'])
  expect(errors()).toEqual([])
})

it('gives up a part that does not stop in 15 s, stops the others, and leaves out steps that need a clean stop', async () => {
  stops.add('lock', note('lock'), { onlyIfClean: true })
  stops.add('wire', note('wire'))
  stops.add('mails', never)
  const run = stops.run()
  await world.advance(14_999)
  expect(stopped).toEqual([])
  await world.advance(1)
  await run
  expect(stopped).toEqual(['wire'])
  expect(errors()).toEqual([{ part: 'mails', why: 'it takes too long' }])
})

it('gives all parts 15 s together, and a patient one its own time', async () => {
  stops.add('wire', never)
  stops.add('mails', never)
  stops.add('presses', never, { withinMs: 62_000 })
  let isOver = false
  void stops.run().then(() => {
    isOver = true
  })
  await world.advance(62_000 + 14_999)
  expect(isOver).toBe(false)
  await world.advance(1)
  expect(isOver).toBe(true)
  expect(errors().map(({ part }) => part)).toEqual(['presses', 'mails', 'wire'])
})

it.each([
  [
    'throws',
    () => {
      throw new Error('no connection')
    },
  ],
  ['rejects', () => Promise.reject(new Error('no connection'))],
])('continues where a part %s', async (_, step) => {
  stops.add('lock', note('lock'), { onlyIfClean: true })
  stops.add('wire', note('wire'))
  stops.add('mails', step)
  await stops.run()
  expect(stopped).toEqual(['wire'])
  expect(errors()).toEqual([{ part: 'mails', why: 'Error: no connection' }])
})
