// Members in the form of the API, with their accesses: one, or the list in small pieces.

import type { AccessView } from '@callgate/contract/app/appMember'
import { idPrefix } from '@callgate/contract/idPrefix'
import type { Access } from '@callgate/contract/rest/access'
import type { ListedMember, Member } from '@callgate/contract/rest/member'
import { isProblem } from '@callgate/contract/rest/problem'
import { routes } from '@callgate/contract/rest/routes'
import type { World } from '@callgate/world/world'
import { showRow } from '../activity/changeRow.ts'
import type { Database, Db } from '../database/database.ts'
import { cutPage, oldestFirst, type PageValues, pageValues, readPage } from '../database/oldestFirst.ts'
import { hasScope, lacksScope } from '../http/authenticate.ts'
import type { Handlers, Principal, Request } from '../http/handler.ts'
import { listText } from '../http/longList.ts'
import { notFound } from '../http/notFound.ts'
import { listPath, pageLinks } from '../http/pageLinks.ts'
import { externalShown } from '../space/externalIds.ts'
import { type AccessRow, accessesOf, toAccess } from './accesses.ts'
import { type LinkParts, linkUrl } from './memberLinks.ts'
import { findMember, type MemberRow, selectFitting } from './memberRows.ts'
import { findMembers } from './memberSearch.ts'
import { sceneOf, standingOf } from './memberViews.ts'

/** A dead link opens nothing, so its member has no accesses to show. */
function shownAccesses(links: LinkParts, row: MemberRow, accesses: readonly AccessRow[]): Access[] {
  const { id, linkSealed, spaceId } = row
  if (linkSealed === null || accesses.length === 0) return []
  const url = linkUrl(links, { spaceId, id, linkSealed })
  return accesses.map(access => toAccess(access, url))
}

/** `readsEmail`: whether the address is shown. */
export function toMember(
  links: LinkParts,
  row: MemberRow,
  accesses: readonly AccessRow[],
  readsEmail: boolean,
): Member {
  const { createdAt, email, id, name, note, phone } = row
  return {
    id,
    name,
    phone,
    note,
    ...(readsEmail && { email }),
    isAdmin: Boolean(row.isAdmin),
    isActive: Boolean(row.isActive),
    preferredLanguage: row.preferredLanguage ?? row.spaceLanguage,
    createdAt,
    accesses: shownAccesses(links, row, accesses),
    ...externalShown(row),
  }
}

/**
 * The text of JSON.stringify for `toMember`. The schedules are stored in that form, so they need not be parsed to be printed
 * again. Quotes inside texts are escaped, so the names of fields are found at the right places.
 */
export function writeMember(
  links: LinkParts,
  row: MemberRow,
  accesses: readonly AccessRow[],
  readsEmail: boolean,
): string {
  const shown = shownAccesses(
    links,
    row,
    accesses.map(access => ({ ...access, schedules: '[]' })),
  )
  const written = shown.map((access, place) =>
    JSON.stringify(access).replace('"schedules":[]', () => `"schedules":${accesses[place]?.schedules}`),
  )
  const alone = JSON.stringify(toMember(links, row, [], readsEmail))
  return alone.replace('"accesses":[]', () => `"accesses":[${written.join(',')}]`)
}

type ReadParts = { readonly database: Database; readonly world: World } & LinkParts

interface FoundMember {
  readonly row: MemberRow
  /** In the form of the API. */
  readonly member: Member
}

const readsEmail = (principal: Principal) => hasScope(principal, 'members:read_email')

/** The member as the principal may see it; undefined when the Space has no member with that id. */
export async function readMember(
  links: LinkParts,
  db: Db,
  principal: Principal,
  memberId: string,
): Promise<FoundMember | undefined> {
  const { spaceId } = principal
  const row = await findMember(db, spaceId, memberId)
  if (!row) return undefined
  const accesses = await accessesOf(db, { spaceId, memberId })
  return { row, member: toMember(links, row, accesses, readsEmail(principal)) }
}

/** Finds a member and shows it in the form of the API's operations. */
export const memberAt = (
  links: LinkParts,
  {
    principal,
    params: { memberId },
  }: { readonly principal: Principal; readonly params: { readonly memberId: string } },
) => ({
  find: (db: Db) => readMember(links, db, principal, memberId),
  none: notFound('member'),
  show: ({ member }: FoundMember) => ({ member }),
})

/** How many members' rows are read in one turn of the event loop, as by the search. One can have 45 kB, most of it metadata. */
const rowsAtOnce = 50
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
  showsEmail: boolean,
): Promise<readonly string[] | undefined> {
  const members: string[] = []
  let work = 0
  for (const row of rows) {
    if (work >= workInPiece) break
    const { id: memberId, linkSealed, spaceId } = row
    const accesses = linkSealed === null ? [] : await accessesOf(db, { spaceId, memberId })
    work += accesses.reduce((sum, { schedules }) => sum + schedules.length, memberWork)
    members.push(writeMember(links, row, accesses, showsEmail))
  }
  return members.length > 0 ? members : undefined
}

/** A found member in the form of the list. */
function toListed(
  links: LinkParts,
  row: MemberRow,
  views: readonly AccessView[],
  { includesNow, showsEmail }: { readonly includesNow: boolean; readonly showsEmail: boolean },
): ListedMember {
  const { accesses: _, ...member } = toMember(links, row, [], showsEmail)
  const url = row.linkSealed === null ? '' : linkUrl(links, { ...row, linkSealed: row.linkSealed })
  const accesses = views.map(({ lastUsedAt, now, ...access }) => ({
    ...access,
    accessUrl: url,
    lastUsedAt,
    ...(includesNow && { now }),
  }))
  return { ...member, accesses, ...(includesNow && { now: standingOf(views) }) }
}

/** How many members are written in one turn. */
const foundInPiece = 10

async function* writtenInPieces(members: readonly ListedMember[]) {
  for (let from = 0; from < members.length; from += foundInPiece)
    yield members.slice(from, from + foundInPiece).map(member => JSON.stringify(member))
}

const defaultLimit = 50

/** The rows of a page, some in each turn. */
async function readInTurns(
  read: (values: PageValues) => Promise<readonly MemberRow[]>,
  { rows: wanted = 0, ...after }: PageValues,
  giveWay: () => Promise<void>,
): Promise<readonly MemberRow[]> {
  const rows: MemberRow[] = []
  for (let place: PageValues = after; ; ) {
    const atOnce = Math.min(rowsAtOnce, wanted - rows.length)
    const some = await read({ ...place, rows: atOnce })
    rows.push(...some)
    const last = some.at(-1)
    if (!last || some.length < atOnce || rows.length >= wanted) return rows
    place = { afterAt: last.createdAt, afterId: last.id }
    await giveWay()
  }
}

type ListRequest = Pick<Request<'listMembers'>, 'principal' | 'query'>

/** The list without what is judged member by member: by its indexes, whole or in pages. */
async function listByIndex(parts: ReadParts, { principal, query }: ListRequest) {
  const { knex } = parts.database
  const { spaceId } = principal
  const showsEmail = readsEmail(principal)
  const read = readPage(query, idPrefix.member)
  if (!read.ok) return read.problem
  const { page } = read
  const readRows = async (values: PageValues): Promise<readonly MemberRow[]> =>
    oldestFirst(selectFitting(knex, spaceId, query), 'members', values)
  const giveWay = () => parts.world.turn(spaceId)
  const rows = await (page
    ? readInTurns(readRows, pageValues(page), giveWay)
    : readRows({ rows: rowsAtOnce }))
  const { paged, shown } = cutPage(rows, page)
  const headers = pageLinks(listPath(principal, routes.listMembers), query, paged.pagination)
  const isWhole = (some: readonly MemberRow[]) => page !== undefined || some.length < rowsAtOnce
  const first = (await readPiece(parts, knex, shown, showsEmail)) ?? []
  if (first.length === shown.length && isWhole(shown))
    return { status: 200, headers, json: listText('members', first, paged) } as const
  async function* pieces() {
    yield first
    for (let some = shown, done = first.length; ; done = 0) {
      for (;;) {
        const piece = await readPiece(parts, knex, some.slice(done), showsEmail)
        if (!piece) break
        done += piece.length
        yield piece
      }
      if (isWhole(some)) return
      const { createdAt = '', id = '' } = some.at(-1) ?? {}
      some = await readRows({ rows: rowsAtOnce, afterAt: createdAt, afterId: id })
    }
  }
  return { list: 'members', headers, pieces: pieces(), rest: paged } as const
}

/** A page of those who are found by a text, a gate or how they stand. */
async function listFound(parts: ReadParts, { principal, query }: ListRequest) {
  const { database, world } = parts
  const { include, limit = defaultLimit, ...filter } = query
  const showsEmail = readsEmail(principal)
  const scene = await sceneOf(parts, { db: database.knex, spaceId: principal.spaceId, world })
  const form = { includesNow: include === 'now', showsEmail }
  const found = await findMembers(scene, { ...filter, limit, searchesEmail: showsEmail }, (row, accesses) =>
    toListed(parts, row, accesses, form),
  )
  if (isProblem(found)) return found
  const { members, pagination } = found
  const headers = pageLinks(listPath(principal, routes.listMembers), query, pagination)
  if (members.length > foundInPiece)
    return { list: 'members', headers, pieces: writtenInPieces(members), rest: { pagination } } as const
  return { status: 200, headers, body: { members, pagination } } as const
}

/** The list of members, and one of them. */
export function memberReadHandlers(parts: ReadParts): Pick<Handlers, 'listMembers' | 'getMember'> {
  return {
    async listMembers({ principal, query }) {
      const { email, gateId, include, search, state } = query
      const what =
        email !== undefined ? 'the filter email' : search?.includes('@') ? 'a search with @' : undefined
      if (what !== undefined && !readsEmail(principal)) return lacksScope('members:read_email', what)
      const isJudged = [gateId, include, search, state].some(value => value !== undefined)
      return (isJudged ? listFound : listByIndex)(parts, { principal, query })
    },

    getMember: request => showRow(parts.database.knex, memberAt(parts, request)),
  }
}
