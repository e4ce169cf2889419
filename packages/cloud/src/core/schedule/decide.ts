// Decides whether schedules allow an instant, and when they allow access next.

import type { Schedule } from '@callgate/contract/rest/schedule'
import { countUpTo } from './ascending.ts'
import { boundMs } from './bound.ts'
import { joinedEdges, weekEdges, weekMs } from './week.ts'
import { type Zone, zoneOf } from './zone.ts'

/** 1 January 1970 was a Thursday; weeks are counted from Sunday 00:00. */
const epochInWeekMs = 4 * 86_400_000
/**
 * The limit on steps that find the end of an access. Windows of one zone are joined, so that a few steps find it. Windows of
 * several zones can alternate for ever. An end within the limit is exact; beyond it, only a minimum is known.
 */
const mostSteps = 4_000

/** Whether schedules allow an instant, and if not, why and when they do next. Instants are milliseconds since the epoch. */
export type Hours =
  | {
      readonly allowed: true
      /** The first schedule that allows the instant. */
      readonly scheduleIndex: number
    }
  | {
      readonly allowed: false
      /** `expired`: all schedules are over. `not_yet`: the remaining ones have not begun. */
      readonly why: 'not_yet' | 'expired' | 'outside_windows'
      /** The next allowed instant over all schedules; null when there is none. */
      readonly nextMs: number | null
    }

/** The same, with how long the schedules go on to allow access. */
export type Decision =
  | Extract<Hours, { allowed: false }>
  | (Extract<Hours, { allowed: true }> & {
      /** When the current access ends, without a gap, over all schedules; null when it never does. */
      readonly untilMs: number | null
      /** The access goes on beyond `untilMs`. To find its end would be too much work. */
      readonly isAtLeast: boolean
    })

/** An allowed span of time, [fromMs, toMs); `toMs` is null when it does not end. */
export interface Allowed {
  readonly fromMs: number
  readonly toMs: number | null
  /** The span goes on beyond `toMs`; its end is unknown. */
  readonly isAtLeast: boolean
}

/** A schedule in a form that is cheap to evaluate. */
interface Rule {
  readonly startsMs: number
  readonly expiresMs: number
  readonly zone: Zone
  readonly edges: readonly number[] | undefined
}

function ruleOf(schedule: Schedule): Rule {
  const zone = zoneOf(schedule.timezone)
  const { startsAt, expiresAt } = schedule
  const startsMs = zone && (startsAt === undefined ? -Infinity : boundMs(startsAt, zone, 'startsAt'))
  const expiresMs = zone && (expiresAt === undefined ? Infinity : boundMs(expiresAt, zone, 'expiresAt'))
  if (!zone || startsMs === undefined || expiresMs === undefined)
    throw new Error(`readSchedules did not let this pass: ${JSON.stringify(schedule)}`)
  return { startsMs, expiresMs, zone, edges: weekEdges(schedule) }
}

/** A cache of the parsed rules, by the identity of the list. */
const ruleMemo = new WeakMap<readonly Schedule[], readonly Rule[]>()

function rulesOf(schedules: readonly Schedule[]): readonly Rule[] {
  const known = ruleMemo.get(schedules)
  if (known) return known
  const rules = schedules.map(ruleOf)
  ruleMemo.set(schedules, rules)
  return rules
}

/** What the wall clock shows at an instant, and until when this surely holds. */
function clockAt(zone: Zone, edges: readonly number[], atMs: number): { isOpen: boolean; endMs: number } {
  const { offsetMs, endMs } = zone.periodAt(atMs)
  const weeks = (atMs + offsetMs + epochInWeekMs) / weekMs
  const position = atMs + offsetMs + epochInWeekMs - Math.floor(weeks) * weekMs
  const passed = countUpTo(edges, position)
  const edge = edges[passed] ?? weekMs
  return { isOpen: passed % 2 === 1, endMs: Math.min(atMs + edge - position, endMs) }
}

/** The first allowed instant from `fromMs` on; Infinity when there is none. */
function opensAt({ startsMs, expiresMs, zone, edges }: Rule, fromMs: number): number {
  let atMs = Math.max(fromMs, startsMs)
  while (atMs < expiresMs) {
    if (!edges) return atMs
    const clock = clockAt(zone, edges, atMs)
    if (clock.isOpen) return atMs
    atMs = clock.endMs
  }
  return Infinity
}

/** Whether the rule allows an instant: one step. */
function isOpenAt({ startsMs, expiresMs, zone, edges }: Rule, atMs: number): boolean {
  if (atMs < startsMs || atMs >= expiresMs) return false
  return !edges || clockAt(zone, edges, atMs).isOpen
}

/**
 * The rules of one zone as one rule, so that windows which touch become one window. All rules hold from now on, up to `boundMs`.
 */
function joined(rules: readonly Rule[], boundMs: number): readonly Rule[] {
  const weeks = new Map<Zone, Rule['edges'][]>()
  for (const { edges, zone } of rules) weeks.set(zone, [...(weeks.get(zone) ?? []), edges])
  return [...weeks].map(([zone, edges]) => ({
    startsMs: -Infinity,
    expiresMs: boundMs,
    zone,
    edges: joinedEdges(edges),
  }))
}

/** The first instant after an allowed one that is not allowed, at most the rule's end; and how many steps it took to find it. */
function closesAt({ expiresMs, zone, edges }: Rule, openMs: number): { endMs: number; steps: number } {
  let atMs = openMs
  let steps = 0
  while (edges && atMs < expiresMs) {
    const clock = clockAt(zone, edges, atMs)
    steps++
    if (!clock.isOpen) return { endMs: atMs, steps }
    atMs = clock.endMs
  }
  return { endMs: expiresMs, steps }
}

interface Walk {
  readonly untilMs: number
  readonly steps: number
}

/** How far an access reaches from `fromMs`, over several rules, with at most `mostSteps` steps and those of one turn. */
function reach(rules: readonly Rule[], fromMs: number, boundMs: number, stepsBefore: number): Walk {
  let untilMs = fromMs
  let steps = stepsBefore
  while (steps < mostSteps && untilMs < boundMs) {
    const atMs = untilMs
    for (const rule of rules) {
      steps++
      if (!isOpenAt(rule, atMs)) continue
      const close = closesAt(rule, atMs)
      steps += close.steps
      untilMs = Math.max(untilMs, close.endMs)
    }
    if (untilMs === atMs) break
  }
  return { untilMs, steps }
}

/** The next instant at which a rule begins or expires; Infinity when none does. */
function nextBound(rules: readonly Rule[], atMs: number): number {
  const bounds = rules.flatMap(({ expiresMs, startsMs }) => [startsMs, expiresMs])
  return Math.min(Infinity, ...bounds.filter(boundMs => boundMs > atMs))
}

/**
 * The end of the access that holds at `nowMs`, over several schedules; Infinity when it never ends. Between two bounds the same
 * rules hold, so the rules of one zone are one week of windows; a week that is all open lasts up to the bound.
 */
function untilOf(rules: readonly Rule[], nowMs: number): { untilMs: number; isAtLeast: boolean } {
  let walk: Walk = { untilMs: nowMs, steps: 0 }
  while (walk.steps < mostSteps) {
    const atMs = walk.untilMs
    const boundMs = nextBound(rules, atMs)
    const held = rules.filter(({ expiresMs, startsMs }) => startsMs <= atMs && atMs < expiresMs)
    walk = reach(joined(held, boundMs), atMs, boundMs, walk.steps)
    const { steps, untilMs } = walk
    if (untilMs === Infinity || (untilMs < boundMs && steps < mostSteps)) return { untilMs, isAtLeast: false }
  }
  return { untilMs: walk.untilMs, isAtLeast: true }
}

const orNull = (atMs: number) => (atMs === Infinity ? null : atMs)

function whyNot(rules: readonly Rule[], nowMs: number): 'not_yet' | 'expired' | 'outside_windows' {
  const left = rules.filter(rule => nowMs < rule.expiresMs)
  if (left.length === 0) return 'expired'
  return left.every(rule => nowMs < rule.startsMs) ? 'not_yet' : 'outside_windows'
}

/**
 * The first of the schedules that allows `nowMs`; undefined when none does. They are as `readSchedules` returned them, and must
 * not change after the first call, because the parsed rules are cached. It takes one step for each schedule.
 */
export function allowedBy(schedules: readonly Schedule[], nowMs: number): number | undefined {
  const index = rulesOf(schedules).findIndex(rule => isOpenAt(rule, nowMs))
  return index < 0 ? undefined : index
}

/** Whether any of the schedules allows `nowMs`, else why not and when one does next. It takes a few steps for each schedule. */
export function hoursAt(schedules: readonly Schedule[], nowMs: number): Hours {
  const scheduleIndex = allowedBy(schedules, nowMs)
  if (scheduleIndex !== undefined) return { allowed: true, scheduleIndex }
  const rules = rulesOf(schedules)
  const nextMs = Math.min(Infinity, ...rules.map(rule => opensAt(rule, nowMs)))
  return { allowed: false, why: whyNot(rules, nowMs), nextMs: orNull(nextMs) }
}

/** The same, and when that changes. To find an end can take thousands of steps; use `hoursAt` where the end is not needed. */
export function decide(schedules: readonly Schedule[], nowMs: number): Decision {
  const hours = hoursAt(schedules, nowMs)
  if (!hours.allowed) return hours
  const { isAtLeast, untilMs } = untilOf(rulesOf(schedules), nowMs)
  return { ...hours, untilMs: orNull(untilMs), isAtLeast }
}

/** When the last of the schedules ends for good; null when one of them never ends. */
export function endsMs(schedules: readonly Schedule[]): number | null {
  return orNull(Math.max(...rulesOf(schedules).map(({ expiresMs }) => expiresMs)))
}

/**
 * The next `count` allowed spans from `nowMs` on, merged over the schedules, ascending. A span that contains `nowMs` begins
 * there. A span without an end, or with an unknown end, is the last.
 */
export function nextWindows(
  schedules: readonly Schedule[],
  nowMs: number,
  count: number,
): readonly Allowed[] {
  const windows: Allowed[] = []
  for (let atMs: number | null = nowMs; atMs !== null && windows.length < count; ) {
    const decision: Decision = decide(schedules, atMs)
    if (decision.allowed) {
      const { isAtLeast, untilMs } = decision
      windows.push({ fromMs: atMs, toMs: untilMs, isAtLeast })
      atMs = isAtLeast ? null : untilMs
    } else atMs = decision.nextMs
  }
  return windows
}
