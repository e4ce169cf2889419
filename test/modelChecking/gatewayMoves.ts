// The possible moves of a gateway: receive a message, wake up, write its journal, dial, end its call, restart.

import { callProfile } from '@callgate/contract/call/callProfile'
import { exampleVerdict } from '@callgate/contract/call/verdict'
import type { Grant, Report } from '@callgate/contract/wire/messages'
import { type OpenerEvent, openerState } from '@callgate/gateway/core/openerState'
import { unknownOutcome } from '@callgate/gateway/core/unknownOutcome'
import { bootOf, type Cores, type Gateway, gatewayOf, type House, type SentReport } from './modelledHouse.ts'

const grant: Grant = {
  granted: true,
  phoneNumber: '+40722123456',
  callProfile: callProfile({ mode: 'reject' }),
}
const refusal: Grant = { granted: false, reason: 'already_granted' }
const opened = {
  dialled: true,
  verdict: exampleVerdict,
  evidence: { modem: null, operator: null, signalDbm: null, events: [] },
} satisfies OpenerEvent<'callEnded'>['result']
/** The longest time from the ATD to the end of the call, when the modem is free again. */
export const callLastsMs = 80_000
const dialWithinMs = 18_000

const at = (ms: number) => ({ monotonicMs: ms, sinceBootMs: ms })

function withGateway(house: House, gatewayId: string, change: Partial<Gateway>): House {
  const gateway = { ...gatewayOf(house, gatewayId), ...change }
  return { ...house, gateways: { ...house.gateways, [gatewayId]: gateway } }
}

/** As `cloudWire.report` does: sends the report, and keeps it in the journal until it is acknowledged. */
function withReport(house: House, gatewayId: string, openingId: string, report: Report): House {
  const { boot, intents, reportCount, unacknowledged } = gatewayOf(house, gatewayId)
  const isFinal = report.phase === 'ended' || report.phase === 'not_dialled'
  // This time does not matter here.
  const untimed = 'sinceClaimMs' in report ? { ...report, sinceClaimMs: 0 } : report
  const bootId = bootOf(gatewayId, boot)
  const sent: SentReport = {
    key: `${bootId}#${reportCount}`,
    bootId,
    gatewayId,
    openingId,
    report: untimed,
  }
  const next = { ...house, reports: [...house.reports, sent] }
  return withGateway(next, gatewayId, {
    reportCount: reportCount + 1,
    unacknowledged: [...unacknowledged, sent],
    intents: isFinal ? intents.filter(id => id !== openingId) : intents,
  })
}

/** Passes the event to the real opener, and notes its effects, as the gateway's `openings.ts` does. */
function stepOpener(cores: Cores, house: House, gatewayId: string, event: OpenerEvent): House {
  const gateway = gatewayOf(house, gatewayId)
  const taken = cores.step(gateway.opener, event, at(house.nowMs))
  let next = withGateway(house, gatewayId, { opener: taken.state })
  for (const effect of taken.effects) {
    const { bootId, spent } = gatewayOf(next, gatewayId).opener
    if (effect.type === 'intend' || effect.type === 'dial')
      next = withGateway(next, gatewayId, { due: effect.type })
    if (effect.type === 'release')
      next = withGateway(next, gatewayId, { due: undefined, dialledAtMs: undefined })
    if (effect.type === 'report') next = withReport(next, gatewayId, effect.openingId, effect.report)
    // The modem answers immediately. The nonce is new, and the same on every path to this state.
    if (effect.type === 'reserve')
      next = stepOpener(cores, next, gatewayId, { type: 'reserved', nonce: `${bootId}/${spent.length}` })
    if (effect.type !== 'claim' || next.claims.some(({ nonce }) => nonce === effect.claim.nonce)) continue
    next = { ...next, claims: [...next.claims, { ...effect.claim, gatewayId, bootId }] }
  }
  return next
}

/** The modem's move: the gateway checks once more just before it writes the ATD. */
function dial(cores: Cores, house: House, gatewayId: string): House {
  const { intents, opener } = gatewayOf(house, gatewayId)
  if (opener.work.phase !== 'calling') return house
  const { openingId } = opener.work.claim
  if (!cores.mayDial(opener, openingId, at(house.nowMs)))
    return stepOpener(cores, house, gatewayId, {
      type: 'callEnded',
      result: { dialled: false, why: 'stale' },
    })
  const opening = house.openings[openingId]
  const isOnNumber = (one: Gateway) =>
    one.opener.work.phase === 'calling' &&
    one.dialledAtMs !== undefined &&
    house.openings[one.opener.work.claim.openingId]?.row.phoneNumber === opening?.row.phoneNumber
  const ageMs = house.nowMs - (opening?.calledAtMs ?? 0)
  const wrong = [
    ...(house.dialled.includes(openingId) ? [`P1: a second ATD for ${openingId}`] : []),
    ...(ageMs > dialWithinMs ? [`P2: an ATD for ${openingId} ${ageMs} ms after its press`] : []),
    ...(Object.values(house.gateways).some(isOnNumber) ? [`P5: ${openingId} dialled into a call`] : []),
    ...(opening?.row.opened === 'no' ? [`A3: ${openingId} was recorded as not opened, and dialled`] : []),
    ...(intents.includes(openingId) ? [] : [`P8: ${openingId} dialled without its INTENT`]),
  ]
  const dialled = [...house.dialled, openingId].sort()
  const next = withGateway(house, gatewayId, { due: 'call', dialledAtMs: house.nowMs })
  return { ...next, dialled, wrong: wrong[0] }
}

/** The journal at a start of the daemon: complete, without the last report, or empty. */
export type Leftover = 'kept' | 'torn' | 'wiped'

function restart(house: House, gatewayId: string, leftover: Leftover): House {
  const gateway = gatewayOf(house, gatewayId)
  const boot = gateway.boot + 1
  const last = gateway.unacknowledged.at(-1)
  const isCut = leftover === 'torn' && last !== undefined
  const kept = isCut ? gateway.unacknowledged.slice(0, -1) : gateway.unacknowledged
  // An INTENT is synced before the ATD. Only a later report can be lost.
  const hadIntent = isCut && last.report.phase === 'ended'
  const intents = hadIntent ? [...gateway.intents, last.openingId].sort() : gateway.intents
  const journal =
    leftover === 'wiped' ? { intents: [], unacknowledged: [] } : { intents, unacknowledged: kept }
  const known = [...journal.intents, ...journal.unacknowledged.map(({ openingId }) => openingId)]
  const opener = openerState(bootOf(gatewayId, boot), [...new Set(known)].sort())
  const begun = { boot, opener, due: undefined, dialledAtMs: undefined, reportCount: 0, ...journal }
  const restarts = { ...house.restarts, gateways: house.restarts.gateways + 1 }
  let next = withGateway({ ...house, restarts }, gatewayId, begun)
  for (const openingId of journal.intents) next = withReport(next, gatewayId, openingId, unknownOutcome)
  return next
}

export type Move = readonly [string, House]

function dueMoves(cores: Cores, house: House, gatewayId: string): Move[] {
  const { due, intents, opener, unacknowledged } = gatewayOf(house, gatewayId)
  const stepped = (of: House, event: OpenerEvent) => stepOpener(cores, of, gatewayId, event)
  if (due === 'dial') return [['dial', dial(cores, house, gatewayId)]]
  if (due === 'intend' && opener.work.phase === 'intending') {
    const { openingId } = opener.work.claim
    const isKnown = [...intents, ...unacknowledged.map(one => one.openingId)].includes(openingId)
    const written = withGateway(house, gatewayId, { intents: [...intents, openingId].sort() })
    return [
      // The journal refuses a second INTENT for an opening (`journal.intend`).
      ...(isKnown ? [] : ([['kept', stepped(written, { type: 'intentKept', openingId })]] as const)),
      ['not kept', stepped(house, { type: 'intentRefused', openingId })],
    ]
  }
  if (due !== 'call' && due !== 'rings') return []
  const rung = withGateway(stepped(house, { type: 'progress', phase: 'ringing' }), gatewayId, {
    due: 'rings',
  })
  return [
    ...(due === 'call' ? ([['rings', rung]] as const) : []),
    ['call over', stepped(house, { type: 'callEnded', result: opened })],
  ]
}

/** All possible moves of a gateway. `leftovers`: the journals with which it may still restart. */
export function gatewayMoves(
  cores: Cores,
  house: House,
  gatewayId: string,
  leftovers: readonly Leftover[],
): readonly Move[] {
  const stepped = (event: OpenerEvent) => stepOpener(cores, house, gatewayId, event)
  const moves: Move[] = [
    ...Object.keys(house.openings).map(
      (openingId): Move => [`hint ${openingId}`, stepped({ type: 'hint', openingId })],
    ),
    ['time', stepped({ type: 'timePassed' })],
    ...dueMoves(cores, house, gatewayId),
    ...house.grants
      .filter(({ to }) => to.gatewayId === gatewayId)
      .map(
        ({ granted, to }): Move => [
          `${granted ? 'grant' : 'refusal'} ${to.nonce}`,
          stepped({ type: 'grant', ...to, grant: granted ? grant : refusal }),
        ],
      ),
    ...leftovers.map((leftover): Move => [`restart, ${leftover}`, restart(house, gatewayId, leftover)]),
  ]
  return moves.map(([name, next]) => [`${gatewayId}: ${name}`, next])
}
