// Finds members for the dashboard: by a part of a text, a gate and their status, page by page and in turns.

import type { AccessView, MemberCounts, MemberState, MemberView } from '@callgate/contract/app/appMember'
import { idPrefix } from '@callgate/contract/idPrefix'
import type { Problem } from '@callgate/contract/rest/problem'
import { oldestFirst } from '../database/oldestFirst.ts'
import { cursorOf, readCursor } from '../database/paging.ts'
import { bestOf } from './core/accessStatus.ts'
import { type MemberRow, selectMembers } from './memberRows.ts'
import { type Scene, toMemberView, viewAccesses } from './memberViews.ts'

/** How many members' rows are read in one turn of the event loop. */
const rowsAtOnce = 200
/** The work of a member besides its accesses, in the unit of `Scene.work`. */
const memberWork = 100
const soonMs = 7 * 86_400_000

/** A text in the form for comparison: without case and accents. */
const plain = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

function hasText({ email, name, note, phone }: MemberRow, search: string): boolean {
  return [name, email, phone, note].some(text => text !== null && plain(text).includes(search))
}

/** Whether an active member with these accesses has this status. */
function stands(accesses: readonly AccessView[], state: MemberState, nowMs: number): boolean {
  const { endsAt, standing } = bestOf(accesses.map(({ now }) => now))
  if (state === 'allowed_now' || state === 'ended') return standing === state
  if (state !== 'ending_soon') return true
  return endsAt !== null && standing !== 'ended' && Date.parse(endsAt) <= nowMs + soonMs
}

/** The rows of a Space's members after a position, oldest first, in batches. */
export async function* memberBatches(
  { db, spaceId, work }: Scene,
  isActive: boolean,
  after?: { readonly at: string; readonly id: string },
): AsyncGenerator<readonly MemberRow[]> {
  let place = after
  for (;;) {
    await work(rowsAtOnce * memberWork)
    const page = { rows: rowsAtOnce, ...(place && { afterAt: place.at, afterId: place.id }) }
    const rows: readonly MemberRow[] = await oldestFirst(
      selectMembers(db, spaceId).where({ isActive }),
      'members',
      page,
    )
    yield rows
    const last = rows.at(-1)
    if (!last || rows.length < rowsAtOnce) return
    place = { at: last.createdAt, id: last.id }
  }
}

interface Wanted {
  readonly limit: number
  readonly cursor?: string
  readonly search?: string
  readonly gateId?: string
  readonly state: MemberState
}

/** The accesses of a matching member; undefined for another one. */
async function fittingAccesses(
  scene: Scene,
  row: MemberRow,
  { gateId, search, state }: Wanted,
): Promise<AccessView[] | undefined> {
  if (search !== undefined && !hasText(row, search)) return undefined
  const accesses = await viewAccesses(scene, row)
  if (gateId !== undefined && !accesses.some(access => access.gateId === gateId)) return undefined
  return stands(accesses, state, scene.nowMs) ? accesses : undefined
}

/** One page of the matching members. */
export async function findMembers(
  scene: Scene,
  asked: Wanted,
): Promise<{ members: MemberView[]; pagination: { limit: number; nextCursor: string | null } } | Problem> {
  const { cursor = '', limit, search, state } = asked
  const read = readCursor(cursor, idPrefix.member)
  if (!read.ok) return read.problem
  const wanted = { ...asked, ...(search !== undefined && { search: plain(search.trim()) }) }
  const members: MemberView[] = []
  for await (const rows of memberBatches(scene, state !== 'inactive', read.after))
    for (const row of rows) {
      const accesses = await fittingAccesses(scene, row, wanted)
      if (!accesses) continue
      const last = members.at(-1)
      // One more than requested shows that another page follows.
      if (last && members.length === limit)
        return { members, pagination: { limit, nextCursor: cursorOf({ at: last.createdAt, id: last.id }) } }
      members.push(await toMemberView(scene, row, accesses))
    }
  return { members, pagination: { limit, nextCursor: null } }
}

/** The number of members of each status. */
export async function countMembers(scene: Scene): Promise<MemberCounts> {
  const counts = { active: 0, allowed_now: 0, ending_soon: 0, ended: 0, inactive: 0 }
  const counted = ['active', 'allowed_now', 'ending_soon', 'ended'] as const
  for await (const rows of memberBatches(scene, true))
    for (const row of rows) {
      const accesses = await viewAccesses(scene, row)
      for (const state of counted) if (stands(accesses, state, scene.nowMs)) counts[state]++
    }
  for await (const rows of memberBatches(scene, false)) counts.inactive += rows.length
  return counts
}
