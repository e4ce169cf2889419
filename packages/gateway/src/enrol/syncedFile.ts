// Writes a file whole: after a power cut it has its old content or its new one.

import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Syncs a folder, so that a power cut undoes no earlier rename or removal in it. Rejects with the system's error. */
export async function syncedFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Gives the file to the owner of the folder. Only root needs that: any other user has made the folder. */
async function giveToOwnerOf(folder: string, file: FileHandle): Promise<void> {
  const { gid, uid } = await stat(folder)
  const own = await file.stat()
  if (own.uid === 0 && uid !== 0) await file.chown(uid, gid)
}

/**
 * Writes `text` to `path`, mode 0600 or `mode`, for the owner of its folder, since root may write for the user of the daemon. The
 * file survives a power cut once this resolves. Rejects with the system's error.
 */
export async function writeWhole(path: string, text: string, mode = 0o600): Promise<void> {
  const draft = `${path}.new`
  // Removes the draft of an interrupted run. A draft is never written through a link: the owner of the folder could lead root to
  // any file.
  await rm(draft, { force: true })
  const file = await open(draft, 'wx', mode)
  try {
    await giveToOwnerOf(dirname(path), file)
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(draft, path)
  await syncedFolder(dirname(path))
}
