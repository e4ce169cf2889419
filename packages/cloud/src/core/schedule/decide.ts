// Decisions: whether schedules allow an instant, and when they do next.

import type { Schedule } from '@callgate/contract/schedule'
import { boundMs } from './bound.ts'
import { weekEdges, weekMs } from './week.ts'
import { type Zone, zoneOf } from './zone.ts'

/** 1 January 1970 was a Thursday; weeks are counted from Sunday 00:00. */
const epochInWeekMs = 4 * 86_400_000
/** Schedules that take turns without a gap for longer than this are said to do so for ever. */
const turnsMs = 400 * 86_400_000

/** Instants are milliseconds since the epoch. */
export type Decision =
  | {
      readonly allowed: true
      /** The first schedule that allows it. */
      readonly scheduleIndex: number
      /** When the access ends that goes on without a gap, over all schedules; null when it does not end. */
      readonly untilMs: number | null
    }
  | {
      readonly allowed: false
      /** `expired`: all are over. `not_yet`: those that are not have not begun. */
      readonly why: 'not_yet' | 'expired' | 'outside_windows'
      /** The next allowed instant over all schedules; null when there is none. */
      readonly nextMs: number | null
    }

/** An allowed stretch of time, [fromMs, toMs); `toMs` is null when it does not end. */
export interface Allowed {
  readonly fromMs: number
  readonly toMs: number | null
}

/** A schedule in the form that is cheap to ask. */
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

/** What was read once: a memo, by the list itself. */
const ruleMemo = new WeakMap<readonly Schedule[], readonly Rule[]>()

function rulesOf(schedules: readonly Schedule[]): readonly Rule[] {
  const known = ruleMemo.get(schedules)
  if (known) return known
  const rules = schedules.map(ruleOf)
  ruleMemo.set(schedules, rules)
  return rules
}

/** How many of the ascending edges are not after a position. */
function edgesUpTo(edges: readonly number[], position: number): number {
  let low = 0
  let high = edges.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((edges[middle] ?? Infinity) <= position) low = middle + 1
    else high = middle
  }
  return low
}

/** What the wall clock says at an instant, and up to when it surely says the same. */
function clockAt(zone: Zone, edges: readonly number[], atMs: number): { isOpen: boolean; endMs: number } {
  const { offsetMs, endMs } = zone.periodAt(atMs)
  const weeks = (atMs + offsetMs + epochInWeekMs) / weekMs
  const position = atMs + offsetMs + epochInWeekMs - Math.floor(weeks) * weekMs
  const passed = edgesUpTo(edges, position)
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

/** The first instant after an allowed one that is not; Infinity when there is none. */
function closesAt({ expiresMs, zone, edges }: Rule, openMs: number): number {
  let atMs = openMs
  while (edges && atMs < expiresMs) {
    const clock = clockAt(zone, edges, atMs)
    if (!clock.isOpen) return atMs
    atMs = clock.endMs
  }
  return expiresMs
}

/** Where the access that goes on at `nowMs` ends, from one schedule to the next; Infinity when it does not. */
function untilMsOf(rules: readonly Rule[], open: Rule, nowMs: number): number {
  let untilMs = closesAt(open, nowMs)
  for (let turn: Rule | undefined = open; turn && untilMs !== Infinity; ) {
    const endMs = untilMs
    turn = rules.length > 1 ? rules.find(rule => opensAt(rule, endMs) === endMs) : undefined
    if (turn && endMs - nowMs > turnsMs) return Infinity
    if (turn) untilMs = closesAt(turn, endMs)
  }
  return untilMs
}

const orNull = (atMs: number) => (atMs === Infinity ? null : atMs)

function whyNot(rules: readonly Rule[], nowMs: number): 'not_yet' | 'expired' | 'outside_windows' {
  const left = rules.filter(rule => nowMs < rule.expiresMs)
  if (left.length === 0) return 'expired'
  return left.every(rule => nowMs < rule.startsMs) ? 'not_yet' : 'outside_windows'
}

/**
 * Whether any of the schedules allows `nowMs`. They are as `readSchedules` returned them, and are not changed once they
 * were asked about: what was read of a list is remembered.
 */
export function decide(schedules: readonly Schedule[], nowMs: number): Decision {
  const rules = rulesOf(schedules)
  let nextMs = Infinity
  for (let index = 0; index < rules.length; index++) {
    const rule = rules[index] as Rule
    const openMs = opensAt(rule, nowMs)
    if (openMs === nowMs)
      return { allowed: true, scheduleIndex: index, untilMs: orNull(untilMsOf(rules, rule, nowMs)) }
    nextMs = Math.min(nextMs, openMs)
  }
  return { allowed: false, why: whyNot(rules, nowMs), nextMs: orNull(nextMs) }
}

/**
 * The next `count` allowed stretches from `nowMs` on, merged over the schedules, ascending. One that goes on at `nowMs`
 * begins there; one that does not end is the last.
 */
export function nextWindows(
  schedules: readonly Schedule[],
  nowMs: number,
  count: number,
): readonly Allowed[] {
  const windows: Allowed[] = []
  for (let atMs: number | null = nowMs; atMs !== null && windows.length < count; ) {
    const decision: Decision = decide(schedules, atMs)
    if (decision.allowed) windows.push({ fromMs: atMs, toMs: decision.untilMs })
    atMs = decision.allowed ? decision.untilMs : decision.nextMs
  }
  return windows
}
