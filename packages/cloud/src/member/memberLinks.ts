// Magic links: one token for each member, which opens every gate to which the member has access.

import { createHash } from 'node:crypto'
import type { World } from '@callgate/world/world'
import type { Db } from '../database/database.ts'
import type { Seal } from '../secrets/sealing.ts'

/** 192 bits, so that a link cannot be found by guessing. */
const tokenBytes = 24

export interface LinkParts {
  readonly seal: Seal
  /** The address of the pages, without a trailing slash. */
  readonly appUrl: string
}

export interface LinkOwner {
  readonly spaceId: string
  readonly id: string
}

/** The columns of a link. */
export interface Link {
  readonly linkHash: string
  readonly linkSealed: string
}

/** The columns of a dead link. */
export const noLink = { linkHash: null, linkSealed: null } as const

/** The hash in the database by which the member of a token is found. */
export const linkHashOf = (token: string) => createHash('sha256').update(token).digest('hex')

/** The sealing context: a sealed token opens in its own member's row only. */
export const linkPlace = ({ spaceId, id }: LinkOwner) => `${spaceId}|${id}`

/** A new link for `member`: a hash to find it by, and the sealed token to show it again. */
export function newLink(world: World, seal: Seal, member: LinkOwner): Link {
  const token = Buffer.from(world.randomBytes(tokenBytes)).toString('base64url')
  return { linkHash: linkHashOf(token), linkSealed: seal.seal(token, linkPlace(member)) }
}

/** The member's `accessUrl`. Throws when the keyring has lost the key, because then no link can be shown. */
export function linkUrl({ appUrl, seal }: LinkParts, member: LinkOwner & Pick<Link, 'linkSealed'>): string {
  const token = seal.unseal(member.linkSealed, linkPlace(member))
  if (token === undefined)
    throw new Error(
      `the link of ${member.id} cannot be read: restore the file of sealing keys that belongs to this database`,
    )
  return `${appUrl}/g/${token}`
}

export interface LinkedMember extends LinkOwner {
  readonly name: string
  readonly email: string | null
  /** Null until the member picks one. */
  readonly preferredLanguage: string | null
  readonly isActive: boolean
}

/** The member with the link of `token`; undefined for a dead or unknown link, and for a text that is not a token. */
export async function findMemberByToken(db: Db, token: string): Promise<LinkedMember | undefined> {
  if (!/^[\w-]{32}$/.test(token)) return undefined
  const row = await db('members')
    .where({ linkHash: linkHashOf(token) })
    .first('spaceId', 'id', 'name', 'email', 'preferredLanguage', 'isActive')
  return row && { ...row, isActive: Boolean(row.isActive) }
}
