// What the requests on users of the dashboard need: persons, invitations and links that one request uses up.

import { createSeal } from '@callgate/cloud/secrets/sealing'
import { insertInvitation } from '@callgate/cloud/user/invitations'
import { tokenHashOf } from '@callgate/cloud/user/mailedLinks'
import { newUser, type SignedInBrowser } from '@callgate/cloud/user/user.kit'
import { newId } from '@callgate/world/ids'
import { isoTime } from '@callgate/world/world'
import type { Api } from './apiServer.ts'
import { sealingKey } from './servedCloud.ts'

/** The password of every user whose sign-in is tested. */
export const password = 'correct horse battery staple'
/** Argon2id of it, since hashing it for each test would take time. */
export const passwordHash =
  '$argon2id$v=19$m=19456,t=2,p=1$Y2FsbGdhdGVjYWxsZ2F0ZQ$KMR00xGKCysmk2SE60ap5h4FS0PovQQ6u9ICzu6tNxg'

const emailOfNobody = ({ world }: Api) => `${newId(world, 'person')}@example.com`

/** A person with the password, signed in; in the Space, if one is given. */
export async function newPerson(api: Api, spaceId?: string): Promise<SignedInBrowser> {
  const given = {
    email: emailOfNobody(api),
    role: 'admin' as const,
    ...(spaceId !== undefined && { spaceId }),
  }
  const browser = await newUser(api, given)
  await api.database.knex('users').where({ id: browser.userId }).update({ passwordHash })
  return browser
}

const newToken = ({ world }: Api) => Buffer.from(world.randomBytes(32)).toString('base64url')

/** An invitation to the Space, with the secret of its link. */
export async function newInvitation(api: Api, spaceId: string, email = emailOfNobody(api)) {
  const given = { spaceId, email, name: 'Ion', role: 'admin', language: 'en', invitedBy: 'Olga' } as const
  const { database, world } = api
  const seal = createSeal(world, new Map([[1, sealingKey]]))
  const { id } = await database.write(tx => insertInvitation(tx, { seal, world }, given))
  const token = newToken(api)
  await api.database
    .knex('userInvitations')
    .where({ id })
    .update({ tokenHash: tokenHashOf(token) })
  return { invitationId: id, token, email }
}

/** The secret of a link by which the user can set a new password. */
export async function newResetLink(api: Api, userId: string): Promise<string> {
  const token = newToken(api)
  const nowMs = api.world.nowMs()
  await api.database.knex('passwordResets').insert({
    id: newId(api.world, 'reset'),
    userId,
    tokenHash: tokenHashOf(token),
    tokenSealed: 'none',
    createdAt: isoTime(nowMs),
    expiresAt: isoTime(nowMs + 60 * 60 * 1000),
  })
  return token
}
