// Decides which version a gateway is offered, and when it may be asked to install it. Pure.

import type { UpdateHours } from '@callgate/contract/app/update'
import { compareVersions, isVersion, type ReleaseArchives } from '@callgate/contract/releaseWords'

/** A version that the operator has released to some Spaces, or to all. */
export interface Stage {
  readonly version: string
  readonly notes: string | null
  readonly archives: ReleaseArchives
  /** Released to all Spaces whose share is below it. */
  readonly percent: number
  /** Released to these Spaces as well. */
  readonly spaces: readonly string[]
  /** A gateway rolled it back, so it is offered to no gateway any more. */
  readonly isHalted: boolean
}

/** The share of a Space, 0 to 99. It never changes, so that more percent only add Spaces. FNV-1a, 32 bits. */
export function shareOf(spaceId: string): number {
  let hash = 0x811c9dc5
  for (const character of spaceId) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  // The lowest bits of FNV are distributed worst.
  return ((hash >>> 16) ^ (hash & 0xffff)) % 100
}

/** Whether the operator has released it to this Space, even if it is halted. */
export const isReleasedTo = ({ percent, spaces }: Stage, spaceId: string): boolean =>
  spaces.includes(spaceId) || shareOf(spaceId) < percent

export interface Offeree {
  readonly spaceId: string
  /** Null: no beat has come yet. */
  readonly version: string | null
  /** Null: unknown. */
  readonly architecture: string | null
  /** How its last update ended. */
  readonly last: { readonly version: string; readonly state: string } | null
}

/** The newest version that this gateway is offered; undefined where there is none. */
export function offerFor(
  stages: readonly Stage[],
  { architecture, last, spaceId, version }: Offeree,
): Stage | undefined {
  if (version === null || !isVersion(version)) return undefined
  const wasTakenBack = (stage: Stage) => last?.state === 'taken_back' && last.version === stage.version
  return stages
    .filter(stage => !stage.isHalted && isReleasedTo(stage, spaceId) && !wasTakenBack(stage))
    .filter(stage => compareVersions(stage.version, version) > 0)
    .filter(
      ({ archives }) => architecture === null || archives.some(one => one.architecture === architecture),
    )
    .sort((a, b) => compareVersions(b.version, a.version))[0]
}

const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))

/** Whether the minute of the day is within the hours, which may reach over midnight. */
export function isWithin({ from, to }: UpdateHours, minuteOfDay: number): boolean {
  const [first, end] = [minutesOf(from), minutesOf(to)]
  return first < end ? minuteOfDay >= first && minuteOfDay < end : minuteOfDay >= first || minuteOfDay < end
}

/** A gateway that has not reported the result is asked again after this: the power may have failed during the fetch. */
const askAgainMs = 2 * 3_600_000
/** A gateway that could not be asked is asked again after this. */
const tryAgainMs = 15 * 60_000
/** By the hours of the Space, a version is tried once a night. */
const onceANightMs = 20 * 3_600_000
/** How long the permission for one gateway lasts. */
export const leaveLastsMs = 7 * 24 * 3_600_000

/** The state of the requests to one gateway. Times are milliseconds since the epoch. */
export interface Asking {
  readonly allowed: { readonly version: string; readonly atMs: number } | null
  readonly asked: {
    readonly version: string
    readonly atMs: number
    /** Whether the gateway has accepted the request, could not be asked, or neither is known. */
    readonly state: 'open' | 'taken' | 'not_taken'
    /** Whether it has reported the result. */
    readonly hasEnded: boolean
  } | null
  /** Whether the hours of its Space include this moment. */
  readonly isInHours: boolean
}

/** Whether the gateway must be asked for `version` now, and by whose permission. */
export function leaveToAsk(
  { allowed, asked, isInHours }: Asking,
  version: string,
  nowMs: number,
): 'owner' | 'hours' | undefined {
  const before = asked?.version === version ? asked : null
  // After a clock was set back, the wait is over.
  const sinceMs = before && before.atMs <= nowMs ? nowMs - before.atMs : Number.POSITIVE_INFINITY
  if (before && !before.hasEnded) {
    if (sinceMs < (before.state === 'not_taken' ? tryAgainMs : askAgainMs)) return undefined
  }
  if (allowed?.version === version && nowMs - allowed.atMs < leaveLastsMs) return 'owner'
  if (!isInHours) return undefined
  return before?.hasEnded && sinceMs < onceANightMs ? undefined : 'hours'
}
