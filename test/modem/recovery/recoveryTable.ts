// The time within which the modem is ready again after each fault of the simulator, for the test and the page.

import type { Trouble } from '@callgate/modem/modem'
import type { CallFaultName } from '@callgate/simulator/presets'

export interface Recovery {
  /**
   * `itself`: it is ready while the fault lasts, or the fault ends by itself. `hook`: a hook must cut its power or press its
   * reset. `takenAway`: a person must remove the fault.
   */
  readonly cure: 'itself' | 'hook' | 'takenAway'
  readonly withinMs: number
  /** The remedy that brings it back. */
  readonly by: string
  /** The trouble that the status shows meanwhile, for an idle modem; null: none. */
  readonly trouble: Trouble | null
  /** The fault has an effect only at a restart of the module, so the test restarts it. */
  readonly restarts?: true
  /** Only modems on LTE that report whether they can call there have it. */
  readonly onLte?: true
  /** The fault has an effect only together with these. */
  readonly also?: readonly CallFaultName[]
}

/** The line is free when the verdict comes. */
const atOnce = { cure: 'itself', withinMs: 1_000, trouble: null } as const
/** A restart: boot, SIM, and the network, which takes 5 to 30 s. */
const restarted = { cure: 'itself', withinMs: 60_000, trouble: null } as const
const person = { cure: 'takenAway' } as const

const endIsSeen = 'the other signs of the end, or two lists of calls without ours'
const setUpAnew = '`RDY`: it is set up anew'
const simAsked = 'the SIM card is asked for every 10 s, and after a minute the module restarted'

export const recoveries: Readonly<Record<CallFaultName, Recovery>> = {
  healthy: { ...atOnce, by: 'nothing to do' },
  dial_error_771: { ...atOnce, by: 'the line is seen to be free' },
  no_dialtone_unregistered: {
    ...person,
    withinMs: 60_000,
    trouble: null,
    by: 'the state is no_network; a restart after 5 min, then 10, 20, …',
  },
  reg_denied: {
    ...person,
    withinMs: 60_000,
    trouble: null,
    by: 'the state is no_network; a restart after 5 min, then 10, 20, …',
  },
  reg_lost_mid_call: { ...restarted, by: 'the network takes it back' },
  pin_required: { ...person, withinMs: 90_000, trouble: 'pin_missing', by: simAsked },
  pin_wrong_puk: { ...person, withinMs: 90_000, trouble: 'pin_missing', by: simAsked },
  puk_required: { ...person, withinMs: 90_000, trouble: 'sim_puk', by: simAsked },
  sim_removed: { ...person, withinMs: 90_000, trouble: 'sim_missing', by: simAsked },
  silent_alerting: { ...atOnce, by: 'nothing to do' },
  lost_all_end_urcs: { ...atOnce, by: endIsSeen },
  clcc6_without_token: { ...atOnce, by: endIsSeen },
  no_clcc6_only_token: { ...atOnce, by: endIsSeen },
  end_order_random: { ...atOnce, by: '800 ms in which the signs of the end are collected' },
  false_active_csfb: { ...atOnce, by: 'the hang-up that an unexpected answer brings' },
  early_no_carrier_csfb: { ...atOnce, by: 'an end is believed when the call is not listed any more' },
  volte_missing: {
    ...person,
    withinMs: 90_000,
    trouble: 'data_only',
    onLte: true,
    by: 'registration is asked for every 8 s; a restart after 5 min, then 10, 20, …',
  },
  volte_alone: { ...atOnce, onLte: true, by: 'nothing to do: `AT+CIREG?` says that calls are possible' },
  csfb_slow: { ...atOnce, by: 'nothing to do' },
  reject_unseen: { ...atOnce, by: 'the hang-up after the longest ringing' },
  urc_before_response: { ...atOnce, by: 'nothing to do: unsolicited lines are taken out of replies' },
  echo_on: { ...atOnce, by: 'nothing to do: echoes are taken out' },
  echo_comes_back: { ...restarted, restarts: true, by: setUpAnew },
  autobaud_no_rdy: {
    ...restarted,
    restarts: true,
    withinMs: 150_000,
    trouble: 'silent',
    by: 'three questions unanswered, or every hang-up; then `AT` until it answers',
  },
  wrong_baud_garbage: {
    ...person,
    withinMs: 90_000,
    trouble: 'silent',
    by: 'the port is opened and asked every 30 s',
  },
  boot_garbage_bytes: { ...restarted, restarts: true, by: setUpAnew },
  nul_flood: {
    cure: 'hook',
    withinMs: 90_000,
    trouble: 'modem_off',
    by: 'the port opened again, `AT+CFUN=1,1`, then the first hook',
  },
  partial_writes_1byte: { ...atOnce, by: 'nothing to do' },
  urc_inside_response: { ...atOnce, by: 'nothing to do: unsolicited lines are taken out of replies' },
  dup_urcs: { ...atOnce, by: 'nothing to do' },
  shifted_replies: {
    ...restarted,
    withinMs: 150_000,
    trouble: 'silent',
    by: 'getting in step again fails; `AT+CFUN=1,1`',
  },
  hang_after_n: {
    cure: 'hook',
    withinMs: 150_000,
    trouble: 'silent',
    by: 'three questions unanswered, the port opened again, `AT+CFUN=1,1`, then the first hook',
  },
  late_ok: {
    ...restarted,
    by: '`AT+CFUN=1,1` after 20 s without the OK, so that the ATD can do nothing any more',
  },
  ath_slow_19s: { ...atOnce, by: 'the verdict waits for the hang-up' },
  ath_ignored: { ...atOnce, by: '`AT+CHUP` where `ATH` has not helped' },
  incoming_call_collision: { ...atOnce, by: 'the caller is turned away before the verdict' },
  brownout_on_tx: { ...restarted, trouble: 'brownout', by: setUpAnew },
  supply_sags: { ...atOnce, by: 'nothing to do: doctor tells how low it was' },
  usb_unplug_reenumerate: {
    ...restarted,
    trouble: 'port_missing',
    by: 'the port is looked for by its pattern, whatever its name is now',
  },
  cfun11_reenumerate: {
    ...restarted,
    trouble: 'port_missing',
    also: ['late_ok'],
    by: 'the port is looked for by its pattern, whatever its name is now',
  },
  clcc_always_empty: { ...atOnce, by: 'a hang-up before the line counts as free' },
  clcc_unanswered_once: { ...atOnce, by: 'the list is asked for once more' },
  clcc_leftover_row: {
    ...restarted,
    restarts: true,
    by: 'what no hang-up ends and is no call of ours is left where it is',
  },
  ccalr_bare_ok: { ...restarted, restarts: true, by: 'a bare OK holds nothing up' },
  dial_call_barred: { ...atOnce, by: 'the line is seen to be free' },
  incoming_waiting: { ...atOnce, by: 'the caller is turned away by `AT+CHLD=0`, which leaves our call' },
}
