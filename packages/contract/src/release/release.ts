// A release of the gateway daemon as one file: a line with the manifest and its signature, followed by the archive.

import Type, { type Static } from 'typebox'
import { releaseArchitectures, sha256Text, versionText } from '../releaseWords.ts'
import { closed, words } from '../text.ts'
import { checker } from '../validate.ts'
import type { SigningKey, VerifyingKey } from '../wire/signature.ts'

const bytes = (most: number) => Type.Integer({ minimum: 1, maximum: most })

/** The largest archive, in bytes. One with a Node has 46 MB. */
export const mostArchiveBytes = 100_000_000
/** The longest first line, in bytes, without its line feed. */
export const mostHeaderBytes = 4_096

/** Versions of the journal's format: the newest that this release reads, and the one that it writes. */
const JournalVersions = closed({
  reads: Type.Integer({ minimum: 1, maximum: 1_000 }),
  writes: Type.Integer({ minimum: 1, maximum: 1_000 }),
})
export type JournalVersions = Static<typeof JournalVersions>

/** The signed part. It is closed, because an unknown field may be a condition that an older gateway would not meet. */
export const ReleaseManifest = closed({
  product: Type.Literal('callgate-gateway'),
  version: versionText,
  architecture: words(releaseArchitectures),
  /** The archive, a tar compressed by gzip, as it follows the first line. */
  archiveBytes: bytes(mostArchiveBytes),
  archiveSha256: sha256Text,
  /** The size of its unpacked files, in bytes. */
  unpackedBytes: bytes(500_000_000),
  /** The SHA-256 of the Node that it runs with, which is in the archive or in the installed package. */
  nodeSha256: sha256Text,
  hasNode: Type.Boolean(),
  journal: JournalVersions,
  /** The oldest version that it may replace. */
  replaces: versionText,
})
export type ReleaseManifest = Static<typeof ReleaseManifest>

/** The manifest as it was signed. */
const ReleaseHeader = closed({
  manifest: Type.String({ minLength: 1, maxLength: 2_000 }),
  keyId: Type.String({ pattern: '^[0-9a-f]{16}$' }),
  signature: Type.String({ pattern: '^[A-Za-z0-9_-]{86}$' }),
})
export type ReleaseHeader = Static<typeof ReleaseHeader>

const checkHeader = checker(ReleaseHeader, 'the release')
const checkManifest = checker(ReleaseManifest, 'the manifest')

/** The first words keep the signature from serving for anything else. */
const signedBytes = (manifest: string) =>
  Buffer.from(JSON.stringify(['callgate release 1', manifest]), 'utf8')

/** The first line of a release, with its line feed. */
export function releaseHeader(key: SigningKey, manifest: ReleaseManifest): string {
  const text = JSON.stringify(manifest)
  const signature = key.sign(signedBytes(text)).toString('base64url')
  return `${JSON.stringify({ manifest: text, keyId: key.keyId, signature } satisfies ReleaseHeader)}\n`
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export type ReadRelease =
  | {
      readonly ok: true
      readonly manifest: ReleaseManifest
      readonly header: ReleaseHeader
      /** Where the archive begins in the file. */
      readonly archiveAt: number
    }
  | { readonly ok: false; readonly message: string }

/** Reads the first line from the first bytes of a file. It does not check the signature: `isReleaseSignedBy` does. */
export function readRelease(start: Uint8Array): ReadRelease {
  const refuse = (why: string): ReadRelease => ({
    ok: false,
    message: `this is no release of the gateway: ${why}`,
  })
  const end = start.subarray(0, mostHeaderBytes + 1).indexOf(0x0a)
  if (end < 0) return refuse('its first line has no end')
  const line = parsed(Buffer.from(start.subarray(0, end)).toString('utf8'))
  if (line === undefined) return refuse('it does not begin as one')
  const header = checkHeader(line)
  if (!header.ok) return refuse(header.message)
  const manifest = checkManifest(parsed(header.value.manifest))
  if (!manifest.ok) return refuse(manifest.message)
  return { ok: true, manifest: manifest.value, header: header.value, archiveAt: end + 1 }
}

/** Whether one of `keys` is the one that the release names and has signed its manifest. */
export function isReleaseSignedBy(
  { keyId, manifest, signature }: ReleaseHeader,
  keys: readonly VerifyingKey[],
): boolean {
  const key = keys.find(candidate => candidate.keyId === keyId)
  return key?.verify(signedBytes(manifest), Buffer.from(signature, 'base64url')) ?? false
}
