import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gatewayOwner, isLive, isSameOwner, type Lease, leaseForMs, ownerOf, seemsAtMostMs } from './lease.ts'

const until = (atMs: number) => ({ leaseUntil: new Date(atMs).toISOString() })

const lease = (id: string, more: Partial<Lease> = {}): Lease => ({
  id,
  epoch: 1,
  schema: '0020',
  isListening: true,
  isDraining: false,
  ...until(0),
  ...more,
})

describe('a lease', () => {
  it.each([
    ['just taken', leaseForMs, true],
    ['about to end', 1, true],
    ['at its end', 0, false],
    ['over', -1, false],
    ['renewed after the transaction began', leaseForMs + 1, true],
    ['from before the clock was set back', seemsAtMostMs + 1, false],
  ])('that is %s', (_, leftMs, holds) => {
    expect(isLive(until(1_000_000 + leftMs), 1_000_000)).toBe(holds)
  })
})

describe('an owner', () => {
  it('is one start of a cloud with one lease', () => {
    const mine = { id: 'a', epoch: 2 }
    expect(isSameOwner(mine, ownerOf({ owner: 'a', ownerEpoch: 2 }))).toBe(true)
    expect(isSameOwner(mine, ownerOf({ owner: 'a', ownerEpoch: 1 }))).toBe(false)
    expect(isSameOwner(mine, ownerOf({ owner: 'b', ownerEpoch: 2 }))).toBe(false)
    expect(ownerOf({ owner: null, ownerEpoch: null })).toBeUndefined()
    expect(isSameOwner(undefined, undefined)).toBe(false)
  })
})

describe('the owner of a gateway', () => {
  const ids = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 6 })

  it('is the same for every replica, and changes only when it goes itself', () => {
    fc.assert(
      fc.property(ids, fc.string(), (all, gatewayId) => {
        const leases = all.map(id => lease(id))
        const owner = gatewayOwner(gatewayId, leases)
        expect(gatewayOwner(gatewayId, leases.toReversed())).toBe(owner)
        for (const gone of all.filter(id => id !== owner))
          expect(
            gatewayOwner(
              gatewayId,
              leases.filter(({ id }) => id !== gone),
            ),
          ).toBe(owner)
      }),
    )
  })

  it('is a replica that hears the gateways, where there is one', () => {
    const leases = ['a', 'b', 'c'].map(id => lease(id, { isListening: id === 'b' ? 1 : 0 }))
    for (let gateway = 0; gateway < 20; gateway++) expect(gatewayOwner(`gw_${gateway}`, leases)).toBe('b')
    expect(gatewayOwner('gw_1', [lease('a', { isListening: 0 })])).toBe('a')
    expect(gatewayOwner('gw_1', [])).toBeUndefined()
  })

  it('owns about as many gateways as any other', () => {
    const leases = ['replica_a', 'replica_b', 'replica_c', 'replica_d'].map(id => lease(id))
    const counts = new Map<string | undefined, number>()
    for (let gateway = 0; gateway < 4_000; gateway++) {
      const owner = gatewayOwner(`gw_${gateway}`, leases)
      counts.set(owner, (counts.get(owner) ?? 0) + 1)
    }
    for (const { id } of leases) expect(counts.get(id)).toBeGreaterThan(800)
  })
})
