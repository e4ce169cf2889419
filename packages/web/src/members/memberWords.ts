// The texts about a member's state and its times, as pure functions of the read data.

import type { AccessView, MemberView } from '@callgate/contract/app/appMember'
import type { MemberUpdate } from '@callgate/contract/rest/member'
import type { BadgeLook } from '../kit/Badge.tsx'
import { formOf } from '../schedule/scheduleForm.ts'
import { shortOf } from '../schedule/sentence.ts'
import { activityTexts } from '../words/activityTexts.ts'
import { textFor } from '../words/known.ts'
import { dayAndMonth, daysBack, type TimeStyle, timeOfDay, weekday } from '../words/time.ts'
import type { Words } from '../words/words.tsx'

/** The context of the texts: the language, the zone of the Space, and the time. */
export interface Reader {
  readonly words: Words
  readonly times: TimeStyle
  readonly nowMs: number
}

const minuteMs = 60_000

/** A moment near now: `19:00`, `tomorrow 05:30`, `Monday 07:00`, `23 March 07:00`. */
export function sayMoment(at: string, { nowMs, times, words }: Reader): string {
  const says = words.member.moments
  const time = timeOfDay(at, times)
  const back = daysBack(at, nowMs, times)
  if (back === 0) return time
  if (back === -1) return says.tomorrow(time)
  if (back === 1) return says.yesterday(time)
  return says.day(back < 0 && back > -7 ? weekday(at, times) : dayAndMonth(at, nowMs, times), time)
}

/** When a gate was last used: `4 min ago`, `today 12:10`, `yesterday`, `18 March`, `never`. */
export function sayUsed(at: string | null, { nowMs, times, words }: Reader): string {
  const says = words.member.ago
  if (at === null) return says.never
  const minutes = Math.floor((nowMs - Date.parse(at)) / minuteMs)
  if (minutes < 60) return says.minutes(Math.max(1, minutes))
  const back = daysBack(at, nowMs, times)
  if (back === 0) return says.today(timeOfDay(at, times))
  return back === 1 ? says.yesterday : dayAndMonth(at, nowMs, times)
}

/** The badge of a member: whether they may open now, and why not. */
export function badgeOf({ isActive, now }: Pick<MemberView, 'isActive' | 'now'>, reader: Reader): BadgeLook {
  const says = reader.words.member.badges
  const day = (at: string) => dayAndMonth(at, reader.nowMs, reader.times)
  if (!isActive) return { tone: 'quiet', icon: 'off', word: says.deactivated }
  switch (now.standing) {
    case 'allowed_now':
      return { tone: 'open', icon: 'opened', word: says.allowed }
    case 'outside_hours':
      return { tone: 'quiet', icon: 'clock', word: says.outside }
    case 'not_yet':
      return {
        tone: 'quiet',
        icon: 'calendar',
        word: now.nextAt === null ? says.outside : says.startsOn(day(now.nextAt)),
      }
    case 'used_up':
      return { tone: 'quiet', icon: 'usedUp', word: says.usedUp }
    case 'switched_off':
      return { tone: 'quiet', icon: 'off', word: says.off }
    case 'gate_off':
      return { tone: 'quiet', icon: 'off', word: says.gateOff }
    case 'ended':
      return {
        tone: 'quiet',
        icon: 'calendarOff',
        // No window may be left before an end in the future.
        word:
          now.endsAt === null || Date.parse(now.endsAt) > reader.nowMs
            ? says.ended
            : says.endedOn(day(now.endsAt)),
      }
    case null:
      return { tone: 'quiet', icon: 'minus', word: says.noGate }
  }
}

/** The access that the member's badge describes. */
export function shownAccess({ accesses, now }: MemberView): AccessView | undefined {
  return accesses.find(access => access.now.standing === now.standing) ?? accesses[0]
}

export interface SaidWhen {
  /** `Mon–Fri 07:00–19:00`. */
  readonly hours: string
  /** The number of other schedules. */
  readonly more: number
  /** `until 19:00`, `next: tomorrow 05:30`; empty where there is nothing to add. */
  readonly below: string
}

/** When the member may open, in a few words. Undefined without an access. */
export function sayWhen(member: MemberView, reader: Reader): SaidWhen | undefined {
  const access = shownAccess(member)
  const [first] = access?.schedules ?? []
  if (!access || !first) return undefined
  const { nextAt, untilAt } = member.now
  const says = reader.words.members
  const below =
    untilAt !== null
      ? says.until(sayMoment(untilAt, reader))
      : nextAt !== null
        ? says.next(sayMoment(nextAt, reader))
        : ''
  return { hours: shortOf(formOf(first), reader.words), more: access.schedules.length - 1, below }
}

/** The access of which the fewest uses are left; undefined where none has a cap. */
export function scarcest({ accesses }: MemberView): { left: number; of: number } | undefined {
  const capped = accesses.flatMap(({ maxUsage, now }) =>
    maxUsage === null || now.usesLeft === null ? [] : [{ left: now.usesLeft, of: maxUsage }],
  )
  return capped.toSorted((a, b) => a.left - b.left)[0]
}

/** The prefix `North: ` for the gate whose access this field of a body belongs to; otherwise empty. */
export function gateBefore(field: string, gateNames: readonly string[], { member }: Words): string {
  const place = /^accesses\[(\d+)\]/.exec(field)?.[1]
  return place === undefined ? '' : `${gateNames[Number(place)] ?? member.access.gone}: `
}

/**
 * An English refusal of the API with names in place of its paths: `accesses[0].maxUsage must be …` concerns the first of
 * `gateNames`, `phone must be …` the field with that label.
 */
export function sayRefusal(message: string, gateNames: readonly string[], words: Words): string {
  const { person } = words.member
  const labels: Readonly<Record<keyof MemberUpdate, string>> = {
    name: person.name,
    email: person.email,
    phone: person.phone,
    note: person.note,
    externalId: activityTexts(words).fields.externalId,
    metadata: activityTexts(words).fields.metadata,
  }
  const said = message.split('; ').map(part => {
    const [, rest] = /^accesses\[\d+\]\.?(?:schedules\[\d+\]\.)?(.*)$/.exec(part) ?? []
    if (rest !== undefined) return gateBefore(part, gateNames, words) + rest
    const [, field = '', rule] = /^(\w+) (must .*)$/.exec(part) ?? []
    const label = textFor(labels, field)
    return label === undefined ? part : `${label}: ${rule}`
  })
  return said.join('; ')
}
