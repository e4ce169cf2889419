// Sealing: encrypts texts that must be shown again, with a key that is not in the database.

import { createCipheriv, createDecipheriv, createSecretKey } from 'node:crypto'
import type { World } from '@callgate/world/world'

const algorithm = 'aes-256-gcm'
const ivBytes = 12
const tagBytes = 16
export const sealingKeyBytes = 32

export interface Seal {
  /** Encrypts `text`. It opens only with the same `context`, which names the place of the text. */
  seal(text: string, context: string): string
  /** The text; undefined when the key is unknown, or the sealed text or the context was altered. */
  unseal(sealed: string, context: string): string | undefined
}

/**
 * The version that seals at `nowMs`: the highest whose time has come. Where none has come, because a clock was set back, it is
 * the lowest, which all processes have known longest.
 */
export function sealingVersion(
  fromMs: Iterable<readonly [version: number, fromMs: number]>,
  nowMs: number,
): number {
  const all = [...fromMs].sort(([one], [other]) => other - one)
  return all.find(([, from]) => from <= nowMs)?.[0] ?? all.at(-1)?.[0] ?? 0
}

/**
 * A seal of AES-256-GCM (NIST SP 800-38D) with a random 96-bit nonce. `keys` by version, each of 32 bytes; the highest version
 * seals, from its time in `fromMs` on where it has one. The others still open their own texts: `<version>.<base64url of nonce,
 * text and tag>`.
 */
export function createSeal(
  world: World,
  keys: ReadonlyMap<number, Uint8Array>,
  fromMs: ReadonlyMap<number, number> = new Map(),
): Seal {
  // Made once, because making a key costs time for each text.
  const ready = new Map([...keys].map(([version, key]) => [version, createSecretKey(key)]))
  const times = [...keys.keys()].map(version => [version, fromMs.get(version) ?? 0] as const)
  if (times.length === 0) throw new Error('a seal needs a key')
  return {
    seal(text, context) {
      const version = sealingVersion(times, world.nowMs())
      const key = ready.get(version)
      if (!key) throw new Error('a version has no key')
      const iv = world.randomBytes(ivBytes)
      const cipher = createCipheriv(algorithm, key, iv).setAAD(Buffer.from(context))
      const bytes = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `${version}.${bytes.toString('base64url')}`
    },

    unseal(sealed, context) {
      const [, version, text = ''] = /^([1-9][0-9]{0,5})\.([\w-]+)$/.exec(sealed) ?? []
      const key = ready.get(Number(version))
      const bytes = Buffer.from(text, 'base64url')
      if (!key || bytes.length < ivBytes + tagBytes) return undefined
      const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, ivBytes), {
        authTagLength: tagBytes,
      })
      decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(-tagBytes))
      try {
        const opened = decipher.update(bytes.subarray(ivBytes, -tagBytes))
        return Buffer.concat([opened, decipher.final()]).toString('utf8')
      } catch {
        return undefined
      }
    },
  }
}
