// The calls that a sandbox plays, made anew: the driver on the simulated modem, with the far end of each.

import type { RecordedCall } from '@callgate/cloud/sandbox/core/script'
import type { CallMode } from '@callgate/contract/call/callProfile'
import type { MagicName } from '@callgate/contract/sandbox/magicNumbers'
import { createModem, type DialResult } from '@callgate/modem/modem'
import type { FarEndName, ModemFaultName } from '@callgate/simulator/presets'
import type { SimulatedGate } from '@callgate/simulator/simulatedGates'
import { lineTo, usualSimulator } from '@callgate/simulator/usual.kit'
import { fakeWorld } from '@callgate/world/fake'
import { learnedProfile } from '../truth/calls.ts'
import { variationOf } from '../truth/variation.ts'

/** What makes a call end as its name says. */
interface Played {
  readonly farEnd: FarEndName
  readonly mode: CallMode
  readonly fault?: ModemFaultName
  /** What differs from the far end. */
  readonly gate?: Partial<SimulatedGate>
}

/** The names that are no call, or another call's. */
type Uncalled =
  | 'gateway_offline'
  | 'modem_busy'
  | 'modem_not_ready'
  | 'no_network'
  | 'not_dialled'
  | 'late_report'
  | 'no_report'

export const played: Readonly<Record<Exclude<MagicName, Uncalled>, Played>> = {
  confirmed: { farEnd: 'sms_confirmation_ok', mode: 'reject' },
  rejected_after_ring: { farEnd: 'reject_busy', mode: 'reject' },
  assumed: { farEnd: 'reject_busy', mode: 'unverified' },
  answered_released: { farEnd: 'answer_release_2s', mode: 'answer_release' },
  answered: { farEnd: 'answer_hold', mode: 'answer_hold' },
  rang: { farEnd: 'ring_opens', mode: 'ring' },
  rejected_to_voicemail: { farEnd: 'reject_then_voicemail', mode: 'reject' },
  slow: { farEnd: 'reject_delayed_20s', mode: 'reject_delayed', gate: { ringMs: 36_000 } },
  busy: { farEnd: 'busy_before_alert', mode: 'reject' },
  no_reaction: { farEnd: 'ring_forever', mode: 'reject' },
  no_answer: { farEnd: 'ring_forever', mode: 'answer_hold' },
  rang_out: { farEnd: 'rang_out_no_answer', mode: 'reject' },
  rejected: { farEnd: 'reject_busy', mode: 'answer_hold' },
  ended_too_early: { farEnd: 'reject_busy', mode: 'reject_delayed' },
  late_release: { farEnd: 'reject_delayed_20s', mode: 'reject' },
  unreachable: { farEnd: 'unreachable_announcement_12s', mode: 'reject' },
  no_ringing: { farEnd: 'ring_forever', mode: 'reject', fault: 'silent_alerting' },
  bad_number: { farEnd: 'bad_number', mode: 'reject' },
  congestion: { farEnd: 'congestion', mode: 'reject' },
  network_rejected: {
    farEnd: 'congestion',
    mode: 'reject',
    gate: { givesUpWith: { token: 'NO CARRIER', cause: 29 } },
  },
  no_credit: { farEnd: 'no_credit_nocarrier_1s', mode: 'reject' },
  calls_barred: { farEnd: 'barred_nocarrier_2s', mode: 'reject' },
  voicemail: { farEnd: 'voicemail_after_20s', mode: 'answer_release' },
  answered_unexpectedly: { farEnd: 'answer_hold', mode: 'reject' },
  dropped: { farEnd: 'answer_release_2s', mode: 'answer_hold', gate: { holdMs: 500 } },
  sim_error: { farEnd: 'reject_busy', mode: 'reject', fault: 'sim_removed' },
  line_in_use: { farEnd: 'reject_busy', mode: 'reject', fault: 'dial_error_771' },
  unknown: { farEnd: 'reject_busy', mode: 'reject', fault: 'reg_lost_mid_call' },
  dial_no_response: { farEnd: 'ring_forever', mode: 'reject', fault: 'late_ok' },
  modem_lost: { farEnd: 'reject_busy', mode: 'reject', fault: 'brownout_on_tx' },
  modem_lost_after_ring: { farEnd: 'ring_forever', mode: 'reject', fault: 'clcc_leftover_row' },
}

const seed = 1
const phoneNumber = '+40722000000'

/** Calls one gate on a SIM800, as a gateway does. The same name always gives the same call. */
async function recordCall({ farEnd, fault, gate = {}, mode }: Played): Promise<RecordedCall> {
  const world = fakeWorld(seed, 1)
  const gates = [{ ...gate, farEnd, phoneNumber }]
  const simulator = usualSimulator({ world, seed, network: 'normal', model: 'sim800', gates })
  const modem = createModem({ world, baudRate: 115_200, openLine: lineTo(simulator) })
  modem.start()
  await world.until(() => modem.status().state === 'ready', 300_000)
  simulator.setFaults(fault === undefined ? [] : [fault])
  const variation = variationOf(farEnd, 'sim800', mode, seed)
  const profile = learnedProfile(farEnd, mode, { ...variation, gate })
  const at: Partial<Record<'ringing' | 'answered', number>> = {}
  let beganMs = 0
  let result: DialResult | undefined
  const begin = () => {
    beganMs = world.monotonicMs()
    return true
  }
  void modem.reserve().then(async () => {
    const onProgress = (phase: 'ringing' | 'answered') => {
      at[phase] = Math.round(world.monotonicMs() - beganMs)
    }
    result = await modem.dial({ phoneNumber, profile, mayDial: begin, onProgress })
  })
  await world.until(() => result !== undefined, 300_000)
  const endedMs = Math.round(world.monotonicMs() - beganMs)
  simulator.stop()
  if (!result?.dialled) throw new Error(`${farEnd} in mode ${mode} was not dialled`)
  const { evidence, verdict } = result
  return { ringingMs: at.ringing ?? null, answeredMs: at.answered ?? null, endedMs, verdict, evidence }
}

/** Every call that a sandbox plays, by its name. */
export async function recordCalls(): Promise<Record<string, RecordedCall>> {
  const calls: Record<string, RecordedCall> = {}
  for (const [name, of] of Object.entries(played)) calls[name] = await recordCall(of)
  return calls
}

/** Where the calls are kept. */
export const recordedFile = new URL(
  '../../../packages/cloud/src/sandbox/core/recordedCalls.json',
  import.meta.url,
)
