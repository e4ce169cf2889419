// Previews of schedules: the next times that they allow, and the clock changes within them.

import type { Schedule } from '@callgate/contract/rest/schedule'
import { type Preview, type PreviewedTime, previewedTimes } from '@callgate/contract/rest/schedulePreview'
import { type Allowed, nextWindows } from './decide.ts'
import { type Zone, zoneOf } from './zone.ts'

/** A time without an end is searched for clock changes this long. */
const checkedAtMs = 86_400_000

const isoTime = (atMs: number) => new Date(atMs).toISOString()

function zoneNamed(name: string): Zone {
  const zone = zoneOf(name)
  if (!zone) throw new RangeError(`no time zone is called ${name}`)
  return zone
}

/** `2026-03-27T22:00`, the reading of the zone's clock at an instant. */
function wallText(zone: Zone, atMs: number): string {
  return isoTime(atMs + zone.offsetMsAt(atMs)).slice(0, 16)
}

/** Whether and how the clocks change within a span. A change at its very beginning does not count. */
function clockChangeIn(zone: Zone, fromMs: number, toMs: number): PreviewedTime['clockChange'] {
  const before = zone.periodAt(fromMs)
  if (before.endMs >= toMs) return null
  return zone.offsetMsAt(before.endMs) > before.offsetMs ? 'forward' : 'back'
}

function toTime({ fromMs, isAtLeast, toMs }: Allowed, zone: Zone, nowMs: number): PreviewedTime {
  return {
    from: isoTime(fromMs),
    to: toMs === null ? null : isoTime(toMs),
    fromWall: wallText(zone, fromMs),
    toWall: toMs === null ? null : wallText(zone, toMs),
    isNow: fromMs === nowMs,
    isAtLeast,
    clockChange: clockChangeIn(zone, fromMs, toMs ?? fromMs + checkedAtMs),
  }
}

/**
 * The next times that `schedules` allow from `nowMs` on. They are as `readSchedules` returned them. Wall clocks are those of
 * their zone, or of `spaceTimezone` where they have several zones.
 */
export function previewOf(schedules: readonly Schedule[], spaceTimezone: string, nowMs: number): Preview {
  const [first = spaceTimezone, ...others] = new Set(schedules.map(({ timezone }) => timezone))
  const timezone = others.length === 0 ? first : spaceTimezone
  const zone = zoneNamed(timezone)
  const times = nextWindows(schedules, nowMs, previewedTimes).map(one => toTime(one, zone, nowMs))
  const wasEver = times.length > 0 || nextWindows(schedules, 0, 1).length > 0
  return { timezone, state: times.length > 0 ? 'coming' : wasEver ? 'ended' : 'never', times }
}
