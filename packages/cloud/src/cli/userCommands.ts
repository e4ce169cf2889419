// The operator's commands on users of the dashboard: what they do and print.

import type { RoleName } from '@callgate/contract/app/appOperation'
import { roleNames } from '@callgate/contract/app/appOperation'
import { languages } from '@callgate/contract/language'
import { isoTime } from '@callgate/world/world'
import type { Knex } from 'knex'
import { actorWithoutId } from '../activity/activity.ts'
import { isMailAddress } from '../mail/message.ts'
import { queueSecurityMail } from '../mail/outbox.ts'
import { readableSecret } from '../secrets/readableSecret.ts'
import { endInvitationsOf } from '../user/endInvitations.ts'
import { showAdmins } from '../user/memberOfUser.ts'
import { createPasswordHashes, tooBusy } from '../user/passwordHashes.ts'
import { createPasswordRules } from '../user/passwordRules.ts'
import { endSessions } from '../user/sessions.ts'
import { endTotp } from '../user/totp.ts'
import {
  emailKey,
  endPasskeys,
  findUserByEmail,
  giveRole,
  insertUser,
  listUsers,
  setDeactivated,
  setPasswordHash,
  takeRole,
  type UserRow,
} from '../user/users.ts'
import { actor, type CommandParts, type CommandWork, columns, refuse, type Said } from './commandWork.ts'

const by = actorWithoutId(actor)
const noUser = (email: string) => refuse(`There is no user ${email}; see "callgate user list".`)
const noSpace = (space: string) => refuse(`There is no Space ${space}; see "callgate space list".`)

type NewPassword =
  | {
      readonly ok: true
      readonly passwordHash: string /** The password, where it was generated here. */
      readonly shown?: string
    }
  | Extract<Said, { ok: false }>

/** The password that a person types, or a generated one. */
async function newPassword(
  { readSecret, world }: CommandParts,
  user: Pick<UserRow, 'email' | 'name'>,
  isGenerated: boolean,
): Promise<NewPassword> {
  const password = isGenerated ? readableSecret(world) : await readSecret(`Password of ${user.email}: `)
  if (password === undefined)
    return { ok: false, message: 'The two passwords differ, or there was none. Nothing was changed.' }
  const fault = await createPasswordRules().fault(password, user)
  if (fault) return { ok: false, message: `${fault.message} Nothing was changed.` }
  const passwordHash = await createPasswordHashes(world).make(password)
  if (passwordHash === tooBusy) return { ok: false, message: 'The password could not be hashed.' }
  return { ok: true, passwordHash, ...(isGenerated && { shown: password }) }
}

const shownOnce = (password: string | undefined) =>
  password === undefined ? '' : ` The password is shown this once:\n\n  ${password}\n`

/** Changes the user with this e-mail in one transaction. Undefined where there is none. */
function changeUser<T>(
  { database }: CommandParts,
  email: string,
  change: (tx: Knex.Transaction, user: UserRow) => Promise<T>,
): Promise<T | undefined> {
  return database.write(async tx => {
    const user = await findUserByEmail(tx, email)
    return user && (await change(tx, user))
  })
}

async function setActive(parts: CommandParts, email: string, isActive: boolean): Promise<Said> {
  const deactivatedAt = isActive ? null : isoTime(parts.world.nowMs())
  const changed = await changeUser(parts, email, async (tx, user) => {
    await setDeactivated(tx, user.id, deactivatedAt)
    if (!isActive) await endSessions(tx, user.id)
    if (!isActive) await endInvitationsOf(tx, parts.world, { userId: user.id, by: actorWithoutId(actor) })
    await showAdmins(tx, await tx('userRoles').where({ userId: user.id }).select('spaceId', 'memberId'))
    return user
  })
  if (!changed) return noUser(email)
  const text = isActive ? 'may sign in again' : 'is shut out, and all their sessions have ended'
  return { ok: true, json: { userId: changed.id, deactivatedAt }, text: `${changed.email} ${text}.` }
}

export const userWork = {
  async create(parts, { email = '', name = '', role, space = '', ...options }) {
    const { database, world } = parts
    const given = { email: emailKey(email), name }
    const language = languages.find(code => code === options['language']) ?? 'en'
    const knownRole = roleNames.find(known => known === role) ?? 'owner'
    if (!isMailAddress(given.email)) return refuse(`--email is no address: ${email}`)
    // Before the command asks for the password.
    if (!(await database.knex('spaces').where({ id: space }).first('id'))) return noSpace(space)
    const taken = refuse(
      `There is a user ${given.email} already. "callgate user set-role" gives them a role in this Space.`,
    )
    if (await findUserByEmail(database.knex, given.email)) return taken
    const password = await newPassword(parts, given, options['generatePassword'] !== undefined)
    if (!password.ok) return password
    const { passwordHash, shown } = password
    const made = await database.write(async tx => {
      const user = await insertUser(tx, world, { ...given, language, passwordHash })
      if (user) await giveRole(tx, world, user, { spaceId: space, role: knownRole, by })
      return user
    })
    if (!made) return taken
    const json = { userId: made.id, email: made.email, name, spaceId: space, role: knownRole }
    const text = `${name} can sign in with ${made.email} as an ${knownRole}.${shownOnce(shown)}`
    return { ok: true, json: { ...json, ...(shown !== undefined && { password: shown }) }, text }
  },

  async list({ database }, { space }) {
    const users = await listUsers(database.knex, space)
    const rows = users.flatMap(({ roles, ...user }) => {
      const state = user.deactivatedAt === null ? 'active' : 'deactivated'
      const own = [user.email, user.name, state]
      return roles.length === 0
        ? [[...own, null, null]]
        : roles.map(({ role, spaceId }) => [...own, role, spaceId])
    })
    return { ok: true, json: { users }, text: columns(['E-MAIL', 'NAME', 'STATE', 'ROLE', 'SPACE'], rows) }
  },

  async setRole(parts, { email = '', role, space = '' }) {
    const { database, world } = parts
    if (!(await database.knex('spaces').where({ id: space }).first('id'))) return noSpace(space)
    const wanted: RoleName | undefined = roleNames.find(known => known === role)
    const done = await changeUser(parts, email, async (tx, user) => {
      const given = { spaceId: space, role: wanted, by }
      const isDone = given.role
        ? await giveRole(tx, world, user, { ...given, role: given.role })
        : await takeRole(tx, world, user, given)
      return { isDone, user }
    })
    if (!done) return noUser(email)
    const { isDone, user } = done
    if (!isDone)
      return refuse(`${user.email} is the only owner of this Space. Make somebody else an owner first.`)
    const text = wanted ? `is an ${wanted} of ${space}` : `has no role in ${space}`
    return {
      ok: true,
      json: { userId: user.id, spaceId: space, role: wanted ?? null },
      text: `${user.email} ${text}.`,
    }
  },

  async password(parts, { email = '', generatePassword }) {
    const user = await findUserByEmail(parts.database.knex, email)
    if (!user) return noUser(email)
    const password = await newPassword(parts, user, generatePassword !== undefined)
    if (!password.ok) return password
    const { passwordHash, shown } = password
    await parts.database.write(async tx => {
      await setPasswordHash(tx, user.id, passwordHash)
      await endSessions(tx, user.id)
      await queueSecurityMail(tx, parts.world, { userId: user.id, kind: 'password_changed' })
    })
    const json = { userId: user.id, ...(shown !== undefined && { password: shown }) }
    const text = `${user.email} has another password, and all their sessions have ended.${shownOnce(shown)}`
    return { ok: true, json, text }
  },

  async revokeSessions(parts, { email = '' }) {
    const ended = await changeUser(parts, email, async (tx, user) => {
      await endSessions(tx, user.id)
      return user
    })
    if (!ended) return noUser(email)
    return { ok: true, json: { userId: ended.id }, text: `All sessions of ${ended.email} have ended.` }
  },

  async resetFactors(parts, { email = '' }) {
    const reset = await changeUser(parts, email, async (tx, user) => {
      await endTotp(tx, user.id)
      await endPasskeys(tx, user.id)
      await endSessions(tx, user.id)
      await queueSecurityMail(tx, parts.world, { userId: user.id, kind: 'factors_removed' })
      return user
    })
    if (!reset) return noUser(email)
    const text = `${reset.email} signs in by the password alone, and all their sessions have ended.`
    return { ok: true, json: { userId: reset.id }, text }
  },

  deactivate: (parts, { email = '' }) => setActive(parts, email, false),
  reactivate: (parts, { email = '' }) => setActive(parts, email, true),
} satisfies Record<string, CommandWork>
