// TOTP: the codes of an authenticator app (RFC 6238), and the recovery codes for when the app is lost.

import { createHash } from 'node:crypto'
import type { World } from '@callgate/world/world'
import type { Knex } from 'knex'
import { Secret, TOTP } from 'otpauth'
import type { Db } from '../database/database.ts'
import type { Seal } from '../secrets/sealing.ts'
import type { UserRow } from './users.ts'

const secretBytes = 20
const stepS = 30
/** The clock of a phone may be off by a step. */
const window = 1
const codeCount = 10

/** The columns of a user without codes of an app. */
const noTotp = { totpSealed: null, totpEnabledAt: null, totpStep: null, wrongCodes: 0 } as const

/** The context of a sealed secret. */
export const totpPlace = (userId: string) => `totp|${userId}`
const hashOf = (code: string) => createHash('sha256').update(code).digest('hex')

function totpOf(base32: string, label: string): TOTP {
  const secret = Secret.fromBase32(base32)
  return new TOTP({ issuer: 'Callgate', label, secret, algorithm: 'SHA1', digits: 6, period: stepS })
}

/** A new secret: sealed for the row of the user, in base 32, and as the address for a QR code. */
export function newTotp({ seal, world }: { seal: Seal; world: World }, user: Pick<UserRow, 'id' | 'email'>) {
  const bytes = world.randomBytes(secretBytes)
  const { base32 } = new Secret({ buffer: Uint8Array.from(bytes).buffer })
  return {
    totpSealed: seal.seal(base32, totpPlace(user.id)),
    secret: base32,
    uri: totpOf(base32, user.email).toString(),
  }
}

/** A typed code without blanks. Six digits are a code of the app; a recovery code has letters, too, and is longer. */
const typed = (code: string) => code.replace(/\s/g, '')
export const hasFormOfApp = (code: string): boolean => /^\d{6}$/.test(typed(code))

/**
 * Accepts a code of the app, once: its time step is recorded, and neither that nor an earlier one is accepted again. False for a
 * wrong or used code.
 */
export async function takeTotp(
  tx: Knex.Transaction,
  { seal, world }: { readonly seal: Seal; readonly world: World },
  user: Pick<UserRow, 'id' | 'email' | 'totpSealed'>,
  code: string,
): Promise<boolean> {
  const base32 = user.totpSealed === null ? undefined : seal.unseal(user.totpSealed, totpPlace(user.id))
  if (base32 === undefined || !hasFormOfApp(code)) return false
  const token = typed(code)
  const timestamp = world.nowMs()
  const delta = totpOf(base32, user.email).validate({ token, timestamp, window })
  if (delta === null) return false
  const totpStep = Math.floor(timestamp / 1000 / stepS) + delta
  const taken = await tx('users')
    .where({ id: user.id })
    .where(free => free.whereNull('totpStep').orWhere('totpStep', '<', totpStep))
    .update({ totpStep })
  return taken === 1
}

const letters = 'abcdefghijkmnpqrstuvwxyz23456789'

/** A code like `k3m9-w2xt-7hqa`: 60 random bits, without letters that look alike. */
function newCode(world: World): string {
  const text = [...world.randomBytes(12)].map(byte => letters.charAt(byte & 31)).join('')
  return (text.match(/.{4}/g) ?? []).join('-')
}

/** Replaces the user's recovery codes by ten new ones. They are returned, and stored as hashes only. */
export async function renewRecoveryCodes(tx: Db, world: World, userId: string): Promise<string[]> {
  await tx('recoveryCodes').where({ userId }).delete()
  const codes = Array.from({ length: codeCount }, () => newCode(world))
  for (const code of codes)
    await tx('recoveryCodes').insert({ userId, codeHash: hashOf(code.replaceAll('-', '')) })
  return codes
}

/** Removes the app of a user, with its recovery codes. */
export async function endTotp(tx: Db, userId: string): Promise<void> {
  await tx('users').where({ id: userId }).update(noTotp)
  await tx('recoveryCodes').where({ userId }).delete()
}

/** Accepts a recovery code, once. */
export async function takeRecoveryCode(tx: Db, userId: string, code: string): Promise<boolean> {
  const codeHash = hashOf(code.toLowerCase().replace(/[\s-]/g, ''))
  return (await tx('recoveryCodes').where({ userId, codeHash }).delete()) === 1
}
