// Named faults, as data: those of the modem, its line, its SIM and its network.

import type { ModemFault } from './core/fault.ts'

/** Durations as on a normal network, unless a fault says otherwise. */
export const modemFaults = {
  healthy: { summary: 'nothing wrong; takes away what was wrong before' },
  dial_error_771: { summary: 'ATD answers +CME ERROR: 771', dialErrorCode: 771 },
  no_dialtone_unregistered: {
    summary: 'never registers; ATD answers NO DIALTONE',
    registration: 'searching',
  },
  reg_denied: { summary: 'the network turns the SIM away (+CREG 3)', registration: 'denied' },
  reg_lost_mid_call: {
    summary: 'the network loses the modem 6 s into a call, and takes it back',
    coverageLostAfterMs: 6000,
  },
  pin_required: { summary: 'the SIM wants its PIN, 1234', sim: 'locked' },
  pin_wrong_puk: {
    summary: 'the SIM wants a PIN that is not 1234; after three wrong ones it wants its PUK',
    sim: 'locked',
    strangePin: true,
  },
  puk_required: { summary: 'the SIM wants its PUK', sim: 'blocked' },
  sim_removed: { summary: 'no SIM', sim: 'absent' },
  silent_alerting: { summary: 'ringing is never reported: 2, then 0 or the end', hidesAlerting: true },
  lost_all_end_urcs: {
    summary: 'a call ends without a word; only a poll shows it',
    losesClcc6: true,
    losesEndToken: true,
  },
  clcc6_without_token: { summary: 'a call ends with +CLCC 6 alone', losesEndToken: true },
  no_clcc6_only_token: { summary: 'a call ends with its token alone', losesClcc6: true },
  end_order_random: {
    summary: 'the signals of a call’s end come in any order, up to 900 ms apart',
    endGapMs: [0, 900],
  },
  false_active_csfb: {
    summary: 'ringing looks like an answer, and a rejection like nobody answering (A7672 without VoLTE)',
    falseActive: true,
  },
  early_no_carrier_csfb: {
    summary: 'a false NO CARRIER 1 s into a call that goes on',
    earlyNoCarrierMs: 1000,
  },
  volte_missing: {
    summary: 'LTE for data alone: +CREG 0, +CEREG 1, +CIREG 0, and ATD fails at once',
    calls: 'none',
  },
  volte_alone: {
    summary: 'calls over LTE alone: +CREG 0, +CEREG 1, +CIREG 1, and calls work',
    calls: 'overLteAlone',
  },
  csfb_slow: {
    summary: 'the modem falls back to 2G for a call: ringing comes 9 s later',
    fallBackMs: 9000,
  },
  reject_unseen: { summary: 'a rejection looks like nobody answering', hidesReject: true },
  urc_before_response: {
    summary: 'unsolicited lines come between the echo of a command and its reply',
    urcBeforeResponse: true,
  },
  echo_on: { summary: 'echoes whatever ATE0 says', keepsEcho: true },
  echo_comes_back: { summary: 'echoes again after every restart', echoAfterReset: true },
  autobaud_no_rdy: {
    summary: 'finds its rate anew after each restart: no RDY, and the first AT stay unanswered',
    autobaud: true,
  },
  wrong_baud_garbage: { summary: 'talks at another rate: garbage both ways', garbles: true },
  boot_garbage_bytes: { summary: 'sends garbage whenever power comes', bootGarbage: true },
  nul_flood: {
    summary: 'switched off, its line floating: endless NULs until it is powered anew',
    nulFlood: true,
  },
  partial_writes_1byte: { summary: 'every byte arrives alone', writesBytes: true },
  urc_inside_response: { summary: 'unsolicited lines come inside replies', urcInsideResponse: true },
  dup_urcs: { summary: 'every unsolicited line comes twice', doublesUrcs: true },
  shifted_replies: {
    summary: 'each reply waits for the next command, at most 3 s, until a restart',
    shiftsReplies: true,
  },
  hang_after_n: { summary: 'silent after 40 command lines, until powered again', hangsAfterCommands: 40 },
  late_ok: { summary: 'the OK to ATD comes 25 s late, the call does not', dialOkDelayMs: 25_000 },
  ath_slow_19s: { summary: 'hanging up takes 19 s', hangUpMs: 19_000 },
  ath_ignored: { summary: 'ATH answers OK and ends nothing; AT+CHUP does', ignoresAth: true },
  incoming_call_collision: { summary: 'a call comes in whenever ATD is carried out', incomingOnDial: true },
  brownout_on_tx: {
    summary: 'the supply breaks down 4 s into a call: a warning, silence, a fresh start',
    brownoutAfterMs: 4000,
  },
  supply_sags: {
    summary: 'the supply sags to 3.45 V while a call is on, which AT+CBC tells, and holds',
    sagsToMv: 3450,
  },
  usb_unplug_reenumerate: {
    summary: 'the port disappears 4 s into a call and is back after 2 s under another name',
    unpluggedAfterMs: 4000,
  },
  cfun11_reenumerate: {
    summary: 'AT+CFUN=1,1 makes the port disappear and come back under another name',
    reenumeratesOnReset: true,
  },
  incoming_waiting: {
    summary: 'a second call comes in 6 s into a call and waits, whatever AT+GSMBUSY says',
    incomingWaitsAfterMs: 6000,
  },
  clcc_always_empty: { summary: 'AT+CLCC lists no call, whatever goes on', listsNothing: true },
  clcc_unanswered_once: {
    summary: 'the first AT+CLCC of each call stays unanswered',
    losesFirstList: true,
  },
  clcc_leftover_row: {
    summary: 'AT+CLCC lists a call that is none, and that nothing ends (seen on LTE)',
    leftoverRow: true,
  },
  ccalr_bare_ok: { summary: 'AT+CCALR? answers OK without a line', bareCallReady: true },
  dial_call_barred: { summary: 'ATD answers +CME ERROR: call barred', dialErrorCode: 257 },
} as const satisfies Record<string, ModemFault>

/** The results of a USSD code. They change no call. */
export const ussdFaults = {
  ussd_silent: { summary: 'the network never answers a USSD code', ussd: 'silent' },
  ussd_menu: { summary: 'a USSD code is answered by a menu, which waits for more', ussd: 'menu' },
  ussd_refused: { summary: 'the network has no USSD (+CUSD: 4)', ussd: 'refused' },
  ussd_timed_out: { summary: 'a USSD code times out in the network (+CUSD: 5)', ussd: 'timedOut' },
  ussd_ucs2: { summary: 'a USSD code is answered in UCS2', ussd: 'ucs2' },
  ussd_late: {
    summary: 'a USSD code is answered after 33 s, in lines like those of a call’s end',
    ussd: 'late',
  },
  ussd_unconfirmed: { summary: 'AT+CUSD stays without its OK, and the network answers', losesUssdOk: true },
  ussd_holds_calls: {
    summary: 'the network never answers a USSD code, and no call goes out until its session is ended',
    ussd: 'silent',
    ussdHoldsCalls: true,
    losesUssdOk: true,
  },
  ussd_lines: {
    summary: 'a USSD code is answered in several lines, some like those of a modem',
    ussd: 'lines',
  },
  ussd_cut: { summary: 'the end of the answer to a USSD code is lost', ussd: 'cut' },
  ussd_unasked: {
    summary: 'the network says something of its own just before it takes a USSD code',
    unaskedUssd: true,
  },
  ussd_unasked_menu: {
    summary: 'the network opens a menu by itself, 2 s after its answer to a USSD code',
    opensMenu: true,
  },
} as const satisfies Record<string, ModemFault>

/** The faults of messages, when they are sent and when they are read. They change no call. */
export const smsFaults = {
  sms_no_prompt: {
    summary: 'AT+CMGS: its prompt is lost, and the modem waits for the message',
    sms: 'noPrompt',
  },
  sms_late_prompt: { summary: 'AT+CMGS: its prompt comes after 8 s', sms: 'latePrompt' },
  sms_refused: { summary: 'the network takes no message (+CMS ERROR: 38)', sms: 'refused' },
  sms_lost_ok: { summary: 'the network takes a message, and the modem never says so', sms: 'lostOk' },
  sms_card_busy: {
    summary: 'AT+CMGR: the SIM card is busy (+CMS ERROR: 314) the first two times for each message',
    firstReads: 'busy',
  },
  sms_lost_read: { summary: 'the first AT+CMGR for each message stays unanswered', firstReads: 'lost' },
} as const satisfies Record<string, ModemFault>
