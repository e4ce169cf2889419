// A signed release of the gateway for machines with its package: the program, with its Node only where that has changed.

import { createHash } from 'node:crypto'
import { type ReleaseManifest, releaseHeader } from '../../packages/contract/src/release/release.ts'
import type { SigningKey } from '../../packages/contract/src/wire/signature.ts'
import { journalVersion } from '../../packages/gateway/src/journalLines.ts'
import { type ArchiveStyle, type PackageFile, tarOf } from './deb.ts'
import { programFiles } from './gatewayPackage.ts'
import type { Architecture } from './nodeBinaries.ts'

export interface ReleaseOptions extends ArchiveStyle {
  readonly key: SigningKey
  /** The version in the bundle. */
  readonly version: string
  readonly architecture: Architecture
  readonly bundle: readonly PackageFile[]
  /** The Node that it runs with. */
  readonly node: Buffer
  /** Whether the release contains it. */
  readonly hasNode: boolean
  /** The oldest version that it may replace. */
  readonly replaces: string
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** The release for one architecture, as bytes. The same files and key give the same bytes. */
export async function gatewayRelease(options: ReleaseOptions): Promise<Buffer> {
  const { architecture, bundle, hasNode, key, node, replaces, version } = options
  const files = [
    ...programFiles(architecture, bundle),
    ...(hasNode ? [{ path: 'node', content: node, isProgram: true }] : []),
  ]
  const archive = await tarOf(files, options)
  const manifest: ReleaseManifest = {
    product: 'callgate-gateway',
    version,
    architecture,
    archiveBytes: archive.length,
    archiveSha256: sha256(archive),
    unpackedBytes: files.reduce((sum, { content }) => sum + content.length, 0),
    nodeSha256: sha256(node),
    hasNode,
    journal: { reads: journalVersion, writes: journalVersion },
    replaces,
  }
  return Buffer.concat([Buffer.from(releaseHeader(key, manifest)), archive])
}
