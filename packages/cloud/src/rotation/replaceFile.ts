// A key file that is replaced while clouds read it.

import type { Stats } from 'node:fs'
import { type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { World } from '@callgate/world/world'

export type Refused = { readonly ok: false; readonly message: string }
export const refuse = (message: string): Refused => ({ ok: false, message })

/** The system's code of an error; undefined for any other error. */
export const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

/** Root may run this for the user of the cloud, who has to read the file afterwards: it stays that user's. */
async function keepOwner(draft: FileHandle, { gid, mode, uid }: Stats): Promise<void> {
  const { uid: writer } = await draft.stat()
  if (writer !== 0) return
  await draft.chown(uid, gid)
  await draft.chmod(0o600 | (mode & 0o040))
}

/**
 * Puts `text` in the place of the file that is there, as a whole: each reader finds the former text or this one, also after
 * a power cut. Answers with the system's code where it cannot; the file is then as it was.
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

/** What the operator is told of it. */
export const cannotReplace = (what: string, file: string, variable: string, code: string): Refused =>
  refuse(
    `The ${what} ${file} cannot be replaced (${code}), and are as they were. Check who owns the file and its folder. Where the folder is read-only, run this with ${variable} at a copy, and put the copy in its place for all clouds.`,
  )
