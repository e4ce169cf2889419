// What the scripted calls are: the verdicts that a gateway would give for them.

import { callProfile } from '@callgate/contract/call/callProfile'
import { openingClassOf } from '@callgate/contract/call/openingClass'
import { expect, it } from 'vitest'
import { type CallEnd, calls, measured, reportOf, reportsOf } from './scriptedCalls.ts'

const ends = Object.keys(calls) as CallEnd[]
const classesAt = (profile: typeof measured) =>
  Object.fromEntries(ends.map(end => [end, openingClassOf(reportOf(calls[end], profile).verdict)]))

it('says at a measured gate what its driver would say of each call', () => {
  expect(classesAt(measured)).toEqual({
    opened: 'opened',
    tooEarly: 'unknown',
    noReaction: 'did_not_open',
    busy: 'did_not_open',
    lost: 'unknown',
    answered: 'unknown',
  })
})

it('is sure of no opening at a gate that nobody has calibrated', () => {
  expect(classesAt(callProfile({ mode: 'unverified' }))).toMatchObject({
    opened: 'probably_opened',
    noReaction: 'unknown',
  })
})

it('reports the ringing, unless the line is busy, and then an end after it', () => {
  expect(reportsOf(calls.busy, measured)).toMatchObject([{ phase: 'ended', verdict: { ringMs: null } }])
  const [ringing, ended] = reportsOf(calls.opened, measured)
  expect(ringing).toEqual({ phase: 'ringing', sinceClaimMs: 5_100 })
  expect(ended).toMatchObject({
    phase: 'ended',
    sinceClaimMs: 7_400,
    verdict: { setupMs: 5_000, ringMs: 2_000 },
  })
})
