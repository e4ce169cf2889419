// Tests which connection is closed: the oldest stranger of the address that has the most, and never one at work.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addressGroup, ConnectionLimiter, type Rank } from './connectionLimiter.ts'

const limits = { perAddress: 4, total: 6, promptMs: 2_000 }
const nobody = () => false

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:db8::9', '2001:db8:0:0::/64'],
  ['2001:0db8:0000:0000::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['2001:db8:1:2::', '2001:db8:1:2::/64'],
])('counts %s as %s', (address, group) => {
  expect(addressGroup(address)).toBe(group)
})

/** Connections by name; the letter is the address. */
const build = (isTrusted: (address: string) => boolean = nobody) => {
  const limiter = new ConnectionLimiter<string>(limits, isTrusted)
  return {
    become: (name: string, rank: Rank, nowMs: number) => limiter.become(name, rank, nowMs),
    leave: (name: string) => limiter.leave(name),
    arrive: (name: string, nowMs: number) => limiter.arrive(name, `192.0.2.${name.charCodeAt(0)}`, nowMs),
  }
}
const fill = (limiter: ReturnType<typeof build>, names: string, nowMs = 0) => {
  for (const name of names.split(' ')) expect(limiter.arrive(name, nowMs), name).toBeUndefined()
}

describe('an address with all its connections taken', () => {
  it('closes its oldest stranger once that is slow', () => {
    const limiter = build()
    fill(limiter, 'a1 a2 a3 a4')
    expect(limiter.arrive('a5', 2_000)).toBe('a1')
    expect(limiter.arrive('a6', 2_000)).toBe('a2')
  })

  it('keeps a stranger that may still be prompt, and refuses the newcomer', () => {
    const limiter = build()
    fill(limiter, 'a1 a2 a3 a4')
    expect(limiter.arrive('a5', 1_999)).toBe('a5')
    limiter.leave('a1')
    expect(limiter.arrive('a6', 1_999)).toBeUndefined()
  })

  it('closes a spare connection where no stranger can be closed, and never a needed one', () => {
    const limiter = build()
    fill(limiter, 'a1 a2 a3 a4')
    for (const name of ['a1', 'a2', 'a4']) limiter.become(name, 'needed', 1)
    limiter.become('a3', 'spare', 1)
    expect(limiter.arrive('a5', 1)).toBe('a3')
    limiter.become('a5', 'needed', 1)
    expect(limiter.arrive('a6', 9_000)).toBe('a6')
  })

  it('has no limit of its own where it is a trusted proxy, and loses no connection', () => {
    const limiter = build(address => address === '192.0.2.97')
    fill(limiter, 'a1 a2 a3 a4 a5 b1')
    expect(limiter.arrive('c1', 9_000)).toBe('b1')
    expect(limiter.arrive('d1', 9_001)).toBe('d1')
    limiter.become('a1', 'spare', 9_002)
    expect(limiter.arrive('d1', 9_003)).toBe('d1')
    limiter.leave('a1')
    expect(limiter.arrive('d1', 9_004)).toBeUndefined()
  })
})

describe('when all places are taken', () => {
  it('closes a connection of the address with the most strangers at once', () => {
    const limiter = build()
    fill(limiter, 'b1 a1 a2 a3 c1 c2')
    expect(limiter.arrive('d1', 10)).toBe('a1')
    expect(limiter.arrive('d2', 10)).toBe('d2')
    expect(limiter.arrive('d2', 2_000)).toBe('c1')
  })

  it('refuses a newcomer whose own address has the most strangers, and closes no spare connection of others', () => {
    const limiter = build()
    fill(limiter, 'b1 c1 c2 a1 a2 a3')
    for (const name of ['b1', 'c1', 'c2']) limiter.become(name, 'spare', 1)
    expect(limiter.arrive('a4', 10)).toBe('a4')
    // An address without a connection gets the place of a stranger.
    expect(limiter.arrive('d1', 10)).toBe('a1')
    limiter.become('a2', 'needed', 10)
    expect(limiter.arrive('e1', 10)).toBe('c1')
    expect(limiter.arrive('c3', 10)).toBe('c2')
  })

  it('closes spare connections of the address with the most, also for an address that has a stranger', () => {
    const limiter = build()
    fill(limiter, 'a1 a2 a3 a4 b1 c1')
    for (const name of ['a1', 'a2', 'a3', 'a4']) limiter.become(name, 'spare', 1)
    expect(limiter.arrive('b2', 10)).toBe('a1')
    expect(limiter.arrive('b3', 10)).toBe('a2')
    expect(limiter.arrive('b4', 10)).toBe('b4')
  })

  it('closes spare connections where there are no strangers, and never needed ones', () => {
    const limiter = build()
    const names = ['b1', 'a1', 'a2', 'c1', 'd1', 'e1']
    fill(limiter, names.join(' '))
    for (const name of names) limiter.become(name, 'spare', 1)
    expect(limiter.arrive('f1', 10)).toBe('a1')
    limiter.leave('f1')
    fill(limiter, 'a3')
    for (const name of [...names, 'a3']) limiter.become(name, 'needed', 11)
    expect(limiter.arrive('f1', 9_000)).toBe('f1')
  })

  it('keeps a slow login through a flood', () => {
    const limiter = build()
    fill(limiter, 'a1 a2 a3 a4')
    expect(limiter.arrive('slow', 0)).toBeUndefined()
    const cut = []
    for (let count = 5; count < 4_000; count++)
      cut.push(limiter.arrive(`${count % 2 ? 'a' : 'b'}${count}`, count / 4))
    expect(cut).not.toContain('slow')
    limiter.become('slow', 'needed', 1_000)
    for (let count = 4_000; count < 8_000; count++) cut.push(limiter.arrive(`b${count}`, count))
    expect(cut).not.toContain('slow')
  })
})

interface Step {
  readonly kind: 'arrive' | 'leave' | 'become'
  readonly address: number
  readonly pick: number
  readonly rank: Rank
  readonly afterMs: number
}

/** Runs the steps beside a model: the list of the connections that should be open. */
function holds(steps: readonly Step[]): void {
  const limiter = new ConnectionLimiter<number>(limits, nobody)
  const live = new Map<number, { address: number; rank: Rank; sinceMs: number }>()
  const arrive = (name: number, address: number, nowMs: number) => {
    const evicted = limiter.arrive(name, `192.0.2.${address}`, nowMs)
    if (evicted === name) return
    const gone = evicted === undefined ? undefined : live.get(evicted)
    if (evicted !== undefined) live.delete(evicted)
    expect(gone?.rank).not.toBe('needed')
    const count = (of: number | undefined, ...ranks: Rank[]) =>
      [...live.values()].filter(one => one.address === of && ranks.includes(one.rank)).length +
      (of === gone?.address && gone && ranks.includes(gone.rank) ? 1 : 0)
    const isFewer = count(gone?.address, 'stranger') < count(address, 'stranger')
    const isNoMore = count(gone?.address, 'stranger', 'spare') <= count(address, 'stranger', 'spare')
    if (gone && gone.address !== address) expect(isFewer && isNoMore).toBe(false)
    for (const one of live.values())
      if (one.address === gone?.address && one.rank === gone.rank)
        expect(one.sinceMs).toBeGreaterThanOrEqual(gone.sinceMs)
    live.set(name, { address, rank: 'stranger', sinceMs: nowMs })
  }
  let nowMs = 0
  for (const [name, { address, afterMs, kind, pick, rank }] of steps.entries()) {
    nowMs += afterMs
    const chosen = [...live.keys()][pick % Math.max(1, live.size)] ?? -1
    if (kind === 'arrive') arrive(name, address, nowMs)
    if (kind === 'leave') limiter.leave(chosen)
    if (kind === 'leave') live.delete(chosen)
    if (kind === 'become') limiter.become(chosen, rank, nowMs)
    const known = live.get(chosen)
    if (kind === 'become' && known && known.rank !== rank)
      live.set(chosen, { ...known, rank, sinceMs: nowMs })
    expect(live.size).toBeLessThanOrEqual(limits.total)
    for (let one = 0; one < 4; one++)
      expect([...live.values()].filter(each => each.address === one).length).toBeLessThanOrEqual(
        limits.perAddress,
      )
  }
}

it.each([
  ['slow', 1_500],
  ['prompt', 100],
])(
  'keeps the limits, closes none at work and none of a lighter address, and removes closed ones: %s',
  (_, mostAfterMs) => {
    const step = fc.record({
      kind: fc.constantFrom('arrive', 'arrive', 'leave', 'become'),
      address: fc.nat(3),
      pick: fc.nat(20),
      rank: fc.constantFrom<Rank[]>('stranger', 'spare', 'needed'),
      afterMs: fc.nat(mostAfterMs),
    })
    const steps = fc.array(step, { minLength: 20, maxLength: 60 })
    fc.assert(
      fc.property(steps, taken => {
        holds(taken)
      }),
      { numRuns: 300 },
    )
  },
)
