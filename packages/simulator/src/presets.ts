// Named far ends and named faults, as data: what a test, a demo or a person asks the simulator for.

import type { FarEnd } from './core/farEnd.ts'
import type { ModemFault } from './core/fault.ts'

const busy = { token: 'BUSY', cause: 17 } as const
const noCarrier = { token: 'NO CARRIER', cause: 16 } as const

/** Durations as on a normal network; causes from design/modem.md, section 1.5. */
export const farEnds = {
  reject_busy: {
    summary: 'rejects the call within seconds and opens; the caller hears BUSY',
    way: 'rings',
    module: { reaction: 'reject', firesRelay: true },
    rejection: busy,
  },
  reject_no_carrier: {
    summary: 'rejects the call within seconds and opens; the caller hears NO CARRIER',
    way: 'rings',
    module: { reaction: 'reject', firesRelay: true },
    rejection: { token: 'NO CARRIER', cause: 21 },
  },
  reject_delayed_20s: {
    summary: 'lets it ring for 20 s, then rejects and opens; a caller who hangs up before opens nothing',
    way: 'rings',
    module: { reaction: 'reject', ringMs: 20_000, firesRelay: true },
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
  ring_forever: {
    summary: 'rings and does nothing; the network gives up after 60 s, also on the fast network',
    way: 'rings',
    module: { reaction: 'ignore', firesRelay: false },
    rejection: busy,
  },
  rang_out_no_answer: {
    summary: 'rings and does nothing; the network gives up after 28 s with NO ANSWER',
    way: 'rings',
    module: { reaction: 'ignore', firesRelay: false },
    rejection: busy,
    ringLimitMs: 28_000,
  },
  voicemail_after_20s: {
    summary: 'rings and does nothing; after 20 s a voicemail answers for 30 s',
    way: 'rings',
    module: { reaction: 'ignore', firesRelay: false },
    rejection: busy,
    voicemail: { afterMs: 20_000, speaksMs: 30_000 },
  },
  busy_before_alert: {
    summary: 'on the line with somebody else: BUSY without ringing',
    way: 'refused',
    afterMs: 2500,
    ending: busy,
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
    ending: { token: 'NO CARRIER', cause: 8 },
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
} as const satisfies Record<string, FarEnd>

export const modemFaults = {
  healthy: { summary: 'nothing wrong; takes away what was wrong before' },
  dial_error_771: { summary: 'ATD answers +CME ERROR: 771', dialErrorCode: 771 },
  no_dialtone_unregistered: {
    summary: 'never registers; ATD answers NO DIALTONE',
    registration: 'searching',
  },
  reg_denied: { summary: 'the network turns the SIM away (+CREG 3)', registration: 'denied' },
  pin_required: { summary: 'the SIM wants its PIN, 1234', sim: 'locked' },
  sim_removed: { summary: 'no SIM', sim: 'absent' },
  silent_alerting: { summary: 'ringing is never reported: 2, then 0 or the end', hidesAlerting: true },
  lost_all_end_urcs: {
    summary: 'a call ends without a word; only a poll shows it',
    losesClcc6: true,
    losesEndToken: true,
  },
  clcc6_without_token: { summary: 'a call ends with +CLCC 6 alone', losesEndToken: true },
  no_clcc6_only_token: { summary: 'a call ends with its token alone', losesClcc6: true },
  echo_on: { summary: 'echoes whatever ATE0 says', keepsEcho: true },
  urc_inside_response: { summary: 'unsolicited lines come inside replies', urcInsideResponse: true },
  dup_urcs: { summary: 'every unsolicited line comes twice', doublesUrcs: true },
  hang_after_n: { summary: 'silent after 40 command lines, until powered again', hangsAfterCommands: 40 },
  late_ok: { summary: 'the OK to ATD comes 25 s late, the call does not', dialOkDelayMs: 25_000 },
  ath_slow_19s: { summary: 'hanging up takes 19 s', hangUpMs: 19_000 },
  brownout_on_tx: {
    summary: 'the supply breaks down 4 s into a call: a warning, silence, a fresh start',
    brownoutAfterMs: 4000,
  },
} as const satisfies Record<string, ModemFault>

export type FarEndName = keyof typeof farEnds
export type ModemFaultName = keyof typeof modemFaults
export type PresetName = FarEndName | ModemFaultName

export function isFarEndName(name: string): name is FarEndName {
  return Object.hasOwn(farEnds, name)
}

export function isPresetName(name: string): name is PresetName {
  return isFarEndName(name) || Object.hasOwn(modemFaults, name)
}

/** Every preset's name, far ends first. */
export function presetNames(): readonly string[] {
  return [...Object.keys(farEnds), ...Object.keys(modemFaults)]
}
