// The cloud's keys that the daemon trusts: those of its configuration, or those that the cloud has announced since, kept on disk.

import type { KeyStatement } from '@callgate/contract/wire/messages'
import { type VerifyingKey, verifyingKey } from '@callgate/contract/wire/signature'
import type { World } from '@callgate/world/world'
import { checkStatement, type KeyTrust } from './core/keyTrust.ts'
import type { JournalDisk } from './journalDisk.ts'
import { readWhole, replaceWhole } from './wholeFile.ts'

const keysName = 'cloud-keys'
/** A larger file cannot be ours. Bytes. */
const mostBytes = 4_096

export interface CloudKeys {
  /** The keys that are trusted now. */
  trusted(): readonly VerifyingKey[]
  /** The same, in the form for beats. */
  trust(): KeyTrust
  /**
   * Follows a statement that the trusted key `signer` has signed, once the statement is on the disk. Resolves with true where it
   * has changed the trusted keys.
   */
  follow(statement: KeyStatement, signer: string): Promise<boolean>
}

interface CloudKeysParts {
  readonly world: World
  readonly disk: JournalDisk
  /** The keys of the configuration. */
  readonly configured: readonly VerifyingKey[]
  /** Reads a public key; `verifyingKey` by default. */
  readonly readKey?: ((publicKey: string) => VerifyingKey | undefined) | undefined
}

interface Kept {
  readonly number: number
  readonly keys: readonly VerifyingKey[]
}

const idsOf = (keys: readonly VerifyingKey[]) => keys.map(({ keyId }) => keyId)

/** The content of the file, which counts only together with the configuration that it was written for. */
const textOf = (
  configured: readonly VerifyingKey[],
  { keys, number }: Pick<KeyStatement, 'keys' | 'number'>,
) => `${JSON.stringify({ configured: idsOf(configured), number, keys })}\n`

/** Reads public keys; undefined where one of them is invalid. */
function readKeys(
  texts: readonly unknown[],
  readKey: NonNullable<CloudKeysParts['readKey']>,
): VerifyingKey[] | undefined {
  const keys = texts.map(text => (typeof text === 'string' ? readKey(text) : undefined))
  const good = keys.filter(key => key !== undefined)
  return good.length === texts.length && new Set(idsOf(good)).size === good.length ? good : undefined
}

interface FileFields {
  readonly configured?: unknown
  readonly number?: unknown
  readonly keys?: unknown
}

function parse(bytes: Uint8Array): FileFields {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'))
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

/** The content of the file; `other` where it belongs to another configuration. */
function readFile(
  bytes: Uint8Array,
  { configured, readKey = verifyingKey }: CloudKeysParts,
): Kept | 'other' | 'damaged' {
  const { configured: of, keys: texts, number } = parse(bytes)
  if (!Array.isArray(of) || !Array.isArray(texts) || typeof number !== 'number') return 'damaged'
  if (of.join() !== idsOf(configured).join()) return 'other'
  const keys = readKeys(texts, readKey)
  return keys && keys.length > 0 && Number.isSafeInteger(number) ? { number, keys } : 'damaged'
}

async function load(parts: CloudKeysParts): Promise<Kept> {
  const { configured, disk, world } = parts
  const fromConfiguration = { number: 0, keys: configured }
  const place = `${disk.place}/${keysName}`
  const bytes = await readWhole(disk, keysName, mostBytes)
  if (bytes === 'none') return fromConfiguration
  const read = bytes === 'damaged' ? bytes : readFile(bytes, parts)
  if (read === 'damaged')
    world.log.error('the keys that the cloud has sent cannot be read; those in cloudKeys count', {
      file: place,
    })
  if (read === 'other') world.log.info('cloudKeys was changed, and counts instead of what the cloud has sent')
  return read === 'damaged' || read === 'other' ? fromConfiguration : read
}

/** Reads the keys that the cloud has announced so far. A file that is unreadable, or of another configuration, is ignored. */
export async function openCloudKeys(parts: CloudKeysParts): Promise<CloudKeys> {
  const { configured, disk, readKey = verifyingKey, world } = parts
  let kept = await load(parts)
  // An earlier process may have ended after the rename and before this sync.
  if (kept.number > 0) await disk.syncFolder()
  let isWriting = false

  const trust = () => ({ number: kept.number, keyIds: idsOf(kept.keys) })

  return {
    trusted: () => kept.keys,
    trust,
    async follow(statement, signer) {
      const keys = readKeys(statement.keys, readKey)
      const next = { number: statement.number, keyIds: idsOf(keys ?? []) }
      const checked = checkStatement(trust(), next, signer)
      if (checked === 'known' || isWriting) return false
      if (checked !== 'follow' || !keys) {
        world.log.warn('the cloud has sent other keys, which are not followed', { why: checked, signer })
        return false
      }
      isWriting = true
      const written = await replaceWhole(disk, keysName, textOf(configured, statement))
      isWriting = false
      if (!written.ok) {
        world.log.error('the new keys of the cloud could not be kept; the former ones stay', {
          problem: written.code,
        })
        return false
      }
      kept = { number: statement.number, keys }
      world.log.info('the cloud has changed its keys', { trusted: next.keyIds.join(' ') })
      return true
    },
  }
}
