// Any calls: a profile that is proposed from them reads each call correctly, by the gateway's own verdict.

import { callSigns, readsAsOpened } from '@callgate/cloud/core/callSigns'
import { observingProfile, proposalOf, type TestCall } from '@callgate/cloud/core/profileProposal'
import { type CallProfile, callProfile } from '@callgate/contract/call/callProfile'
import { answered, recordOf, type Timed } from '@callgate/modem/callFacts.kit'
import { type CallFact, factText } from '@callgate/modem/core/callFacts'
import { callVerdict } from '@callgate/modem/core/callVerdict'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

type Model = 'SIM800L' | 'A7672SA' | 'L850-GL'
const before = callProfile({ mode: 'unverified' })
const observing = observingProfile(before, false)

interface ReadingCase {
  readonly facts: readonly Timed[]
  readonly model: Model
  readonly hasMoved: boolean
  readonly movedAfterMs: number | null
}

interface Shape {
  readonly model: Model
  readonly dials: boolean
  readonly rings: boolean
  readonly answers: boolean
  readonly service: number | null
  readonly end: 'them' | 'us' | 'silence'
  readonly token: 'BUSY' | 'NO CARRIER' | 'NO ANSWER' | null
  readonly cause: number | null
  readonly disturbance: CallFact | null
}

/** How a gate takes its calls: three calls to one gate have the same signs, apart from their times. */
const shapes: fc.Arbitrary<Shape> = fc.record({
  model: fc.constantFrom<Model>('SIM800L', 'SIM800L', 'A7672SA', 'L850-GL'),
  dials: fc.boolean(),
  rings: fc.oneof(fc.constant(true), fc.boolean()),
  answers: fc.boolean(),
  service: fc.constantFrom(null, null, null, 2, 3, 5),
  end: fc.constantFrom('them', 'them', 'us', 'silence'),
  token: fc.constantFrom('BUSY', 'NO CARRIER', 'NO ANSWER', null),
  cause: fc.constantFrom(null, null, 16, 17, 18, 19, 21, 31, 102, 27, 1, 34),
  disturbance: fc.oneof(
    { weight: 8, arbitrary: fc.constant(null) },
    {
      weight: 1,
      arbitrary: fc.constantFrom<CallFact>(
        { fact: 'otherCall' },
        { fact: 'unheard' },
        { fact: 'stoodStill' },
        { fact: 'garbled' },
        { fact: 'registration', isRegistered: false },
        { fact: 'emptyList' },
        { fact: 'endUnproven' },
        { fact: 'endDenied' },
        { fact: 'lost', why: 'restarted' },
        { fact: 'voltage', text: 'UNDER-VOLTAGE WARNNING' },
      ),
    },
  ),
})

const state = (atMs: number, number: number): Timed => [atMs, { fact: 'state', state: number, by: 'urc' }]

function factsOf(
  shape: Shape,
  times: { readonly setup: number; readonly ring: number; readonly talk: number },
) {
  const facts: Timed[] = [[200, { fact: 'accepted' }]]
  let atMs = 300
  if (shape.dials) facts.push(state(atMs, 2))
  atMs += times.setup
  if (shape.rings) facts.push(state(atMs, 3))
  if (shape.service !== null) facts.push([atMs, { fact: 'service', code: shape.service }])
  if (shape.disturbance) facts.push([atMs, shape.disturbance])
  const isHungUp = shape.end === 'us'
  if (shape.answers) {
    atMs += times.ring
    facts.push(state(atMs, 0))
    atMs += isHungUp ? 15_000 : times.talk
  } else atMs += isHungUp ? (shape.rings ? 45_000 : 25_000 - times.setup) : times.ring
  if (isHungUp) {
    const why = shape.answers ? 'talkedLongEnough' : shape.rings ? 'rangLongEnough' : 'setupTimeout'
    facts.push([atMs, { fact: 'hangUp', why }])
  }
  if (shape.end === 'them' && shape.token) facts.push([atMs, { fact: 'token', token: shape.token }])
  if (shape.end !== 'silence') facts.push(state(atMs + 100, 6))
  if (shape.end === 'them' && shape.cause) facts.push([atMs + 400, { fact: 'cause', cause: shape.cause }])
  return { facts, endMs: atMs }
}

const times = fc.record({
  setup: fc.integer({ min: 500, max: 20_000 }),
  ring: fc.oneof(
    fc.integer({ min: 0, max: 46_000 }),
    fc.integer({ min: 1_000, max: 11_000 }),
    fc.integer({ min: 15_000, max: 18_000 }),
  ),
  talk: fc.integer({ min: 0, max: 15_000 }),
})

const seldom = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, { weight: 1, arbitrary })

type Times = typeof times extends fc.Arbitrary<infer Value> ? Value : never

const oneCall = (shape: Shape, usual: Times, mostlyMoves: boolean): fc.Arbitrary<ReadingCase> =>
  fc
    .record({
      later: fc.nat(1_500),
      other: seldom(times),
      still: fc.boolean(),
      moved: fc.constantFrom<'end' | 'soon' | 'unknown'>('end', 'end', 'end', 'soon', 'unknown'),
    })
    .map(({ later, moved, other, still }) => {
      const near = { setup: usual.setup, ring: usual.ring + later, talk: usual.talk + later }
      const at = other ?? near
      const { endMs, facts } = factsOf(shape, at)
      const movedAfterMs = { end: endMs, soon: 300 + at.setup + 2_000, unknown: null }[moved]
      return { facts, model: shape.model, hasMoved: mostlyMoves || !still, movedAfterMs }
    })

/** Three calls to one gate. Some gates change their behaviour between two calls. */
const someCalls = fc
  .tuple(shapes, seldom(shapes), times, fc.integer({ min: 0, max: 4 }))
  .chain(([shape, other, usual, moves]) => {
    const of = (one: Shape) => oneCall(one, usual, moves > 0)
    return fc.tuple(of(shape), of(shape), of(other ?? shape))
  })

function testCallOf({ facts, hasMoved, model, movedAfterMs }: ReadingCase): TestCall {
  const record = recordOf(facts, model)
  const verdict = callVerdict(record, observing)
  const events = record.facts.map(({ atMs, fact }) => ({ atMs, event: factText(fact) }))
  const signs = callSigns(verdict, { modem: model, operator: null, signalDbm: null, events })
  return { signs, hasMoved, movedAfterMs: hasMoved ? movedAfterMs : null, isHidden: false }
}

const statusUnder = ({ facts, model }: ReadingCase, profile: CallProfile) =>
  callVerdict(recordOf(facts, model), profile).status

describe('a proposal', () => {
  it('reads none of its calls wrongly, by the verdict of the gateway', () => {
    let proposals = 0
    fc.assert(
      fc.property(someCalls, seen => {
        const proposal = proposalOf(before, seen.map(testCallOf))
        if (proposal.kind !== 'proposed') return
        proposals += 1
        for (const call of seen) {
          const isCompleted = statusUnder(call, proposal.profile) === 'completed'
          expect(isCompleted, JSON.stringify({ call, profile: proposal.profile })).toBe(call.hasMoved)
        }
      }),
      { numRuns: 30_000 },
    )
    expect(proposals).toBeGreaterThan(500)
  })

  it('keeps what a person set at the gate, and says that it was learned', () => {
    const call: ReadingCase = {
      facts: [...answered, [9_000, { fact: 'token', token: 'NO CARRIER' }]],
      model: 'SIM800L',
      hasMoved: true,
      movedAfterMs: null,
    }
    const own = callProfile({
      mode: 'ring',
      coolDownMs: 20_000,
      callerId: 'show_forced',
      learned: true,
      noAnswerOpens: true,
    })
    const proposal = proposalOf(own, [call, call, call].map(testCallOf))
    const kept = { mode: 'answer_release', coolDownMs: 20_000, callerId: 'show_forced', learned: true }
    expect(proposal).toMatchObject({ kind: 'proposed', profile: kept })
    expect(proposal).not.toHaveProperty('profile.noAnswerOpens')
  })
})

describe('a call that the cloud reads as an opening', () => {
  it('is an opening for the gateway as well', () => {
    const profiles = fc.record({
      mode: fc.constantFrom('reject', 'reject_delayed', 'answer_release', 'answer_hold', 'ring'),
      reactMinMs: fc.integer({ min: 0, max: 5_000 }),
      reactMaxMs: fc.integer({ min: 5_000, max: 45_000 }),
      ringHangupMs: fc.integer({ min: 1_000, max: 45_000 }),
      silentAlerting: fc.boolean(),
      rejectDiverts: fc.boolean(),
      noAnswerOpens: fc.boolean(),
    })
    fc.assert(
      fc.property(someCalls, profiles, (seen, given) => {
        const profile = callProfile({ ...given, learned: true } as CallProfile)
        for (const call of seen) {
          const { signs } = testCallOf(call)
          const isOpened = readsAsOpened(signs, profile)
          if (isOpened)
            expect(statusUnder(call, profile), JSON.stringify({ call, profile })).toBe('completed')
        }
      }),
      { numRuns: 10_000 },
    )
  })
})
