// Named far ends, as data: what answers, or fails to answer, at the other end of a call.

import type { FarEnd } from './core/farEnd.ts'
import { gateModels } from './gateModels.ts'

const busy = { token: 'BUSY', cause: 17 } as const
const noCarrier = { token: 'NO CARRIER', cause: 16 } as const
const rejects = { reaction: 'reject', firesRelay: true } as const
const ignores = { reaction: 'ignore', firesRelay: false } as const

/** Durations as on a normal network; causes as in "End-of-call signs and causes" of packages/modem/docs/sim800.md. */
export const farEnds = {
  reject_busy: {
    summary: 'rejects the call within seconds and opens; the caller hears BUSY',
    way: 'rings',
    module: rejects,
    rejection: busy,
  },
  reject_no_carrier: {
    summary: 'rejects the call within seconds and opens; the caller hears NO CARRIER',
    way: 'rings',
    module: rejects,
    rejection: { token: 'NO CARRIER', cause: 21 },
  },
  reject_delayed_20s: {
    summary: 'lets it ring for 20 s, then rejects and opens; a caller who hangs up before opens nothing',
    way: 'rings',
    module: { ...rejects, ringMs: 20_000 },
    rejection: busy,
  },
  reject_then_voicemail: {
    summary: 'rejects and opens; its SIM diverts the rejected call to a voicemail, which answers for 30 s',
    way: 'rings',
    module: rejects,
    rejection: busy,
    divertsRejected: { speaksMs: 30_000 },
  },
  reject_without_opening: {
    summary: 'rejects every call and opens nothing, as a module that does not know the number may',
    way: 'rings',
    module: { reaction: 'reject', firesRelay: false },
    rejection: busy,
  },
  answer_release_2s: {
    summary: 'answers, opens, and hangs up after 2 s',
    way: 'rings',
    module: { reaction: 'answer', holdMs: 2000, firesRelay: true },
    rejection: noCarrier,
  },
  answer_hold: {
    summary: 'answers, opens, and stays on the line',
    way: 'rings',
    module: { reaction: 'answer', firesRelay: true },
    rejection: noCarrier,
  },
  answer_hold_stay_2s: {
    summary: 'answers, and opens when the caller has stayed on the line for 2 s',
    way: 'rings',
    module: { reaction: 'answer', firesRelay: true, stayMs: 2000 },
    rejection: noCarrier,
  },
  ring_opens: {
    summary: 'opens after two or three rings and lets it ring on',
    way: 'rings',
    module: { reaction: 'ring', firesRelay: true },
    rejection: busy,
  },
  ring_forever: {
    summary: 'rings and does nothing; the network gives up after 60 s, also on the fast network',
    way: 'rings',
    module: ignores,
    rejection: busy,
  },
  rang_out_no_answer: {
    summary: 'rings and does nothing; the network gives up after 28 s with NO ANSWER',
    way: 'rings',
    module: ignores,
    rejection: busy,
    ringLimitMs: 28_000,
  },
  voicemail_after_20s: {
    summary: 'rings and does nothing; after 20 s a voicemail answers for 30 s',
    way: 'rings',
    module: ignores,
    rejection: busy,
    voicemail: { afterMs: 20_000, speaksMs: 30_000 },
  },
  busy_before_alert: {
    summary: 'on the line with somebody else: BUSY without ringing',
    way: 'refused',
    afterMs: 2500,
    ending: busy,
  },
  busy_call_waiting: {
    summary: 'on the line with somebody else, with call waiting: rings, and NO ANSWER after 28 s',
    way: 'rings',
    module: ignores,
    rejection: busy,
    ringLimitMs: 28_000,
    callWaiting: true,
  },
  unreachable_announcement_12s: {
    summary: 'switched off: an announcement for 12 s, then NO CARRIER',
    way: 'refused',
    afterMs: 12_000,
    ending: { token: 'NO CARRIER', cause: 20 },
  },
  no_credit_nocarrier_1s: {
    summary: 'no credit on the caller’s SIM: NO CARRIER after 1 s',
    way: 'refused',
    afterMs: 1000,
    ending: { token: 'NO CARRIER', cause: 68 },
  },
  no_credit_announcement_connected: {
    summary: 'no credit on the caller’s SIM: a voice answers in the gate’s place and says so for 6 s',
    way: 'announced',
    afterMs: 2000,
    speaksMs: 6000,
    ending: noCarrier,
  },
  bad_number: {
    summary: 'nobody has this number',
    way: 'refused',
    afterMs: 2500,
    ending: { token: 'NO CARRIER', cause: 1 },
  },
  congestion: {
    summary: 'no channel free',
    way: 'refused',
    afterMs: 2000,
    ending: { token: 'NO CARRIER', cause: 34 },
  },
  sms_confirmation_ok: {
    summary: 'rejects, opens, and confirms by SMS after 4 s',
    way: 'rings',
    module: { ...rejects, confirmation: { by: 'sms', afterMs: 4000 } },
    rejection: busy,
  },
  sms_confirmation_late: {
    summary: 'rejects, opens, and confirms by SMS after 90 s',
    way: 'rings',
    module: { ...rejects, confirmation: { by: 'sms', afterMs: 90_000 } },
    rejection: busy,
  },
  sms_confirmation_missing: {
    summary: 'rejects and opens; the SMS that should confirm it never comes',
    way: 'rings',
    module: rejects,
    rejection: busy,
  },
  call_back_confirmation: {
    summary: 'rejects, opens, and calls back after 5 s to confirm it',
    way: 'rings',
    module: { ...rejects, confirmation: { by: 'call', afterMs: 5000 } },
    rejection: busy,
  },
  toggle_relay_double_dial_detector: {
    summary: 'rejects, and its relay toggles; a second call is counted as a violation',
    way: 'rings',
    module: { ...rejects, relay: 'toggle' },
    rejection: busy,
    onlyOneCall: true,
  },
  ...gateModels,
  // At the end, so that each preset before them keeps its code.
  barred_nocarrier_2s: {
    summary: 'the operator bars the calls of the caller’s SIM: NO CARRIER after 2 s',
    way: 'refused',
    afterMs: 2000,
    ending: { token: 'NO CARRIER', cause: 8 },
  },
  barred_service: {
    summary: 'the same, told by +CSSI: 5, without a cause',
    way: 'refused',
    afterMs: 2000,
    ending: { token: 'NO CARRIER', cause: 0 },
    tellsBarring: true,
  },
} as const satisfies Record<string, FarEnd>
