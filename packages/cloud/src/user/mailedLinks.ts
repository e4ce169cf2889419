// Mailed links: the secrets of invitations and password resets, stored as a hash, and sealed until the mail is sent.

import { createHash } from 'node:crypto'
import type { World } from '@callgate/world/world'
import type { Seal } from '../secrets/sealing.ts'

const tokenBytes = 32

/** The pages of the links. The part after # is sent to no server and no other site. */
const pages = { user_invitation: 'invitation', password_reset: 'password-reset' } as const
export type MailedLinkKind = keyof typeof pages

export interface MailedLink {
  readonly tokenHash: string
  readonly tokenSealed: string
}

export function tokenHashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/** The sealing context: a sealed secret opens in its own row only. */
export const mailedLinkPlace = (id: string) => id

/** A new link for the row `id`: 256 random bits. */
export function newMailedLink(world: World, seal: Seal, id: string): MailedLink {
  const token = Buffer.from(world.randomBytes(tokenBytes)).toString('base64url')
  return { tokenHash: tokenHashOf(token), tokenSealed: seal.seal(token, mailedLinkPlace(id)) }
}

/** The address in the mail. Throws when the secret cannot be unsealed. */
export function mailedLinkUrl(
  { appUrl, seal }: { readonly appUrl: string; readonly seal: Seal },
  kind: MailedLinkKind,
  { id, tokenSealed }: { readonly id: string; readonly tokenSealed: string },
): string {
  const token = seal.unseal(tokenSealed, mailedLinkPlace(id))
  if (token === undefined) throw new Error('the link cannot be unsealed with the sealing keys of this cloud')
  return `${appUrl}/${pages[kind]}#${token}`
}
