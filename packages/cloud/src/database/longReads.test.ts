import { expect, it } from 'vitest'
import { LongReads, mostAtOnce, mostWaiting } from './longReads.ts'

const settled = () => new Promise<void>(resolve => setImmediate(resolve))

it('runs few reads of a Space at once, queues others, and refuses too many', async () => {
  const reads = new LongReads()
  const begun: number[] = []
  const ends: ((isFine: boolean) => void)[] = []
  const read = (name: number) => () => {
    begun.push(name)
    return new Promise<number>((resolve, reject) => {
      ends.push(isFine => (isFine ? resolve(name) : reject(new Error('lost'))))
    })
  }
  const all = Array.from({ length: mostAtOnce + mostWaiting }, (_, name) => reads.run('space_a', read(name)))
  await expect(reads.run('space_a', read(-1))).rejects.toMatchObject({ trouble: 'busy' })
  expect(begun).toEqual([0, 1])

  void reads.run('space_b', read(1_000))
  await settled()
  expect(begun).toEqual([0, 1, 1_000])

  ends[0]?.(false)
  await expect(all[0]).rejects.toThrow('lost')
  ends[1]?.(true)
  expect(await all[1]).toBe(1)
  await settled()
  expect(begun).toEqual([0, 1, 1_000, 2, 3])

  for (let end = 2; begun.length < all.length + 1 || end < ends.length; end++) {
    ends[end]?.(true)
    await settled()
  }
  expect(await Promise.all(all.slice(1))).toHaveLength(all.length - 1)
  void reads.run('space_a', read(2_000))
  expect(begun.at(-1)).toBe(2_000)
})
