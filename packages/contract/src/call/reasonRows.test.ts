// Rules for every row of the table of reasons.

import { expect, it } from 'vitest'
import { type ReasonWord, reasonGroups, reasons } from './reason.ts'
import type { GuestEnd, Remedy } from './reasonRow.ts'
import { isKnownReason, reasonRows, rowOf } from './reasonRows.ts'

const words = Object.keys(reasons) as ReasonWord[]
const having = (fits: (row: (typeof reasonRows)[ReasonWord]) => boolean) =>
  words.filter(word => fits(reasonRows[word]))

it('has a row for each reason, in the same order, and none for another word', () => {
  expect(Object.keys(reasonRows)).toEqual(words)
  expect(isKnownReason('toString')).toBe(false)
  expect(rowOf('a_later_word')).toBeUndefined()
  expect(rowOf(null)).toBeUndefined()
})

it('has each reason in one group', () => {
  expect(reasonGroups.flatMap(group => Object.keys(group))).toEqual(words)
})

it('blames the gateway wherever another gateway helps', () => {
  expect(having(({ again, fault }) => again === 'another' && fault !== 'gateway')).toEqual([])
})

it('advises no other press where the gate was ringing or the press was denied', () => {
  expect(having(({ again, came }) => (came === 'rang' || came === 'denied') && again !== null)).toEqual([])
})

it('names a reaction of the gate, and doubts of its profile, only where it was ringing', () => {
  expect(having(({ came, doubt, gate }) => came !== 'rang' && (doubt !== null || gate !== null))).toEqual([])
})

it('leads an older cloud to the same action by the older word as a newer one by the new word', () => {
  const newer = having(({ older }) => older !== undefined)
  expect(newer).not.toEqual([])
  for (const word of newer) {
    const { again, came, doubt, fault, gate, modem, older } = reasonRows[word]
    expect(rowOf(older ?? null), word).toMatchObject({ again, came, doubt, fault, gate, modem })
  }
})

/** What a guest reads, and what an admin is told to do. A row that says something else is changed here as well. */
const meant: Readonly<Record<ReasonWord, readonly [guest: GuestEnd, remedy: Remedy | null]>> = {
  gate_inactive: ['off', 'switchOnGate'],
  locked_down: ['lockedDown', 'endLockDown'],
  gateway_offline: ['notCalled', 'gateway'],
  modem_busy: ['notCalled', null],
  modem_not_ready: ['notCalled', 'gateway'],
  no_network: ['notCalled', 'gateway'],
  not_dialled: ['notCalled', null],
  interrupted: ['notCalled', null],
  outside_schedule: ['outside', 'hours'],
  access_ended: ['ended', 'hours'],
  usage_exhausted: ['used', 'cap'],
  access_inactive: ['noAccess', 'access'],
  access_revoked: ['noAccess', 'access'],
  permission_lost: ['noAccess', 'access'],
  number_not_allowed: ['wrongNumber', 'correctNumber'],
  number_changed: ['notCalled', null],
  number_in_use: ['notCalled', null],
  sim_error: ['deviceFault', 'simCard'],
  line_in_use: ['notCalled', null],
  dial_no_response: ['unknown', 'gateway'],
  busy: ['busy', null],
  network_rejected: ['unreached', 'credit'],
  no_credit: ['noCredit', 'credit'],
  calls_barred: ['barred', 'barring'],
  bad_number: ['wrongNumber', 'correctNumber'],
  congestion: ['busy', null],
  unreachable: ['unreached', 'gateModule'],
  no_ringing: ['unreached', 'gateModule'],
  rejected_after_ring: ['noReaction', null],
  rejected: ['noReaction', 'allowNumber'],
  ended_too_early: ['noReaction', 'callProfile'],
  late_release: ['noReaction', 'callProfile'],
  rang_out: ['noReaction', 'allowNumber'],
  rang: ['noReaction', null],
  no_reaction: ['noReaction', 'allowNumber'],
  no_answer: ['noReaction', 'allowNumber'],
  answered_unexpectedly: ['noReaction', 'callProfile'],
  rejected_to_voicemail: ['noReaction', null],
  answered_released: ['noReaction', null],
  answered: ['noReaction', null],
  confirmed: ['noReaction', null],
  dropped: ['noReaction', 'allowNumber'],
  voicemail_suspected: ['noReaction', 'correctNumber'],
  cancelled: ['noReaction', null],
  modem_lost: ['notCalled', 'supply'],
  modem_lost_after_ring: ['unknown', 'supply'],
  outcome_unknown: ['unknown', 'look'],
  no_report: ['unknown', 'gateway'],
}

it('tells guests and admins what each reason means', () => {
  expect(
    Object.fromEntries(words.map(word => [word, [reasonRows[word].guest, reasonRows[word].remedy]])),
  ).toEqual(meant)
})
