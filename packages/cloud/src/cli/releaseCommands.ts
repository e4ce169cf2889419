// What the operator's commands on releases of the gateway do, and what they print.

import { resolve } from 'node:path'
import { releaseName, releasesPath } from '@callgate/contract/release/releaseList'
import { addRelease, listReleases, releaseFolder, withdrawReleases } from '../release/releaseShelf.ts'
import { columns, type FileWork, refuse } from './works.ts'

const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`
/** What a person can do about a file that cannot be read. */
const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error ? String(error.code) : undefined

const add: FileWork = async ({ config }, { file = '' }) => {
  try {
    const added = await addRelease(releaseFolder(config.dataFolder), resolve(file))
    if (!added.ok) return refuse(`${file}: ${added.message}.`)
    const { keyId, release } = added
    const path = `${releasesPath}/${releaseName(release)}`
    return {
      ok: true,
      json: { ...release, keyId, path },
      text: [
        `Version ${release.version} for ${release.architecture} is published at ${path}: ${megabytes(release.bytes)}.`,
        `The key ${keyId} has signed it. Compare it with yours: a gateway takes it only when its package pins this key.`,
      ].join('\n'),
    }
  } catch (error) {
    const code = codeOf(error)
    if (code === undefined) throw error
    return refuse(`${file}: ${code === 'ENOENT' ? 'there is no such file' : `it cannot be copied: ${code}`}.`)
  }
}

const list: FileWork = async ({ config }) => {
  const releases = await listReleases(releaseFolder(config.dataFolder))
  const shown = releases.map(({ architecture, bytes, version }) => ({ version, architecture, bytes }))
  return {
    ok: true,
    json: { releases: shown },
    text: columns(
      ['version', 'architecture', 'size'],
      shown.map(({ architecture, bytes, version }) => [version, architecture, megabytes(bytes)]),
    ),
  }
}

const withdraw: FileWork = async ({ config }, { version = '' }) => {
  const withdrawn = await withdrawReleases(releaseFolder(config.dataFolder), version)
  if (withdrawn === 0)
    return refuse(`No release of version ${version} is published; see "callgate release list".`)
  return {
    ok: true,
    json: { version, withdrawn },
    text: `Version ${version} is withdrawn. A gateway that has it already keeps it.`,
  }
}

export const releaseWork = { add, list, withdraw } satisfies Record<string, FileWork>
