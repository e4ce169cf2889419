// What the pages of a Space may claim of its gates: what calls have shown, and never that something should work.

import type { GateFigures } from '@callgate/contract/app/appGateFigures'
import type { Incident } from '@callgate/contract/app/incident'
import type { CallOutcomes } from '@callgate/contract/call/callOutcomes'
import type { OpeningClass } from '@callgate/contract/call/openingClass'
import type { Gate } from '@callgate/contract/rest/gate'
import {
  type CallingGatewayState,
  callerOf,
  gateHealth,
  missesThatTell,
} from '@callgate/contract/rest/gateHealth'
import type { GatewayView } from '@callgate/contract/rest/gatewayView'
import type { Words } from '../words/words.tsx'

/** From so many calls in a row that say nothing on, the profile of a calibrated gate is doubtful. */
const unknownsThatTell = 3

/** What may be claimed of a gate that is not switched off. `ready`: its last call has opened it, and a modem is ready. */
export type GateClaim =
  | 'no_gateway'
  | 'modem_not_ready'
  | 'not_reacting'
  | 'not_calibrated'
  | 'calibrate_again'
  | 'not_tried'
  | 'ready'
  | 'probably'
  | 'did_not_open'
  | 'not_sure'

type Figures = Pick<GateFigures, 'misses' | 'calibration' | 'outcomes'>

const byEnd: Partial<Readonly<Record<OpeningClass, GateClaim>>> = {
  opened: 'ready',
  probably_opened: 'probably',
  did_not_open: 'did_not_open',
}

/** `figures`: undefined where they could not be read. */
export function claimOf(figures: Figures | undefined, caller: CallingGatewayState): GateClaim {
  switch (gateHealth(caller, figures)) {
    case 'offline':
      return caller === 'none' ? 'no_gateway' : 'modem_not_ready'
    case 'not_reacting':
      return 'not_reacting'
    case 'unverified':
      return 'not_calibrated'
    default:
  }
  if (!figures) return 'not_sure'
  const { last, unknownInRow } = figures.outcomes
  if (unknownInRow >= unknownsThatTell) return 'calibrate_again'
  if (caller !== 'ready') return 'not_sure'
  return last === null ? 'not_tried' : (byEnd[last] ?? 'not_sure')
}

interface NamedOutcomes {
  readonly name: string
  readonly outcomes: CallOutcomes
}

/** What may be claimed of all gates of a Space that are switched on and whose figures are known. */
interface SpaceClaims {
  readonly gates: number
  /** Known to have opened. */
  readonly opened: number
  /** Probably opened, and not known to have. */
  readonly probably: number
  readonly untried: number
  /** Called now for the first time: no longer untried, and nothing is known yet. */
  readonly firstCalls: number
  /** The gates whose last call has not opened them, or whose calls no longer say so. */
  readonly toLookAt: readonly { readonly name: string; readonly isSilent: boolean }[]
  /** Gates that were called, and that no call has opened, not even probably. */
  readonly unopened: readonly NamedOutcomes[]
  /** All gates that no call has opened, not even probably. */
  readonly unproven: readonly string[]
  readonly caller: CallingGatewayState
  readonly hasGateway: boolean
}

/** What the page of the gates shows of each gate and gateway. */
interface Read {
  readonly figures: readonly Pick<GateFigures, 'gateId' | 'misses'>[]
  readonly gateways: readonly Pick<GatewayView, 'id' | 'now'>[] | undefined
}

export interface KnownOfSpace {
  readonly gates: readonly Pick<Gate, 'id' | 'name' | 'isActive'>[]
  /** Of the gates whose figures could be read. */
  readonly figures: readonly (Figures & Pick<GateFigures, 'gateId'> & Partial<Pick<GateFigures, 'last'>>)[]
  readonly gateways: readonly Pick<GatewayView, 'name' | 'now'>[] | undefined
}

/** Whether a gate needs somebody: its last call has not opened it, or its calls no longer say so. */
export const needsLook = ({ misses, outcomes: { calls, last, unknownInRow } }: Figures): boolean =>
  misses >= missesThatTell ||
  unknownInRow >= unknownsThatTell ||
  (calls > 0 && last !== 'opened' && last !== 'probably_opened')

export function claimsOf({ figures, gates, gateways }: KnownOfSpace): SpaceClaims {
  const known = gates.flatMap(({ id, isActive, name }) => {
    const of = isActive ? figures.find(({ gateId }) => gateId === id) : undefined
    return of ? [{ name, of, outcomes: of.outcomes }] : []
  })
  const isUnopened = ({ outcomes }: NamedOutcomes) => outcomes.opened + outcomes.probably === 0
  const neverEnded = known.filter(({ outcomes }) => outcomes.last === null)
  const firstCalls = neverEnded.filter(({ of }) => of.last?.class === 'running').length
  return {
    gates: known.length,
    opened: known.filter(({ outcomes }) => outcomes.opened > 0).length,
    probably: known.filter(({ outcomes }) => outcomes.opened === 0 && outcomes.probably > 0).length,
    untried: neverEnded.length - firstCalls,
    firstCalls,
    toLookAt: known
      .filter(({ of }) => needsLook(of))
      .map(({ name, of }) => ({ name, isSilent: of.misses >= missesThatTell })),
    unopened: known.filter(one => one.outcomes.calls > 0 && isUnopened(one)),
    unproven: known.filter(isUnopened).map(({ name }) => name),
    caller: callerOf(gateways),
    hasGateway: gateways?.some(({ now }) => now.state !== 'revoked') ?? false,
  }
}

/** What stands in the way of every call. How each gateway is, its own line says. */
function sayNoCaller({ caller, hasGateway }: SpaceClaims, { gates: says }: Words): string[] {
  if (caller === 'not_ready') return [says.noneReady]
  if (caller !== 'none') return []
  return [hasGateway ? says.nobodyCanOpen : says.noGatewayYet]
}

/** The gates that need somebody. */
function sayToLookAt({ toLookAt }: SpaceClaims, { claims: says }: Words): string[] {
  const [first] = toLookAt
  if (!first) return []
  if (toLookAt.length > 1) return [says.manyToLookAt(toLookAt.length)]
  return [first.isSilent ? says.silent(first.name) : says.toLookAt(first.name)]
}

/** What the last calls of all gates have shown; nothing where no figures are known. */
function sayOutcomes(claims: SpaceClaims, { claims: says }: Words): string[] {
  const { firstCalls, gates, opened, probably, untried } = claims
  if (firstCalls > 0 && firstCalls + untried === gates) return []
  if (gates === 0) return []
  if (untried === gates) return [says.noneCalled(gates)]
  return [
    says.opened(opened, gates),
    ...(probably > 0 ? [says.probably(probably)] : []),
    ...(untried > 0 ? [says.untried(untried)] : []),
  ]
}

/** The head of the gates: what needs somebody, which may be empty, and what the last calls have shown. */
export const sayGates = (claims: SpaceClaims, words: Words): readonly [urgent: string, usual: string] => [
  [...sayNoCaller(claims, words), ...sayToLookAt(claims, words)].join(' '),
  sayOutcomes(claims, words).join(' '),
]

/** Whether a part of the page of the gates says what an alert says: the line of a gateway, or the card of a gate. */
export function isSaidOnGates(
  { kind, target }: Pick<Incident, 'kind' | 'target'>,
  { figures, gateways }: Read,
): boolean {
  if (kind === 'gate_not_reacting')
    return figures.some(({ gateId, misses }) => gateId === target.id && misses >= missesThatTell)
  return isSaidOfGateway({ kind, target }, gateways)
}

/** Whether the line or the card of a gateway says what an alert says: that it is offline. */
export function isSaidOfGateway(
  { kind, target }: Pick<Incident, 'kind' | 'target'>,
  gateways: readonly Pick<GatewayView, 'id' | 'now'>[] | undefined,
): boolean {
  const isOff = (state: GatewayView['now']['state']) => state === 'offline' || state === 'cut_off'
  return kind === 'gateway_offline' && !!gateways?.some(({ id, now }) => id === target.id && isOff(now.state))
}

/** For the head of the alerts: the gates that were called, and that are not known to have opened. Empty where there is none. */
export function sayUnopened({ unopened }: SpaceClaims, { claims: says }: Words): string {
  const [first] = unopened
  if (!first) return ''
  return unopened.length === 1
    ? says.unopened(first.name, first.outcomes.calls)
    : says.unopenedGates(unopened.length)
}

/** How many gates a sentence names. */
const mostNamed = 3

/** The head of the first steps once all are done: which gates have not opened yet. */
export function sayStepsDone({ unproven }: SpaceClaims, { claims: says, firstSteps, locale }: Words): string {
  if (unproven.length === 0) return firstSteps.allDone
  const names = unproven.length > mostNamed + 1 ? unproven.slice(0, mostNamed) : unproven
  const more = unproven.length - names.length
  const named = [...names, ...(more > 0 ? [says.more(more)] : [])]
  const list = new Intl.ListFormat(locale, { type: 'conjunction' }).format(named)
  return `${firstSteps.allDone} ${says.notYet(list)}`
}
