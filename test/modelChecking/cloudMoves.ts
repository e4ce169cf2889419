// The possible moves of the cloud, each one transaction: a press, a claim, a report, a beat, an end by time, a restart.

import { endingUndialled, endingUnknown, isRunning, isUngranted } from '@callgate/cloud/core/opening'
import {
  grantWithinMs,
  lockedAtMostMs,
  terminalAfterRestartMs,
  terminalWithinMs,
} from '@callgate/contract/wire/timing'
import {
  ageOf,
  bootOf,
  type Cores,
  endOpening,
  gatewayOf,
  type House,
  newRow,
  type SentClaim,
  type SentReport,
  withBoot,
  withRow,
} from './modelledHouse.ts'

const coolDownMs = 5_000

/** A press for the number of its gate, as `presses.ts` handles it. */
export function press(cores: Cores, house: House, id: string, phoneNumber: string): House {
  const { nowMs } = house
  const known = Object.values(house.openings).filter(({ row }) => row.phoneNumber === phoneNumber)
  const holder = known.find(({ row }) => row.lockedNumber !== null)?.row
  const last = known.find(
    ({ row }) =>
      row.lockedNumber === null &&
      row.gatewayId !== null &&
      row.joinedOpeningId === null &&
      row.opened !== 'no',
  )
  const decision = cores.decidePress({
    denied: undefined,
    accessId: null,
    holder,
    last: last && { row: last.row, agoMs: nowMs - (last.endedAtMs ?? 0) },
    coolDownMs,
    hasLostCall: false,
    isGatewayOnline: true,
  })
  const row = newRow(id, phoneNumber, nowMs)
  const accepted = { calledAtMs: nowMs, acceptedAtMs: nowMs, endedAtMs: undefined }
  const decided = {
    lead: () => ({ ...accepted, row: { ...row, lockedNumber: phoneNumber } }),
    join: () => ({ ...accepted, row: { ...row, joinedOpeningId: holder?.id ?? null } }),
    end: () => ({
      ...accepted,
      endedAtMs: nowMs,
      row: { ...row, ...(decision.kind === 'end' && decision.ending) },
    }),
  }
  return { ...house, openings: { ...house.openings, [id]: decided[decision.kind]() } }
}

/** One transaction of `grants.ts`. Its answer may or may not arrive. */
export function receiveClaim(cores: Cores, house: House, to: SentClaim): House {
  const { bootId, gatewayId, nonce, openingId } = to
  const opening = house.openings[openingId]
  // Any other boot is refused, or is challenged and claims again.
  if (house.boots[gatewayId]?.known !== bootId || !opening) return house
  const ageMs = ageOf(house, opening)
  const facts = {
    claim: to,
    opening: opening.row,
    ageMs,
    grantWithinMs,
    isOwnerGone: false,
    denied: undefined,
    mayCall: true,
  }
  const { kind } = cores.decideClaim(facts)
  const next =
    kind === 'grant'
      ? withRow(house, openingId, { gatewayId, bootId, grantNonce: nonce, grantedProfile: '{}' })
      : house
  const granted = kind === 'grant' || kind === 'repeat'
  const isSaid = house.grants.some(one => one.to.nonce === nonce && one.granted === granted)
  return isSaid ? next : { ...next, grants: [...next.grants, { to, granted }] }
}

/**
 * One transaction of `exchange.report`; with `isAcknowledged` its answer arrives, and the gateway removes the report from its
 * journal.
 */
export function receiveReport(cores: Cores, house: House, sent: SentReport, isAcknowledged: boolean): House {
  const { bootId, gatewayId, key, openingId, report } = sent
  let next = house
  if (!house.applied.includes(key)) {
    const decision = cores.decideReport(house.openings[openingId]?.row, { gatewayId, bootId }, report)
    if (decision.kind === 'connect') next = withRow(next, openingId, { status: 'connected' })
    if (decision.kind === 'end') {
      const { end, ending } = decision
      next = endOpening(cores, next, openingId, { end, ending })
    }
    if (decision.kind !== 'refuse') next = { ...next, applied: [...next.applied, key].sort() }
  }
  if (!isAcknowledged) return next
  const gateway = gatewayOf(next, gatewayId)
  const unacknowledged = gateway.unacknowledged.filter(one => one.key !== key)
  return { ...next, gateways: { ...next.gateways, [gatewayId]: { ...gateway, unacknowledged } } }
}

/** A beat arrives: openings that were granted to an older boot and are in no journal have been lost (`gatewayBoots.ts`). */
export function receiveBeat(cores: Cores, house: House, gatewayId: string): House {
  const { boot, intents, unacknowledged } = gatewayOf(house, gatewayId)
  const bootId = bootOf(gatewayId, boot)
  let next = withBoot(house, gatewayId, bootId)
  if (!next) return house
  const toReport = [...intents, ...unacknowledged.map(({ openingId }) => openingId)]
  for (const { row } of Object.values(house.openings)) {
    const isOrphan = row.gatewayId === gatewayId && row.bootId !== bootId && !toReport.includes(row.id)
    if (!isOrphan || !isRunning(row)) continue
    const ending = endingUnknown('outcome_unknown')
    next = endOpening(cores, next, row.id, { end: 'journalLost', ending })
  }
  return next
}

/** The ends by time (`openingEnds.ts`). Each may come at any time after its limit. */
export function timeEnds(cores: Cores, house: House, id: string): House[] {
  const opening = house.openings[id]
  const ageMs = opening && ageOf(house, opening)
  if (!opening || ageMs === undefined) return []
  const { row } = opening
  const unreported = { end: 'unreported', ending: endingUnknown('no_report') } as const
  const timedOut = (of: House) => (isRunning(row) ? endOpening(cores, of, id, unreported) : of)
  return [
    ...(ageMs >= grantWithinMs && isUngranted(row)
      ? [
          endOpening(cores, house, id, {
            end: 'unclaimed',
            ending: endingUndialled('gateway_offline'),
          }),
        ]
      : []),
    ...(ageMs >= terminalWithinMs && isRunning(row) ? [timedOut(house)] : []),
    ...(ageMs >= lockedAtMostMs && row.lockedNumber !== null
      ? [withRow(timedOut(house), id, { lockedNumber: null })]
      : []),
  ]
}

/** The cloud restarts without its memory: it ends openings without a grant, and waits for the others. */
export function restartCloud(cores: Cores, house: House): House {
  const { restarts } = house
  let next: House = { ...house, restarts: { ...restarts, cloud: restarts.cloud + 1 } }
  for (const [id, opening] of Object.entries(next.openings)) {
    const since = Math.min(house.nowMs - opening.calledAtMs, terminalWithinMs - terminalAfterRestartMs)
    const { row } = opening
    const isTaken =
      (isRunning(row) || row.lockedNumber !== null) && row.joinedOpeningId === null && !isUngranted(row)
    const acceptedAtMs = isTaken ? house.nowMs - since : undefined
    next = { ...next, openings: { ...next.openings, [id]: { ...opening, acceptedAtMs } } }
  }
  for (const { row } of Object.values(next.openings)) {
    if (!isUngranted(row)) continue
    const ending = endingUndialled('interrupted')
    next = endOpening(cores, next, row.id, { end: 'interrupted', ending })
  }
  return next
}
