// Finds members: by a part of a text, a gate and their status, page by page and in turns.

import type { AccessView, MemberCounts } from '@callgate/contract/app/appMember'
import { idPrefix } from '@callgate/contract/idPrefix'
import type { Problem } from '@callgate/contract/rest/problem'
import type { MemberState } from '@callgate/contract/rest/standing'
import { oldestFirst } from '../database/oldestFirst.ts'
import { cursorOf, readCursor } from '../database/paging.ts'
import { statement } from '../database/statement.ts'
import { bestOf } from './core/accessStatus.ts'
import { type MemberFilter, type MemberRow, selectFitting } from './memberRows.ts'
import { type Scene, withAccesses } from './memberViews.ts'

/** How many members' rows are read in one turn of the event loop. One can have 45 kB, most of it metadata. */
const rowsAtOnce = 50
/** The work of a member besides its accesses, in the unit of `Scene.work`. */
const memberWork = 400
const soonMs = 7 * 86_400_000

/** A text in the form for comparison: without case and accents. */
const plain = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** `search` in the form for comparison. */
function hasText({ email, name, note, phone }: MemberRow, search: string, searchesEmail: boolean): boolean {
  const texts = searchesEmail ? [name, email, phone, note] : [name, phone, note]
  return texts.some(text => text !== null && plain(text).includes(search))
}

/** Whether an active member with these accesses has this status. */
function stands(accesses: readonly AccessView[], state: MemberState, nowMs: number): boolean {
  const { endsAt, standing } = bestOf(accesses.map(({ now }) => now))
  if (state === 'allowed_now' || state === 'ended') return standing === state
  if (state === 'current') return standing !== 'ended'
  if (state !== 'ending_soon') return true
  return endsAt !== null && standing !== 'ended' && Date.parse(endsAt) <= nowMs + soonMs
}

/** The rows of a Space's members after a position, oldest first, in batches. */
export async function* memberBatches(
  { db, spaceId, work }: Scene,
  filter: MemberFilter,
  after?: { readonly at: string; readonly id: string },
): AsyncGenerator<readonly MemberRow[]> {
  let place = after
  for (;;) {
    await work(rowsAtOnce * memberWork)
    const page = { rows: rowsAtOnce, ...(place && { afterAt: place.at, afterId: place.id }) }
    const rows: readonly MemberRow[] = await oldestFirst(selectFitting(db, spaceId, filter), 'members', page)
    yield rows
    const last = rows.at(-1)
    if (!last || rows.length < rowsAtOnce) return
    place = { at: last.createdAt, id: last.id }
  }
}

interface Wanted extends MemberFilter {
  readonly limit: number
  readonly cursor?: string | undefined
  readonly search?: string | undefined
  /** Whether `search` is looked for in e-mail addresses. */
  readonly searchesEmail: boolean
  readonly gateId?: string | undefined
  readonly state?: MemberState | undefined
}

/** The filter of the rows; undefined where its parts exclude each other. */
function filterOf({ email, externalId, isActive, state }: Wanted): MemberFilter | undefined {
  const isOfState = state === undefined ? isActive : state !== 'inactive'
  return isActive === undefined || isActive === isOfState
    ? { email, externalId, isActive: isOfState }
    : undefined
}

const membersOfGate = statement<
  { readonly spaceId: string; readonly gateId: string },
  { readonly memberId: string }
>((db, place) => db('accesses').select('memberId').where(place))

/** Who has an access to the gate; undefined where no gate is asked for. */
async function whoHas({ db, spaceId }: Scene, gateId: string | undefined): Promise<Set<string> | undefined> {
  if (gateId === undefined) return undefined
  return new Set((await membersOfGate(db, { spaceId, gateId })).map(({ memberId }) => memberId))
}

export interface FoundPage<Shown> {
  readonly members: Shown[]
  readonly pagination: { limit: number; nextCursor: string | null }
}

/** One page of the matching members, each in the form of `show`. */
export async function findMembers<Shown>(
  scene: Scene,
  wanted: Wanted,
  show: (row: MemberRow, accesses: AccessView[]) => Shown | Promise<Shown>,
): Promise<FoundPage<Shown> | Problem> {
  const { cursor = '', limit, searchesEmail, state } = wanted
  const read = readCursor(cursor, idPrefix.member)
  if (!read.ok) return read.problem
  const members: Shown[] = []
  const filter = filterOf(wanted)
  if (!filter) return { members, pagination: { limit, nextCursor: null } }
  const search = wanted.search === undefined ? undefined : plain(wanted.search.trim())
  const havers = await whoHas(scene, wanted.gateId)
  let last: MemberRow | undefined
  const fits = (row: MemberRow) =>
    (!havers || havers.has(row.id)) && (search === undefined || hasText(row, search, searchesEmail))
  for await (const rows of memberBatches(scene, filter, read.after))
    for await (const [row, accesses] of withAccesses(scene, rows.filter(fits))) {
      if (state !== undefined && !stands(accesses, state, scene.nowMs)) continue
      // One more than requested shows that another page follows.
      if (last && members.length === limit)
        return { members, pagination: { limit, nextCursor: cursorOf({ at: last.createdAt, id: last.id }) } }
      members.push(await show(row, accesses))
      last = row
    }
  return { members, pagination: { limit, nextCursor: null } }
}

/** The number of members of each status. */
export async function countMembers(scene: Scene): Promise<MemberCounts> {
  const counts = { active: 0, current: 0, allowed_now: 0, ending_soon: 0, ended: 0, inactive: 0 }
  const counted = ['active', 'current', 'allowed_now', 'ending_soon', 'ended'] as const
  for await (const rows of memberBatches(scene, { isActive: true }))
    for await (const [, accesses] of withAccesses(scene, rows))
      for (const state of counted) if (stands(accesses, state, scene.nowMs)) counts[state]++
  for await (const rows of memberBatches(scene, { isActive: false })) counts.inactive += rows.length
  return counts
}
