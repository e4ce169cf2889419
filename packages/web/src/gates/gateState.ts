// The known state of a gate for its badge, and of all gates in one sentence: only observed and reported facts.

import type { GateFigures } from '@callgate/contract/app/appGateFigures'
import type { OpeningRecord } from '@callgate/contract/app/openingRecord'
import type { OpeningClass } from '@callgate/contract/call/openingClass'
import type { Gate } from '@callgate/contract/rest/gate'
import {
  type CallingGatewayState,
  callerOf,
  gateHealth,
  missesThatTell,
} from '@callgate/contract/rest/gateHealth'
import type { GatewayView } from '@callgate/contract/rest/gatewayView'
import type { BadgeLook } from '../kit/Badge.tsx'
import type { Words } from '../words/words.tsx'
import type { Reader } from './gateWords.ts'
import type { Press } from './press.ts'

/** The number of last openings that a gate shows: as many as the cloud returns. */
export const ticksShown = 24

/** The list is read seldom: the record of a pressed gate comes from its button's reading. */
export function asFarAs<Of extends Pick<OpeningRecord, 'class' | 'step'>>(record: Of, press: Press): Of {
  return record.class === 'running' && press.is === 'running' ? { ...record, step: press.step } : record
}

/** These say nothing about the module of the gate. */
const silent: readonly OpeningClass[] = ['running', 'denied', 'not_called']

/** The end of a gate's last call; undefined where it was never called. What a person saw of the gate takes precedence. */
function lastEnd(
  { last, ticks }: Pick<GateFigures, 'last' | 'ticks'>,
  press: Press,
): OpeningClass | undefined {
  if (press.is === 'ended' && !silent.includes(press.class)) return press.class
  const tick = ticks.findLast(({ class: kind }) => !silent.includes(kind))
  // Older calls than the returned ones are unknown.
  if (!tick) return ticks.length === ticksShown ? 'unknown' : undefined
  if (tick.openingId !== last?.id || last.seen === null) return tick.class
  return last.seen === 'moving' ? 'opened' : 'did_not_open'
}

/** The badge of a gate that can be called: ready only where its last call opened it. */
function readiness(end: OpeningClass | undefined, words: Words): BadgeLook {
  const { badges } = words.gates
  switch (end) {
    case undefined:
      return { tone: 'quiet', icon: 'uncalibrated', word: badges.notTried }
    case 'opened':
      return { tone: 'open', icon: 'opened', word: badges.ready }
    case 'did_not_open':
      return { tone: 'shut', icon: 'failed', word: words.openings.classes.did_not_open }
    case 'probably_opened':
      return { tone: 'quiet', icon: 'probably', word: badges.notSure }
    default:
      return { tone: 'look', icon: 'look', word: badges.notSure }
  }
}

/** The badge of a gate: its most important state. `press`: what its button shows, so that the two never differ. */
export function badgeOf(
  gate: Pick<Gate, 'isActive'>,
  figures: GateFigures | undefined,
  {
    caller,
    press,
    words,
  }: { readonly caller: CallingGatewayState; readonly press: Press; readonly words: Words },
): BadgeLook {
  const { badges } = words.gates
  if (!gate.isActive) return { tone: 'quiet', icon: 'off', word: badges.off }
  const read = figures?.last?.class === 'running' ? (figures.last.step ?? 'asked') : undefined
  const step = press.is === 'running' ? press.step : press.is === 'ended' ? undefined : read
  if (step)
    return { tone: 'call', icon: step === 'ringing' ? 'call' : 'dial', word: words.openings.steps[step] }
  switch (gateHealth(caller, figures)) {
    case 'offline': {
      const word = caller === 'none' ? badges.noGateway : badges.modemNotReady
      return { tone: 'shut', icon: 'noGateway', word }
    }
    case 'not_reacting':
      return { tone: 'shut', icon: 'alert', word: badges.notReacting }
    case 'unverified':
      return { tone: 'look', icon: 'uncalibrated', word: badges.notCalibrated }
    default:
  }
  const isKnown = figures !== undefined && caller === 'ready'
  return readiness(isKnown ? lastEnd(figures, press) : 'unknown', words)
}

function sayOnline(gateways: readonly Pick<GatewayView, 'name' | 'now'>[], { gates: says }: Words): string {
  const online = gateways.filter(({ now }) => now.state === 'online')
  const [first] = online
  if (first) return online.length > 1 ? says.areOnline(online.length) : says.isOnline(first.name)
  return gateways.some(({ now }) => now.state !== 'revoked') ? says.nobodyCanOpen : says.noGatewayYet
}

/** One sentence of state above the gates: who is online, and which gates do not react. */
export function sayGates(
  {
    figures,
    gates,
    gateways,
  }: {
    readonly figures: readonly GateFigures[]
    readonly gates: readonly Pick<Gate, 'id' | 'isActive'>[]
    readonly gateways: readonly Pick<GatewayView, 'name' | 'now'>[] | undefined
  },
  { words }: Pick<Reader, 'words'>,
): string {
  const says = words.gates
  const active = new Set(gates.filter(({ isActive }) => isActive).map(({ id }) => id))
  const failing = figures.filter(
    ({ gateId, misses }) => active.has(gateId) && misses >= missesThatTell,
  ).length
  const parts = [
    ...(gateways ? [sayOnline(gateways, words)] : []),
    ...(callerOf(gateways) === 'not_ready' ? [says.noneReady] : []),
    ...(failing === 0 ? [] : [says.notReacting(failing)]),
  ]
  return parts.join(' ')
}
