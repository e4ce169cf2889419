// The filters of the history and of the activity, in the address of the page and as queries to the API.

import { type OpeningClass, openingClasses } from '@callgate/contract/call/openingClass'
import { dateOf, wallOfDate, type Zone } from '../words/zone.ts'

/** The presser: a member, an API key or a user of the dashboard. */
export interface By {
  readonly kind: 'member' | 'key' | 'user'
  readonly id: string
}

/** A number of days that ends today; from a date to a date, both included; or all. */
export type Time =
  | { readonly is: 'days'; readonly days: number }
  | { readonly is: 'dates'; readonly from: string; readonly to: string }
  | { readonly is: 'all' }

export interface Filters {
  readonly classes: readonly OpeningClass[]
  readonly gateId: string | undefined
  readonly by: By | undefined
  readonly time: Time
}

/** The choices of days. */
export const dayChoices = [1, 7, 30] as const

export const noFilters: Filters = {
  classes: [],
  gateId: undefined,
  by: undefined,
  time: { is: 'days', days: 30 },
}

const byKinds = ['member', 'key', 'user'] as const
const isId = (text: string | null): text is string => text !== null && /^[a-z]+_[0-9a-z]+$/.test(text)

function timeOf(search: URLSearchParams): Time {
  const time = search.get('time')
  if (time === 'all') return { is: 'all' }
  const [from, to] = [search.get('from') ?? '', search.get('to') ?? '']
  const isRange = wallOfDate(from) !== undefined && wallOfDate(to) !== undefined && from <= to
  if (isRange) return { is: 'dates', from, to }
  const days = dayChoices.find(choice => time === `${choice}d`)
  return days === undefined ? noFilters.time : { is: 'days', days }
}

/** The filters in an address. Impossible ones are left out. */
export function filtersOf(search: URLSearchParams): Filters {
  const given = (search.get('class') ?? '').split(',')
  const gateId = search.get('gate')
  const kind = byKinds.find(name => isId(search.get(name)))
  return {
    classes: openingClasses.filter(kind => given.includes(kind)),
    gateId: isId(gateId) ? gateId : undefined,
    by: kind && { kind, id: search.get(kind) ?? '' },
    time: timeOf(search),
  }
}

/** The address of filters, without default values. */
export function searchOf({ by, classes, gateId, time }: Filters): URLSearchParams {
  const search = new URLSearchParams()
  if (classes.length > 0) search.set('class', classes.join(','))
  if (gateId !== undefined) search.set('gate', gateId)
  if (by) search.set(by.kind, by.id)
  if (time.is === 'all') search.set('time', 'all')
  if (time.is === 'days' && time.days !== 30) search.set('time', `${time.days}d`)
  if (time.is === 'dates') {
    search.set('from', time.from)
    search.set('to', time.to)
  }
  return search
}

export function isFiltered(filters: Filters): boolean {
  return searchOf(filters).size > 0
}

const dayMs = 86_400_000

/** The instants of a time in the zone, from the first inclusive to the second exclusive. Constant for the whole day. */
function rangeOf(time: Time, zone: Zone, today: string): { readonly from?: string; readonly to?: string } {
  const iso = (ms: number) => new Date(ms).toISOString()
  if (time.is === 'all') return {}
  if (time.is === 'days')
    return { from: iso(zone.startOfDay((wallOfDate(today) ?? 0) - (time.days - 1) * dayMs)) }
  const [from, to] = [wallOfDate(time.from) ?? 0, wallOfDate(time.to) ?? 0]
  return { from: iso(zone.startOfDay(from)), to: iso(zone.startOfDay(to + dayMs)) }
}

/** The query for the activity, which can filter by gate, member and time. */
export function activityQuery({ by, gateId, time }: Filters, zone: Zone, today: string) {
  return { gateId, memberId: by?.kind === 'member' ? by.id : undefined, ...rangeOf(time, zone, today) }
}

/** The query for the history. */
export function historyQuery(filters: Filters, zone: Zone, today: string) {
  const { by, classes } = filters
  return {
    ...activityQuery(filters, zone, today),
    apiKeyId: by?.kind === 'key' ? by.id : undefined,
    userId: by?.kind === 'user' ? by.id : undefined,
    classes: classes.length === 0 ? undefined : classes.join(','),
  }
}

/** Today as a date of the zone. */
export function todayOf(zone: Zone, nowMs: number): string {
  return dateOf(zone.wallMsAt(nowMs))
}
