import { readFileSync } from 'node:fs'
import { type Schedule, ScheduleInput } from '@callgate/contract/rest/schedule'
import { checker } from '@callgate/contract/validate'
import { describe, expect, it } from 'vitest'
import { wallClockMs } from '../../text/zonedTime.ts'
import { decide } from './decide.ts'
import { naiveDecision, wallText } from './naiveSchedule.kit.ts'
import { readSchedules, type SchedulesRead } from './readSchedules.ts'

interface Vector {
  readonly rule: string
  readonly schedules: readonly ScheduleInput[]
  readonly instants: readonly {
    readonly at: string
    readonly wallClock: string
    readonly allowed: boolean
  }[]
}

interface Vectors {
  readonly decisions: readonly Vector[]
  /** Vectors that a Node with rules older than the release decides differently. */
  readonly recentRules: readonly (Vector & { readonly release: string })[]
  readonly refusals: readonly {
    readonly rule: string
    readonly schedule: unknown
    readonly field: string
  }[]
}

const docs = new URL('../../../docs/', import.meta.url)
const vectors: Vectors = JSON.parse(readFileSync(new URL('schedule-vectors.json', docs), 'utf8'))
const check = checker(ScheduleInput, 'the schedule')

/** Reads schedules like a request: first the schema, then `readSchedules`. */
function read(schedules: readonly unknown[]): SchedulesRead {
  const inputs: ScheduleInput[] = []
  for (const schedule of schedules) {
    const checked = check(schedule)
    if (!checked.ok) return { ok: false, problem: { problem: 'validation_error', message: checked.message } }
    inputs.push(checked.value)
  }
  return readSchedules(inputs, 'schedules')
}

function accepted(schedules: readonly unknown[]): readonly Schedule[] {
  const result = read(schedules)
  if (!result.ok) throw new Error(result.problem.message)
  return result.schedules
}

/** `Mon 08:00`, with seconds where they are not zero. */
function wallClock(timezone: string, at: string, wall = wallText(timezone, Date.parse(at))): string {
  const day = new Date(`${wall}Z`).toUTCString().slice(0, 3)
  return `${day} ${wall.slice(11)}.${at.slice(20, 23)}`.replace(/(:00)?\.000$/, '')
}

describe('the vectors', () => {
  it.each(vectors.decisions)('$rule', ({ schedules, instants }) => {
    const known = accepted(schedules)
    // The answer equals the input, so that the file shows both.
    expect(known).toEqual(schedules)
    const decideNaively = naiveDecision(known)
    for (const { at, wallClock: expected, allowed } of instants) {
      expect([at, decide(known, Date.parse(at)).allowed]).toEqual([at, allowed])
      expect([at, decideNaively(Date.parse(at)) >= 0]).toEqual([at, allowed])
      expect([at, wallClock(known[0]?.timezone ?? '', at)]).toEqual([at, expected])
    }
  })

  it.each(vectors.recentRules)('$release: $rule', ({ schedules, instants, release }) => {
    const known = accepted(schedules)
    const decideNaively = naiveDecision(known)
    const isNodeNew = (process.versions['tz'] ?? '') >= release
    const timezone = known[0]?.timezone ?? ''
    const decided = instants.filter(({ allowed, at }) => decideNaively(Date.parse(at)) >= 0 === allowed)
    // An older Node gets some of them wrong; the vectors are there to show that.
    expect(decided.length === instants.length).toBe(isNodeNew)
    for (const { at, wallClock: expected, allowed } of instants) {
      expect([at, decide(known, Date.parse(at)).allowed]).toEqual([at, allowed])
      const wall = new Date(wallClockMs(Date.parse(at), timezone)).toISOString().slice(0, 19)
      expect([at, wallClock(timezone, at, wall)]).toEqual([at, expected])
    }
  })

  it.each(vectors.refusals)('$rule: $field', ({ schedule, field }) => {
    const result = read([schedule])
    expect(result.ok ? 'accepted' : result.problem.message.replace('schedules[0].', '')).toMatch(
      new RegExp(`^${field.replace(/[.[\]]/g, '\\$&')} `),
    )
  })
})

describe('the page on schedules', () => {
  const page = readFileSync(new URL('schedules.md', docs), 'utf8')
  const examples = page.split('```json\n').slice(1)

  it('has examples', () => {
    expect(examples).toHaveLength(5)
  })

  it.each(examples)('has a true example: %s', example => {
    const schedules = accepted([JSON.parse(example.split('\n```')[0] ?? '')])
    const rows = [...example.matchAll(/^\| `([^`]+)` \| (\w+ [\d:.]+).*\| (yes|no) +\|$/gm)]
    expect(rows.length).toBeGreaterThanOrEqual(2)
    for (const [, at = '', wall, allowed] of rows) {
      expect([at, decide(schedules, Date.parse(at)).allowed ? 'yes' : 'no']).toEqual([at, allowed])
      expect([at, wallClock('Europe/Bucharest', at)]).toEqual([at, wall])
    }
  })
})
