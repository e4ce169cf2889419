import { expect, it } from 'vitest'
import { exampleIds } from '../rest/exampleIds.ts'
import { isHelpedByAnother, passesByItself } from './advice.ts'
import { type ReasonWord, reasons } from './reason.ts'
import { sayReason } from './sayReason.ts'

/**
 * What must happen before another press can succeed. `passes`: nothing, within a minute. `somebody`: a person has to change
 * something. `later`: the time must be another. `look`: the gate may have moved, or may be moving. `opened`: the gate took the
 * call. `gateway`: as `somebody`, unless another gateway calls.
 */
type Needed = 'passes' | 'somebody' | 'gateway' | 'later' | 'look' | 'opened'

const needed: Readonly<Record<ReasonWord, Needed>> = {
  gate_inactive: 'somebody',
  locked_down: 'somebody',
  gateway_offline: 'passes',
  modem_busy: 'passes',
  modem_not_ready: 'passes',
  no_network: 'passes',
  not_dialled: 'passes',
  interrupted: 'passes',
  outside_schedule: 'later',
  access_ended: 'somebody',
  usage_exhausted: 'somebody',
  access_inactive: 'somebody',
  access_revoked: 'somebody',
  permission_lost: 'somebody',
  number_not_allowed: 'somebody',
  number_changed: 'passes',
  number_in_use: 'passes',
  sim_error: 'gateway',
  line_in_use: 'passes',
  dial_no_response: 'look',
  busy: 'passes',
  network_rejected: 'gateway',
  no_credit: 'gateway',
  calls_barred: 'gateway',
  bad_number: 'somebody',
  congestion: 'passes',
  unreachable: 'somebody',
  no_ringing: 'somebody',
  rejected_after_ring: 'opened',
  rejected: 'look',
  ended_too_early: 'look',
  late_release: 'look',
  rang_out: 'look',
  rang: 'opened',
  no_reaction: 'somebody',
  no_answer: 'somebody',
  answered_unexpectedly: 'look',
  rejected_to_voicemail: 'opened',
  answered_released: 'opened',
  answered: 'opened',
  confirmed: 'opened',
  dropped: 'look',
  voicemail_suspected: 'look',
  cancelled: 'look',
  modem_lost: 'passes',
  modem_lost_after_ring: 'look',
  outcome_unknown: 'look',
  no_report: 'look',
}

const words = Object.keys(reasons) as ReasonWord[]
const { gateId } = exampleIds

it('knows for each reason whether pressing again within a minute can help', () => {
  const passing = words.filter(word => needed[word] === 'passes')
  expect(words.filter(passesByItself)).toEqual(passing)
  expect(words.filter(isHelpedByAnother)).toEqual(words.filter(word => needed[word] === 'gateway'))
})

it('tells a person to try again exactly when that is safe and can help', () => {
  for (const word of words) {
    expect(sayReason(word, { gateId, safeToRetry: false })).not.toContain('Try again')
    const isAdvised = sayReason(word, { gateId, safeToRetry: true }).includes('Try again')
    expect(isAdvised).toBe(passesByItself(word) || isHelpedByAnother(word))
  }
  expect(sayReason('busy', { gateId, safeToRetry: false })).toBe("The gate's number was busy.")
  expect(sayReason('busy', { gateId, safeToRetry: true })).toBe(
    "The gate's number was busy. Try again in about 10 seconds.",
  )
})

it('is true, and gives no advice, for an opening that a newer cloud has ended', () => {
  const word = 'a_later_word' as ReasonWord
  expect([passesByItself(word), isHelpedByAnother(word)]).toEqual([false, false])
  expect(sayReason(word, { gateId, safeToRetry: true })).toBe(
    'The opening ended for a reason that this version of Callgate does not know: a_later_word.',
  )
})

it('names the request that corrects the profile of a gate that answers', () => {
  const said = sayReason('answered_unexpectedly', { gateId, safeToRetry: false })
  expect(said).toContain(`send PATCH /api/v1/gates/${gateId}/profile with {"mode":"answer_release"}`)
  expect(said).toContain('it is not known whether the gate opened')
})
