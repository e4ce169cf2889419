// What the heads of the gateways' pages and of the calibration may claim: what was reported, and what the last calls have shown.

import type { GateFigures } from '@callgate/contract/app/appGateFigures'
import type { CallOutcomes } from '@callgate/contract/call/callOutcomes'
import { callerOf } from '@callgate/contract/rest/gateHealth'
import type { GatewayView } from '@callgate/contract/rest/gatewayView'
import { lateClaims as english } from '../words/en/lateClaims.ts'
import { inLanguage } from '../words/inLanguage.ts'
import { lateClaims as romanian } from '../words/ro/lateClaims.ts'
import type { Words } from '../words/words.tsx'
import { claimsOf, type KnownOfSpace, sayUnopened } from './claims.ts'

/** The texts of these pages. */
export const lateClaimTexts = inLanguage(english, romanian)

export interface KnownOfGateways {
  readonly gateways: readonly GatewayView[]
  readonly gates: KnownOfSpace['gates']
  /** Of the gates whose figures could be read. */
  readonly figures: readonly (KnownOfSpace['figures'][number] & Pick<GateFigures, 'gatewayId'>)[]
  /** How many warnings the page has about a gateway. */
  readonly thingsOf: (gateway: GatewayView) => number
}

function sayState(gateway: GatewayView, { thingsOf }: KnownOfGateways, words: Words): string {
  const { name, now } = gateway
  const says = lateClaimTexts(words)
  if (now.state === 'revoked') return says.isShutOut(name)
  if (now.tooOld && now.state !== 'online') return says.isTooOld(name, now.tooOld.version)
  if (now.state === 'offline') return says.isOffline(name)
  if (now.state === 'new') return says.isNew(name)
  if (now.state === 'cut_off') return says.isCutOff(name)
  const things = thingsOf(gateway)
  const online = things === 0 ? says.isOnline(name) : says.isOnlineBut(name, things)
  return callerOf([{ now }]) === 'ready' ? online : `${online} ${says.notReady}`
}

/** Up to this number of gateways, each has a sentence of its own. */
const eachSaid = 2

/** The head of the list: how the gateways are. How the gates are, their own page says. */
export function sayGateways(known: KnownOfGateways, words: Words): string {
  const says = lateClaimTexts(words)
  const { gateways } = known
  if (gateways.length === 0) return says.none
  const active = gateways.filter(({ now }) => now.state !== 'revoked')
  if (active.length === 0) return says.allShutOut
  const online = active.filter(({ now }) => now.state === 'online').length
  const states =
    active.length <= eachSaid
      ? active.map(gateway => sayState(gateway, known, words))
      : [says.manyOnline(online, active.length)]
  return states.join(' ')
}

type LastEnd = 'opened' | 'probably' | 'didNot' | 'unknown'

const lastEndOf = ({ last }: CallOutcomes): LastEnd => {
  if (last === 'opened') return 'opened'
  if (last === 'probably_opened') return 'probably'
  return last === 'did_not_open' ? 'didNot' : 'unknown'
}

/** The head of one gateway: how it is, and what its call has shown at each gate that it called last. */
export function sayGateway(gatewayId: string, known: KnownOfGateways, words: Words): string {
  const gateway = known.gateways.find(({ id }) => id === gatewayId)
  if (!gateway) return ''
  const state = sayState(gateway, known, words)
  const called = known.gates.flatMap(({ id, isActive, name }) => {
    const of = known.figures.find(one => one.gateId === id && one.gatewayId === gatewayId)
    return isActive && of && of.outcomes.calls > 0 ? [{ name, end: lastEndOf(of.outcomes) }] : []
  })
  const [first] = called
  if (!first) return state
  const says = lateClaimTexts(words)
  if (called.length === 1) return `${state} ${says.lastCall[first.end](first.name)}`
  const ended = (end: LastEnd) => called.filter(one => one.end === end).length
  const [opened, probably] = [ended('opened'), ended('probably')]
  const assumed = probably > 0 ? [words.claims.probably(probably)] : []
  return [state, says.lastCalls(opened, called.length), ...assumed].join(' ')
}

/** The head of a calibration: what the last calls of its gate have shown. */
export function sayCalled(
  gate: KnownOfSpace['gates'][number],
  figures: KnownOfSpace['figures'][number],
  words: Words,
): string {
  const { called } = lateClaimTexts(words)
  const { outcomes } = figures
  if (outcomes.calls === 0) return called.never(gate.name)
  const claims = claimsOf({ gates: [{ ...gate, isActive: true }], figures: [figures], gateways: undefined })
  return sayUnopened(claims, words) || called[lastEndOf(outcomes)](gate.name)
}
