import { fakeWorld } from '@callgate/world/fake'
import { expect, it } from 'vitest'
import { SpaceQueues } from './spaceQueues.ts'
import type { Locked } from './transactions.ts'

/** Queues with works that report their begin, and end on command. */
function played(queues = new SpaceQueues()) {
  const begun: string[] = []
  const ends = new Map<string, (error?: Error) => void>()
  const settled = async () => {
    for (let turn = 0; turn < 20; turn++) await Promise.resolve()
  }
  return {
    begun,
    begin: (name: string, locked: Locked) =>
      queues.run(
        locked,
        () =>
          new Promise<string>((resolve, reject) => {
            begun.push(name)
            ends.set(name, error => (error ? reject(error) : resolve(name)))
          }),
      ),
    async end(name: string, error?: Error) {
      await settled()
      ends.get(name)?.(error)
      await settled()
    },
    settled,
  }
}

it('runs the writes of one Space one after the other, beside those of another', async () => {
  const { begin, begun, end, settled } = played()
  const all = [begin('a1', ['a']), begin('a2', ['a']), begin('b1', ['b']), begin('a3', ['a'])]
  await settled()
  expect(begun).toEqual(['a1', 'b1'])
  await end('a1')
  expect(begun).toEqual(['a1', 'b1', 'a2'])
  for (const name of ['b1', 'a2', 'a3']) await end(name)
  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'b1', 'a3'])
})

it('makes a write of all Spaces wait for those before it, and those after it wait for it', async () => {
  const { begin, begun, end } = played()
  const all = [begin('a1', ['a']), begin('b1', ['b']), begin('all', 'all'), begin('a2', ['a'])]
  all.push(begin('c1', ['c']), begin('none', []), begin('all2', 'all'))
  await end('a1')
  expect(begun).toEqual(['a1', 'b1'])
  await end('b1')
  expect(begun).toEqual(['a1', 'b1', 'all'])
  await end('all')
  expect(begun.slice(3)).toEqual(['a2', 'c1', 'none'])
  for (const name of ['a2', 'c1', 'none', 'all2']) await end(name)
  await Promise.all(all)
})

it('makes a write of several Spaces wait for each of them', async () => {
  const { begin, begun, end, settled } = played()
  const all = [begin('a1', ['a']), begin('b1', ['b']), begin('ab', ['a', 'b']), begin('b2', ['b'])]
  await end('a1')
  expect(begun).toEqual(['a1', 'b1'])
  await end('b1')
  expect(begun).toEqual(['a1', 'b1', 'ab'])
  await settled()
  for (const name of ['ab', 'b2']) await end(name)
  await Promise.all(all)
})

it('goes on after a write that fails', async () => {
  const { begin, begun, end } = played()
  const failing = begin('a1', ['a'])
  const next = begin('a2', ['a'])
  const thrown = expect(failing).rejects.toThrow('no')
  await end('a1', new Error('no'))
  await thrown
  expect(begun).toEqual(['a1', 'a2'])
  await end('a2')
  await next
})

it('refuses a write that has waited too long as busy, never runs it, and keeps the order of the others', async () => {
  const world = fakeWorld()
  const { begin, begun, end } = played(new SpaceQueues({ world, withinMs: 1_000 }))
  const slow = begin('a1', ['a'])
  const refused = expect(begin('a2', ['a'])).rejects.toMatchObject({ trouble: 'busy' })
  await world.advance(500)
  const patient = begin('a3', ['a'])
  await world.advance(500)
  await refused
  expect(begun).toEqual(['a1'])
  await end('a1')
  await slow
  expect(begun).toEqual(['a1', 'a3'])
  await end('a3')
  expect(await patient).toBe('a3')
})

it('refuses a write at once where its Space has 1,000 others, and takes one again when one has ended', async () => {
  const world = fakeWorld()
  const queues = new SpaceQueues({ world, withinMs: 2_000 })
  const { begin, end } = played(queues)
  const first = begin('first', ['a'])
  const quick = (locked: Locked) => queues.run(locked, async () => 'done')
  const waiting = Array.from({ length: 998 }, () => quick(['a']))
  const last = quick(['b', 'a'])
  await expect(quick(['a'])).rejects.toMatchObject({ trouble: 'busy' })
  await expect(quick(['c', 'a'])).rejects.toMatchObject({ trouble: 'busy' })
  expect(await quick(['c'])).toBe('done')
  expect(await quick([])).toBe('done')
  await end('first')
  expect(new Set(await Promise.all([...waiting, last]))).toEqual(new Set(['done']))
  expect(await first).toBe('first')
  expect(await quick(['a'])).toBe('done')
})

it('refuses no write for its wait or its number without a patience', async () => {
  const queues = new SpaceQueues()
  const all = Array.from({ length: 1_100 }, () => queues.run(['a'], async () => 'done'))
  expect((await Promise.all(all)).length).toBe(1_100)
})
