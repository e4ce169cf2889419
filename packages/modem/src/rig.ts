// The rig: what the parts of the driver share, and the status that is made of it.

import type { World } from '@callgate/world/world'
import type { AtLine } from './atLine.ts'
import { type Bell, createBell } from './bell.ts'
import type { OpenFailure, OpenLine } from './byteLine.ts'
import type { RunningCall } from './callRun.ts'
import type { LossWhy } from './core/callFacts.ts'
import type { HookName } from './core/ladder.ts'
import type { Registration } from './core/readings.ts'
import type { Identity, PinTry, SimTrouble } from './startUp.ts'

/** What a person has to see to, or will soon. */
export type Trouble =
  | OpenFailure
  | SimTrouble
  /** The port is there and nothing answers. */
  | 'silent'
  /** The line carries only zeros, as that of a modem without power does. */
  | 'modem_off'
  /** The supply gave way: the module said so, or began anew during a call. */
  | 'brownout'
  /** The network never shows our number, so that no gate can know it. */
  | 'caller_id_hidden'
  /** The SIM card takes no message more, so that no gate can confirm. */
  | 'messages_full'

export interface ModemStatus {
  readonly state: 'starting' | 'ready' | 'calling' | 'no_network' | 'sim_error' | 'lost'
  readonly trouble: Trouble | null
  /** The IMEI. */
  readonly modemId: string | null
  readonly model: string | null
  readonly operator: string | null
  readonly registration: Registration
  readonly signalDbm: number | null
  readonly voltageMv: number | null
}

export interface ModemOptions {
  readonly world: World
  readonly openLine: OpenLine
  /** The SIM card's PIN; tried once, and never again when it was refused. */
  readonly pin?: string
  /** The port's rate, to fix it in a modem that finds it by itself; without it such a modem is left as it is. */
  readonly baudRate?: number
  /** Every line, phone numbers, messages and PIN masked. */
  readonly trace?: (direction: 'to' | 'from', line: string) => void
  /** What can be done to the modem's wires, tried when AT+CFUN=1,1 does not bring it back. */
  readonly hooks?: readonly HookName[]
  /** Carries one out; the modem should then be on. Never rejects; `false` when it failed. */
  readonly runHook?: (hook: HookName) => Promise<boolean>
}

export interface Rig {
  readonly options: ModemOptions
  /** Rings when anything here changed. */
  readonly changed: Bell
  at: AtLine | null
  identity: Identity | null
  /** The modem is set up and its line is free, or carries our call. */
  isSetUp: boolean
  /** Its answer to AT+CREG? tells whether its settings are still there; null: not asked yet. */
  showsSettings: boolean | null
  simTrouble: SimTrouble | null
  /** Why the line is not to be had, or is of no use. */
  lineTrouble: Trouble | null
  isBrownedOut: boolean
  /** There is no room for another message, and so for no confirmation. */
  isStorageFull: boolean
  isResetWanted: boolean
  /** We have restarted the module ourselves, and it has not told of it yet. */
  isRestarting: boolean
  isReserved: boolean
  isRefusing: boolean
  /** The SIM card went away during a call, after which it is asked for. */
  isSimGone: boolean
  isClosing: boolean
  call: RunningCall | null
  /** When a call that is over, or one to this modem, last gave a sign; monotonic milliseconds. */
  quietSinceMs: number
  /** Who did not confirm, and when its call ended; monotonic milliseconds. */
  unconfirmed: readonly { readonly sender: string; readonly sinceMs: number }[]
  readonly pinTry: PinTry
  health: Pick<ModemStatus, 'operator' | 'registration' | 'signalDbm' | 'voltageMv'>
  status: ModemStatus
  readonly listeners: ((status: ModemStatus) => void)[]
}

const noHealth: Rig['health'] = { operator: null, registration: 'unknown', signalDbm: null, voltageMv: null }

export function createRig(options: ModemOptions): Rig {
  return {
    options,
    changed: createBell(options.world),
    at: null,
    identity: null,
    isSetUp: false,
    showsSettings: null,
    simTrouble: null,
    lineTrouble: null,
    isBrownedOut: false,
    isStorageFull: false,
    isResetWanted: false,
    isRestarting: false,
    isReserved: false,
    isRefusing: false,
    isSimGone: false,
    isClosing: false,
    call: null,
    quietSinceMs: Number.NEGATIVE_INFINITY,
    unconfirmed: [],
    pinTry: { isRefused: false, unheardAtTries: null },
    health: noHealth,
    status: { ...noHealth, state: 'starting', trouble: null, modemId: null, model: null },
    listeners: [],
  }
}

export const isRegistered = (registration: Registration) =>
  registration === 'home' || registration === 'roaming'

function stateOf(rig: Rig): ModemStatus['state'] {
  if (rig.call) return 'calling'
  if (!rig.at) return 'lost'
  if (rig.simTrouble) return 'sim_error'
  if (!rig.isSetUp) return 'starting'
  return isRegistered(rig.health.registration) ? 'ready' : 'no_network'
}

function troubleOf(rig: Rig): Trouble | null {
  if (!rig.at) return rig.lineTrouble
  if (rig.simTrouble) return rig.simTrouble
  if (rig.isBrownedOut) return 'brownout'
  if (!rig.isSetUp) return rig.lineTrouble
  if (rig.identity?.callerId === 'never') return 'caller_id_hidden'
  return rig.isStorageFull ? 'messages_full' : null
}

function isSame(one: ModemStatus, other: ModemStatus): boolean {
  return (Object.keys(one) as (keyof ModemStatus)[]).every(name => one[name] === other[name])
}

/** Tells the listeners when the status is another one than before. */
export function publish(rig: Rig): void {
  const { log } = rig.options.world
  const next: ModemStatus = {
    ...rig.health,
    state: stateOf(rig),
    trouble: troubleOf(rig),
    modemId: rig.identity?.modemId ?? null,
    model: rig.identity?.model ?? null,
  }
  rig.changed.ring()
  if (isSame(next, rig.status)) return
  if (next.state !== rig.status.state) log.info('Modem', { state: next.state })
  if (next.trouble !== null && next.trouble !== rig.status.trouble)
    log.warn('The modem needs a look', { trouble: next.trouble })
  rig.status = next
  for (const listener of rig.listeners) listener(next)
}

/** The modem has to be set up anew: no reservation and no call survives that. */
export function unsettle(rig: Rig, why: LossWhy): void {
  rig.isSetUp = false
  rig.isReserved = false
  rig.isSimGone = false
  rig.health = noHealth
  rig.call?.lose(why)
  publish(rig)
}

/** The signs of a call's end come up to 900 ms apart: none may be taken for the next call's. */
const straysWithinMs = 1_000

/** For how long a sign may still be that of a call which is over, or of one to this modem; milliseconds. */
export function straysForMs({ options, quietSinceMs }: Rig): number {
  return Math.max(0, quietSinceMs + straysWithinMs - options.world.monotonicMs())
}

/** Waits `durationMs`, or less when the modem is closed or `isWanted` no longer holds. */
export async function pauseWhile(rig: Rig, durationMs: number, isWanted: () => boolean): Promise<void> {
  const { world } = rig.options
  const endMs = world.monotonicMs() + durationMs
  while (world.monotonicMs() < endMs && isWanted() && !rig.isClosing)
    await rig.changed.heard(endMs - world.monotonicMs())
}
