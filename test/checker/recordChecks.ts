// Checks of the records of openings: none is lost, and none says anything untrue.

import { openingOf, overlapMs } from './attribution.ts'
import type { Call, Facts, GatewayFacts, Span } from './facts.ts'

/** Promise A1: every accepted opening is still recorded, and there are not more records than presses. */
function nothingLost({ accepted, presses, rows }: Facts): string[] {
  return [
    ...accepted
      .filter(({ openingId }) => !rows.some(row => row.id === openingId))
      .map(({ openingId }) => `A1: ${openingId} was accepted and is gone`),
    ...(rows.length > presses ? [`A1: ${rows.length} records for ${presses} presses`] : []),
  ]
}

/** The time from an ATD to the soonest reaction of a gate, as the verdict counts it. */
const soonestReactionMs = 4_000

/**
 * Whether the gateway missed output of the modem during this call while its machine and its clocks stalled, and by these clocks
 * the call ended before a gate could react. The line lost a report, or the modem does not report the ringing, or reports nothing
 * and was not asked meanwhile.
 * No program on that machine can know of it, as the page of the promises says.
 */
function wasDeaf({ gateways }: Facts, call: Call): boolean {
  const { atMs: writtenMs, endedAtMs, gatewayId, isRingingUntold = false, readMs } = call
  if (endedAtMs === undefined) return false
  const gateway = gateways.find(one => one.gatewayId === gatewayId)
  if (!gateway) return false
  const { lostReplies, reportsCalls, stood } = gateway
  const isWithin = (atMs: number, { fromMs, toMs }: Span) => fromMs <= atMs && atMs <= toMs
  const isLost = lostReplies.some(
    atMs => isWithin(atMs, { fromMs: readMs, toMs: endedAtMs }) && stood.some(span => isWithin(atMs, span)),
  )
  const stalledMs = overlapMs(stood, writtenMs, endedAtMs)
  const isUnasked = (!reportsCalls || isRingingUntold) && stalledMs > 0
  return (isLost || isUnasked) && endedAtMs - writtenMs - stalledMs < soonestReactionMs
}

/** Reasons that mean that nothing was dialled. */
const undialled = ['not_dialled', 'interrupted', 'gateway_offline', 'modem_busy', 'modem_not_ready']

/** Promise A3: a verdict may be in doubt, and is then unknown. Whatever else it says must be true. */
function recordedTruly(facts: Facts): string[] {
  const sure = facts.gatesTellAll ? ['certain', 'likely', 'assumed'] : ['certain', 'likely']
  return facts.rows.flatMap(row => {
    if (row.joinedOpeningId !== null) return []
    const recorded = (what: string) => [`A3: ${row.id} is recorded as ${what}`]
    const isDialled = facts.dials.some(dial => openingOf(facts, dial)?.id === row.id)
    const moving = facts.calls.filter(call => call.relayFired && openingOf(facts, call)?.id === row.id)
    const isHeard = moving.length > 0 && !moving.every(call => wasDeaf(facts, call))
    if (row.status === 'completed' && !isDialled) return recorded('opened, and nothing was dialled')
    if (isDialled && undialled.includes(row.reason ?? ''))
      return recorded(`${row.reason}, and it was dialled`)
    if (isHeard && row.safeToRetry === 1) return recorded('safe to retry, and the gate moved')
    if (!sure.includes(row.confidence ?? '')) return []
    if (isHeard && row.opened === 'no') return recorded('not opened, and the gate moved')
    // A reject of the gate leaves the same signs then, as the page of the promises says.
    const isEndUntold =
      row.confidence !== 'certain' &&
      facts.calls.some(call => call.isEndUntold && openingOf(facts, call)?.id === row.id)
    return row.status === 'completed' && moving.length === 0 && !isEndUntold
      ? recorded('opened, and the gate did not move')
      : []
  })
}

/**
 * Whether a report that was sent at `atMs` may have been missing on the disk when the daemon started again. The daemon sends
 * a report before it is written, and before a failed write is tried again.
 */
function mayBeLost({ badDisk, starts }: GatewayFacts, atMs: number): boolean {
  const isBad = badDisk.some(({ fromMs, toMs }) => fromMs <= atMs && atMs <= toMs)
  return starts.some(
    start => start.atMs >= atMs && (start.leftover !== 'kept' || isBad || start.diedMs === atMs),
  )
}

/** Promise A3: a record says what the gateway reported, unless the report was lost with a journal. */
function recordedAsReported(facts: Facts): string[] {
  return facts.rows.flatMap(({ bootId, gatewayId, id, joinedOpeningId, reason, status }) => {
    if (gatewayId === null || joinedOpeningId !== null) return []
    // A later boot that reports that it did not dial means its own claim.
    const ends = facts.sent.filter(
      ({ phase, ...message }) =>
        message.gatewayId === gatewayId &&
        message.openingId === id &&
        (phase === 'ended' || (phase === 'not_dialled' && message.bootId === bootId)),
    )
    const words = ends.map(end => end.reason ?? end.phase)
    if (words.includes(reason ?? undefined)) return []
    if (status === 'completed') return [`A3: ${id} is recorded as ${reason}, which no gateway has reported`]
    const by = facts.gateways.find(gateway => gateway.gatewayId === gatewayId)
    return ends.every(({ atMs }) => by && mayBeLost(by, atMs))
      ? []
      : [`A3: ${id} is recorded as ${reason}, and its gateway reported ${words.join(', ')}`]
  })
}

/** Promise A2: nothing runs any more. */
const over = ({ rows }: Facts) =>
  rows.flatMap(({ id, status }) =>
    status === 'initiated' || status === 'connected' ? [`A2: ${id} is still ${status}`] : [],
  )

export const recordChecks = [nothingLost, over, recordedTruly, recordedAsReported]
