// A short key of everything that decides the future of a state: two states with the same key have the same future.

import type { Gateway, House, Opening, SentReport } from './modelledHouse.ts'

/** The highest ages that matter, of a hint, a claim, a number's lock and a cool-down, milliseconds. */
const hintMs = 12_001
const claimMs = 6_001
const openingMs = 100_001
const coolDownMs = 5_000

function ageOf(sinceMs: number | undefined, nowMs: number, mostMs: number): number | undefined {
  return sinceMs === undefined ? undefined : Math.min(mostMs, nowMs - sinceMs)
}

function textOfWork({ work }: Gateway['opener'], nowMs: number): string {
  if (!('claim' in work)) return work.phase
  const { firstSentAt, nonce, openingId } = work.claim
  const isJustSent = work.phase === 'claiming' && work.lastSentAt.monotonicMs === nowMs
  return `${work.phase} ${openingId} ${nonce} ${ageOf(firstSentAt.monotonicMs, nowMs, claimMs)} ${isJustSent}`
}

function textOfGateway(gateway: Gateway, nowMs: number): string {
  const { boot, dialledAtMs, due, intents, opener, reportCount, unacknowledged } = gateway
  const { claimsAt, hints, spent } = opener
  let text = `${boot} ${due} ${dialledAtMs} ${reportCount} ${intents} ${textOfWork(opener, nowMs)}`
  for (const { key } of unacknowledged) text += ` ${key}`
  for (const { heardAt, openingId } of hints)
    text += ` h ${openingId} ${ageOf(heardAt.monotonicMs, nowMs, hintMs)}`
  for (const { openingId, unanswered } of spent) text += ` s ${openingId} ${unanswered?.nonce}`
  // The steps of the clock are longer than the two seconds within which claims are limited.
  for (const { monotonicMs } of claimsAt) if (monotonicMs === nowMs) text += ' c'
  return text
}

function textOfOpening({ acceptedAtMs, calledAtMs, endedAtMs, row }: Opening, nowMs: number): string {
  const { bootId, grantNonce, id, isSettled, joinedOpeningId, lockedNumber, opened, status } = row
  const ages = [
    ageOf(calledAtMs, nowMs, openingMs),
    ageOf(acceptedAtMs, nowMs, openingMs),
    opened === 'no' ? undefined : ageOf(endedAtMs, nowMs, coolDownMs),
  ]
  return `${id} ${status} ${opened} ${joinedOpeningId} ${lockedNumber} ${bootId} ${grantNonce} ${isSettled} ${ages}`
}

const textOfReport = ({ key, openingId, report }: SentReport) =>
  `${key} ${openingId} ${report.phase === 'ended' ? report.verdict.status : report.phase}`

/** Makes keys of states. It reads a part again only when a step has changed it. */
export function createKeyMaker(): (house: House) => string {
  const numbers = new Map<string, number>()
  const kept = new WeakMap<object, { readonly nowMs: number; readonly number: number }>()

  /** A number for a part: the same for the same text. */
  function part(of: object, nowMs: number, textOf: () => string): number {
    const known = kept.get(of)
    if (known?.nowMs === nowMs) return known.number
    const text = textOf()
    const number = numbers.get(text) ?? numbers.size
    numbers.set(text, number)
    kept.set(of, { nowMs, number })
    return number
  }

  return house => {
    const { applied, boots, claims, dialled, gateways, grants, nowMs, openings, reports, restarts } = house
    let key = `${nowMs / 1_000}`
    for (const gateway of Object.values(gateways))
      key += ` ${part(gateway, nowMs, () => textOfGateway(gateway, nowMs))}`
    for (const opening of Object.values(openings))
      key += ` ${part(opening, nowMs, () => textOfOpening(opening, nowMs))}`
    const wire = [
      part(boots, 0, () => JSON.stringify(boots)),
      part(restarts, 0, () => JSON.stringify(restarts)),
      part(claims, 0, () => `claims ${claims.map(({ nonce }) => nonce).sort()}`),
      part(grants, 0, () => `grants ${grants.map(({ granted, to }) => `${to.nonce} ${granted}`).sort()}`),
      part(reports, 0, () => `reports ${reports.map(textOfReport).sort()}`),
      part(applied, 0, () => `applied ${applied}`),
      part(dialled, 0, () => `dialled ${dialled}`),
    ]
    return `${key} ${wire.join(' ')}`
  }
}
