// What must hold after every seed, judged by rows, journals and the simulators' own logs (design: safety.md, section 4).

import { terminalWithinMs } from '@callgate/contract/timing'
import type { SimulatorState } from '@callgate/simulator/simulator'
import type { Forbidden } from './changes.ts'
import type { House } from './house.ts'
import type { GatewaySide } from './sides.ts'

export interface Row {
  readonly id: string
  readonly gateId: string
  readonly status: string
  readonly opened: string | null
  readonly confidence: string | null
  readonly phoneNumber: string
  readonly calledAt: string
  readonly completedAt: string | null
  readonly grantedAt: string | null
  readonly gatewayId: string | null
  readonly apiKeyId: string | null
  readonly accessId: string | null
  readonly joinedOpeningId: string | null
  readonly usageHeld: number
}

type Call = SimulatorState['calls'][number] & { readonly gatewayId: string }

/** What truly happened. Times are monotonic milliseconds of the house. */
export interface Truth {
  readonly rows: readonly Row[]
  readonly calls: readonly Call[]
  /** The granted opening that a call belongs to: the last one granted for its number before it. */
  openingOf(call: Call): Row | undefined
  /** The monotonic time of what a row says; the cloud's clock does not jump. */
  ms(iso: string): number
}

/** The same phone number belongs to one gate at a time, and is called once for a grant. */
export function truthOf(house: House): Truth {
  const { gateways, world } = house
  const rows = house.cloud().database.rows<Row>('select * from openings')
  const startMs = world.nowMs() - world.monotonicMs()
  const ms = (iso: string) => Date.parse(iso) - startMs
  const calls = gateways.flatMap(({ gatewayId, simulator }) =>
    simulator.state().calls.map(call => ({ ...call, gatewayId })),
  )
  return {
    rows,
    calls,
    ms,
    openingOf: call =>
      rows
        .filter(
          ({ grantedAt, phoneNumber }) =>
            phoneNumber === call.phoneNumber && grantedAt && ms(grantedAt) <= call.atMs,
        )
        .sort((a, b) => ms(b.grantedAt ?? '') - ms(a.grantedAt ?? ''))[0],
  }
}

/** Granted within 12 s, and fresh for 6 s after that. */
const dialWithinMs = 18_000

function calledOnce({ calls, openingOf }: Truth): string[] {
  const ids = calls.map(call => openingOf(call)?.id)
  const again = new Set(ids.filter((id, at) => id !== undefined && ids.indexOf(id) !== at))
  return [...again].map(id => `P1: ${id} was called ${ids.filter(one => one === id).length} times`)
}

function calledInTime({ calls, ms, openingOf }: Truth): string[] {
  return calls.flatMap(call => {
    const opening = openingOf(call)
    const ageMs = opening ? call.atMs - ms(opening.calledAt) : 0
    return ageMs > dialWithinMs ? [`P2: ${opening?.id} was called ${ageMs} ms after its press`] : []
  })
}

/** Any grant after the change had been committed. */
function noGrantAfter({ ms, rows }: Truth, forbidden: readonly Forbidden[]): string[] {
  return forbidden.flatMap(({ atMs, change, of }) => {
    const conditions = Object.entries(of)
    const isMeant = (row: Row) => conditions.every(([key, value]) => row[key as keyof typeof of] === value)
    return rows
      .filter(
        row => conditions.length > 0 && isMeant(row) && row.grantedAt !== null && ms(row.grantedAt) > atMs,
      )
      .map(({ id }) => `P3: ${id} was granted after: ${change}`)
  })
}

function lineRespected({ gateways }: House): string[] {
  return gateways.flatMap(({ simulator }) =>
    simulator.state().violationLog.map(({ atMs, violation }) => `P5: ${violation} at ${atMs} ms`),
  )
}

function recordedBefore({ calls, openingOf }: Truth): string[] {
  return calls.flatMap(call => {
    const opening = openingOf(call)
    const what = `call ${call.callId} of ${call.phoneNumber} at ${call.atMs} ms`
    if (!opening) return [`A1, G2: ${what} has no granted opening`]
    return opening.gatewayId === call.gatewayId
      ? []
      : [`A1, G2: ${what} came from a gateway that was not granted`]
  })
}

/** What a client was told of is still there. */
function nothingLost({ rows }: Truth, accepted: readonly string[]): string[] {
  return accepted
    .filter(id => !rows.some(row => row.id === id))
    .map(id => `A1: ${id} was accepted and is gone`)
}

/** Everything has ended once the house has been whole for 90 s. */
function ended({ rows }: Truth): string[] {
  return rows
    .filter(({ status }) => status === 'initiated' || status === 'connected')
    .map(({ id, status }) => `A2: ${id} is still ${status}`)
}

/** No opening that the cloud could end took longer; `downMs`: how long the cloud was away in all. */
function endedInTime({ ms, rows }: Truth, downMs: number): string[] {
  return rows.flatMap(({ calledAt, completedAt, id }) => {
    const tookMs = completedAt ? ms(completedAt) - ms(calledAt) : 0
    return tookMs > terminalWithinMs + downMs + 5_000 ? [`A2: ${id} ended after ${tookMs} ms`] : []
  })
}

/** The openings whose end stands in a running gateway's journal, or must, and is not acknowledged. */
export function leftToReport(gateway: GatewaySide): readonly string[] {
  const journal = gateway.life().isDead() ? undefined : gateway.journal()
  return [
    ...(journal?.unacknowledged().map(({ openingId }) => openingId) ?? []),
    ...(journal?.unfinished() ?? []),
  ]
}

function reported({ gateways }: House): string[] {
  return gateways.flatMap(gateway => [
    ...leftToReport(gateway).map(id => `A3: ${gateway.life().name} has not reported ${id}`),
    ...(gateway.isReady() ? [] : [`A3: ${gateway.life().name} is not back`]),
  ])
}

function toldTrue({ calls, openingOf, rows }: Truth): string[] {
  return rows.flatMap(row => {
    if (row.joinedOpeningId !== null) return []
    const hasMoved = calls.some(call => call.relayFired && openingOf(call)?.id === row.id)
    const isSure = row.confidence === 'certain' || row.confidence === 'likely'
    if (!isSure) return []
    if (hasMoved && row.opened === 'no') return [`A3: ${row.id} is told as not opened, and the gate moved`]
    return row.status === 'completed' && !hasMoved
      ? [`A3: ${row.id} is told as opened, and the gate did not move`]
      : []
  })
}

/** Counters are what a recount gives; a joined opening is not counted. */
function countedRight(house: House, { rows }: Truth): string[] {
  const { database } = house.cloud()
  const leading = rows.filter(({ joinedOpeningId }) => joinedOpeningId === null)
  const gates = database.rows<{ id: string; openCount: number }>('select id, "openCount" from gates')
  const accesses = database.rows<{ id: string; usageCount: number }>('select id, "usageCount" from accesses')
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
function cappedCalls(house: House, { calls, openingOf }: Truth, caps: readonly (number | null)[]): string[] {
  return house.ids.guests.flatMap(({ accessId }, place) => {
    const cap = caps[place] ?? Number.POSITIVE_INFINITY
    const count = calls.filter(call => openingOf(call)?.accessId === accessId).length
    return count > cap ? [`L1: ${accessId} had ${count} calls of at most ${cap}`] : []
  })
}

/** What was written down while the seed ran. */
export interface SeedRecord {
  readonly accepted: readonly string[]
  readonly forbidden: readonly Forbidden[]
  readonly caps: readonly (number | null)[]
  readonly downMs: number
}

/** Every violation, readable. */
export function check(house: House, record: SeedRecord): string[] {
  const truth = truthOf(house)
  return [
    ...calledOnce(truth),
    ...calledInTime(truth),
    ...noGrantAfter(truth, record.forbidden),
    ...lineRespected(house),
    ...recordedBefore(truth),
    ...nothingLost(truth, record.accepted),
    ...ended(truth),
    ...endedInTime(truth, record.downMs),
    ...reported(house),
    ...toldTrue(truth),
    ...countedRight(house, truth),
    ...cappedCalls(house, truth, record.caps),
  ]
}
