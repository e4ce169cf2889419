// A crowd that presses at all clouds at once: what must be exact over all of them, and what must hold when one is killed.

import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { terminalWithinMs } from '@callgate/contract/wire/timing'
import type { Clouds } from './clouds.ts'
import { guestsOf } from './guests.ts'
import { type Answered, answered, press } from './press.ts'
import { newTenant, type Tenant } from './tenants.ts'

interface Opening {
  readonly id: string
  readonly gateId: string
  readonly accessId: string | null
  readonly status: string
  readonly reason: string | null
  readonly calledAt: string
  readonly grantedAt: string | null
  readonly completedAt: string | null
  readonly joinedOpeningId: string | null
}

export interface Outcome {
  readonly figures: readonly string[]
  /** The violations, in words. */
  readonly violations: readonly string[]
}

const numbersTo = (count: number) => Array.from({ length: count }, (_, place) => place)
const openingsOf = ({ database }: Clouds, tenants: readonly Tenant[]): Promise<Opening[]> =>
  database.knex('openings').whereIn(
    'spaceId',
    tenants.map(({ spaceId }) => spaceId),
  )

/** Waits until every opening has ended. */
async function allEnded(clouds: Clouds, tenants: readonly Tenant[]): Promise<readonly Opening[]> {
  const endMs = performance.now() + terminalWithinMs + 10_000
  for (;;) {
    const openings = await openingsOf(clouds, tenants)
    if (openings.every(({ completedAt }) => completedAt !== null) || performance.now() > endMs)
      return openings
    await pause(500)
  }
}

const tally = (words: readonly (string | number | null)[]) =>
  [...new Set(words)].map(word => `${word} ${words.filter(one => one === word).length}`).join(', ')

/** How late a timer may be on a busy machine, in milliseconds. */
const marginMs = 5_000

/** Every opening has ended in time, each grant was for one opening, and no two calls to a gate ran at once. */
function checkOpenings(openings: readonly Opening[], { granted }: Clouds): string[] {
  const late = openings.flatMap(({ calledAt, completedAt, id }) => {
    const tookMs = Date.parse(completedAt ?? '') - Date.parse(calledAt)
    return tookMs <= terminalWithinMs + marginMs ? [] : [`${id} ended after ${tookMs} ms`]
  })
  const calls = openings.filter(({ grantedAt }) => grantedAt !== null)
  const unknown = calls.filter(({ id }) => !granted.has(id)).length
  const overlapping = calls.flatMap(one =>
    calls.some(
      other =>
        other !== one &&
        other.gateId === one.gateId &&
        (other.grantedAt ?? '') >= (one.grantedAt ?? '') &&
        (other.grantedAt ?? '') < (one.completedAt ?? ''),
    )
      ? [`two calls at once to ${one.gateId}`]
      : [],
  )
  const unreported = calls.filter(({ id, status }) => granted.has(id) && status !== 'completed')
  return [
    ...late,
    ...overlapping,
    ...unreported.map(({ id, reason }) => `${id} was called, and is recorded as ${reason}`),
    // A grant that did not reach its gateway is no call, and ends as such.
    ...(unknown > 0 && calls.some(({ id, status }) => !granted.has(id) && status === 'completed')
      ? ['completed without a call']
      : []),
  ]
}

/** The number of presses of one key in a minute that are accepted (`rateLimits` of the contract). */
const pressesOfKey = 10
const maxUsage = 2
const gateLimit = 7

interface CrowdTenants {
  readonly flights: readonly Tenant[]
  readonly rates: readonly Tenant[]
  readonly twins: readonly Tenant[]
  readonly capped: readonly Tenant[]
  readonly limited: Tenant
  readonly killed: readonly Tenant[]
}

/** The Spaces for the given number of hundreds of presses. */
async function furnish({ database }: Clouds, hundreds: number): Promise<CrowdTenants> {
  const several = async (count: number, keys: number, coolDownMs: number) => {
    const made: Tenant[] = []
    while (made.length < count) {
      const batch = numbersTo(Math.min(8, count - made.length))
      made.push(...(await Promise.all(batch.map(() => newTenant(database, { keys, coolDownMs })))))
    }
    return made
  }
  // Longer than all presses of one flight take, so that each of them joins the first.
  const longMs = 60_000
  return {
    flights: await several(4, 10 * hundreds, longMs),
    rates: await several(hundreds, 1, longMs),
    twins: await several(5 * hundreds, 1, longMs),
    capped: await several(2 * hundreds, 1, 0),
    limited: await newTenant(database, { keys: 2, coolDownMs: 0, gateLimit }),
    killed: await several(10 * hundreds, 10, longMs),
  }
}

/** How often requests were repeated, and why. */
const tallyFailures = (answers: readonly Answered[]) => {
  const failures = answers.flatMap(answer => answer.failures)
  return failures.length > 0 ? `; sent again ${failures.length} times: ${tally(failures)}` : ''
}

/**
 * Four gates, each pressed by many keys at once: one call each, and an answer for everybody. On a machine that is too busy a
 * cloud loses its lease. Its ungranted openings then end as `interrupted`, and a figure counts them.
 */
async function flight(clouds: Clouds, tenants: readonly Tenant[]): Promise<Outcome> {
  const pressed = tenants.flatMap(({ gateId, keys }) =>
    keys.map((key, at) => press(clouds, { at, gateId, key })),
  )
  const answers = await Promise.all(pressed)
  const openings = await openingsOf(clouds, tenants)
  const calls = openings.filter(({ grantedAt }) => grantedAt !== null).length
  const ends = tally(answers.map(({ status, why }) => `${status} ${why}`.trim()))
  const isWell = answers.every(({ status, why }) => status === 200 || why === 'interrupted')
  const violations = [
    ...(calls === tenants.length ? [] : [`single flight: ${calls} calls for ${tenants.length} gates`]),
    ...(isWell ? [] : [`single flight: ${ends}`]),
    ...(openings.length === answers.length
      ? []
      : [`single flight: ${openings.length} openings for ${answers.length} presses`]),
  ]
  return { figures: [`  single flight: ${ends}${tallyFailures(answers)}`], violations }
}

/** Twice as many presses of a key as it may have in a minute. One that is answered with 503 may have been counted. */
async function rate(clouds: Clouds, tenants: readonly Tenant[]): Promise<string[]> {
  const tried = tenants.map(async ({ gateId, keys: [key = ''] }) => {
    const presses = numbersTo(2 * pressesOfKey).map(at => press(clouds, { at, gateId, key }))
    const answers = await Promise.all(presses)
    const taken = answers.filter(({ status }) => status !== 429).length
    const again = answers.flatMap(({ failures }) => failures).length
    return taken <= pressesOfKey && taken + again >= pressesOfKey
      ? []
      : [`rate: ${taken} presses of a key were taken, and ${again} were to be sent again`]
  })
  return (await Promise.all(tried)).flat()
}

/** Four requests with one Idempotency-Key. */
async function twin(clouds: Clouds, tenants: readonly Tenant[]): Promise<string[]> {
  const tried = tenants.map(async ({ gateId, keys: [key = ''] }) => {
    const once = randomUUID()
    const answers = await Promise.all(numbersTo(4).map(at => press(clouds, { at, gateId, key, once })))
    const ids = new Set(answers.map(({ openingId, status }) => `${status} ${openingId}`))
    return ids.size === 1 ? [] : [`Idempotency-Key: answered ${[...ids].join(', ')}`]
  })
  const violations = (await Promise.all(tried)).flat()
  const made = (await openingsOf(clouds, tenants)).length
  return made === tenants.length
    ? violations
    : [...violations, `Idempotency-Key: ${made} openings for ${tenants.length} keys`]
}

/** Ten presses of a guest whose access may be used twice, each at the next cloud. */
async function cap(clouds: Clouds, tenants: readonly Tenant[]): Promise<string[]> {
  const guests = await guestsOf(clouds, tenants, maxUsage)
  await Promise.all(
    guests.flatMap((guest, place) =>
      numbersTo(pressesOfKey).map(() => guest.press(tenants[place]?.gateId ?? '')),
    ),
  )
  const openings = await allEnded(clouds, tenants)
  const spaces = tenants.map(({ spaceId }) => spaceId)
  const accesses: { id: string; usageCount: number | string }[] = await clouds.database
    .knex('accesses')
    .whereIn('spaceId', spaces)
  return accesses.flatMap(({ id, usageCount }) => {
    const calls = openings.filter(({ accessId, status }) => accessId === id && status === 'completed')
    const led = calls.filter(({ joinedOpeningId }) => joinedOpeningId === null).length
    return led >= 1 && led <= maxUsage && Number(usageCount) === led
      ? []
      : [`cap: ${led} calls, ${usageCount} counted`]
  })
}

/** Thirty gates at once in a Space that may have seven. */
async function limit({ baseUrls, database }: Clouds, { keys, spaceId }: Tenant): Promise<string[]> {
  const made = numbersTo(30).map(async at => {
    const headers = { authorization: `Bearer ${keys[at % keys.length]}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ name: `Gate ${at}`, phoneNumber: `+40722${String(100_000 + at)}` })
    const request = { method: 'POST', headers, body }
    return answered(tries => fetch(`${baseUrls[(at + tries) % baseUrls.length]}/api/v1/gates`, request))
  })
  const created = (await Promise.all(made)).filter(({ status }) => status === 201).length
  const gates = await database.knex('gates').where({ spaceId })
  return created === gateLimit - 1 && gates.length === gateLimit
    ? []
    : [`plan: ${gates.length} gates, ${created} created`]
}

/**
 * Ten presses of each gate at all clouds, of which one is killed as soon as a call runs. Its presses are answered by another one.
 */
async function killOne(clouds: Clouds, tenants: readonly Tenant[]): Promise<Outcome> {
  const { granted, parts } = clouds
  const before = granted.size
  const isCalled = 5
  const startedMs = performance.now()
  const pressed = tenants.flatMap(({ gateId, keys }) =>
    keys.map((key, at) => press(clouds, { at, gateId, key })),
  )
  while (granted.size < before + isCalled) {
    if (performance.now() > startedMs + terminalWithinMs) throw new Error('no gateway was granted a call')
    await pause(5)
  }
  parts[1]?.kill()
  const answers = await Promise.all(pressed)
  const answeredMs = performance.now() - startedMs
  const openings = await allEnded(clouds, tenants)
  const offline = openings.filter(({ reason }) => reason === 'gateway_offline').length
  const known = new Set(openings.map(({ id }) => id))
  const lost = answers.filter(({ openingId }) => openingId === undefined || !known.has(openingId))
  const longestMs = Math.max(
    ...openings.map(({ calledAt, completedAt }) => Date.parse(completedAt ?? '') - Date.parse(calledAt)),
  )
  return {
    figures: [
      `  one of ${parts.length} killed in mid-opening: ${answers.length} presses, all answered after ${(answeredMs / 1_000).toFixed(1)} s; ${tally(openings.map(({ reason }) => reason))}${tallyFailures(answers)}`,
      `  the longest opening lasted ${(longestMs / 1_000).toFixed(1)} s; ${granted.size - before} calls to ${tenants.length} gates`,
    ],
    violations: [
      ...(offline > 0 ? [`${offline} ended as gateway_offline, and every gateway was online`] : []),
      ...(lost.length > 0 ? [`lost: ${tally(lost.map(({ status }) => status))}`] : []),
      ...(openings.length === answers.length
        ? []
        : [`${openings.length} openings for ${answers.length} presses`]),
      ...checkOpenings(openings, clouds),
    ],
  }
}

/** The given number of hundreds of presses at once at all clouds, then as many while one is killed. */
export async function crowd(clouds: Clouds, hundreds: number): Promise<Outcome> {
  const { capped, flights, killed, limited, rates, twins } = await furnish(clouds, hundreds)
  const all = [...flights, ...rates, ...twins, ...capped, limited, ...killed]
  await clouds.connect(all.map(({ gatewayId }) => gatewayId))
  const startedMs = performance.now()
  const [flown, ...exact] = await Promise.all([
    flight(clouds, flights),
    rate(clouds, rates),
    twin(clouds, twins),
    cap(clouds, capped),
    limit(clouds, limited),
  ])
  const tookS = ((performance.now() - startedMs) / 1_000).toFixed(1)
  const openings = await allEnded(clouds, all)
  const rest = await killOne(clouds, killed)
  return {
    figures: [
      `  ${100 * hundreds} presses at once: answered in ${tookS} s; ${openings.filter(({ grantedAt }) => grantedAt !== null).length} calls`,
      ...flown.figures,
      ...rest.figures,
    ],
    violations: [
      ...new Set([
        ...flown.violations,
        ...exact.flat(),
        ...checkOpenings(openings, clouds),
        ...rest.violations,
      ]),
    ],
  }
}
