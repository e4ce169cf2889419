// Runs random sequences of requests against the API and a model of it, and compares both at the end of each.

import { changePlan } from '@callgate/cloud/space/plans'
import type { Report } from '@callgate/contract/wire/messages'
import { settle } from '@callgate/world/fake'
import * as fc from 'fast-check'
import { expect } from 'vitest'
import { serveWholeApi } from '../apiServer.ts'
import { guestOf } from '../guest.ts'
import { ended } from '../scriptedGateway.ts'
import { audit } from './audit.ts'
import { commands, pick } from './commands.ts'
import { type Run, type Variant, variants } from './requestVariants.ts'
import { limits, newModel } from './spaceModel.ts'

/** The answers that many sequences must contain. */
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

/** Every sequence begins with these steps, so that the other steps have something to change. */
const furnishing: readonly Step[] = [
  { command: 'createGate', which: 0, to: 0, variant: 'plain' },
  { command: 'createMember', which: 0, to: 1, variant: 'plain' },
]

/** Events that are no requests of an administrator. */
const events = ['press', 'press', 'report', 'report', 'wait', 'wait', 'unplug', 'decline'] as const

interface Step {
  readonly command: string
  readonly which: number
  readonly to: number
  readonly variant: Variant
}

const commandNames = [
  ...Object.keys(commands),
  'createGate',
  'createMember',
  'openGate',
  'openGate',
  'addAccess',
  ...events,
]
const weighted = Object.entries(variants).flatMap(([variant, [weight]]) =>
  Array<Variant>(weight).fill(variant as Variant),
)
const steps = fc.array(
  fc.record<Step>({
    command: fc.constantFrom(...commandNames),
    which: fc.nat(5),
    to: fc.nat(5),
    variant: fc.constantFrom(...weighted),
  }),
  { minLength: 1, maxLength: mostSteps, size: 'max' },
)

/** A guest presses a gate on the page behind the link. */
async function press({ api, model }: Run, which: number, to: number): Promise<void> {
  const member = pick(
    [...model.members.values()].filter(({ url }) => url !== undefined),
    which,
  )
  const access = pick(member?.accesses.values() ?? [], to)
  if (!member?.url || !access) return
  const openingId = await guestOf(api, member.url).press(access.gateId)
  if (openingId !== undefined) model.openingIds.add(openingId)
}

const reports: readonly Report[] = [
  ended(true),
  ended(true, 2_000),
  ended(false),
  { phase: 'not_dialled', sinceClaimMs: 100 },
  { phase: 'ringing', sinceClaimMs: 50 },
  { phase: 'answered', sinceClaimMs: 60 },
]

/** The gateway reports about a call that is new, has just ended, or ended long ago. */
async function report({ api, model }: Run, which: number, to: number): Promise<void> {
  const called = pick(api.gateway.calls.filter(id => model.openingIds.has(id)).reverse(), which)
  const said = reports[to]
  if (called && said) await api.gateway.report(called, said)
}

const dayMs = 24 * 60 * 60 * 1000
const waits = [100, 1_000, 6_000, 15_000, 95_000, 20 * dayMs]

async function doStep(run: Run, { command, variant, to, which }: Step): Promise<void> {
  const { api, model } = run
  if (command === 'press') return press(run, which, to)
  if (command === 'report') return report(run, which, to)
  if (command === 'wait') return api.world.advance(waits[to] ?? 0)
  if (command === 'unplug') return void (to > 2 && model.space.unplug())
  if (command === 'decline') return to > 2 ? model.space.declineAll('modem_busy') : undefined
  const planned = commands[command]?.(model, { which, to, nowMs: api.world.nowMs() })
  if (planned) await variants[variant][1](run, planned)
}

async function runOne(all: Omit<Run, 'model'>, sequence: readonly Step[]): Promise<void> {
  const { api } = all
  const space = await api.addSpace()
  const run: Run = { ...all, model: newModel(space) }
  for (const step of [...furnishing, ...sequence]) {
    await doStep(run, step)
    // The scripted gateway works in the background.
    await settle(12)
  }
  // By then every call has ended, by its report or by its time limit.
  await api.world.advance(200_000)
  await audit(api, run.model)
}

/** Runs `count` sequences drawn from `seed`. A failure names the seed and the shortest sequence that fails. */
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
  // Every kind of success and of refusal occurred.
  for (const what of toMeet) expect(met.get(what), what).toBeGreaterThan(count / 100)
}
