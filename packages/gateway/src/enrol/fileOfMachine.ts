// Writing a file whole: after a power cut it has its old content or its new one.

import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** After this a power cut undoes no rename or removal in the folder. Rejects with the system's error. */
export async function syncedFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Only root can give a file away; anybody else has made the folder. */
async function giveToOwnerOf(folder: string, file: FileHandle): Promise<void> {
  const { gid, uid } = await stat(folder)
  const own = await file.stat()
  if (own.uid === 0 && uid !== 0) await file.chown(uid, gid)
}

/**
 * Writes `text` to `path`, mode 0600 or `mode`, for the owner of its folder: root may write it for the user of the daemon. It survives a
 * power cut when this resolves. Rejects with the system's error.
 */
export async function writeWhole(path: string, text: string, mode = 0o600): Promise<void> {
  const draft = `${path}.new`
  // A run that was cut off may have left one. Never through a link: the owner of the folder could lead root to any file by it.
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
