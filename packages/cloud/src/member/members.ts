// Members: people with their accesses and one magic link; create, change, deactivate and invite.

import { refuse } from '@callgate/contract/app/refusals'
import { idPrefix } from '@callgate/contract/idPrefix'
import type { AccessGrant } from '@callgate/contract/rest/access'
import type { ActivityState } from '@callgate/contract/rest/activity'
import type { MemberUpdate } from '@callgate/contract/rest/member'
import { isProblem, type Problem } from '@callgate/contract/rest/problem'
import { newId } from '@callgate/world/ids'
import { isoTime, type World } from '@callgate/world/world'
import type { Knex } from 'knex'
import { actorOf, recordActivity, recordedChanges } from '../activity/activity.ts'
import { changeRow, endRow } from '../activity/changeRow.ts'
import type { Database, Db } from '../database/database.ts'
import { timeIn } from '../database/databaseTime.ts'
import { statement, type Values } from '../database/statement.ts'
import type { Handlers, Principal } from '../http/handler.ts'
import { notFound } from '../http/notFound.ts'
import { queueMail } from '../mail/outbox.ts'
import { type ExternalRow, externalColumns, externalIdProblem } from '../space/externalIds.ts'
import { invitationLimitProblem } from '../space/spaces.ts'
import {
  accessHandlers,
  insertAccesses,
  type NewAccess,
  readGateNames,
  readNewAccess,
  repeatedGate,
} from './accesses.ts'
import { forgetLinkUses } from './linkUses.ts'
import { type LinkParts, newLink, noLink } from './memberLinks.ts'
import { memberAt, memberReadHandlers, readMember } from './memberReads.ts'
import { inactiveMember, type MemberRow } from './memberRows.ts'

type MembersParts = { readonly database: Database; readonly world: World } & LinkParts

const noEmail = refuse('member_without_email')

/** The fields that all activity entries about one member have in common. */
function about(principal: Principal, member: { readonly id: string; readonly name: string }) {
  return { spaceId: principal.spaceId, ...actorOf(principal), targetId: member.id, targetLabel: member.name }
}

/** The accesses of a new member; or the problem of the first invalid one. */
function readNewAccesses(asked: readonly AccessGrant[]): readonly NewAccess[] | Problem {
  const read: NewAccess[] = []
  for (const [index, access] of asked.entries()) {
    const one = readNewAccess(access, `accesses[${index}].`)
    if (isProblem(one)) return one
    read.push(one)
  }
  return read
}

const insertRow = statement<Values, never>((db, row) => db('members').insert(row))

/** A new member, with checked accesses. */
interface NewMember extends Pick<MemberRow, 'name' | 'email' | 'phone' | 'note'>, Partial<ExternalRow> {
  readonly added: readonly NewAccess[]
  /** Whether the invitation is sent, where there is an address. */
  readonly sendsMail: boolean
}

/** Whether a member can be added: the names of the gates of its accesses, or the problem. */
export async function readNewMember(
  db: Db,
  spaceId: string,
  { added, externalId = null }: Pick<NewMember, 'added' | 'externalId'>,
  limited: () => Promise<Problem | undefined>,
): Promise<string[] | Problem> {
  const gateNames = await readGateNames(db, spaceId, added)
  if (isProblem(gateNames)) return gateNames
  const taken = await externalIdProblem(db, 'members', { spaceId, externalId })
  return repeatedGate(added) ?? taken ?? (await limited()) ?? gateNames
}

/** Adds a member, with an activity entry, unless `limited` reports a reached limit. Returns the id, or the problem. */
export async function insertMember(
  tx: Knex.Transaction,
  { seal, world }: Pick<MembersParts, 'seal' | 'world'>,
  principal: Principal,
  { added, email, externalId = null, metadata = null, name, note, phone, sendsMail }: NewMember,
  limited: () => Promise<Problem | undefined> = async () => undefined,
): Promise<{ readonly memberId: string } | Problem> {
  const { actor, spaceId } = principal
  const gateNames = await readNewMember(tx, spaceId, { added, externalId }, limited)
  if (isProblem(gateNames)) return gateNames
  const owner = { spaceId, id: newId(world, idPrefix.member) }
  const link = newLink(world, seal, owner)
  const given = { name, email, phone, note, externalId, metadata, createdAt: isoTime(timeIn(tx, world)) }
  await insertRow(tx, { ...owner, ...given, ...link, isAdmin: false, isActive: true })
  await insertAccesses(tx, world, owner, added)
  const of = about(principal, { id: owner.id, name })
  const details = { accesses: gateNames, gateIds: added.map(({ gateId }) => gateId) }
  await recordActivity(tx, world, { ...of, action: 'member.created', details })
  if (email === null || !sendsMail) return { memberId: owner.id }
  const mail = { spaceId, memberId: owner.id, kind: 'invitation', gateId: null } as const
  const refused = await queueMail(tx, world, { ...mail, address: email, actor })
  return refused ?? { memberId: owner.id }
}

function creation(parts: MembersParts): Pick<Handlers, 'createMember'> {
  const { world } = parts
  return {
    async createMember({ body, principal, write }) {
      const { spaceId } = principal
      const { accesses, email = null, name, note = null, phone = null } = body
      const added = readNewAccesses(accesses ?? [])
      if (isProblem(added)) return added
      return write(async tx => {
        const given = { name, email, phone, note, ...externalColumns(body), added, sendsMail: true }
        const limited = () => invitationLimitProblem(tx, spaceId, timeIn(tx, world))
        const inserted = await insertMember(tx, parts, principal, given, limited)
        if (isProblem(inserted)) return inserted
        const made = await readMember(parts, tx, principal, inserted.memberId)
        return made ? ({ status: 201, body: { member: made.member } } as const) : notFound('member')
      })
    },
  }
}

type RecordedMember = ActivityState<'member.updated'>
type MemberState = Pick<MemberRow, keyof RecordedMember>

const isSet = (value: string | null) => (value === null ? null : '(set)')

/**
 * The part of a member that an activity entry contains. Of personal data it contains only the existence, because an entry is
 * never deleted and `history:read` does not include `members:read`.
 */
function recorded({ email, externalId, metadata, name, note, phone }: MemberState): RecordedMember {
  return {
    name,
    email: isSet(email),
    phone: isSet(phone),
    note: isSet(note),
    externalId: isSet(externalId),
    metadata: isSet(metadata),
  }
}

/** What a change of fields means: the fields after it with the entry's changes, or the problem. Undefined where nothing changes. */
export async function readChange(db: Db, row: MemberRow, wanted: MemberUpdate) {
  const { email, externalId, metadata, name, note, phone } = row
  const before: MemberState = { name, email, phone, note, externalId, metadata }
  const { externalId: _, metadata: __, ...fields } = wanted
  const after: MemberState = { ...before, ...fields, ...externalColumns(wanted) }
  const changes = recordedChanges(before, after, recorded)
  if (!changes) return undefined
  const of = { id: row.id, spaceId: row.spaceId, externalId: after.externalId }
  const taken = row.linkSealed === null ? undefined : await externalIdProblem(db, 'members', of)
  return taken ?? { after, changes }
}

/** Changes fields of a member, with an activity entry where something changes. Returns the member after the change, or the problem. */
export async function changeMember(
  tx: Knex.Transaction,
  world: World,
  principal: Principal,
  row: MemberRow,
  wanted: MemberUpdate,
): Promise<MemberRow | Problem> {
  const change = await readChange(tx, row, wanted)
  if (!change) return row
  if (isProblem(change)) return change
  const { after, changes } = change
  await tx('members').where({ id: row.id, spaceId: row.spaceId }).update(after)
  const by = about(principal, { id: row.id, name: after.name })
  await recordActivity(tx, world, { ...by, action: 'member.updated', details: { changes } })
  return { ...row, ...after }
}

/** Deactivates an active member: revokes all accesses and ends the link. Returns its entry for the activity. */
export async function endMember(tx: Knex.Transaction, { id, name, spaceId }: MemberRow) {
  const revoked: { gateId: string; name: string }[] = await tx('accesses')
    .join('gates', 'gates.id', 'accesses.gateId')
    .where({ 'accesses.memberId': id, 'accesses.spaceId': spaceId })
    .orderBy(['accesses.createdAt', 'accesses.id'])
    .select('accesses.gateId', 'gates.name')
  await tx('accesses').where({ memberId: id, spaceId }).delete()
  await tx('members')
    .where({ id, spaceId })
    .update({ isActive: false, ...noLink })
  const details = {
    accesses: revoked.map(gate => gate.name),
    gateIds: revoked.map(({ gateId }) => gateId),
  }
  return { action: 'member.deactivated', targetId: id, targetLabel: name, details } as const
}

function changeHandlers(parts: MembersParts): Pick<Handlers, 'updateMember' | 'deactivateMember'> {
  const { world } = parts
  return {
    updateMember: request =>
      changeRow(world, request, memberAt(parts, request), async ({ row }, tx) => {
        const changed = await changeMember(tx, world, request.principal, row, request.body)
        return isProblem(changed) ? changed : undefined
      }),

    deactivateMember: request =>
      endRow(world, request, memberAt(parts, request), async ({ member, row }, tx) => {
        if (!member.isActive) return undefined
        return endMember(tx, row)
      }),
  }
}

function linkHandlers(
  parts: MembersParts,
): Pick<Handlers, 'reactivateMember' | 'resetMemberLink' | 'sendInvitation'> {
  const { seal, world } = parts
  return {
    resetMemberLink: request =>
      changeRow(world, request, memberAt(parts, request), async ({ row }, tx) => {
        if (row.linkSealed === null) return inactiveMember
        const { id, name, spaceId } = row
        await tx('members')
          .where({ id, spaceId })
          .update(newLink(world, seal, row))
        await forgetLinkUses(tx, row)
        return { action: 'member.link_reset', targetId: id, targetLabel: name, details: {} }
      }),

    reactivateMember: request =>
      changeRow(world, request, memberAt(parts, request), async ({ row }, tx) => {
        if (row.linkSealed !== null) return undefined
        const { externalId, id, name, spaceId } = row
        const taken = await externalIdProblem(tx, 'members', { spaceId, id, externalId })
        if (taken) return taken
        await tx('members')
          .where({ id, spaceId })
          .update({ isActive: true, ...newLink(world, seal, row) })
        await forgetLinkUses(tx, row)
        return { action: 'member.reactivated', targetId: id, targetLabel: name, details: {} }
      }),

    sendInvitation: request =>
      changeRow(
        world,
        request,
        memberAt(parts, request),
        async ({ member, row }, tx) => {
          if (!member.isActive) return inactiveMember
          if (row.email === null) return noEmail
          const { email: address, id: memberId, spaceId } = row
          const mail = { spaceId, memberId, kind: 'invitation', gateId: null } as const
          return queueMail(tx, world, { ...mail, address, actor: request.principal.actor })
        },
        202,
      ),
  }
}

/** Everything under /members. */
export function memberHandlers(parts: MembersParts) {
  return {
    ...memberReadHandlers(parts),
    ...creation(parts),
    ...changeHandlers(parts),
    ...linkHandlers(parts),
    ...accessHandlers(parts),
  }
}
