// The sealing keys in their file: lines `<version> <base64url>`, a new one with the time from which it seals.

import { hash } from 'node:crypto'
import { isoTime } from '@callgate/world/world'
import { sealingKeyBytes } from './sealing.ts'

export interface SealingKey {
  readonly key: Uint8Array
  /** The key seals from this time on, milliseconds since the epoch. It can open at any time. */
  readonly fromMs: number
}

/** The keys by version, at least one. */
export type SealingKeys = ReadonlyMap<number, SealingKey>

const line = /^([1-9][0-9]{0,5}) +([\w-]{43})(?: +(\S+))?$/

function readLine(text: string): readonly [version: number, key: SealingKey] | undefined {
  const [, version = '', key = '', from] = line.exec(text.trim()) ?? []
  const bytes = new Uint8Array(Buffer.from(key, 'base64url'))
  const fromMs = from === undefined ? 0 : Date.parse(from)
  return bytes.length === sealingKeyBytes && !Number.isNaN(fromMs)
    ? [Number(version), { key: bytes, fromMs }]
    : undefined
}

/** The keys in the text of a file; undefined when one is damaged. */
export function readSealingKeys(text: string): SealingKeys | undefined {
  const keys = new Map<number, SealingKey>()
  for (const entry of text.trim().split('\n')) {
    const read = readLine(entry)
    if (!read || keys.has(read[0])) return undefined
    keys.set(...read)
  }
  return keys
}

const encoded = (key: Uint8Array) => Buffer.from(key).toString('base64url')
const ordered = (keys: SealingKeys) => [...keys].sort(([one], [other]) => one - other)

/** The text of a file for these keys. */
export function textOfSealingKeys(keys: SealingKeys): string {
  const lines = ordered(keys).map(([version, { fromMs, key }]) =>
    [version, encoded(key), ...(fromMs > 0 ? [isoTime(fromMs)] : [])].join(' '),
  )
  return `${lines.join('\n')}\n`
}

/** A value that distinguishes keys. The keys have 256 random bits, so nobody can find one by its hash. */
export function sealingFingerprint(keys: SealingKeys): string {
  const text = ordered(keys).map(([version, { key }]) => `${version} ${encoded(key)}`)
  return hash('sha256', `callgate sealing keys\n${text.join('\n')}`).slice(0, 16)
}

const isSame = (one: SealingKey, other: SealingKey | undefined) =>
  other !== undefined && Buffer.from(one.key).equals(other.key)

/**
 * Whether `next` can follow `held` in a rotation: common versions have the same key, and there is at least one; or all of `next`
 * are newer, after a rotation during which this process stalled.
 */
export function follows(held: SealingKeys, next: SealingKeys): boolean {
  const common = [...held].filter(([version]) => next.has(version))
  if (common.length > 0) return common.every(([version, key]) => isSame(key, next.get(version)))
  return Math.min(...next.keys()) > Math.max(...held.keys())
}
