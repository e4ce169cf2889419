// Accesses: which gate a member may open, when and how often; added, changed and revoked.

import { refuse } from '@callgate/contract/app/refusals'
import { idPrefix } from '@callgate/contract/idPrefix'
import type { Access, AccessGrant } from '@callgate/contract/rest/access'
import type { ActivityState, RecordedDetails } from '@callgate/contract/rest/activity'
import { isProblem, type Problem } from '@callgate/contract/rest/problem'
import type { Schedule } from '@callgate/contract/rest/schedule'
import { newId } from '@callgate/world/ids'
import { isoTime, type World } from '@callgate/world/world'
import type { Knex } from 'knex'
import { actorOf, changesOf, recordActivity } from '../activity/activity.ts'
import { changeRow, endRow } from '../activity/changeRow.ts'
import { readSchedules } from '../core/schedule/readSchedules.ts'
import type { Database, Db } from '../database/database.ts'
import { timeIn } from '../database/databaseTime.ts'
import { statement, type Values } from '../database/statement.ts'
import type { Handlers, Request } from '../http/handler.ts'
import { notFound } from '../http/notFound.ts'
import { queueMail } from '../mail/outbox.ts'
import { type LinkOwner, type LinkParts, linkUrl } from './memberLinks.ts'
import { findMember, inactiveMember } from './memberRows.ts'

export interface AccessRow {
  readonly id: string
  readonly memberId: string
  readonly gateId: string
  /** JSON. */
  readonly schedules: string
  readonly maxUsage: number | null
  readonly usageCount: number
  /** SQLite has 0 and 1. */
  readonly isActive: boolean | number
  readonly lastUsedAt: string | null
}

const columns = [
  'accesses.id',
  'accesses.memberId',
  'accesses.gateId',
  'accesses.schedules',
  'accesses.maxUsage',
  'accesses.usageCount',
  'accesses.isActive',
  'accesses.lastUsedAt',
]

const noAccess: Problem = {
  problem: 'not_found',
  message: 'There is no access with this id at a member with this id.',
}

export function toAccess(row: AccessRow, accessUrl: string): Access {
  const { gateId, id, isActive, lastUsedAt, maxUsage, schedules, usageCount } = row
  return {
    id,
    gateId,
    schedules: JSON.parse(schedules) as Schedule[],
    maxUsage,
    usageCount,
    isActive: Boolean(isActive),
    accessUrl,
    lastUsedAt,
  }
}

/** The accesses of a Space in the order of the API, to be narrowed further. */
export function selectAccesses(db: Db, spaceId: string) {
  return db('accesses')
    .select<AccessRow[]>(columns)
    .where({ 'accesses.spaceId': spaceId })
    .orderBy(['accesses.memberId', 'accesses.createdAt', 'accesses.id'])
}

/** The accesses of one member. */
export const accessesOf = statement<{ readonly spaceId: string; readonly memberId: string }, AccessRow>(
  (db, { memberId, spaceId }) => selectAccesses(db, spaceId).where({ memberId }),
)

/** The accesses of some members, by member. */
export async function accessesByMember(
  db: Db,
  spaceId: string,
  memberIds: readonly string[],
): Promise<ReadonlyMap<string, readonly AccessRow[]>> {
  const byMember = new Map<string, AccessRow[]>(memberIds.map(id => [id, []]))
  for (const row of await selectAccesses(db, spaceId).whereIn('accesses.memberId', memberIds))
    byMember.get(row.memberId)?.push(row)
  return byMember
}

/** An access to add, with every default filled in. */
export interface NewAccess {
  readonly gateId: string
  readonly schedules: readonly Schedule[]
  readonly maxUsage: number | null
  /** True by default. */
  readonly isActive?: boolean
  /** Its position in the body: the first part of a field's name in a message. */
  readonly at: string
}

/** Checks what the schema cannot express. `at` is the position in the body: `accesses[0].`, or empty. */
export function readNewAccess(asked: AccessGrant, at = ''): NewAccess | Problem {
  const read = readSchedules(asked.schedules ?? [{ type: 'always' }], `${at}schedules`)
  if (!read.ok) return read.problem
  return { gateId: asked.gateId, schedules: read.schedules, maxUsage: asked.maxUsage ?? null, at }
}

const gateName = statement<{ readonly id: string; readonly spaceId: string }, { readonly name: string }>(
  (db, place) => db('gates').select('name').where(place),
)

/** The names of the gates of the new accesses, in order; or the problem of the first gate that the Space does not have. */
export async function readGateNames(
  tx: Db,
  spaceId: string,
  accesses: readonly Pick<NewAccess, 'at' | 'gateId'>[],
): Promise<string[] | Problem> {
  const names: string[] = []
  for (const { at, gateId } of accesses) {
    const [gate] = await gateName(tx, { id: gateId, spaceId })
    if (!gate) return { problem: 'not_found', message: `${at}gateId: there is no gate with this id.` }
    names.push(gate.name)
  }
  return names
}

/** A member has one access for each gate: the problem of the first new access to a gate of `gateIds`, or to one twice. */
export function repeatedGate(
  accesses: readonly NewAccess[],
  gateIds: readonly string[] = [],
): Problem | undefined {
  const seen = new Set(gateIds)
  for (const { at, gateId } of accesses) {
    if (seen.has(gateId)) return refuse('member_has_gate', { field: `${at}gateId` })
    seen.add(gateId)
  }
  return undefined
}

const insertAccess = statement<Values, never>((db, row) => db('accesses').insert(row))

/** Adds the accesses, whose gates must exist and be new to the member; returns their rows in the given order. */
export async function insertAccesses(
  tx: Knex.Transaction,
  world: World,
  member: LinkOwner,
  accesses: readonly NewAccess[],
): Promise<readonly AccessRow[]> {
  const createdAt = isoTime(timeIn(tx, world))
  // Ids break the tie between equal times: sorted, they keep the order in which the accesses were sent.
  const ids = accesses.map(() => newId(world, idPrefix.access)).sort()
  const rows = accesses.map(({ gateId, isActive = true, maxUsage, schedules }, index) => ({
    id: ids[index] ?? '',
    memberId: member.id,
    gateId,
    schedules: JSON.stringify(schedules),
    maxUsage,
    usageCount: 0,
    isActive,
    lastUsedAt: null,
  }))
  // One by one: statements for every number of rows would evict the others from the cache of prepared statements.
  for (const row of rows) await insertAccess(tx, { ...row, spaceId: member.spaceId, createdAt })
  return rows
}

interface FoundAccess extends AccessRow {
  readonly gateName: string
  readonly memberName: string
  readonly linkSealed: string
}

/** The access with the facts for its activity entry; undefined when the member has no access with that id. */
async function findAccess(
  tx: Db,
  place: { readonly spaceId: string; readonly memberId: string; readonly accessId: string },
): Promise<FoundAccess | undefined> {
  const { accessId, memberId, spaceId } = place
  return tx('accesses')
    .join('members', 'members.id', 'accesses.memberId')
    .join('gates', 'gates.id', 'accesses.gateId')
    .where({ 'accesses.id': accessId, 'accesses.memberId': memberId, 'accesses.spaceId': spaceId })
    .first([
      ...columns,
      'members.name as memberName',
      'members.linkSealed as linkSealed',
      'gates.name as gateName',
    ])
}

type AccessesParts = { readonly database: Database; readonly world: World } & LinkParts

/** The access as the API answers it, with its member's link. */
function shownAccess(links: LinkParts, row: AccessRow, spaceId: string, linkSealed: string): Access {
  return toAccess(row, linkUrl(links, { spaceId, id: row.memberId, linkSealed }))
}

type OnAccess = 'guest.access_added' | 'guest.access_updated' | 'guest.access_revoked'

/** The activity entry of an action on one access. `beside`: the details besides the access itself. */
export function entryOf<Action extends OnAccess>(
  access: Pick<FoundAccess, 'id' | 'memberId' | 'gateId' | 'gateName' | 'memberName'>,
  action: Action,
  beside: Omit<RecordedDetails<Action>, 'deviceName' | 'gateId' | 'accessId'>,
) {
  const { gateId, gateName, id: accessId, memberId, memberName } = access
  // The compiler does not see that the parts of the generic type are complete.
  const details = { deviceName: gateName, gateId, accessId, ...beside } as RecordedDetails<Action>
  return { action, targetId: memberId, targetLabel: memberName, details }
}

function additionHandlers(parts: AccessesParts): Pick<Handlers, 'addAccess'> {
  const { world } = parts
  return {
    async addAccess({ body, principal, params, write }) {
      const { actor, spaceId } = principal
      const added = readNewAccess(body)
      if (isProblem(added)) return added
      return write(async tx => {
        const member = await findMember(tx, spaceId, params.memberId)
        if (!member) return notFound('member')
        const names = await readGateNames(tx, spaceId, [added])
        if (isProblem(names)) return names
        if (member.linkSealed === null) return inactiveMember
        const gateIds = await tx('accesses').where({ memberId: member.id, spaceId }).pluck('gateId')
        const conflict = repeatedGate([added], gateIds)
        if (conflict) return conflict
        const [row] = await insertAccesses(tx, world, member, [added])
        const [deviceName] = names
        if (!row || deviceName === undefined) throw new Error('one added access makes one row')
        const of = { memberId: member.id, memberName: member.name, gateName: deviceName }
        const entry = entryOf({ ...row, ...of }, 'guest.access_added', {})
        await recordActivity(tx, world, { spaceId, ...actorOf(principal), ...entry })
        const mail = { spaceId, memberId: member.id, kind: 'access_granted', gateId: added.gateId } as const
        const address = member.email
        const refused = address === null ? undefined : await queueMail(tx, world, { ...mail, address, actor })
        if (refused) return refused
        return { status: 201, body: { access: shownAccess(parts, row, spaceId, member.linkSealed) } } as const
      })
    },
  }
}

/** The operations on one access. */
export function accessHandlers(
  parts: AccessesParts,
): Pick<Handlers, 'addAccess' | 'updateAccess' | 'revokeAccess'> {
  const { world } = parts
  const accessAt = ({
    principal: { spaceId },
    params,
  }: Pick<Request<'updateAccess'>, 'principal' | 'params'>) => ({
    find: (db: Db) => findAccess(db, { spaceId, ...params }),
    none: noAccess,
    show: (row: FoundAccess) => ({ access: shownAccess(parts, row, spaceId, row.linkSealed) }),
  })
  return {
    ...additionHandlers(parts),

    async updateAccess(request) {
      const { body, principal } = request
      const read = body.schedules && readSchedules(body.schedules, 'schedules')
      if (read && !read.ok) return read.problem
      const thing = accessAt(request)
      return changeRow(world, request, thing, async (row, tx) => {
        const { access: before } = thing.show(row)
        const schedules = read ? [...read.schedules] : before.schedules
        const after: Access = { ...before, ...body, schedules }
        const changes = changesOf<ActivityState<'guest.access_updated'>>(before, after)
        if (!changes) return undefined
        const { isActive, maxUsage } = after
        await tx('accesses')
          .where({ id: row.id, spaceId: principal.spaceId })
          .update({ isActive, maxUsage, schedules: JSON.stringify(schedules) })
        return entryOf(row, 'guest.access_updated', { changes })
      })
    },

    revokeAccess: request =>
      endRow(world, request, accessAt(request), async (row, tx) => {
        await tx('accesses').where({ id: row.id, spaceId: request.principal.spaceId }).delete()
        return entryOf(row, 'guest.access_revoked', {})
      }),
  }
}
