// Password hashes: argon2id, few at once, and equally slow for an account that does not exist.

import { createHash } from 'node:crypto'
import type { World } from '@callgate/world/world'
import { hash, verify } from '@node-rs/argon2'

/** OWASP's parameters for argon2id, the library's algorithm: 19 MiB, two passes, one lane; about 50 ms on a small machine. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const saltBytes = 16
/** Each hash takes memory and a core, which openings need, too. */
const mostAtOnce = 2
const mostWaiting = 32

/** Too many hashes are waiting, so nothing was computed. */
export const tooBusy = Symbol('too busy')

/** Texts that look alike are the same password (NIST SP 800-63B, 5.1.1.2). */
const normal = (password: string) => password.normalize('NFKC')

/** Identifies a password in a ticket or a device mark, so that these end when the password changes. */
export const markOfHash = (passwordHash: string | null): string =>
  createHash('sha256')
    .update(passwordHash ?? '')
    .digest('base64url')

export interface PasswordHashes {
  /** The hash in its PHC form, with parameters and salt. */
  make(password: string): Promise<string | typeof tooBusy>
  /** Whether `made` is a hash of `password`. Without a hash it takes as long, and returns false. */
  matches(password: string, made: string | null): Promise<boolean | typeof tooBusy>
}

export function createPasswordHashes(world: World): PasswordHashes {
  let running = 0
  const waiting: (() => void)[] = []

  async function alone<T>(work: () => Promise<T>): Promise<T | typeof tooBusy> {
    if (running >= mostAtOnce) {
      if (waiting.length >= mostWaiting) return tooBusy
      await new Promise<void>(resolve => waiting.push(resolve))
    } else running++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }

  const make = (password: string) => {
    const salt = Buffer.from(world.randomBytes(saltBytes))
    return alone(() => hash(normal(password), { ...cost, salt }))
  }
  let nobodys: Promise<string | typeof tooBusy> | undefined

  return {
    make,
    async matches(password, made) {
      nobodys ??= make(Buffer.from(world.randomBytes(saltBytes)).toString('hex'))
      const compared = made ?? (await nobodys)
      if (compared === tooBusy) {
        nobodys = undefined
        return tooBusy
      }
      const isSame = await alone(() => verify(compared, normal(password)))
      return isSame === tooBusy ? tooBusy : isSame && made !== null
    },
  }
}
