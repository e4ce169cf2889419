// The releases of the gateway that the operator has published: files in a folder of the cloud's data, which gateways fetch.

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { mostHeaderBytes, type ReleaseManifest, readRelease } from '@callgate/contract/release/release'
import { type ListedRelease, mostReleases, releaseName } from '@callgate/contract/release/releaseList'
import type { ReleaseArchives } from '@callgate/contract/releaseWords'

/** Where they are, within the folder of the data. */
export const releaseFolder = (dataFolder: string): string => join(dataFolder, 'releases')

const namePattern = /^callgate-gateway_(\d+\.\d+\.\d+)_(amd64|arm64|armhf)\.release$/

/** A release on the shelf. */
export interface ShelvedRelease extends ListedRelease {
  readonly path: string
}

export type ReadReleaseFile =
  | { readonly ok: true; readonly manifest: ReleaseManifest; readonly keyId: string }
  | { readonly ok: false; readonly message: string }

/** What the first line of a published release says. Undefined: it was withdrawn meanwhile, or damaged. */
async function manifestOf({ path }: ShelvedRelease): Promise<ReleaseManifest | undefined> {
  const file = await open(path, 'r').catch(() => undefined)
  if (!file) return undefined
  const start = new Uint8Array(mostHeaderBytes + 1)
  const { bytesRead } = await file.read(start, 0, start.length, 0).finally(() => file.close())
  const read = readRelease(start.subarray(0, bytesRead))
  return read.ok ? read.manifest : undefined
}

/** The archives of a version, by what was signed of them. */
export async function archivesOf(folder: string, version: string): Promise<ReleaseArchives> {
  const found = (await listReleases(folder)).filter(one => one.version === version)
  const manifests = await Promise.all(found.map(manifestOf))
  return manifests.flatMap(manifest =>
    manifest ? [{ architecture: manifest.architecture, sha256: manifest.archiveSha256 }] : [],
  )
}

/** Reads a release and checks its archive. Its signature is for the gateways: the cloud has no key for it. */
async function readReleaseFile(path: string): Promise<ReadReleaseFile> {
  const file = await open(path, 'r')
  const start = new Uint8Array(mostHeaderBytes + 1)
  const { bytesRead } = await file.read(start, 0, start.length, 0).finally(() => file.close())
  const read = readRelease(start.subarray(0, bytesRead))
  if (!read.ok) return read
  const { archiveBytes, archiveSha256 } = read.manifest
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of createReadStream(path, { start: read.archiveAt }) as AsyncIterable<Buffer>) {
    bytes += chunk.length
    hash.update(chunk)
  }
  return bytes === archiveBytes && hash.digest('hex') === archiveSha256
    ? { ok: true, manifest: read.manifest, keyId: read.header.keyId }
    : { ok: false, message: 'the file is damaged: its archive is not the one that was signed' }
}

/** The releases in the folder, by their names. */
export async function listReleases(folder: string): Promise<readonly ShelvedRelease[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const found = names.sort().map(name => ({ name, match: namePattern.exec(name) }))
  const releases: ShelvedRelease[] = []
  for (const { match, name } of found) {
    const [, version, architecture] = match ?? []
    if (version === undefined || architecture === undefined) continue
    const path = join(folder, name)
    // One that was withdrawn meanwhile.
    const size = await stat(path).catch(() => undefined)
    if (size?.isFile())
      releases.push({
        version,
        architecture: architecture as ListedRelease['architecture'],
        bytes: size.size,
        path,
      })
  }
  return releases
}

export type AddedRelease =
  | { readonly ok: true; readonly release: ListedRelease; readonly keyId: string }
  | { readonly ok: false; readonly message: string }

/** Puts a release on the shelf. A version is published once: gateways may have fetched a part of it. Rejects with the system's error. */
export async function addRelease(folder: string, content: AsyncIterable<Uint8Array>): Promise<AddedRelease> {
  await mkdir(folder, { recursive: true, mode: 0o755 })
  const draft = join(folder, 'draft')
  try {
    await writeFile(draft, content)
    const read = await readReleaseFile(draft)
    if (!read.ok) return read
    const { architecture, version } = read.manifest
    const there = await listReleases(folder)
    if (there.some(one => one.version === version && one.architecture === architecture))
      return {
        ok: false,
        message: `version ${version} for ${architecture} is published already. Give another content another version`,
      }
    if (there.length >= mostReleases)
      return { ok: false, message: `there are ${mostReleases} releases: withdraw one first` }
    const { size } = await stat(draft)
    await rename(draft, join(folder, releaseName(read.manifest)))
    return { ok: true, release: { version, architecture, bytes: size }, keyId: read.keyId }
  } finally {
    await rm(draft, { force: true })
  }
}

/** Takes the releases of a version from the shelf; answers with how many there were. */
export async function withdrawReleases(folder: string, version: string): Promise<number> {
  const found = (await listReleases(folder)).filter(one => one.version === version)
  for (const { path } of found) await rm(path, { force: true })
  return found.length
}
