// Checks of the calls of a simulation: how many, when, by which gateway, and how long.

import { claimFreshMs, grantWithinMs } from '@callgate/contract/wire/timing'
import { openingOf, overlapMs, pressedMs } from './attribution.ts'
import { mayCallBeside } from './spaceChecks.ts'
import type { Call, Dial, Gateway, Row, Truth } from './truth.ts'

/** Promise P1: no opening has two ATDs, and no modem places a call without an ATD. */
function calledOnce(truth: Truth): string[] {
  const ids = truth.dials.map(dial => openingOf(truth, dial)?.id)
  const again = new Set(ids.filter((id, at) => id !== undefined && ids.indexOf(id) !== at))
  const places = new Set(truth.calls.map(({ gatewayId, phoneNumber }) => `${gatewayId} ${phoneNumber}`))
  const counted = [...places].map(place => {
    const isHere = (one: Pick<Call, 'gatewayId' | 'phoneNumber'>) =>
      `${one.gatewayId} ${one.phoneNumber}` === place
    return { place, calls: truth.calls.filter(isHere).length, dials: truth.dials.filter(isHere).length }
  })
  return [
    ...[...again].map(id => `P1: ${id} was called ${ids.filter(one => one === id).length} times`),
    ...counted
      .filter(({ calls, dials }) => calls > dials)
      .map(({ calls, dials, place }) => `P1: ${place} had ${calls} calls for ${dials} ATD`),
  ]
}

/** Promise P1: an Idempotency-Key makes one opening, whatever its wall clocks show. */
function openedOncePerKey({ keyed, rows }: Truth): string[] {
  const kept = keyed.filter(({ openingId }) => rows.some(({ id }) => id === openingId))
  return [...new Set(kept.map(({ key }) => key))].flatMap(key => {
    const { length } = kept.filter(one => one.key === key)
    return length > 1 ? [`P1: the Idempotency-Key ${key} has made ${length} openings`] : []
  })
}

/** The first message of the claim that was granted for an opening. */
function claimOf({ sent }: Truth, opening: Row) {
  return sent.find(
    ({ kind, nonce, openingId }) =>
      kind === 'claim' && openingId === opening.id && nonce === opening.grantNonce,
  )
}

/** How long the gateway's machine stood still between the claim and `toMs`. No program on it can measure that. */
export function unseenMs(truth: Truth, opening: Row, toMs: number): number {
  const { stood = [] } = truth.gateways.find(({ gatewayId }) => gatewayId === opening.gatewayId) ?? {}
  return overlapMs(stood, claimOf(truth, opening)?.atMs ?? toMs, toMs)
}

/** Promise P2, for the time when each ATD was written, and when the modem read it, unless the modem was asleep. */
function calledInTime(truth: Truth): string[] {
  const read = truth.calls.filter(({ isSleptOver }) => !isSleptOver)
  const times = [...truth.dials, ...read.map(call => ({ ...call, atMs: call.readMs }))]
  const late = times.flatMap(({ atMs, gatewayId, phoneNumber }) => {
    const opening = openingOf(truth, { atMs, gatewayId, phoneNumber })
    const ageMs = opening ? atMs - pressedMs(truth, opening) - unseenMs(truth, opening, atMs) : 0
    return ageMs > (grantWithinMs + claimFreshMs) * (1 + truth.drift)
      ? [`P2: ${opening?.id} was called ${ageMs} ms after its press`]
      : []
  })
  return [...new Set(late)]
}

/**
 * Whether bytes during a dial are allowed here: the dial is of the daemon before, and the new daemon's first commands end
 * it. The modem may have missed the first of them.
 */
function endsAnEarlierDial(
  truth: Truth,
  { gatewayId, starts, couldNotHangUp }: Gateway,
  atMs: number,
): boolean {
  const dialMs = truth.dials.filter(dial => dial.gatewayId === gatewayId && dial.atMs <= atMs).at(-1)?.atMs
  return (
    starts.some(start => dialMs !== undefined && start.atMs > dialMs && start.atMs <= atMs) &&
    couldNotHangUp.some(({ fromMs, toMs }) => fromMs <= atMs && atMs <= toMs)
  )
}

function lineRespected(truth: Truth): string[] {
  return truth.gateways.flatMap(gateway =>
    gateway.violations
      .filter(
        ({ atMs, violation }) => violation !== 'byte_during_dial' || !endsAnEarlierDial(truth, gateway, atMs),
      )
      .map(({ atMs, violation }) => `P5: ${violation} at ${atMs} ms`),
  )
}

/** Whether the gateway's machine stood still during the call or just before. Then the call may outlast the lock of its number. */
function isProlonged(truth: Truth, call: Call, atMs: number): boolean {
  const opening = openingOf(truth, call)
  return opening !== undefined && unseenMs(truth, opening, atMs) > 0
}

/** The cool-down of the profiles is 5 s from the recorded end, and the call may really end up to 1 s later. */
const restAtLeastMs = 4_000

/**
 * Whether the clock of the clouds' database was set back while the opening ran. Then its end is dated by its press, and
 * no other cloud knows when it was; the page of the promises says so.
 */
function isDatedWrong(truth: Truth, call: Call): boolean {
  const opening = openingOf(truth, call)
  const endedMs = opening && truth.ends.get(opening.id)
  return truth.databaseSetBackMs.some(
    atMs => opening && atMs >= opening.begunMs && atMs <= (endedMs ?? Number.POSITIVE_INFINITY),
  )
}

/**
 * Whether that clock was set while the opening ran, and the cloud that took the press of the next call has begun only after
 * that, or its machine stood still then. Its end is dated by a clock that this cloud has not seen; the page of the promises says so.
 */
function isDatedUnseen(truth: Truth, call: Call, next: Call): boolean {
  const [opening, pressed] = [openingOf(truth, call), openingOf(truth, next)]
  const endedMs = (opening && truth.ends.get(opening.id)) ?? Number.POSITIVE_INFINITY
  const seenFromMs = (pressed && truth.cloudBegunMs?.get(pressed.id)) ?? 0
  return truth.clockSetMs.some(
    atMs => opening && opening.begunMs <= atMs && atMs <= Math.min(endedMs, seenFromMs),
  )
}

/** Whether these are calls of two Spaces, and one of them did not keep the number for the other any more. */
function isBeside(truth: Truth, call: Call, next: Call): boolean {
  const [one, other] = [openingOf(truth, call), openingOf(truth, next)]
  return one !== undefined && other !== undefined && mayCallBeside(truth, one, other)
}

/** Promise P5: only one call at a time to a gate, from any gateway, and none while the gate still moves. */
function oneAtATime(truth: Truth): string[] {
  const { calls } = truth
  return calls.flatMap(call => {
    const others = calls.filter(
      other =>
        other.phoneNumber === call.phoneNumber &&
        other.readMs < call.readMs &&
        !isProlonged(truth, other, call.readMs),
    )
    const what = `${call.phoneNumber} was called at ${call.readMs} ms`
    return others.flatMap(other => {
      if (isBeside(truth, other, call)) return []
      const { endedAtMs = Number.POSITIVE_INFINITY, relayFired } = other
      if (endedAtMs > call.readMs) return [`P5: ${what}, and another call was not over`]
      const restMs = call.readMs - endedAtMs
      const isTooSoon = relayFired && restMs < restAtLeastMs && !isDatedWrong(truth, other)
      return isTooSoon && !isDatedUnseen(truth, other, call)
        ? [`P5: ${what}, ${restMs} ms after it had opened`]
        : []
    })
  })
}

/** The cloud waits 90 s for a verdict. When the modem sleeps so long, the gateway reports that the outcome is unknown. */
export const unknownAfterMs = 80_000
/** A gateway counts whole milliseconds. */
const grainMs = 1

/**
 * Promise P6: until the modem has read the ATD, its gateway claims no other opening, and reports no end of this one except
 * an unknown outcome.
 */
function reportedAfterRead(truth: Truth): string[] {
  return truth.calls.flatMap(call => {
    const opening = openingOf(truth, call)
    return truth.sent
      .filter(({ atMs, gatewayId }) => gatewayId === call.gatewayId && atMs > call.atMs && atMs < call.readMs)
      .filter(({ atMs, bootId, kind, opened, openingId, phase }) => {
        if (kind === 'claim') return openingId !== opening?.id
        const isEnd = phase === 'ended' || phase === 'not_dialled'
        const isUnknown =
          opened === 'unknown' && atMs - call.atMs > unknownAfterMs * (1 - truth.drift) - grainMs
        return openingId === opening?.id && bootId === opening?.bootId && isEnd && !isUnknown
      })
      .map(({ atMs, kind }) => `P6: a ${kind} at ${atMs} ms, and the ATD of ${opening?.id} was not read yet`)
  })
}

const longestCallMs = 60_000

/** The time that a start of the daemon and its hang-up need. */
const hangUpMs = 5_000

/** The length of a call, without the time in which its gateway could not hang up. */
function heldMsOf({ atMs, gateways }: Truth, { endedAtMs, gatewayId, readMs }: Call): number {
  const endMs = endedAtMs ?? atMs
  const { couldNotHangUp = [] } = gateways.find(gateway => gateway.gatewayId === gatewayId) ?? {}
  let heldMs = 0
  let fromMs = readMs
  for (const span of [...couldNotHangUp].sort((a, b) => a.fromMs - b.fromMs)) {
    heldMs += Math.max(0, Math.min(span.fromMs, endMs) - fromMs)
    fromMs = Math.max(fromMs, span.toMs)
  }
  return heldMs + Math.max(0, endMs - fromMs)
}

function hungUp(truth: Truth): string[] {
  return truth.calls.flatMap(call => {
    const heldMs = heldMsOf(truth, call)
    return heldMs > longestCallMs + hangUpMs
      ? [`P7: call ${call.callId} of ${call.phoneNumber} lasted ${heldMs} ms`]
      : []
  })
}

/** Promise P8: a gateway dials only with the INTENT on its disk, and only with a fresh claim. */
function dialledWithoutDoubt(truth: Truth): string[] {
  return truth.dials.flatMap(dial => {
    const opening = openingOf(truth, dial)
    if (!opening) return []
    const claim = claimOf(truth, opening)
    const unseen = unseenMs(truth, opening, dial.atMs)
    const ageMs = claim ? dial.atMs - claim.atMs - unseen : Number.POSITIVE_INFINITY
    return [
      ...(dial.intents.has(opening.id)
        ? []
        : [`P8: ${opening.id} was dialled without an INTENT on the disk`]),
      ...(ageMs <= claimFreshMs * (1 + truth.drift)
        ? []
        : [`P8: ${opening.id} was dialled ${ageMs} ms after its claim`]),
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

export const callChecks = [
  calledOnce,
  openedOncePerKey,
  calledInTime,
  lineRespected,
  oneAtATime,
  reportedAfterRead,
  hungUp,
  dialledWithoutDoubt,
  grantedBefore,
]
