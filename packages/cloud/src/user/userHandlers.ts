// The users of a Space in the dashboard's API, for its owners: list, invite, change, link to a member, remove.

import { refuse } from '@callgate/contract/app/refusals'
import type { SpaceUser } from '@callgate/contract/app/user'
import { isoTime, type World } from '@callgate/world/world'
import { actorOf, recordActivity } from '../activity/activity.ts'
import { changeRow, endRow, showRow } from '../activity/changeRow.ts'
import { principalId } from '../core/identity.ts'
import { sessionIdleMs } from '../core/permit.ts'
import type { Database, Db } from '../database/database.ts'
import { timeIn } from '../database/databaseTime.ts'
import type { AppHandlers, UserPrincipal } from '../http/handler.ts'
import { notFound } from '../http/notFound.ts'
import { isMailAddress } from '../mail/message.ts'
import { queueUserMail } from '../mail/outbox.ts'
import type { Seal } from '../secrets/sealing.ts'
import { endKeysOf } from '../space/apiKeys.ts'
import { limitProblem } from '../space/spaces.ts'
import {
  type InvitationRow,
  insertInvitation,
  listInvitations,
  operatorMaker,
  toInvitation,
} from './invitations.ts'
import { linkMember } from './memberOfUser.ts'
import { chooseAlerts, emailKey, findUserByEmail, giveRole, type RoleRow, takeRole } from './users.ts'

interface UserHandlersParts {
  readonly world: World
  readonly database: Database
  readonly seal: Seal
}

const onlyOwner = refuse('only_owner')

interface UserInSpace extends RoleRow {
  readonly email: string
  readonly name: string
  readonly deactivatedAt: string | null
  readonly totpEnabledAt: string | null
  readonly memberName: string | null
  readonly lastSeenAt: string | null
}

/** The users of a Space, in the order of their roles' creation; or the one with that id. */
function readUsers(
  db: Db,
  nowMs: number,
  where: { spaceId: string; userId?: string },
): Promise<UserInSpace[]> {
  const { spaceId, userId } = where
  const lastSeen = db('sessions')
    .where('sessions.userId', db.ref('role.userId'))
    .where('expiresAt', '>', isoTime(nowMs))
    .where('lastSeenAt', '>', isoTime(nowMs - sessionIdleMs))
    .max('lastSeenAt')
  return db('userRoles as role')
    .join('users as user', 'user.id', 'role.userId')
    .leftJoin('members as member', join =>
      join.on('member.spaceId', 'role.spaceId').on('member.id', 'role.memberId'),
    )
    .where({ 'role.spaceId': spaceId, ...(userId !== undefined && { 'role.userId': userId }) })
    .orderBy(['role.createdAt', 'role.userId'])
    .select('role.*', 'user.email', 'user.name', 'user.deactivatedAt', 'user.totpEnabledAt')
    .select('member.name as memberName')
    .select(lastSeen.as('lastSeenAt'))
}

function toUser(row: UserInSpace, principal: UserPrincipal): SpaceUser {
  const { createdAt, deactivatedAt, email, lastSeenAt, memberId, memberName, name, role, userId } = row
  return {
    id: userId,
    email,
    name,
    role,
    isSelf: userId === principalId(principal.identity),
    isActive: deactivatedAt === null,
    getsAlerts: Boolean(row.getsAlerts),
    hasSecondFactor: row.totpEnabledAt !== null,
    member: memberId === null || memberName === null ? null : { id: memberId, name: memberName },
    createdAt,
    lastSeenAt,
  }
}

function invitationsOf(parts: UserHandlersParts): Pick<AppHandlers, 'inviteUser' | 'cancelInvitation'> {
  const { world } = parts
  return {
    async inviteUser({ body, principal, write }) {
      const { email, name, role } = body
      if (!isMailAddress(email)) return refuse('email_unread')
      return write(async tx => {
        const { spaceId } = principal
        const known = await findUserByEmail(tx, email)
        if (known && (await tx('userRoles').where({ spaceId, userId: known.id }).first()))
          return refuse('user_known', { email: known.email })
        const nowMs = timeIn(tx, world)
        const again = (await listInvitations(tx, spaceId, nowMs)).some(one => one.email === emailKey(email))
        const full = await limitProblem(tx, 'userLimit', { spaceId, nowMs, freed: again ? 1 : 0 })
        if (full) return full
        const space = await tx('spaces').where({ id: spaceId }).first('language')
        const language = body.language ?? space.language
        const given = {
          spaceId,
          email,
          name,
          role,
          language,
          invitedBy: principal.name,
          madeById: principalId(principal.identity) ?? operatorMaker,
        }
        const row = await insertInvitation(tx, parts, given)
        const of = { spaceId, ...actorOf(principal), targetId: row.id, targetLabel: name }
        await recordActivity(tx, world, { ...of, action: 'user.invited', details: { role } })
        const mail = { spaceId, address: row.email, actor: principal.actor }
        const refused = await queueUserMail(tx, world, { kind: 'user_invitation', linkId: row.id, ...mail })
        return refused ?? ({ status: 201, body: { invitation: toInvitation(row) } } as const)
      })
    },

    cancelInvitation: ({ principal, params: { invitationId }, write }) => {
      const place = { id: invitationId, spaceId: principal.spaceId }
      const invitation = {
        find: (db: Db) => db<InvitationRow>('userInvitations').where(place).first(),
        none: notFound('invitation'),
        show: toInvitation,
      }
      return endRow(world, { principal, write }, invitation, async ({ id, name }, tx) => {
        await tx('userInvitations').where(place).delete()
        return { action: 'user.invitation_cancelled', targetId: id, targetLabel: name, details: {} }
      })
    },
  }
}

export function userHandlers(
  parts: UserHandlersParts,
): Pick<
  AppHandlers,
  'listUsers' | 'getUser' | 'updateUser' | 'removeUser' | 'inviteUser' | 'cancelInvitation'
> {
  const { database, world } = parts
  const userAt = (principal: UserPrincipal, userId: string) => ({
    async find(db: Db) {
      const [row] = await readUsers(db, timeIn(db, world), { spaceId: principal.spaceId, userId })
      return row
    },
    none: notFound('user'),
    show: (row: UserInSpace) => ({ user: toUser(row, principal) }),
  })

  return {
    ...invitationsOf(parts),

    async listUsers({ principal }) {
      const { spaceId } = principal
      const nowMs = world.nowMs()
      const users = await readUsers(database.knex, nowMs, { spaceId })
      const invitations = await listInvitations(database.knex, spaceId, nowMs)
      const body = {
        users: users.map(row => toUser(row, principal)),
        invitations: invitations.map(toInvitation),
      }
      return { status: 200, body }
    },

    getUser: ({ principal, params }) => showRow(database.knex, userAt(principal, params.userId)),

    updateUser: ({ body, principal, params, stale, write }) =>
      changeRow(
        world,
        { principal, stale, write },
        userAt(principal, params.userId),
        async ({ name, userId: id }, tx) => {
          const { spaceId } = principal
          const { getsAlerts, memberId, role } = body
          const [user, by] = [{ id, name }, actorOf(principal)]
          if (role && !(await giveRole(tx, world, user, { spaceId, role, by }))) return onlyOwner
          if (getsAlerts !== undefined) await chooseAlerts(tx, world, user, { spaceId, getsAlerts, by })
          if (memberId === undefined) return undefined
          return linkMember(tx, world, { user, spaceId, memberId, by })
        },
      ),

    removeUser: ({ principal, params, query, stale, write }) =>
      endRow(
        world,
        { principal, stale, write },
        userAt(principal, params.userId),
        async ({ name, userId: id }, tx) => {
          const { spaceId } = principal
          const by = actorOf(principal)
          if (!(await takeRole(tx, world, { id, name }, { spaceId, by }))) return onlyOwner
          if (query.revokesKeys) await endKeysOf(tx, world, { spaceId, userId: id, by })
          return undefined
        },
      ),
  }
}
