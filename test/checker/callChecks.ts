// Checks of calls: their number, time, gateway and length.

import { claimFreshMs, grantWithinMs } from '@callgate/contract/wire/timing'
import { claimOf, openingOf, pressedMs, unseenMs } from './attribution.ts'
import type { Call, Dial, Facts, GatewayFacts } from './facts.ts'
import { mayCallBeside } from './spaceChecks.ts'

/** Promise P1: no opening has two ATDs, and no modem places a call without an ATD. */
function calledOnce(facts: Facts): string[] {
  const ids = facts.dials.map(dial => openingOf(facts, dial)?.id)
  const again = new Set(ids.filter((id, at) => id !== undefined && ids.indexOf(id) !== at))
  const places = new Set(facts.calls.map(({ gatewayId, phoneNumber }) => `${gatewayId} ${phoneNumber}`))
  const counted = [...places].map(place => {
    const isHere = (one: Pick<Call, 'gatewayId' | 'phoneNumber'>) =>
      `${one.gatewayId} ${one.phoneNumber}` === place
    return { place, calls: facts.calls.filter(isHere).length, dials: facts.dials.filter(isHere).length }
  })
  return [
    ...[...again].map(id => `P1: ${id} was called ${ids.filter(one => one === id).length} times`),
    ...counted
      .filter(({ calls, dials }) => calls > dials)
      .map(({ calls, dials, place }) => `P1: ${place} had ${calls} calls for ${dials} ATD`),
  ]
}

/** Promise P1: an Idempotency-Key makes one opening, whatever the wall clocks show. */
function openedOncePerKey({ keyed, rows }: Facts): string[] {
  const kept = keyed.filter(({ openingId }) => rows.some(({ id }) => id === openingId))
  return [...new Set(kept.map(({ key }) => key))].flatMap(key => {
    const { length } = kept.filter(one => one.key === key)
    return length > 1 ? [`P1: the Idempotency-Key ${key} has made ${length} openings`] : []
  })
}

/** How much later than `dueMs` an ATD may come: a modem that stalls then reads it after the stall. */
export function graceMs(
  { gateways, marginMs }: Facts,
  { gatewayId }: Pick<Dial, 'gatewayId'>,
  dueMs: number,
): number {
  const { modemStood = [] } = gateways.find(gateway => gateway.gatewayId === gatewayId) ?? {}
  const stop = modemStood.find(({ fromMs, toMs }) => fromMs <= dueMs && dueMs <= toMs)
  return (stop ? stop.toMs - dueMs : 0) + marginMs
}

/** Promise P2, for the time when each ATD was written, and when the modem read it, unless the modem was asleep. */
function calledInTime(facts: Facts): string[] {
  const read = facts.calls.filter(({ isSleptOver }) => !isSleptOver)
  const times = [...facts.dials, ...read.map(call => ({ ...call, atMs: call.readMs }))]
  const late = times.flatMap(({ atMs, gatewayId, phoneNumber }) => {
    const opening = openingOf(facts, { atMs, gatewayId, phoneNumber })
    if (!opening) return []
    const ageMs = atMs - pressedMs(facts, opening)
    const inTimeMs = (grantWithinMs + claimFreshMs) * (1 + facts.drift) + unseenMs(facts, opening, atMs)
    return ageMs > inTimeMs + graceMs(facts, { gatewayId }, atMs - ageMs + inTimeMs)
      ? [`P2: ${opening.id} was called ${ageMs} ms after its press`]
      : []
  })
  return [...new Set(late)]
}

/**
 * Whether bytes during a dial are allowed here: an earlier daemon dialled, and the first commands of the new one end the dial.
 * The modem may have missed the first of them.
 */
function endsAnEarlierDial(
  facts: Facts,
  { gatewayId, starts, couldNotHangUp }: GatewayFacts,
  atMs: number,
): boolean {
  const dialMs = facts.dials.filter(dial => dial.gatewayId === gatewayId && dial.atMs <= atMs).at(-1)?.atMs
  return (
    starts.some(start => dialMs !== undefined && start.atMs > dialMs && start.atMs <= atMs) &&
    couldNotHangUp.some(({ fromMs, toMs }) => fromMs <= atMs && atMs <= toMs)
  )
}

function lineRespected(facts: Facts): string[] {
  return facts.gateways.flatMap(gateway =>
    gateway.violations
      .filter(
        ({ atMs, violation }) => violation !== 'byte_during_dial' || !endsAnEarlierDial(facts, gateway, atMs),
      )
      .map(({ atMs, violation }) => `P5: ${violation} at ${atMs} ms`),
  )
}

/** Whether the gateway's machine stalled during the call or just before. Then the call may outlast the lock of its number. */
function isProlonged(facts: Facts, call: Call, atMs: number): boolean {
  const opening = openingOf(facts, call)
  return opening !== undefined && unseenMs(facts, opening, atMs) > 0
}

/** The cool-down of the profiles is 5 s from the recorded end, and the call may really end up to 1 s later. */
const pauseAtLeastMs = 4_000

/**
 * Whether the clock of the clouds' database was set back while the opening ran. The end is then dated by the press, and no other
 * cloud knows the real time of it, as the page of the promises says.
 */
function isDatedWrong(facts: Facts, call: Call): boolean {
  const opening = openingOf(facts, call)
  const endedMs = opening && facts.ends.get(opening.id)
  return facts.databaseSetBackMs.some(
    atMs => opening && atMs >= opening.begunMs && atMs <= (endedMs ?? Number.POSITIVE_INFINITY),
  )
}

/**
 * Whether that clock was set while the opening ran, and the cloud of the next press started, or stopped stalling, only after
 * that. The end is dated by a clock that this cloud has not seen, as the page of the promises says.
 */
function isDatedUnseen(facts: Facts, call: Call, next: Call): boolean {
  const [opening, pressed] = [openingOf(facts, call), openingOf(facts, next)]
  const endedMs = (opening && facts.ends.get(opening.id)) ?? Number.POSITIVE_INFINITY
  const seenFromMs = (pressed && facts.cloudBegunMs?.get(pressed.id)) ?? 0
  return facts.clockSetMs.some(
    atMs => opening && opening.begunMs <= atMs && atMs <= Math.min(endedMs, seenFromMs),
  )
}

/** Whether these are calls of two Spaces of which one no longer locks the number for the other. */
function isBeside(facts: Facts, call: Call, next: Call): boolean {
  const [one, other] = [openingOf(facts, call), openingOf(facts, next)]
  return one !== undefined && other !== undefined && mayCallBeside(facts, one, other)
}

/** Promise P5: only one call at a time to a gate, from any gateway, and none while the gate still moves. */
function oneAtATime(facts: Facts): string[] {
  const { calls } = facts
  return calls.flatMap(call => {
    const others = calls.filter(
      other =>
        other.phoneNumber === call.phoneNumber &&
        other.readMs < call.readMs &&
        !isProlonged(facts, other, call.readMs),
    )
    const what = `${call.phoneNumber} was called at ${call.readMs} ms`
    return others.flatMap(other => {
      const { endedAtMs = Number.POSITIVE_INFINITY, relayFired } = other
      if (endedAtMs > call.readMs)
        return isBeside(facts, other, call) ? [] : [`P5: ${what}, and another call was not over`]
      const pauseMs = call.readMs - endedAtMs
      const isTooSoon = relayFired && pauseMs + facts.marginMs < pauseAtLeastMs && !isDatedWrong(facts, other)
      return isTooSoon && !isDatedUnseen(facts, other, call) && !isBeside(facts, other, call)
        ? [`P5: ${what}, ${pauseMs} ms after it had opened`]
        : []
    })
  })
}

/** The cool-down of the profiles, counted from the recorded end. */
const coolDownMs = 5_000

/** Promise P5, by the records: no ATD before the last call of the number and its cool-down are recorded as over. */
function calledAfterPause(facts: Facts): string[] {
  const inOrder = facts.dials.toSorted((one, other) => one.atMs - other.atMs)
  return inOrder.flatMap((dial, place) => {
    const before = inOrder.slice(0, place).findLast(({ phoneNumber }) => phoneNumber === dial.phoneNumber)
    const [opening, next] = [before && openingOf(facts, before), openingOf(facts, dial)]
    if (!opening || !next || opening === next || opening.recordedEndMs === undefined) return []
    const quietMs = opening.opened === 'no' ? 0 : coolDownMs
    const earlyMs = opening.recordedEndMs + quietMs - dial.atMs
    return earlyMs > facts.marginMs
      ? [`P5: ${next.id} was called ${earlyMs} ms too soon after ${opening.id}`]
      : []
  })
}

/** The cloud waits 90 s for a verdict. Where the modem sleeps that long, the gateway reports an unknown outcome. */
export const unknownAfterMs = 80_000
/** A gateway counts whole milliseconds. */
const grainMs = 1

/**
 * Promise P6: until the modem has read the ATD, its gateway claims no other opening, and reports no end of this one except an
 * unknown outcome.
 */
function reportedAfterRead(facts: Facts): string[] {
  return facts.calls.flatMap(call => {
    const opening = openingOf(facts, call)
    return facts.sent
      .filter(({ atMs, gatewayId }) => gatewayId === call.gatewayId && atMs > call.atMs && atMs < call.readMs)
      .filter(({ atMs, bootId, kind, opened, openingId, phase }) => {
        if (kind === 'claim') return openingId !== opening?.id
        const isEnd = phase === 'ended' || phase === 'not_dialled'
        const isUnknown =
          opened === 'unknown' && atMs - call.atMs > unknownAfterMs * (1 - facts.drift) - grainMs
        return openingId === opening?.id && bootId === opening?.bootId && isEnd && !isUnknown
      })
      .map(({ atMs, kind }) => `P6: a ${kind} at ${atMs} ms, and the ATD of ${opening?.id} was not read yet`)
  })
}

const longestCallMs = 60_000

/** The time of a daemon's start and its hang-up. */
const hangUpMs = 5_000

/** The length of a call, without the time in which its gateway could not hang up. */
function heldMsOf({ atMs, gateways }: Facts, { endedAtMs, gatewayId, readMs }: Call): number {
  const endMs = endedAtMs ?? atMs
  const { couldNotHangUp = [] } = gateways.find(gateway => gateway.gatewayId === gatewayId) ?? {}
  let heldMs = 0
  let fromMs = readMs
  for (const span of [...couldNotHangUp].sort((a, b) => a.fromMs - b.fromMs)) {
    heldMs += Math.max(0, Math.min(span.fromMs, endMs) - fromMs)
    fromMs = Math.max(fromMs, span.toMs)
  }
  // Both can be Infinity.
  return fromMs < endMs ? heldMs + endMs - fromMs : heldMs
}

function hungUp(facts: Facts): string[] {
  return facts.calls.flatMap(call => {
    const heldMs = heldMsOf(facts, call)
    return heldMs > longestCallMs + hangUpMs
      ? [`P7: call ${call.callId} of ${call.phoneNumber} lasted ${heldMs} ms`]
      : []
  })
}

/** Promise P8: a gateway dials only with the INTENT on its disk, and only with a fresh claim. */
function dialledWithoutDoubt(facts: Facts): string[] {
  return facts.dials.flatMap(dial => {
    const opening = openingOf(facts, dial)
    if (!opening) return []
    const claim = claimOf(facts, opening)
    const inTimeMs = claimFreshMs * (1 + facts.drift)
    const unseen = unseenMs(facts, opening, dial.atMs)
    const ageMs = claim ? dial.atMs - claim.atMs - unseen : Number.POSITIVE_INFINITY
    return [
      ...(dial.intents?.has(opening.id) === false
        ? [`P8: ${opening.id} was dialled without an INTENT on the disk`]
        : []),
      ...(ageMs <= inTimeMs + graceMs(facts, dial, dial.atMs - ageMs + inTimeMs)
        ? []
        : [`P8: ${opening.id} was dialled ${ageMs} ms after its claim`]),
    ]
  })
}

function grantedBefore(facts: Facts): string[] {
  return facts.dials.flatMap((dial: Dial) => {
    const opening = openingOf(facts, dial)
    const what = `the dial of ${dial.phoneNumber} at ${dial.atMs} ms`
    if (!opening) return [`A1, G2: ${what} has no granted opening`]
    return opening.gatewayId === dial.gatewayId
      ? []
      : [`A1, G2: ${what} came from a gateway that was not granted`]
  })
}

/** The checks that also hold where the records of a house are lost. */
export const modemChecks = [lineRespected, hungUp]

export const callChecks = [
  calledOnce,
  openedOncePerKey,
  calledInTime,
  ...modemChecks,
  oneAtATime,
  calledAfterPause,
  reportedAfterRead,
  dialledWithoutDoubt,
  grantedBefore,
]
