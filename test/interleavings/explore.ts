// Every interleaving of two openings and two gateways: the real cores under a wire that may do anything but forge.

import { type ClaimDecision, decideClaim, type OpeningRow } from '@callgate/cloud/core/opening'
import { callProfile } from '@callgate/contract/callProfile'
import type { Grant } from '@callgate/contract/messages'
import { grantWithinMs } from '@callgate/contract/timing'
import { step } from '@callgate/gateway/core/opener'
import {
  type Claim,
  mayDial,
  type OpenerEvent,
  type OpenerState,
  openerState,
} from '@callgate/gateway/core/openerState'

/** The decisions under test; a test puts a broken one in place of a real one. */
export interface Cores {
  readonly decideClaim: typeof decideClaim
  readonly step: typeof step
  readonly mayDial: typeof mayDial
}

export interface Bounds {
  readonly openings: 1 | 2
  readonly gateways: 1 | 2
  /** The clock goes in steps of 5 s, which lie on both sides of the 6 s of a claim and the 12 s of a grant. */
  readonly clockSteps: number
  readonly gatewayRestarts: number
  readonly cloudRestarts: number
  readonly mostStates: number
}

export interface Explored {
  readonly states: number
  readonly dialled: number
  /** The first state that breaks a promise, and how it came about. */
  readonly violation: { readonly what: string; readonly path: readonly string[] } | undefined
}

type Row = Pick<OpeningRow, 'gatewayId' | 'bootId' | 'grantNonce'>
type Sent = Claim & { readonly gatewayId: string; readonly bootId: string }
interface Gateway {
  readonly boot: number
  readonly opener: OpenerState
  /** What the opener wants done and nobody has done yet. */
  readonly due: 'reserve' | 'intend' | 'dial' | 'call' | undefined
  /** INTENT lines on the disk. */
  readonly journal: readonly string[]
}
interface House {
  readonly nowMs: number
  readonly rows: Readonly<Record<string, Row>>
  /** The gateways' boots that another has followed (`gatewayBoots.ts`), and those that count. */
  readonly boots: Readonly<Record<string, string>>
  readonly cloudLives: number
  readonly gateways: Readonly<Record<string, Gateway>>
  /** All that was ever sent: it may arrive at any time, as often as the wire likes, or never. */
  readonly claims: readonly Sent[]
  readonly grants: readonly { readonly to: Sent; readonly granted: boolean }[]
  readonly dialled: readonly string[]
  readonly wrong: string | undefined
}

const stepMs = 5_000
const openingIds = ['open_a', 'open_b'] as const
const gatewayIds = ['gw_a', 'gw_b'] as const
const grant: Grant = {
  granted: true,
  phoneNumber: '+40722123456',
  callProfile: callProfile({ mode: 'reject' }),
}
const refusal: Grant = { granted: false, reason: 'already_granted' }
const bootOf = (gatewayId: string, boot: number) => `${gatewayId}/${boot}`
const at = (ms: number) => ({ monotonicMs: ms, sinceBootMs: ms })

function gatewayOf(house: House, gatewayId: string): Gateway {
  const gateway = house.gateways[gatewayId]
  if (!gateway) throw new Error(`no gateway ${gatewayId}`)
  return gateway
}

/** Tells the real opener, and notes what it wants done, as the gateway's `openings.ts` does. */
function tell(cores: Cores, house: House, gatewayId: string, event: OpenerEvent): House {
  const gateway = gatewayOf(house, gatewayId)
  const taken = cores.step(gateway.opener, event, at(house.nowMs))
  let { claims } = house
  let { due } = gateway
  for (const effect of taken.effects) {
    if (effect.type === 'reserve' || effect.type === 'intend' || effect.type === 'dial') due = effect.type
    if (effect.type === 'release') due = undefined
    if (effect.type !== 'claim') continue
    const sent = { ...effect.claim, gatewayId, bootId: gateway.opener.bootId }
    if (!claims.some(one => one.nonce === sent.nonce)) claims = [...claims, sent]
  }
  return {
    ...house,
    claims,
    gateways: { ...house.gateways, [gatewayId]: { ...gateway, opener: taken.state, due } },
  }
}

/** One transaction of `grants.ts`; transactions come one after the other. */
function receiveClaim(cores: Cores, house: House, to: Sent): House {
  const known = house.boots[to.gatewayId]
  const isNewer = known === undefined || to.bootId >= known
  const row = house.rows[to.openingId]
  if (!isNewer || !row) return house
  const opening = {
    ...row,
    status: 'initiated',
    joinedOpeningId: null,
    phoneNumber: '',
    grantedProfile: '{}',
  }
  const ageMs = house.cloudLives > 0 ? undefined : house.nowMs
  const facts = { claim: to, opening: opening as OpeningRow, ageMs, grantWithinMs, denied: undefined }
  const { kind }: ClaimDecision = cores.decideClaim(facts)
  const { bootId, gatewayId, nonce, openingId } = to
  const rows =
    kind === 'grant' ? { ...house.rows, [openingId]: { gatewayId, bootId, grantNonce: nonce } } : house.rows
  const granted = kind === 'grant' || kind === 'repeat'
  const isSaid = house.grants.some(one => one.to.nonce === nonce && one.granted === granted)
  const grants = isSaid ? house.grants : [...house.grants, { to, granted }]
  return { ...house, rows, grants, boots: { ...house.boots, [gatewayId]: bootId } }
}

/** The modem's turn: it asks once more as the last statement before the write. */
function dial(cores: Cores, house: House, gatewayId: string): House {
  const gateway = gatewayOf(house, gatewayId)
  const { work } = gateway.opener
  if (work.phase !== 'calling') return house
  const { openingId } = work.claim
  if (!cores.mayDial(gateway.opener, openingId, at(house.nowMs)))
    return tell(cores, house, gatewayId, { type: 'callEnded', result: { dialled: false, why: 'stale' } })
  // Accepted at 0, granted within 12 s, fresh for 6 s.
  const late = house.nowMs > 18_000 ? `P2: an ATD ${house.nowMs} ms after the acceptance` : undefined
  const wrong = house.dialled.includes(openingId) ? `P1: a second ATD for ${openingId}` : late
  const gateways = { ...house.gateways, [gatewayId]: { ...gateway, due: 'call' as const } }
  return { ...house, gateways, dialled: [...house.dialled, openingId].sort(), wrong }
}

/** A start of the daemon: the INTENTs that the journal kept, or none where it was wiped. */
function restart(house: House, gatewayId: string, isWiped: boolean): House {
  const { boot, journal: kept } = gatewayOf(house, gatewayId)
  const journal = isWiped ? [] : kept
  const opener = openerState(bootOf(gatewayId, boot + 1), journal)
  return {
    ...house,
    gateways: { ...house.gateways, [gatewayId]: { boot: boot + 1, opener, due: undefined, journal } },
  }
}

type Move = readonly [string, House]

function gatewayMoves(cores: Cores, bounds: Bounds, house: House, gatewayId: string): Move[] {
  const gateway = gatewayOf(house, gatewayId)
  const { boot, due, journal, opener } = gateway
  const told = (event: OpenerEvent) => tell(cores, house, gatewayId, event)
  const moves: Move[] = openingIds
    .slice(0, bounds.openings)
    .map(openingId => [`hint ${openingId}`, told({ type: 'hint', openingId })])
  moves.push(['time', told({ type: 'timePassed' })])
  // One nonce more than were sent: fresh, and the same on every way to this state.
  const nonce = `${opener.bootId}/${opener.spent.length}`
  if (due === 'reserve') moves.push(['reserved', told({ type: 'reserved', nonce })])
  if (due === 'intend' && opener.work.phase === 'intending') {
    const { openingId } = opener.work.claim
    const gateways = {
      ...house.gateways,
      [gatewayId]: { ...gateway, journal: [...journal, openingId].sort() },
    }
    const event = { type: 'intentKept', openingId } as const
    // The journal knows each opening once (`journal.intend`).
    if (!journal.includes(openingId))
      moves.push(['kept', tell(cores, { ...house, gateways }, gatewayId, event)])
    moves.push(['not kept', told({ type: 'intentRefused', openingId })])
  }
  if (due === 'dial') moves.push(['dial', dial(cores, house, gatewayId)])
  if (due === 'call')
    moves.push(['call over', told({ type: 'callEnded', result: { dialled: false, why: 'not_ready' } })])
  for (const { granted, to } of house.grants)
    if (to.gatewayId === gatewayId)
      moves.push([`grant ${to.nonce}`, told({ type: 'grant', ...to, grant: granted ? grant : refusal })])
  if (boot < bounds.gatewayRestarts)
    moves.push(
      ['restart', restart(house, gatewayId, false)],
      ['restart, wiped', restart(house, gatewayId, true)],
    )
  return moves.map(([name, next]) => [`${gatewayId}: ${name}`, next])
}

function movesFrom(cores: Cores, bounds: Bounds, house: House): Move[] {
  const moves = gatewayIds
    .slice(0, bounds.gateways)
    .flatMap(gatewayId => gatewayMoves(cores, bounds, house, gatewayId))
  for (const claim of house.claims)
    moves.push([`cloud: claim ${claim.nonce}`, receiveClaim(cores, house, claim)])
  if (house.cloudLives < bounds.cloudRestarts)
    moves.push(['cloud: restart', { ...house, cloudLives: house.cloudLives + 1 }])
  const nowMs = house.nowMs + stepMs
  if (nowMs <= bounds.clockSteps * stepMs) moves.push([`clock: ${nowMs} ms`, { ...house, nowMs }])
  return moves
}

/** What of a state decides the future: pauses shorter than a step of the clock are over, or run from this very step. */
function keyOf(house: House): string {
  const isNow = (one: { readonly monotonicMs: number }) => one.monotonicMs === house.nowMs
  return JSON.stringify(house, (name, value) => {
    if (name === 'claimsAt') return value.filter(isNow).length
    if (name === 'lastSentAt') return isNow(value)
    return name === 'phoneNumber' || name === 'callProfile' || name === 'sinceBootMs' ? undefined : value
  })
}

/** Walks breadth-first through every state within the bounds, or to the first that breaks P1 or P2. */
export function explore(bounds: Bounds, broken: Partial<Cores> = {}): Explored {
  const cores: Cores = { decideClaim, step, mayDial, ...broken }
  const row = { gatewayId: null, bootId: null, grantNonce: null }
  const gateway = (id: string): Gateway => ({
    boot: 0,
    opener: openerState(bootOf(id, 0), []),
    due: undefined,
    journal: [],
  })
  const first: House = {
    nowMs: 0,
    rows: { open_a: row, open_b: row },
    boots: {},
    cloudLives: 0,
    gateways: { gw_a: gateway('gw_a'), gw_b: gateway('gw_b') },
    claims: [],
    grants: [],
    dialled: [],
    wrong: undefined,
  }
  const seen = new Set([keyOf(first)])
  const queue: { house: House; by: string; from: number }[] = [{ house: first, by: 'start', from: -1 }]
  let dialled = 0
  for (let place = 0; place < queue.length; place++) {
    const { house } = queue[place] ?? { house: first }
    dialled = Math.max(dialled, house.dialled.length)
    if (house.wrong !== undefined) {
      const path: string[] = []
      for (let one = queue[place]; one; one = queue[one.from]) path.unshift(one.by)
      return { states: seen.size, dialled, violation: { what: house.wrong, path } }
    }
    for (const [by, next] of movesFrom(cores, bounds, house)) {
      const key = keyOf(next)
      if (seen.has(key)) continue
      if (seen.size >= bounds.mostStates) throw new Error(`more than ${bounds.mostStates} states`)
      seen.add(key)
      queue.push({ house: next, by, from: place })
    }
  }
  return { states: seen.size, dialled, violation: undefined }
}
