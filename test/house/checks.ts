// What must hold after every seed (design: safety.md, section 4), judged from plain facts.

import { claimFreshMs, grantWithinMs, terminalWithinMs } from '@callgate/contract/timing'
import type { Call, Dial, Row, Truth } from './truth.ts'

/** The monotonic time of what a row says. */
const msOf = ({ epochMs }: Truth, iso: string) => Date.parse(iso) + epochMs

/** The granted opening that a call belongs to: the last one granted for its number before it was dialled. */
function openingOf(truth: Truth, { atMs, phoneNumber }: Pick<Call, 'atMs' | 'phoneNumber'>): Row | undefined {
  return truth.rows
    .flatMap(row => (row.grantedAt ? [{ row, grantedMs: msOf(truth, row.grantedAt) }] : []))
    .filter(({ grantedMs, row }) => row.phoneNumber === phoneNumber && grantedMs <= atMs)
    .sort((a, b) => b.grantedMs - a.grantedMs)[0]?.row
}

function calledOnce(truth: Truth): string[] {
  const ids = truth.dials.map(dial => openingOf(truth, dial)?.id)
  const again = new Set(ids.filter((id, at) => id !== undefined && ids.indexOf(id) !== at))
  return [...again].map(id => `P1: ${id} was called ${ids.filter(one => one === id).length} times`)
}

function calledInTime(truth: Truth): string[] {
  return truth.dials.flatMap(dial => {
    const opening = openingOf(truth, dial)
    const ageMs = opening ? dial.atMs - msOf(truth, opening.calledAt) : 0
    return ageMs > grantWithinMs + claimFreshMs
      ? [`P2: ${opening?.id} was called ${ageMs} ms after its press`]
      : []
  })
}

/** Any grant after the change had been committed. */
function noGrantAfter(truth: Truth): string[] {
  return truth.forbidden.flatMap(({ atMs, change, of }) => {
    const conditions = Object.entries(of)
    const isMeant = (row: Row) => conditions.every(([key, value]) => row[key as keyof typeof of] === value)
    return truth.rows
      .filter(row => conditions.length > 0 && isMeant(row))
      .filter(({ grantedAt }) => grantedAt !== null && msOf(truth, grantedAt) > atMs)
      .map(({ id }) => `P3: ${id} was granted after: ${change}`)
  })
}

function lineRespected({ gateways }: Truth): string[] {
  return gateways.flatMap(({ violations }) =>
    violations.map(({ atMs, violation }) => `P5: ${violation} at ${atMs} ms`),
  )
}

/** Until the modem has read the ATD, its gateway tells no end of it and claims nothing else. */
function toldWhenOver(truth: Truth): string[] {
  return truth.calls.flatMap(call => {
    const opening = openingOf(truth, call)
    return truth.said
      .filter(({ atMs, gatewayId }) => gatewayId === call.gatewayId && atMs > call.atMs && atMs < call.readMs)
      .filter(({ bootId }) => bootId === opening?.bootId)
      .filter(({ kind, openingId, phase }) =>
        kind === 'claim'
          ? openingId !== opening?.id
          : openingId === opening?.id && (phase === 'ended' || phase === 'not_dialled'),
      )
      .map(({ atMs, kind }) => `P6: a ${kind} at ${atMs} ms, and the ATD of ${opening?.id} was not read yet`)
  })
}

const longestCallMs = 60_000
/** What a start of the daemon and its hang-up take. */
const hangUpMs = 5_000

/** A call's length, without the time in which its gateway could not end it. */
function ablyHeldMs({ atMs, gateways }: Truth, { endedAtMs, gatewayId, readMs }: Call): number {
  const endMs = endedAtMs ?? atMs
  const { unable = [] } = gateways.find(gateway => gateway.gatewayId === gatewayId) ?? {}
  let heldMs = 0
  let fromMs = readMs
  for (const span of [...unable].sort((a, b) => a.fromMs - b.fromMs)) {
    heldMs += Math.max(0, Math.min(span.fromMs, endMs) - fromMs)
    fromMs = Math.max(fromMs, span.toMs)
  }
  return heldMs + Math.max(0, endMs - fromMs)
}

function hungUp(truth: Truth): string[] {
  return truth.calls.flatMap(call => {
    const heldMs = ablyHeldMs(truth, call)
    return heldMs > longestCallMs + hangUpMs
      ? [`P7: call ${call.callId} of ${call.phoneNumber} lasted ${heldMs} ms`]
      : []
  })
}

/** Whoever dials has the INTENT on the disk, and a claim that is fresh. */
function dialledWithoutDoubt(truth: Truth): string[] {
  return truth.dials.flatMap(dial => {
    const opening = openingOf(truth, dial)
    if (!opening) return []
    const claim = truth.said.find(
      ({ kind, nonce, openingId }) =>
        kind === 'claim' && openingId === opening.id && nonce === opening.grantNonce,
    )
    const ageMs = claim ? dial.atMs - claim.atMs : Number.POSITIVE_INFINITY
    return [
      ...(dial.intents.has(opening.id)
        ? []
        : [`P8: ${opening.id} was dialled without an INTENT on the disk`]),
      ...(ageMs <= claimFreshMs ? [] : [`P8: ${opening.id} was dialled ${ageMs} ms after its claim`]),
    ]
  })
}

function grantedBefore(truth: Truth): string[] {
  return truth.dials.flatMap((dial: Dial) => {
    const opening = openingOf(truth, dial)
    const what = `the dial of ${dial.phoneNumber} at ${dial.atMs} ms`
    if (!opening) return [`A1, G2: ${what} has no granted opening`]
    return opening.gatewayId === dial.gatewayId
      ? []
      : [`A1, G2: ${what} came from a gateway that was not granted`]
  })
}

/** What a client was told of is still there. */
function nothingLost({ accepted, rows }: Truth): string[] {
  return accepted
    .filter(id => !rows.some(row => row.id === id))
    .map(id => `A1: ${id} was accepted and is gone`)
}

/** Everything has ended once the house has been whole for 90 s, and nothing took longer than the cloud allows. */
function ended(truth: Truth): string[] {
  return truth.rows.flatMap(({ calledAt, completedAt, id, status }) => {
    if (status === 'initiated' || status === 'connected') return [`A2: ${id} is still ${status}`]
    // It had ended in time, as a timeout; what a late truth says of when is another matter.
    if (truth.corrected.includes(id)) return []
    const tookMs = completedAt ? msOf(truth, completedAt) - msOf(truth, calledAt) : 0
    return tookMs > terminalWithinMs + truth.downMs + 5_000 ? [`A2: ${id} ended after ${tookMs} ms`] : []
  })
}

function reported({ gateways }: Truth): string[] {
  return gateways.flatMap(({ isReady, left, name }) => [
    ...left.map(id => `A3: ${name} has not reported ${id}`),
    ...(isReady ? [] : [`A3: ${name} is not back`]),
  ])
}

function toldTrue(truth: Truth): string[] {
  return truth.rows.flatMap(row => {
    const isSure = row.confidence === 'certain' || row.confidence === 'likely'
    if (row.joinedOpeningId !== null || !isSure) return []
    const hasMoved = truth.calls.some(call => call.relayFired && openingOf(truth, call)?.id === row.id)
    if (hasMoved && row.opened === 'no') return [`A3: ${row.id} is told as not opened, and the gate moved`]
    return row.status === 'completed' && !hasMoved
      ? [`A3: ${row.id} is told as opened, and the gate did not move`]
      : []
  })
}

/** Counters are what a recount gives; a joined opening is not counted. */
function countedRight({ accesses, gates, rows }: Truth): string[] {
  const leading = rows.filter(({ joinedOpeningId }) => joinedOpeningId === null)
  return [
    ...gates.flatMap(({ id, openCount }) => {
      const count = leading.filter(row => row.gateId === id && row.status === 'completed').length
      return count === openCount ? [] : [`A6: ${id} says ${openCount} openings, and had ${count}`]
    }),
    ...accesses.flatMap(({ id, usageCount }) => {
      const count = rows.filter(row => row.accessId === id && row.usageHeld).length
      return count === usageCount ? [] : [`A6: ${id} says ${usageCount} uses, and had ${count}`]
    }),
  ]
}

/** No guest had more calls than the cap that the access began with. */
function cappedCalls(truth: Truth): string[] {
  return truth.caps.flatMap(({ accessId, cap }) => {
    const count = truth.calls.filter(call => openingOf(truth, call)?.accessId === accessId).length
    return cap !== null && count > cap ? [`L1: ${accessId} had ${count} calls of at most ${cap}`] : []
  })
}

const judges = [
  calledOnce,
  calledInTime,
  noGrantAfter,
  lineRespected,
  toldWhenOver,
  hungUp,
  dialledWithoutDoubt,
  grantedBefore,
  nothingLost,
  ended,
  reported,
  toldTrue,
  countedRight,
  cappedCalls,
]

/** Every violation, readable. */
export function check(truth: Truth): string[] {
  return judges.flatMap(judge => judge(truth))
}
