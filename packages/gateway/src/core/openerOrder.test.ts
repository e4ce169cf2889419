import fc from 'fast-check'
import { expect, it } from 'vitest'
import { at, boot, claimed, forward, forwardEvent, grantFor, nonceOf } from './opener.kit.ts'
import { stepOpener } from './opener.ts'
import { openerState } from './openerState.ts'

it('claims the opening that was pressed first, in whatever order the hints arrive', () => {
  const opener = claimed()
  for (const openingId of ['d', 'b', 'c', 'd', 'b']) opener.tell(10, { type: 'hint', openingId })
  const claims: string[] = []
  for (let ms = 100; claims.length < 3; ms += 1_000) {
    const { openingId = '' } =
      opener.all.flatMap(one => (one.type === 'claim' ? [one.claim] : [])).at(-1) ?? {}
    opener.tell(
      ms,
      grantFor(openingId, claims.length === 0 ? 'n' : `n${claims.length}`, {
        granted: false,
        reason: 'refused',
      }),
    )
    opener.tell(ms, { type: 'reserved', nonce: `n${claims.length + 1}` })
    const { work } = opener.state()
    claims.push(work.phase === 'claiming' ? work.claim.openingId : '')
  }
  expect(claims).toEqual(['b', 'c', 'd'])
})

it('claims no opening that it has known for more than 12 s, although its hint was repeated', () => {
  const opener = claimed()
  opener.tell(100, grantFor('a', 'n'))
  opener.tell(110, { type: 'intentKept', openingId: 'a' })
  for (let ms = 1_000; ms <= 11_000; ms += 2_000) opener.tell(ms, { type: 'hint', openingId: 'b' })
  opener.tell(12_000, { type: 'hint', openingId: 'c' })
  const result = { dialled: false, why: 'stale' } as const
  opener.tell(13_001, { type: 'callEnded', result })
  // The cloud has ended `b` by now. A claim for it would only delay `c` by one request and its answer.
  opener.tell(13_001, { type: 'reserved', nonce: 'm' })
  expect(opener.all.at(-1)).toMatchObject({ type: 'claim', claim: { openingId: 'c' } })
})

it('claims the waiting opening that was pressed first', () => {
  let jumped = 0
  const anyHint = fc.constantFrom(...'abcdefgh').map(openingId => ({ type: 'hint' as const, openingId }))
  const story = fc.array(
    fc.tuple(fc.oneof(fc.constant(forward), anyHint, anyHint), fc.integer({ min: 0, max: 4_000 })),
    { maxLength: 60 },
  )
  fc.assert(
    fc.property(story, told => {
      let state = openerState(boot, [])
      let ms = 0
      let drawn = 0
      // Hinted openings without a claim, each with the time of its first hint.
      const waiting = new Map<string, number>()
      const heard: string[] = []
      for (const [given, waitMs] of told) {
        ms += waitMs
        const next = given === forward ? forwardEvent(state) : given
        const event = next.type === 'reserved' ? { ...next, nonce: nonceOf(drawn++) } : next
        for (const [openingId, firstMs] of waiting) if (ms - firstMs > 12_000) waiting.delete(openingId)
        const isSpent = event.type === 'hint' && state.spent.some(one => one.openingId === event.openingId)
        if (event.type === 'hint' && !isSpent && !waiting.has(event.openingId)) {
          waiting.set(event.openingId, ms)
          heard.push(event.openingId)
        }
        const taken = stepOpener(state, event, at(ms))
        state = taken.state
        if (event.type !== 'reserved' || state.work.phase !== 'claiming') continue
        const { openingId } = state.work.claim
        expect(openingId).toBe([...waiting.keys()].toSorted()[0])
        if (heard.find(one => waiting.has(one)) !== openingId) jumped += 1
        waiting.delete(openingId)
      }
    }),
    { numRuns: 500, seed: 20_260_105 },
  )
  // Proves that some openings overtook hints that came before theirs.
  expect(jumped).toBeGreaterThan(20)
})
