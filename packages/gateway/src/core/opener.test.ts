import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { at, boot, claimed, forward, forwardEvent, granted, grantFor, nonceOf, told } from './opener.kit.ts'
import { stepOpener } from './opener.ts'
import { type Claim, mayDial, type OpenerEvent, openerState, wakeInMs } from './openerState.ts'

describe('the opener', () => {
  it('P2: goes from the hint to the verdict', () => {
    const opener = claimed()
    expect(opener.tell(100, grantFor('a', 'n'))).toEqual(['intend'])
    expect(opener.tell(110, { type: 'intentKept', openingId: 'a' })).toEqual(['dial'])
    expect(mayDial(opener.state(), 'a', at(6_000))).toBe(true)
    expect(mayDial(opener.state(), 'a', at(6_001))).toBe(false)
    expect(mayDial(opener.state(), 'b', at(200))).toBe(false)
    expect(opener.tell(3_000, { type: 'progress', phase: 'ringing' })).toEqual(['report ringing'])
    const result = { dialled: false, why: 'stale' } as const
    expect(opener.tell(4_000, { type: 'callEnded', result })).toEqual(['report not_dialled', 'release'])
    expect(opener.all.at(-2)).toMatchObject({ report: { sinceClaimMs: 4_000 } })
    expect(opener.tell(5_000, { type: 'hint', openingId: 'a' })).toEqual([])
  })

  it.each<[string, number, OpenerEvent<'grant'>, string[]]>([
    ['another nonce', 100, grantFor('a', 'x'), ['ignored']],
    ['another opening', 100, grantFor('b', 'n'), ['ignored']],
    ['another boot', 100, { ...grantFor('a', 'n'), bootId: 'x' }, ['ignored']],
    ['a stale claim', 6_001, grantFor('a', 'n'), ['report not_dialled', 'release']],
    [
      'an emergency number',
      100,
      grantFor('a', 'n', { ...granted, phoneNumber: '+1120000000' }),
      ['ignored', 'report not_dialled', 'release'],
    ],
    [
      'a premium number with a digit too many',
      100,
      grantFor('a', 'n', { ...granted, phoneNumber: '+4990012345678' }),
      ['ignored', 'report not_dialled', 'release'],
    ],
    ['a refusal', 100, grantFor('a', 'n', { granted: false, reason: 'refused' }), ['release']],
    [
      'the end of this boot',
      100,
      grantFor('a', 'n', { granted: false, reason: 'superseded' }),
      ['release', 'superseded'],
    ],
  ])('P2, P4, G2: dials nothing for %s', (_, ms, event, effects) => {
    const opener = claimed()
    expect(opener.tell(ms, event)).toEqual(effects)
    expect(opener.tell(ms, { type: 'intentKept', openingId: 'a' })).toEqual([])
  })

  it('P2: counts suspended time, and checks the age again after INTENT is on the disk', () => {
    expect(claimed().tell(100, grantFor('a', 'n'), 6_001)).toEqual(['report not_dialled', 'release'])
    const slow = claimed()
    slow.tell(5_900, grantFor('a', 'n'))
    expect(slow.tell(6_100, { type: 'intentKept', openingId: 'a' })).toEqual([
      'report not_dialled',
      'release',
    ])
    const full = claimed()
    full.tell(100, grantFor('a', 'n'))
    expect(full.tell(110, { type: 'intentRefused', openingId: 'a' })).toEqual([
      'report not_dialled',
      'release',
    ])
  })

  it('gives up an opening when the disk hangs on its INTENT, and does not dial when INTENT is kept late', () => {
    const opener = claimed()
    opener.tell(100, grantFor('a', 'n'))
    opener.tell(200, { type: 'hint', openingId: 'b' })
    expect(wakeInMs(opener.state(), at(200))).toBe(5_801)
    expect(opener.tell(6_001, { type: 'timePassed' })).toEqual(['report not_dialled', 'release', 'reserve'])
    expect(opener.tell(6_100, { type: 'intentKept', openingId: 'a' })).toEqual([])
  })

  it('sends four claims one after the other without a wait, and the fifth two seconds after the first', () => {
    const opener = told()
    const openingIds = ['a', 'b', 'c', 'd', 'e']
    for (const openingId of openingIds) opener.tell(0, { type: 'hint', openingId })
    const refused = { granted: false, reason: 'already_granted' } as const
    const claimedAt = new Map<string, number>()
    for (let ms = 0; claimedAt.size < openingIds.length && ms < 3_000; ms += 50) {
      opener.tell(ms, { type: 'timePassed' })
      if (opener.state().work.phase === 'reserving') opener.tell(ms, { type: 'reserved', nonce: `n${ms}` })
      const { work } = opener.state()
      if (work.phase !== 'claiming') continue
      const { nonce, openingId } = work.claim
      claimedAt.set(openingId, ms)
      opener.tell(ms, grantFor(openingId, nonce, refused))
    }
    expect([...claimedAt.values()]).toEqual([0, 50, 100, 150, 2_000])
  })

  it('P2: repeats an unanswered claim with its nonce and its age, then gives it up; a late grant is answered once', () => {
    const opener = claimed()
    opener.tell(10, { type: 'hint', openingId: 'b' })
    const sent: number[] = []
    let ms = 0
    while (opener.state().work.phase === 'claiming' && ms < 20_000) {
      const wakeMs = wakeInMs(opener.state(), at(ms)) ?? 0
      expect(wakeMs).toBeGreaterThan(0)
      ms += wakeMs
      if (opener.tell(ms, { type: 'timePassed' }).includes('claim')) sent.push(ms)
    }
    expect(sent).toEqual([1_000, 2_000, 3_000, 4_000, 5_000, 6_000])
    const claims = opener.all.flatMap(effect => (effect.type === 'claim' ? [effect.claim] : []))
    expect(new Set(claims.map(claim => `${claim.nonce} ${claim.firstSentAt.monotonicMs}`)).size).toBe(1)
    expect(opener.all.slice(-3).map(effect => effect.type)).toEqual(['report', 'release', 'reserve'])
    expect(opener.tell(ms, grantFor('a', 'n'))).toEqual(['report not_dialled'])
    expect(opener.tell(ms, grantFor('a', 'n'))).toEqual(['ignored'])
  })

  it('accepts a late refusal once, and sends no report for it', () => {
    const opener = claimed()
    expect(opener.tell(7_000, { type: 'timePassed' })).toEqual(['report not_dialled', 'release'])
    const refusal = grantFor('a', 'n', { granted: false, reason: 'expired' })
    expect(opener.tell(7_000, refusal)).toEqual([])
    expect(opener.tell(7_000, refusal)).toEqual(['ignored'])
  })

  it('reports no progress of a call that has ended', () => {
    expect(claimed().tell(100, { type: 'progress', phase: 'ringing' })).toEqual([])
  })

  it('declines every waiting opening once in two seconds while the modem is not available', () => {
    const opener = told()
    opener.tell(0, { type: 'hint', openingId: 'a' })
    const refusal = { type: 'notReserved', reason: 'no_network' } as const
    expect(opener.tell(0, refusal)).toEqual(['decline'])
    expect(opener.tell(999, { type: 'timePassed' })).toEqual([])
    expect(opener.tell(1_000, { type: 'timePassed' })).toEqual(['reserve'])
    expect(opener.tell(1_000, refusal)).toEqual([])
    expect(opener.tell(1_001, { type: 'modemReady' })).toEqual(['reserve'])
    expect(opener.tell(2_000, refusal)).toEqual(['decline'])
    expect(opener.tell(2_500, { type: 'modemReady' })).toEqual(['reserve'])
    expect(opener.tell(2_500, { type: 'notReserved', reason: 'modem_busy' })).toEqual([])
    // The hint was not repeated for 12 s, so the opening has ended.
    expect(opener.tell(12_001, { type: 'timePassed' })).toEqual([])
    expect(opener.state().hints).toEqual([])
  })

  it('keeps 16 hints and declines the next one with modem_busy', () => {
    const opener = told()
    for (let index = 0; index < 16; index++) opener.tell(index, { type: 'hint', openingId: `${index}` })
    expect(opener.tell(20, { type: 'hint', openingId: 'too many' })).toEqual(['decline'])
    expect(opener.tell(30, { type: 'hint', openingId: 'too many' })).toEqual([])
    expect(opener.state().hints).toHaveLength(16)
    // An opening that was pressed before the others takes the place of the last one.
    expect(opener.tell(40, { type: 'hint', openingId: '!' })).toEqual(['decline'])
    expect(opener.all.at(-1)).toMatchObject({ openingId: '9' })
    expect(opener.state().hints[0]).toMatchObject({ openingId: '!' })
    expect(opener.state().hints).toHaveLength(16)
  })

  it('P2: stops in every phase without a new call', () => {
    expect(claimed().tell(10, { type: 'stop' })).toEqual(['report not_dialled', 'release'])
    const reserving = told()
    reserving.tell(0, { type: 'hint', openingId: 'a' })
    reserving.tell(1, { type: 'stop' })
    expect(reserving.tell(2, { type: 'reserved', nonce: 'n' })).toEqual(['release'])
    const intending = claimed()
    intending.tell(10, grantFor('a', 'n'))
    intending.tell(11, { type: 'stop' })
    expect(intending.tell(12, { type: 'intentKept', openingId: 'a' })).toContain('report not_dialled')
    const calling = claimed()
    calling.tell(10, grantFor('a', 'n'))
    calling.tell(11, { type: 'intentKept', openingId: 'a' })
    expect(calling.tell(12, { type: 'stop' })).toEqual(['hangUp'])
    expect(mayDial(calling.state(), 'a', at(12))).toBe(false)
    expect(calling.tell(13, { type: 'hint', openingId: 'b' })).toEqual([])
  })

  it('P1: never claims an opening that is in the journal', () => {
    const opener = told(openerState(boot, ['a']))
    expect(opener.tell(0, { type: 'hint', openingId: 'a' })).toEqual([])
  })
})

const anyOpening = fc.constantFrom('a', 'b', 'c', 'd')
const anyEvent: fc.Arbitrary<OpenerEvent> = fc.oneof(
  fc.record({ type: fc.constant('hint' as const), openingId: anyOpening }),
  fc.constant({ type: 'reserved', nonce: '' } as const),
  fc.constant({ type: 'notReserved', reason: 'no_network' } as const),
  fc.record({
    type: fc.constant('grant' as const),
    openingId: anyOpening,
    nonce: fc.nat(3).map(nonceOf),
    bootId: fc.constantFrom(boot, boot, boot, 'other'),
    grant: fc.constantFrom(granted, granted, { granted: false, reason: 'expired' } as const),
  }),
  fc.record({
    type: fc.constantFrom('intentKept' as const, 'intentRefused' as const),
    openingId: anyOpening,
  }),
  fc.constant({ type: 'callEnded', result: { dialled: false, why: 'stale' } } as const),
  fc.constant({ type: 'timePassed' } as const),
)
const anyStory = fc.array(
  fc.tuple(
    fc.oneof(fc.constant(forward), anyEvent),
    fc.oneof(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 4_000 })),
  ),
  { maxLength: 60 },
)

describe('the opener, with any events in any order', () => {
  it('dials an opening at most once, and only after INTENT and a matching, fresh grant', () => {
    let dialled = 0
    fc.assert(
      fc.property(anyStory, story => {
        let state = openerState(boot, [])
        let ms = 0
        let drawn = 0
        let outstanding: Claim | undefined
        let intended: string | undefined
        const nonces = new Map<string, string>()
        const calls: string[] = []
        const claimsMs: number[] = []
        for (const [given, waitMs] of story) {
          ms += waitMs
          const next = given === forward ? forwardEvent(state) : given
          const event = next.type === 'reserved' ? { ...next, nonce: nonceOf(drawn++) } : next
          const taken = stepOpener(state, event, at(ms))
          state = taken.state
          for (const effect of taken.effects) {
            if (effect.type === 'claim') {
              const { claim } = effect
              expect(nonces.get(claim.openingId) ?? claim.nonce).toBe(claim.nonce)
              nonces.set(claim.openingId, claim.nonce)
              if (outstanding && outstanding.openingId !== claim.openingId)
                throw new Error('two outstanding claims')
              outstanding ??= { ...claim, firstSentAt: at(ms) }
              claimsMs.push(ms)
              expect(claimsMs.filter(sentMs => sentMs > ms - 2_000).length).toBeLessThanOrEqual(4)
            }
            if (effect.type === 'intend') {
              expect(event).toMatchObject({ type: 'grant', bootId: boot, nonce: outstanding?.nonce })
              expect(outstanding?.openingId).toBe(effect.openingId)
              intended = effect.openingId
            }
            if (effect.type === 'dial') {
              expect(intended).toBe(effect.openingId)
              expect(event).toEqual({ type: 'intentKept', openingId: effect.openingId })
              expect(ms - (outstanding?.firstSentAt.monotonicMs ?? -Infinity)).toBeLessThanOrEqual(6_000)
              expect(calls).not.toContain(effect.openingId)
              calls.push(effect.openingId)
            }
            if (effect.type === 'release') outstanding = intended = undefined
          }
          expect(state.hints.length).toBeLessThanOrEqual(16)
        }
        dialled += calls.length
      }),
      { numRuns: 500, seed: 20_260_105 },
    )
    // Proves that the property covers dials.
    expect(dialled).toBeGreaterThan(20)
  })

  it('never wakes without work, and so never runs in a busy loop', () => {
    let woken = 0
    fc.assert(
      fc.property(anyStory, story => {
        let state = openerState(boot, [])
        let ms = 0
        for (const [given, waitMs] of story) {
          // Real clocks return fractions of a millisecond.
          ms += waitMs / 4
          state = stepOpener(state, given === forward ? forwardEvent(state) : given, at(ms)).state
        }
        // From here on only time passes: a claim lapses within 6 s, and a hint is forgotten within 12 s.
        for (let wakeMs = wakeInMs(state, at(ms)); wakeMs !== undefined; wakeMs = wakeInMs(state, at(ms))) {
          expect(wakeMs).toBeGreaterThan(0)
          ms += wakeMs
          const taken = stepOpener(state, { type: 'timePassed' }, at(ms))
          expect(taken.effects).not.toEqual([])
          state = taken.state
          woken += 1
        }
      }),
      { numRuns: 500, seed: 20_260_105 },
    )
    expect(woken).toBeGreaterThan(200)
  })
})
