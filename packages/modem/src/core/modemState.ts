// The modem's state: every phase that the modem can be in, and the status that is reported for it.

import type { OpenFailure } from '../byteLine.ts'
import type { Lack, UnfitTrouble } from './lacks.ts'
import { type NetworkWatch, networkPresent } from './networkWatch.ts'
import { allowsCalls, type Registration } from './readings.ts'
import type { Identity, SimTrouble } from './startUpResult.ts'

/** What a person has to repair, now or soon. */
export type Trouble =
  | OpenFailure
  | SimTrouble
  | UnfitTrouble
  /** The network uses the modem for data alone: no call is possible. */
  | 'data_only'
  /** The port is there and nothing answers. */
  | 'silent'
  /** The line carries only zeros, as from a modem without power. */
  | 'modem_off'
  /** The supply failed: the module said so, or restarted during a call. */
  | 'brownout'
  /** The network never shows our number, so no gate can recognise it. */
  | 'caller_id_hidden'
  /** The SIM card stores no more messages, so no gate can confirm. */
  | 'messages_full'

export interface Health {
  readonly operator: string | null
  readonly registration: Registration
  readonly signalDbm: number | null
  readonly voltageMv: number | null
}

export interface ModemStatus extends Health {
  readonly state: 'starting' | 'ready' | 'calling' | 'no_network' | 'sim_error' | 'lost'
  readonly trouble: Trouble | null
  /** The IMEI. */
  readonly modemId: string | null
  readonly model: string | null
  readonly firmware: string | null
  /** What this modem cannot do; it works without. */
  readonly lacks: readonly Lack[]
  /** The lowest supply voltage in the last call in which it was measured, in millivolts. */
  readonly lowestInCallMv: number | null
}

/**
 * A restart of the module by us. `owed`: it is due before the modem is set up. `underWay`: the command or a hook was carried out,
 * and the module has not reported its start yet.
 */
export type Restart = 'none' | 'owed' | 'underWay'

/** There is no port, or the port is back and its modem has to be restarted first. */
interface Lost {
  readonly phase: 'lost'
  readonly trouble: Trouble | null
  /** The SIM card's fault at the last start-up; the next start-up checks it again. */
  readonly simTrouble: SimTrouble | null
  readonly restart: Restart
}

/** The modem is being set up. The program begins here too, before it has opened a port. */
interface Starting {
  readonly phase: 'starting'
  /** `silent`: nothing answers on this port, which is about to be closed. Otherwise: the modem cannot be used. */
  readonly trouble: 'silent' | UnfitTrouble | null
  readonly restart: Restart
}

/** Set-up stopped at the SIM card. It is tried again. */
interface SimError {
  readonly phase: 'simError'
  readonly simTrouble: SimTrouble
  readonly restart: Restart
}

/** The data of a modem that is set up; no restart of ours is due here. */
interface SetUp {
  /** Whether its answer to AT+CREG? shows that its settings are still there; null: it was not asked yet. */
  readonly showsSettings: boolean | null
}

/** No call and no reservation. `health` says whether the network would take a call. */
interface Free extends SetUp {
  readonly phase: 'free'
}

/** The line is kept quiet for one dial, question or message. */
interface Reserved extends SetUp {
  readonly phase: 'reserved'
  /** Its number. The holder of an expired reservation must not end or use that of another. */
  readonly reservation: number
}

/** A call is on the line, or it is over and its verdict is still to come. */
interface Calling extends SetUp {
  readonly phase: 'calling'
  /** The SIM card went away during the call. It is checked after the call. */
  readonly isSimGone: boolean
}

/** The modem went away from a call, or has to be restarted after it; the verdict of the call is still to come. */
interface Recovering {
  readonly phase: 'recovering'
  readonly modem: NotSetUp
}

export type NotSetUp = Lost | Starting | SimError
export type SetUpPhase = Free | Reserved | Calling
export type Phase = NotSetUp | SetUpPhase | Recovering

export interface ModemState {
  readonly phase: Phase
  /** The result of the last successful start-up. */
  readonly identity: Identity | null
  readonly health: Health
  readonly network: NetworkWatch
  /** The supply failed, and no call was completed since. */
  readonly isBrownedOut: boolean
  /** In the last call in which it was measured; millivolts. */
  readonly lowestInCallMv: number | null
  /** The SIM card has no room for another message, so no gate can confirm by one. */
  readonly isStorageFull: boolean
  /** It is registered for LTE, but nowhere for calls. */
  readonly isDataOnly: boolean
  /** When the line last gave a sign of a call that is over, or of a call to this modem; monotonic milliseconds. */
  readonly otherSignMs: number
  readonly isClosing: boolean
}

export const noHealth: Health = {
  operator: null,
  registration: 'unknown',
  signalDbm: null,
  voltageMv: null,
}

export const newModemState: ModemState = {
  phase: { phase: 'starting', trouble: null, restart: 'none' },
  identity: null,
  health: noHealth,
  network: networkPresent,
  isBrownedOut: false,
  lowestInCallMv: null,
  isStorageFull: false,
  isDataOnly: false,
  otherSignMs: Number.NEGATIVE_INFINITY,
  isClosing: false,
}

export const isRegistered = ({ health: { registration } }: ModemState) => allowsCalls(registration)

/** A call runs, or waits for its verdict. */
export const hasCall = ({ phase: { phase } }: ModemState) => phase === 'calling' || phase === 'recovering'

/** Reserved for a dial, or in a call. */
export const isBusy = (state: ModemState) => state.phase.phase === 'reserved' || hasCall(state)

/** What the modem lacks for a call, where it is not set up; undefined where it is. */
export function notSetUpOf({ phase }: ModemState): NotSetUp | undefined {
  switch (phase.phase) {
    case 'lost':
    case 'starting':
    case 'simError':
      return phase
    case 'recovering':
      return phase.modem
    default:
      return undefined
  }
}

/** The phase of a modem that is set up; undefined where it is not. */
export function setUpOf({ phase }: ModemState): SetUpPhase | undefined {
  return phase.phase === 'free' || phase.phase === 'reserved' || phase.phase === 'calling' ? phase : undefined
}

export const isSetUp = (state: ModemState) => setUpOf(state) !== undefined

/** Set up, and neither reserved nor in a call. */
export const isFree = ({ phase }: ModemState) => phase.phase === 'free'

/** The reservation of this number holds. */
export const isReservedAs = ({ phase }: ModemState, reservation: number) =>
  phase.phase === 'reserved' && phase.reservation === reservation

export const restartOf = (state: ModemState): Restart => notSetUpOf(state)?.restart ?? 'none'

/** The signs of a call's end come up to 900 ms apart; none of them may be taken for a sign of the next call. */
const otherSignsWithinMs = 1_000

/** How long a late sign of another call can still come, so that no dial may begin; milliseconds. */
export function quietWaitMs({ otherSignMs }: ModemState, nowMs: number): number {
  return Math.max(0, otherSignMs + otherSignsWithinMs - nowMs)
}

export type Refusal = 'no_network' | 'modem_not_ready' | 'modem_busy'

/** Why the modem cannot be reserved; null: it can be. */
export function reservationRefusal(state: ModemState): Refusal | null {
  switch (state.phase.phase) {
    case 'calling':
    case 'recovering':
    case 'reserved':
      return 'modem_busy'
    case 'free':
      if (state.isClosing) return 'modem_not_ready'
      return isRegistered(state) ? null : 'no_network'
    default:
      return 'modem_not_ready'
  }
}

function reportedState(state: ModemState): ModemStatus['state'] {
  switch (state.phase.phase) {
    case 'calling':
    case 'recovering':
      return 'calling'
    case 'simError':
      return 'sim_error'
    case 'free':
    case 'reserved':
      return isRegistered(state) ? 'ready' : 'no_network'
    default:
      return state.phase.phase
  }
}

function reportedTrouble(state: ModemState): Trouble | null {
  const modem = notSetUpOf(state)
  if (modem?.phase === 'lost') return modem.trouble
  if (modem?.phase === 'simError') return modem.simTrouble
  if (state.isBrownedOut) return 'brownout'
  if (modem) return modem.trouble
  if (state.isDataOnly && !isRegistered(state)) return 'data_only'
  if (state.identity?.callerId === 'never') return 'caller_id_hidden'
  return state.isStorageFull ? 'messages_full' : null
}

const noLacks: readonly Lack[] = []

export function statusOf(state: ModemState): ModemStatus {
  return {
    ...state.health,
    state: reportedState(state),
    trouble: reportedTrouble(state),
    modemId: state.identity?.modemId ?? null,
    model: state.identity?.model ?? null,
    firmware: state.identity?.firmware ?? null,
    lacks: state.identity?.lacks ?? noLacks,
    lowestInCallMv: state.lowestInCallMv,
  }
}
