// The signing keys in their file: one, or the old and the new one during a rotation, oldest first.

import { type SigningKey, signingKey } from '@callgate/contract/wire/signature'
import { isoTime } from '@callgate/world/world'

export interface SigningKeys {
  /** One or two, oldest first. */
  readonly keys: readonly SigningKey[]
  /** Increases with each step of a rotation: gateways ignore statements with a smaller number. 0: there was no step yet. */
  readonly number: number
}

/** The key that signs for people and for new gateways. */
export function newestOf({ keys }: SigningKeys): SigningKey {
  const newest = keys.at(-1)
  // Not tested: there is always a key, because a file without one is rejected.
  if (!newest) throw new Error('the cloud has no signing key')
  return newest
}

/** The first key has no time; a key from a rotation has the time of the last step. */
const line = /^([\w-]{43})(?: +(\S+))?$/

interface Line {
  readonly seed: string
  readonly atMs: number
}

function linesOf(text: string): readonly Line[] | undefined {
  const lines = text
    .trim()
    .split('\n')
    .map(entry => {
      const [, seed = '', at] = line.exec(entry.trim()) ?? []
      return { seed, atMs: at === undefined ? 0 : Date.parse(at) }
    })
  const isGood = ({ atMs, seed }: Line) => Buffer.from(seed, 'base64url').length === 32 && !Number.isNaN(atMs)
  const isRotation = lines.length === 1 || (lines.length === 2 && (lines[1]?.atMs ?? 0) > 0)
  return isRotation && lines.every(isGood) ? lines : undefined
}

const numberOf = (lines: readonly Line[]) => Math.max(...lines.map(({ atMs }) => atMs))
const textOf = (lines: readonly Line[]) =>
  lines.map(({ atMs, seed }) => `${seed}${atMs > 0 ? ` ${isoTime(atMs)}` : ''}\n`).join('')

/** The keys in the text of a file; undefined when it is damaged. */
export function readSigningKeys(text: string): SigningKeys | undefined {
  const lines = linesOf(text)
  if (!lines) return undefined
  const keys = lines.map(({ seed }) => signingKey(Buffer.from(seed, 'base64url')))
  return new Set(keys.map(({ keyId }) => keyId)).size === keys.length
    ? { keys, number: numberOf(lines) }
    : undefined
}

/** The text of the file with the new key `seed` after its one key; undefined where it has two keys, or is damaged. */
export function withNewKey(text: string, seed: Uint8Array, nowMs: number): string | undefined {
  const lines = linesOf(text)
  if (lines?.length !== 1) return undefined
  // A clock that was set back must not make the step look old.
  const atMs = Math.max(nowMs, numberOf(lines) + 1)
  return textOf([...lines, { seed: Buffer.from(seed).toString('base64url'), atMs }])
}

/** The text of the file with the newest key only; undefined where it has only one, or is damaged. */
export function withNewestAlone(text: string, nowMs: number): string | undefined {
  const lines = linesOf(text)
  const newest = lines?.length === 2 ? lines[1] : undefined
  return newest && textOf([{ ...newest, atMs: Math.max(nowMs, newest.atMs + 1) }])
}

/** A value that distinguishes keys: their ids. */
export const signingFingerprint = ({ keys }: SigningKeys): string => keys.map(({ keyId }) => keyId).join('.')

/** Whether two fingerprints have a common key, so that clouds with these keys may serve beside each other. */
export function shareKey(one: string, other: string): boolean {
  const others = new Set(other.split('.'))
  return one.split('.').some(keyId => others.has(keyId))
}

/** Whether `next` can follow `held`, as a step of a rotation makes it. */
export function signingFollows(held: SigningKeys, next: SigningKeys): boolean {
  return next.number > held.number && shareKey(signingFingerprint(held), signingFingerprint(next))
}
