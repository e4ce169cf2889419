import { expect, it } from 'vitest'
import { fakeWorld } from './fake.ts'
import { realWorld } from './real.ts'
import { fairTurns } from './turns.ts'

it.each([
  ['the real', () => realWorld({ logLevel: 'silent' })],
  ['the fake', () => fakeWorld()],
])(
  "%s world gives the waiting owners turns in rotation, regardless of the number of one owner's calls",
  async (_, make) => {
    const { turn } = make()
    const order: string[] = []
    const wait = (of: string) => turn(of).then(() => void order.push(of))
    const lists = ['a', 'a', 'a', 'a', 'b', 'a', 'c', 'b'].map(wait)
    await Promise.all(lists)
    expect(order.join('')).toBe('abcabaaa')
  },
)

it('puts a returning owner behind the others, and gives one turn at a time', async () => {
  const later: (() => void)[] = []
  const turn = fairTurns(then => later.push(then))
  const order: string[] = []
  const pieces = async (of: string, count: number) => {
    for (let piece = 0; piece < count; piece++) {
      await turn(of)
      order.push(of)
    }
  }
  const lists = [...Array.from({ length: 10 }, () => pieces('a', 2)), pieces('b', 3)]
  while (later.length > 0) {
    expect(later).toHaveLength(1)
    const before = order.length
    later.shift()?.()
    await new Promise(resolve => setImmediate(resolve))
    expect(order.length - before).toBeLessThanOrEqual(1)
  }
  await Promise.all(lists)
  expect(order.slice(0, 6).join('')).toBe('ababab')
  expect(order).toHaveLength(23)
})

it('gives short turns in one round of the event loop, and goes round after a millisecond of work', async () => {
  const { turn } = realWorld({ logLevel: 'silent' })
  let rounds = 0
  let isOver = false
  const count = () => {
    rounds++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const work = async (ms: number) => {
    await turn('a')
    for (const end = performance.now() + ms; performance.now() < end; );
    return rounds
  }
  const roundsOf = async (ms: number) =>
    new Set(await Promise.all(Array.from({ length: 50 }, () => work(ms)))).size
  expect(await roundsOf(1.1)).toBe(50)
  expect(await roundsOf(0)).toBeLessThan(50)
  isOver = true
})

it('lets a caller without an owner wait for no other caller', async () => {
  const later: (() => void)[] = []
  const turn = fairTurns(then => later.push(then))
  const began: string[] = []
  const waits = ['a', 'b', undefined].map(of => turn(of).then(() => began.push(String(of))))
  // The first callback gives the owners turns, one in each; the second belongs to the caller without an owner.
  later[1]?.()
  await waits[2]
  expect(began).toEqual(['undefined'])
})
