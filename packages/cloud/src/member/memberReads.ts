// Members in the form of the API, with their accesses: one, or the list in small pieces.

import { idPrefix } from '@callgate/contract/idPrefix'
import type { Access } from '@callgate/contract/rest/access'
import type { Member } from '@callgate/contract/rest/member'
import { routes } from '@callgate/contract/rest/routes'
import { showRow } from '../activity/changeRow.ts'
import type { Database, Db } from '../database/database.ts'
import { cutPage, oldestFirst, type PageValues, pageValues, readPage } from '../database/oldestFirst.ts'
import type { Handlers, Principal } from '../http/handler.ts'
import { listText } from '../http/longList.ts'
import { notFound } from '../http/notFound.ts'
import { listPath, pageLinks } from '../http/pageLinks.ts'
import { type AccessRow, accessesOf, toAccess } from './accesses.ts'
import { type LinkParts, linkUrl } from './memberLinks.ts'
import { findMember, type MemberRow, selectMembers } from './memberRows.ts'

/** A dead link opens nothing, so its member has no accesses to show. */
function shownAccesses(links: LinkParts, row: MemberRow, accesses: readonly AccessRow[]): Access[] {
  const { id, linkSealed, spaceId } = row
  if (linkSealed === null || accesses.length === 0) return []
  const url = linkUrl(links, { spaceId, id, linkSealed })
  return accesses.map(access => toAccess(access, url))
}

export function toMember(links: LinkParts, row: MemberRow, accesses: readonly AccessRow[]): Member {
  const { createdAt, id, name, note, phone } = row
  return {
    id,
    name,
    phone,
    note,
    isAdmin: Boolean(row.isAdmin),
    isActive: Boolean(row.isActive),
    preferredLanguage: row.preferredLanguage ?? row.spaceLanguage,
    createdAt,
    accesses: shownAccesses(links, row, accesses),
  }
}

/**
 * The text of JSON.stringify for `toMember`. The schedules are stored in that form, so they need not be parsed to be printed
 * again. Quotes inside texts are escaped, so the names of fields are found at the right places.
 */
export function writeMember(links: LinkParts, row: MemberRow, accesses: readonly AccessRow[]): string {
  const shown = shownAccesses(
    links,
    row,
    accesses.map(access => ({ ...access, schedules: '[]' })),
  )
  const written = shown.map((access, place) =>
    JSON.stringify(access).replace('"schedules":[]', () => `"schedules":${accesses[place]?.schedules}`),
  )
  const alone = JSON.stringify(toMember(links, row, []))
  return alone.replace('"accesses":[]', () => `"accesses":[${written.join(',')}]`)
}

interface FoundMember {
  readonly row: MemberRow
  /** In the form of the API. */
  readonly member: Member
}

/** Undefined when the Space has no member with that id. */
export async function readMember(
  links: LinkParts,
  db: Db,
  spaceId: string,
  memberId: string,
): Promise<FoundMember | undefined> {
  const row = await findMember(db, spaceId, memberId)
  return row && { row, member: toMember(links, row, await accessesOf(db, { spaceId, memberId })) }
}

/** Finds a member and shows it in the form of the API's operations. */
export const memberAt = (
  links: LinkParts,
  {
    principal: { spaceId },
    params: { memberId },
  }: { readonly principal: Pick<Principal, 'spaceId'>; readonly params: { readonly memberId: string } },
) => ({
  find: (db: Db) => readMember(links, db, spaceId, memberId),
  none: notFound('member'),
  show: ({ member }: FoundMember) => ({ member }),
})

/** How many members' rows are read in one turn of the event loop. */
const rowsAtOnce = 200
/** How many characters of schedules are read and written in one turn. One access can contain 9,000. */
const workInPiece = 100_000
/** The work of a member besides the schedules, in the same unit: a row, and a link to be unsealed. */
const memberWork = 10_000

/**
 * The first of `rows` as members in JSON: as many as fit into one turn, and at least one, who can have an access for each gate.
 * Undefined where no row is left.
 */
async function readPiece(
  links: LinkParts,
  db: Db,
  rows: readonly MemberRow[],
): Promise<readonly string[] | undefined> {
  const members: string[] = []
  let work = 0
  for (const row of rows) {
    if (work >= workInPiece) break
    const { id: memberId, linkSealed, spaceId } = row
    const accesses = linkSealed === null ? [] : await accessesOf(db, { spaceId, memberId })
    work += accesses.reduce((sum, { schedules }) => sum + schedules.length, memberWork)
    members.push(writeMember(links, row, accesses))
  }
  return members.length > 0 ? members : undefined
}

/** The list of members, and one of them. */
export function memberReadHandlers(
  parts: { readonly database: Database } & LinkParts,
): Pick<Handlers, 'listMembers' | 'getMember'> {
  const { knex } = parts.database
  return {
    async listMembers({ principal, query }) {
      const { spaceId } = principal
      const read = readPage(query, idPrefix.member)
      if (!read.ok) return read.problem
      const { page } = read
      const wanted = query.isActive === undefined ? {} : { isActive: query.isActive }
      const readRows = async (values: PageValues): Promise<readonly MemberRow[]> =>
        oldestFirst(selectMembers(knex, spaceId).where(wanted), 'members', values)
      const rows = await readRows(page ? pageValues(page) : { rows: rowsAtOnce })
      const { paged, shown } = cutPage(rows, page)
      const headers = pageLinks(listPath(principal, routes.listMembers), query, paged.pagination)
      const isWhole = (some: readonly MemberRow[]) => page !== undefined || some.length < rowsAtOnce
      const first = (await readPiece(parts, knex, shown)) ?? []
      if (first.length === shown.length && isWhole(shown))
        return { status: 200, headers, json: listText('members', first, paged) }
      async function* pieces() {
        yield first
        for (let some = shown, done = first.length; ; done = 0) {
          for (;;) {
            const piece = await readPiece(parts, knex, some.slice(done))
            if (!piece) break
            done += piece.length
            yield piece
          }
          if (isWhole(some)) return
          const { createdAt = '', id = '' } = some.at(-1) ?? {}
          some = await readRows({ rows: rowsAtOnce, afterAt: createdAt, afterId: id })
        }
      }
      return { list: 'members', headers, pieces: pieces(), rest: paged }
    },

    getMember: request => showRow(knex, memberAt(parts, request)),
  }
}
