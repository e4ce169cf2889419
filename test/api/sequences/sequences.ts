// Random sequences of requests: whatever is done, refused, repeated or lost, the counters and the log stay true.

import { changePlan } from '@callgate/cloud/space/plans'
import type { Report } from '@callgate/contract/wire/messages'
import { settle } from '@callgate/world/fake'
import * as fc from 'fast-check'
import { expect } from 'vitest'
import { serveWholeApi } from '../api.ts'
import { ended } from '../gateway.ts'
import { guestOf } from '../guest.ts'
import { audit } from './audit.ts'
import { limits, newBook } from './book.ts'
import { deeds, pick } from './deeds.ts'
import { type Manner, manners, type Run } from './manners.ts'

/** What so many sequences answer again and again. */
const toMeet = [
  '200',
  '201',
  '202',
  '204',
  '400 validation_error',
  '403 insufficient_scope',
  '403 plan_limit_reached',
  '404 not_found',
  '409 conflict',
  '412 precondition_failed',
  '422 idempotency_mismatch',
  '502 open_failed',
]
const mostSteps = 6

/** What every sequence begins with, or most of it would find nothing to change. */
const furnishing: readonly Step[] = [
  { act: 'createGate', which: 0, to: 0, manner: 'plain' },
  { act: 'createMember', which: 0, to: 1, manner: 'plain' },
]

/** What is no request of an administrator. */
const events = ['press', 'press', 'report', 'report', 'wait', 'wait', 'unplug', 'decline'] as const

interface Step {
  readonly act: string
  readonly which: number
  readonly to: number
  readonly manner: Manner
}

const acts = [...Object.keys(deeds), 'createGate', 'createMember', 'openGate', 'openGate', 'grant', ...events]
const weighted = Object.entries(manners).flatMap(([manner, [weight]]) =>
  Array<Manner>(weight).fill(manner as Manner),
)
const steps = fc.array(
  fc.record<Step>({
    act: fc.constantFrom(...acts),
    which: fc.nat(5),
    to: fc.nat(5),
    manner: fc.constantFrom(...weighted),
  }),
  { minLength: 1, maxLength: mostSteps, size: 'max' },
)

/** A guest presses what the link's page offers. */
async function press({ api, book }: Run, which: number, to: number): Promise<void> {
  const member = pick(
    [...book.members.values()].filter(({ url }) => url !== undefined),
    which,
  )
  const access = pick(member?.accesses.values() ?? [], to)
  if (!member?.url || !access) return
  const openingId = await guestOf(api, member.url).press(access.gateId)
  if (openingId !== undefined) book.openingIds.add(openingId)
}

const reports: readonly Report[] = [
  ended(true),
  ended(true, 2_000),
  ended(false),
  { phase: 'not_dialled', sinceClaimMs: 100 },
  { phase: 'ringing', sinceClaimMs: 50 },
  { phase: 'answered', sinceClaimMs: 60 },
]

/** The gateway says something of a call, be it new, at its end or long over. */
async function report({ api, book }: Run, which: number, to: number): Promise<void> {
  const called = pick(api.gateway.calls.filter(id => book.openingIds.has(id)).reverse(), which)
  const said = reports[to]
  if (called && said) await api.gateway.report(called, said)
}

const dayMs = 24 * 60 * 60 * 1000
const waits = [100, 1_000, 6_000, 15_000, 95_000, 20 * dayMs]

async function doStep(run: Run, { act, manner, to, which }: Step): Promise<void> {
  const { api, book } = run
  if (act === 'press') return press(run, which, to)
  if (act === 'report') return report(run, which, to)
  if (act === 'wait') return api.world.advance(waits[to] ?? 0)
  if (act === 'unplug') return to > 2 ? book.space.unplug() : undefined
  if (act === 'decline') return to > 2 ? book.space.declineAll('modem_busy') : undefined
  const asked = deeds[act]?.(book, { which, to, nowMs: api.world.nowMs() })
  if (asked) await manners[manner][1](run, asked)
}

async function runOne(all: Omit<Run, 'book'>, sequence: readonly Step[]): Promise<void> {
  const { api } = all
  const space = await api.addSpace()
  const run: Run = { ...all, book: newBook(space) }
  for (const step of [...furnishing, ...sequence]) {
    await doStep(run, step)
    // The gateway is served in the background.
    await settle(12)
  }
  // By now every call has ended, by its report or by its time.
  await api.world.advance(200_000)
  await audit(api, run.book)
}

/** Runs so many sequences drawn from `seed`; a failure tells the seed and the shortest sequence that fails. */
export async function runSequences(seed: number, count: number): Promise<void> {
  const api = await serveWholeApi(seed)
  await changePlan(api.database, 'pro', limits)
  const { key: weakKey } = await api.home.addKey({ scopes: ['history:read'] })
  const met: Run['met'] = new Map()
  try {
    const property = fc.asyncProperty(steps, drawn => runOne({ api, met, weakKey }, drawn))
    await fc.assert(property, { numRuns: count, seed })
  } finally {
    await api.stop()
  }
  const answers = [...met].map(([what, times]) => `${times} × ${what}`)
  process.stdout.write(`sequences of seed ${seed}: ${answers.join(', ')}\n`)
  // Every kind of success and of refusal was met.
  for (const what of toMeet) expect(met.get(what), what).toBeGreaterThan(count / 100)
}
