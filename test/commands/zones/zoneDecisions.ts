// Decisions of the schedule core in one zone, around the edges of its periods, beside those of the slow checker.

import { decide } from '@callgate/cloud/core/schedule/decide'
import { naiveDecision } from '@callgate/cloud/core/schedule/naiveSchedule.kit'
import { zoneOf } from '@callgate/cloud/core/schedule/zone'
import type { Schedule } from '@callgate/contract/rest/schedule'
import type { FakeWorld } from '@callgate/world/fake'

const minuteMs = 60_000
const dayMs = 86_400_000
const instantsOfOne = 20

type Draw = Pick<FakeWorld, 'randomInt'>

const oneOf = <T>({ randomInt }: Draw, values: readonly T[]) => values[randomInt(0, values.length - 1)] as T
const clock = (minute: number) => new Date(minute * minuteMs).toISOString().slice(11, 16)

/** A schedule whose windows are near the hours of clock changes, with or without bounds near `anchorMs`. */
function drawSchedule(draw: Draw, timezone: string, anchorMs: number): Schedule {
  const { randomInt } = draw
  const bound = () => new Date(anchorMs + randomInt(-20_000, 20_000) * minuteMs).toISOString()
  const bounds = [bound(), bound()].sort()
  const kept = {
    ...(randomInt(0, 3) === 0 && { startsAt: bounds[0] as string }),
    ...(randomInt(0, 3) === 0 && { expiresAt: bounds[1] as string }),
    timezone,
  }
  const from = oneOf(draw, [0, 30, 60, 90, 120, 150, 180, 195, 1_380, randomInt(0, 1_439)])
  const to = (from + randomInt(1, 1_439)) % 1_440
  const timeWindows = [{ from: clock(from), to: clock(to) }]
  switch (randomInt(0, 4)) {
    case 0:
      return { type: 'always', ...kept }
    case 1:
      return { type: 'weekdays', timeWindows, ...kept }
    case 2:
      return { type: 'weekends', ...kept }
    default:
      return { type: 'custom', daysOfWeek: [randomInt(0, 6), randomInt(0, 6)], timeWindows, ...kept }
  }
}

/** The edges of the periods between two instants, and the middles between them. */
export function anchorsOf(timezone: string, fromMs: number, toMs: number): readonly number[] {
  const zone = zoneOf(timezone)
  if (!zone) throw new Error(`${timezone} is unknown`)
  const anchors: number[] = [(fromMs + toMs) / 2]
  for (let edgeMs = zone.periodAt(fromMs).endMs; edgeMs < toMs; edgeMs = zone.periodAt(edgeMs).endMs)
    anchors.push(edgeMs)
  return anchors
}

/** Compares about `count` decisions; returns the first that differs, in words. `toMs`: from where on Node has other rules. */
export function disagreement(
  draw: Draw,
  timezone: string,
  given: { readonly fromMs: number; readonly toMs: number; readonly count: number },
): string | undefined {
  const { count, fromMs, toMs } = given
  const anchors = anchorsOf(timezone, fromMs, toMs)
  for (let done = 0; done < count; done += instantsOfOne) {
    const anchorMs = oneOf(draw, anchors)
    const schedules = Array.from({ length: draw.randomInt(1, 3) }, () =>
      drawSchedule(draw, timezone, anchorMs),
    )
    const decideNaively = naiveDecision(schedules)
    for (let instant = 0; instant < instantsOfOne; instant++) {
      const near = oneOf(draw, [
        draw.randomInt(-2, 2),
        draw.randomInt(-200, 200) * minuteMs,
        draw.randomInt(-dayMs, dayMs),
      ])
      const atMs = Math.min(anchorMs + near, toMs - 1)
      const decision = decide(schedules, atMs)
      const decided = decision.allowed ? decision.scheduleIndex : -1
      if (decided !== decideNaively(atMs))
        return `${timezone} at ${new Date(atMs).toISOString()}: ${decided} instead of ${decideNaively(atMs)} by ${JSON.stringify(schedules)}`
    }
  }
  return undefined
}
