// Replaces a key file while clouds read it.

import type { Stats } from 'node:fs'
import { type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { World } from '@callgate/world/world'

export type Refused = { readonly ok: false; readonly message: string }
export const refuse = (message: string): Refused => ({ ok: false, message })

/** The system's code of an error; undefined for any other error. */
export const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

/** Keeps the owner of the file: root may run this for the user of the cloud, who must read the file afterwards. */
async function keepOwner(draft: FileHandle, { gid, mode, uid }: Stats): Promise<void> {
  const { uid: writer } = await draft.stat()
  if (writer !== 0) return
  await draft.chown(uid, gid)
  await draft.chmod(0o600 | (mode & 0o040))
}

/**
 * Replaces the file by `text` as a whole: each reader finds the old text or the new one, also after a power cut. Returns the
 * system's code where it fails; the file is then unchanged.
 */
export async function replaceFile(world: World, named: string, text: string): Promise<string | undefined> {
  let draft: string | undefined
  try {
    // A link stays a link.
    const file = await realpath(named)
    const former = await stat(file)
    draft = `${file}.${Buffer.from(world.randomBytes(8)).toString('hex')}`
    const handle = await open(draft, 'wx', 0o600)
    await handle
      .writeFile(text)
      .then(() => keepOwner(handle, former))
      .then(() => handle.sync())
      .finally(() => handle.close())
    await rename(draft, file)
    const folder = await open(dirname(file))
    await folder.sync().finally(() => folder.close())
    return undefined
  } catch (error) {
    const code = codeOf(error)
    if (code === undefined) throw error
    if (draft !== undefined) await rm(draft, { force: true }).catch(() => {})
    return code
  }
}

/** The message for the operator. */
export const cannotReplace = (what: string, file: string, variable: string, code: string): Refused =>
  refuse(
    `The ${what} ${file} cannot be replaced (${code}), and are as they were. Check who owns the file and its folder. Where the folder is read-only, run this with ${variable} at a copy, and put the copy in its place for all clouds.`,
  )
