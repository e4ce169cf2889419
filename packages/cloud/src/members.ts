// Members: people with their accesses and one magic link; made, changed, deactivated and invited.

import { idPrefix } from '@callgate/contract/ids'
import type { Access, AccessGrant, Member } from '@callgate/contract/member'
import { isProblem, type Problem } from '@callgate/contract/problem'
import { newId } from '@callgate/world/ids'
import { isoTime, type World } from '@callgate/world/world'
import {
  type AccessRow,
  accessesOf,
  accessHandlers,
  type Grant,
  insertAccesses,
  readGateNames,
  readGrant,
  repeatedGate,
  selectAccesses,
  toAccess,
} from './accesses.ts'
import { type Changes, changesOf, recordActivity } from './activity.ts'
import type { Caller } from './apiKeys.ts'
import type { Database, Db } from './database.ts'
import type { Handlers } from './http/mount.ts'
import { type LinkParts, linkUrl, newLink, noLink } from './memberLinks.ts'
import { findMember, inactiveMember, type MemberRow, noMember, selectMembers } from './memberRows.ts'
import { cutPage, oldestFirst, type PageValues, pageValues, readPage } from './oldestFirst.ts'
import { queueMail } from './outbox.ts'
import { invitationLimitProblem } from './spaces.ts'

type Parts = { readonly database: Database; readonly world: World } & LinkParts

const noEmail: Problem = {
  problem: 'conflict',
  message: 'The member has no e-mail address to send the invitation to; give one by PATCH first.',
}

/** A dead link opens nothing, and so its member has no accesses to show. */
function shownAccesses(links: LinkParts, row: MemberRow, accesses: readonly AccessRow[]): Access[] {
  const { id, linkSealed, spaceId } = row
  if (linkSealed === null || accesses.length === 0) return []
  const url = linkUrl(links, { spaceId, id, linkSealed })
  return accesses.map(access => toAccess(access, url))
}

function toMember(links: LinkParts, row: MemberRow, accesses: readonly AccessRow[]): Member {
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

interface FoundMember {
  readonly row: MemberRow
  /** As the API answers it. */
  readonly member: Member
}

/** Undefined when the Space has no member of that id. */
async function readMember(
  links: LinkParts,
  db: Db,
  spaceId: string,
  memberId: string,
): Promise<FoundMember | undefined> {
  const row = await findMember(db, spaceId, memberId)
  return row && { row, member: toMember(links, row, await accessesOf(db, { spaceId, memberId })) }
}

/** What every entry about one member has in common. */
function about(caller: Caller, member: { readonly name: string }) {
  const { actor, spaceId } = caller
  return { spaceId, actor, targetLabel: member.name } as const
}

/** Members whose rows are read in one turn of the event loop. */
const rowsAtOnce = 200
/** Members who are put together with their accesses in one turn: each access may have 20 schedules of 10 windows. */
const membersInPiece = 10

/** Finds each member's accesses among those of many. */
function byMember(accesses: readonly AccessRow[]): (memberId: string) => readonly AccessRow[] {
  const found = new Map<string, AccessRow[]>()
  for (const access of accesses) {
    const theirs = found.get(access.memberId)
    if (theirs) theirs.push(access)
    else found.set(access.memberId, [access])
  }
  return memberId => found.get(memberId) ?? []
}

function readHandlers(parts: Parts): Pick<Handlers, 'listMembers' | 'getMember'> {
  const { knex } = parts.database
  return {
    async listMembers({ caller, query }) {
      const { spaceId } = caller
      const read = readPage(query, idPrefix.member)
      if (!read.ok) return read.problem
      const { page } = read
      const wanted = query.isActive === undefined ? {} : { isActive: query.isActive }
      const readRows = async (values: PageValues): Promise<readonly MemberRow[]> =>
        oldestFirst(selectMembers(knex, spaceId).where(wanted), 'members', values)
      const rows = await readRows(page ? pageValues(page) : { rows: rowsAtOnce })
      const { paged, shown } = cutPage(rows, page)
      const withAccesses = async (piece: readonly MemberRow[]) => {
        const ids = piece.map(({ id }) => id)
        const theirs = byMember(await selectAccesses(knex, spaceId).whereIn('memberId', ids))
        return piece.map(row => toMember(parts, row, theirs(row.id)))
      }
      if (shown.length <= membersInPiece)
        return { status: 200, body: { members: await withAccesses(shown), ...paged } }
      async function* pieces() {
        for (let left = shown; left.length > 0; ) {
          for (let from = 0; from < left.length; from += membersInPiece)
            yield await withAccesses(left.slice(from, from + membersInPiece))
          const { createdAt = '', id = '' } = left.at(-1) ?? {}
          const isWhole = page || left.length < rowsAtOnce
          left = isWhole ? [] : await readRows({ rows: rowsAtOnce, afterAt: createdAt, afterId: id })
        }
      }
      return { list: 'members', pieces: pieces(), rest: paged }
    },

    async getMember({ caller, params }) {
      const found = await readMember(parts, knex, caller.spaceId, params.memberId)
      return found ? { status: 200, body: { member: found.member } } : noMember
    },
  }
}

/** The grants of a new member; or the problem of the first that is not right. */
function readGrants(asked: readonly AccessGrant[]): readonly Grant[] | Problem {
  const grants: Grant[] = []
  for (const [index, access] of asked.entries()) {
    const grant = readGrant(access, `accesses[${index}].`)
    if (isProblem(grant)) return grant
    grants.push(grant)
  }
  return grants
}

function creation(parts: Parts): Pick<Handlers, 'createMember'> {
  const { seal, world } = parts
  return {
    async createMember({ body, caller, write }) {
      const { spaceId } = caller
      const { accesses, email = null, name, note = null, phone = null } = body
      const grants = readGrants(accesses ?? [])
      if (isProblem(grants)) return grants
      return write(async tx => {
        const gateNames = await readGateNames(tx, spaceId, grants)
        if (isProblem(gateNames)) return gateNames
        const nowMs = world.nowMs()
        const problem = repeatedGate(grants) ?? (await invitationLimitProblem(tx, spaceId, nowMs))
        if (problem) return problem
        const owner = { spaceId, id: newId(world, idPrefix.member) }
        const link = newLink(world, seal, owner)
        const given = { name, email, phone, note, createdAt: isoTime(nowMs) }
        await tx('members').insert({ ...owner, ...given, ...link, isAdmin: false, isActive: true })
        await insertAccesses(tx, world, owner, grants)
        const details = { accesses: gateNames }
        await recordActivity(tx, world, { ...about(caller, body), action: 'member.created', details })
        const mail = { spaceId, memberId: owner.id, kind: 'invitation', gateId: null } as const
        const { actor } = caller
        const refused =
          email === null ? undefined : await queueMail(tx, world, { ...mail, address: email, actor })
        if (refused) return refused
        const made = await readMember(parts, tx, spaceId, owner.id)
        return made ? ({ status: 201, body: { member: made.member } } as const) : noMember
      })
    },
  }
}

/**
 * The changes of a member as the log may keep them for ever: of what is personal it says only whether it was there.
 * An entry is never deleted, and `history:read` is not `members:read`.
 */
function veiled(changes: Changes<Pick<MemberRow, 'name' | 'email' | 'phone' | 'note'>>) {
  const { email, name, note, phone } = changes
  const isSet = (value: string | null) => (value === null ? null : '(set)')
  const veil = ({ from, to }: { from: string | null; to: string | null }) =>
    ({ from: isSet(from), to: isSet(to) }) as const
  return {
    ...(name && { name }),
    ...(email && { email: veil(email) }),
    ...(phone && { phone: veil(phone) }),
    ...(note && { note: veil(note) }),
  }
}

function changeHandlers(parts: Parts): Pick<Handlers, 'updateMember' | 'deactivateMember'> {
  const { world } = parts
  return {
    updateMember: ({ body, caller, params, stale, write }) =>
      write(async tx => {
        const { spaceId } = caller
        const found = await readMember(parts, tx, spaceId, params.memberId)
        if (!found) return noMember
        const { member, row } = found
        const outdated = stale({ member })
        if (outdated) return outdated
        const { email, name, note, phone } = row
        const before = { name, email, phone, note }
        const after = { ...before, ...body }
        const changes = changesOf(before, after)
        if (!changes) return { status: 200, body: { member } } as const
        await tx('members').where({ id: row.id, spaceId }).update(after)
        const details = { changes: veiled(changes) }
        await recordActivity(tx, world, { ...about(caller, after), action: 'member.updated', details })
        const { email: _, ...shown } = after
        return { status: 200, body: { member: { ...member, ...shown } } } as const
      }),

    deactivateMember: ({ caller, params, stale, write }) =>
      write(async tx => {
        const { spaceId } = caller
        const found = await readMember(parts, tx, spaceId, params.memberId)
        if (!found) return noMember
        const { member, row } = found
        const outdated = stale({ member })
        if (outdated) return outdated
        if (!member.isActive) return { status: 204 } as const
        const theirs = { 'accesses.memberId': row.id, 'accesses.spaceId': spaceId }
        const revoked = await tx('accesses')
          .join('gates', 'gates.id', 'accesses.gateId')
          .where(theirs)
          .orderBy(['accesses.createdAt', 'accesses.id'])
          .pluck('gates.name')
        await tx('accesses').where({ memberId: row.id, spaceId }).delete()
        await tx('members')
          .where({ id: row.id, spaceId })
          .update({ isActive: false, ...noLink })
        const details = { accesses: revoked }
        await recordActivity(tx, world, { ...about(caller, row), action: 'member.deactivated', details })
        return { status: 204 } as const
      }),
  }
}

function linkHandlers(parts: Parts): Pick<Handlers, 'resetMemberLink' | 'sendInvitation'> {
  const { seal, world } = parts
  return {
    resetMemberLink: ({ caller, params, write }) =>
      write(async tx => {
        const { spaceId } = caller
        const row = await findMember(tx, spaceId, params.memberId)
        if (!row) return noMember
        if (row.linkSealed === null) return inactiveMember
        await tx('members')
          .where({ id: row.id, spaceId })
          .update(newLink(world, seal, row))
        const entry = { ...about(caller, row), action: 'member.link_reset', details: {} } as const
        await recordActivity(tx, world, entry)
        const reset = await readMember(parts, tx, spaceId, row.id)
        return reset ? ({ status: 200, body: { member: reset.member } } as const) : noMember
      }),

    sendInvitation: ({ caller, params, write }) =>
      write(async tx => {
        const { spaceId } = caller
        const found = await readMember(parts, tx, spaceId, params.memberId)
        if (!found) return noMember
        const { member, row } = found
        if (!member.isActive) return inactiveMember
        if (row.email === null) return noEmail
        const mail = { spaceId, memberId: row.id, kind: 'invitation', gateId: null } as const
        const refused = await queueMail(tx, world, { ...mail, address: row.email, actor: caller.actor })
        if (refused) return refused
        return { status: 202, body: { member } } as const
      }),
  }
}

/** Everything under /members. */
export function memberHandlers(parts: Parts) {
  return {
    ...readHandlers(parts),
    ...creation(parts),
    ...changeHandlers(parts),
    ...linkHandlers(parts),
    ...accessHandlers(parts),
  }
}
