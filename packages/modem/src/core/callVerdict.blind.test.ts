// The verdict on calls with lost replies: a sign that is missing proves nothing.

import { expect, it } from 'vitest'
import { quirksOf } from '../quirks.ts'
import { learnedProfile } from '../scriptedModem.kit.ts'
import type { CallFact } from './callFacts.ts'
import { emptyRecord, recordFact } from './callTracker.ts'
import { callVerdict } from './callVerdict.ts'

function verdictOf(facts: readonly (readonly [atMs: number, fact: CallFact])[]) {
  const record = facts.reduce(
    (known, [atMs, fact]) => recordFact(known, atMs, fact),
    emptyRecord(quirksOf('SIM800L').senses),
  )
  const { confidence, opened, reason } = callVerdict(record, learnedProfile)
  return { reason, opened, confidence }
}

const dialling = [
  [300, { fact: 'accepted' }],
  [460, { fact: 'state', state: 2, by: 'urc' }],
] as const
const busy = [8_300, { fact: 'token', token: 'BUSY' }] as const
const soonBusy = [2_500, { fact: 'token', token: 'BUSY' }] as const
const over = (atMs: number) => [atMs, { fact: 'state', state: 6, by: 'urc' }] as const
const unknown = { opened: 'unknown', confidence: 'unknown' }

it('believes an early busy tone where every list was answered, and not where one is missing', () => {
  expect(verdictOf([...dialling, soonBusy, over(2_600)])).toEqual({
    reason: 'busy',
    opened: 'no',
    confidence: 'likely',
  })
  const unheard = [1_300, { fact: 'unheard' }] as const
  expect(verdictOf([...dialling, unheard, soonBusy, over(2_600)])).toEqual({ reason: 'busy', ...unknown })
})

it('A3: believes no later end that a reject leaves, also where ringing was reported when the gate was measured', () => {
  const ended = [8_300, { fact: 'token', token: 'NO CARRIER' }] as const
  const cause = [9_000, { fact: 'cause', cause: 21 }] as const
  expect(verdictOf([...dialling, busy, over(8_400)])).toEqual({ reason: 'busy', ...unknown })
  expect(verdictOf([...dialling, ended, cause])).toEqual({ reason: 'unreachable', ...unknown })
  expect(verdictOf([...dialling, ended, over(8_400), cause])).toEqual({ reason: 'unreachable', ...unknown })
})

it('A3: believes no end that comes as soon as the call is dialled, because the lines have waited', () => {
  const all = [
    [0, { fact: 'accepted' }],
    [0, { fact: 'state', state: 2, by: 'urc' }],
    [0, { fact: 'token', token: 'NO CARRIER' }],
    over(0),
    [40, { fact: 'cause', cause: 21 }],
  ] as const
  expect(verdictOf(all)).toEqual({ reason: 'network_rejected', ...unknown })
  const later = all.map(([atMs, fact], place) => [atMs + (place > 1 ? 300 : 0), fact] as const)
  expect(verdictOf(later)).toEqual({ reason: 'network_rejected', opened: 'no', confidence: 'likely' })
})

it('A3: believes no busy tone right after the OK where the modem does not report dialling', () => {
  const busyAt = (atMs: number) =>
    [
      [100, { fact: 'accepted' }],
      [atMs, { fact: 'token', token: 'BUSY' }],
    ] as const
  expect(verdictOf(busyAt(399))).toEqual({ reason: 'busy', ...unknown })
  expect(verdictOf(busyAt(400))).toEqual({ reason: 'busy', opened: 'no', confidence: 'likely' })
})

it('A3: believes no missing ringing where bytes were garbled after the last list', () => {
  const listed = [1_300, { fact: 'state', state: 2, by: 'poll' }] as const
  const garbled = [1_400, { fact: 'garbled' }] as const
  const end = [soonBusy, over(2_600)] as const
  expect(verdictOf([...dialling, listed, garbled, ...end])).toEqual({ reason: 'busy', ...unknown })
  const again = [2_300, { fact: 'state', state: 2, by: 'poll' }] as const
  expect(verdictOf([...dialling, listed, garbled, again, ...end])).toMatchObject({ opened: 'no' })
})

it('does not believe a busy tone where even the OK to ATD was lost', () => {
  expect(verdictOf([dialling[1], busy])).toEqual({ reason: 'busy', ...unknown })
})

it('lowers the confidence where a list stayed unanswered at the end of the ringing', () => {
  const rung = [...dialling, [5_000, { fact: 'state', state: 3, by: 'urc' }], busy] as const
  const likely = { reason: 'rejected_after_ring', opened: 'likely' }
  expect(verdictOf(rung)).toEqual({ ...likely, confidence: 'likely' })
  expect(verdictOf([...rung, [8_400, { fact: 'unheard' }]])).toEqual({ ...likely, confidence: 'assumed' })
})

it('believes the network’s own reason, whatever was lost before it', () => {
  const cause = [9_000, { fact: 'cause', cause: 1 }] as const
  expect(verdictOf([...dialling, [7_300, { fact: 'unheard' }], busy, cause])).toEqual({
    reason: 'bad_number',
    opened: 'no',
    confidence: 'certain',
  })
})

it('believes the cause busy where no busy tone was heard', () => {
  const cause = [3_200, { fact: 'cause', cause: 17 }] as const
  expect(verdictOf([...dialling, over(2_500), cause])).toEqual({
    reason: 'busy',
    opened: 'no',
    confidence: 'likely',
  })
  expect(verdictOf([...dialling, over(2_500)])).toEqual({ reason: 'unreachable', ...unknown })
})

it('is unknown once our own program did not run for a while', () => {
  const heardAtOnce = [
    [30_000, { fact: 'hangUp', why: 'setupTimeout' }],
    [30_000, { fact: 'state', state: 3, by: 'urc' }],
    [30_000, { fact: 'token', token: 'BUSY' }],
  ] as const
  const stalled = [30_000, { fact: 'stoodStill' }] as const
  expect(verdictOf([...dialling, ...heardAtOnce])).toMatchObject({ opened: 'no' })
  expect(verdictOf([...dialling, stalled, ...heardAtOnce])).toEqual({
    reason: 'outcome_unknown',
    ...unknown,
  })
})

const ringing = [5_000, { fact: 'state', state: 3, by: 'urc' }] as const
const listed = (atMs: number, state: number) => [atMs, { fact: 'state', state, by: 'poll' }] as const
const empty = (atMs: number) => [atMs, { fact: 'emptyList' }] as const
const freed = (atMs: number) => [atMs, { fact: 'hangUp', why: 'unproven' }] as const

it('believes an end that only lists show, unless our hang-up ends the call later', () => {
  const rung = [...dialling, ringing, listed(6_000, 3), empty(7_000), empty(8_000), freed(8_100)]
  expect(verdictOf(rung)).toMatchObject({ reason: 'rejected_after_ring', opened: 'likely' })
  expect(verdictOf([...rung, over(8_700)])).toEqual({ reason: 'outcome_unknown', ...unknown })
})

it('believes no list once the modem reports a call that a list left out', () => {
  const wrong = [...dialling, listed(3_000, 2), empty(4_000), ringing, empty(6_000), empty(7_000)] as const
  const hungUp = [35_000, { fact: 'hangUp', why: 'rangLongEnough' }] as const
  expect(verdictOf([...wrong, hungUp, over(35_500)])).toMatchObject({ reason: 'no_reaction', opened: 'no' })
})

it('is unknown where no list showed the call and no sign of its end followed our hang-up', () => {
  const hungUp = [35_000, { fact: 'hangUp', why: 'rangLongEnough' }] as const
  const rung = [...dialling, ringing, empty(34_000), hungUp] as const
  expect(verdictOf(rung)).toEqual({ reason: 'no_reaction', ...unknown })
  expect(verdictOf([...rung, over(35_500)])).toMatchObject({ reason: 'no_reaction', opened: 'no' })
})

it('believes a missing sign again only after a list shows a state that was known before', () => {
  const hungUp = [35_000, { fact: 'hangUp', why: 'rangLongEnough' }] as const
  const blind = [...dialling, [4_000, { fact: 'unheard' }], listed(5_000, 3)] as const
  expect(verdictOf([...blind, hungUp, over(35_500)])).toEqual({ reason: 'modem_lost_after_ring', ...unknown })
  expect(verdictOf([...blind, listed(6_000, 3), hungUp, over(35_500)])).toMatchObject({
    reason: 'no_reaction',
    opened: 'no',
  })
})
