// A release as a file on this machine: checked by the keys in the package, copied, and unpacked.

import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import { type FileHandle, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import {
  isReleaseSignedBy,
  mostHeaderBytes,
  type ReleaseManifest,
  readRelease,
} from '@callgate/contract/release/release'
import type { UpdateCause, UpdateFault } from '@callgate/contract/releaseWords'
import { type VerifyingKey, verifyingKey } from '@callgate/contract/wire/signature'
import { fault } from '../core/updateDecision.ts'
import { systemCode } from '../journalDisk.ts'

const run = promisify(execFile)

/** Reads the keys that may sign releases: one a line, as `pnpm release:pi keygen` prints them. Text after # is a comment. */
export async function readReleaseKeys(path: string): Promise<readonly VerifyingKey[]> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return ''
    throw error
  })
  const lines = text.split('\n').map(line => line.replace(/#.*/, '').trim())
  return lines.map(verifyingKey).filter(key => key !== undefined)
}

export type OpenedRelease =
  | { readonly ok: true; readonly release: SignedRelease }
  | { readonly ok: false; readonly fault: UpdateFault }

/** The SHA-256 of a file, in hexadecimal. */
export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

/** A release with a signed manifest. Its archive is not yet checked. */
export class SignedRelease {
  readonly manifest: ReleaseManifest
  readonly #file: FileHandle
  readonly #archiveAt: number

  constructor(file: FileHandle, manifest: ReleaseManifest, archiveAt: number) {
    this.#file = file
    this.manifest = manifest
    this.#archiveAt = archiveAt
  }

  /**
   * Copies the archive to `path` and checks the bytes that it writes, because the owner of the file may change it meanwhile.
   * Returns whether they match the manifest.
   */
  async copyArchive(path: string): Promise<boolean> {
    const { archiveBytes, archiveSha256 } = this.manifest
    const hash = createHash('sha256')
    const copy = await open(path, 'wx', 0o600)
    try {
      const source = this.#file.createReadStream({
        start: this.#archiveAt,
        // One byte more than expected.
        end: this.#archiveAt + archiveBytes,
        autoClose: false,
      })
      let bytes = 0
      for await (const chunk of source as AsyncIterable<Buffer>) {
        bytes += chunk.length
        hash.update(chunk)
        await copy.writeFile(chunk)
      }
      return bytes === archiveBytes && hash.digest('hex') === archiveSha256
    } finally {
      await copy.close()
    }
  }

  close(): Promise<void> {
    return this.#file.close()
  }
}

/**
 * Opens a release and checks its signature. It must be a regular file and no link, because its folder may belong to another user.
 */
export async function openRelease(path: string, keys: readonly VerifyingKey[]): Promise<OpenedRelease> {
  const refuse = (cause: UpdateCause, text: string): OpenedRelease => ({
    ok: false,
    fault: fault(cause, text),
  })
  if (keys.length === 0)
    return refuse('no_release_key', 'this package pins no release key, so it takes no update')
  const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants
  let file: FileHandle
  try {
    file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  } catch (error) {
    const code = systemCode(error)
    if (code === undefined) throw error
    return refuse('disk_failed', code === 'ENOENT' ? `there is no ${path}` : `cannot read ${path}: ${code}`)
  }
  const close = async (text: string) => {
    await file.close()
    return refuse('not_signed', text)
  }
  if (!(await file.stat()).isFile()) return close(`${path} is no file`)
  const start = new Uint8Array(mostHeaderBytes + 1)
  const { bytesRead } = await file.read(start, 0, start.length, 0)
  const read = readRelease(start.subarray(0, bytesRead))
  if (!read.ok) return close(read.message)
  if (!isReleaseSignedBy(read.header, keys))
    return close('it is not signed by a release key that this package pins')
  return { ok: true, release: new SignedRelease(file, read.manifest, read.archiveAt) }
}

/** Unpacks a checked archive. The files survive a power cut once this resolves. */
export async function unpackArchive(archive: string, folder: string): Promise<void> {
  await run('tar', ['-xzf', archive, '-C', folder, '--no-same-owner', '--no-same-permissions'])
  await run('sync', ['-f', folder])
}

/** The user nobody, who has no rights on Debian. */
const nobody = 65_534
const startsWithinMs = 30_000

/**
 * The version that the program in `folder` prints, run without rights where this is root; undefined where it does not start on
 * this machine.
 */
export async function versionIn(folder: string, node: string, isRoot: boolean): Promise<string | undefined> {
  const user = isRoot ? { uid: nobody, gid: nobody } : {}
  try {
    const { stdout } = await run(node, [join(folder, 'gateway.mjs'), '--version'], {
      ...user,
      cwd: '/',
      timeout: startsWithinMs,
    })
    return stdout.trim()
  } catch {
    return undefined
  }
}
