// Checks that no other user of the machine can change a file, because the daemon runs the commands that it names.

import { realpath, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

const groupOrOthersWrite = 0o022
/** In a folder with this bit, only the owner of a file may rename or delete it (chmod(1), "restricted deletion flag"). */
const sticky = 0o1000

/** The folders from the one that holds `path` up to the root. */
function foldersAbove(path: string): string[] {
  const folder = dirname(path)
  return folder === path ? [] : [folder, ...foldersAbove(folder)]
}

/**
 * Why a user other than root and `uid` could change the file at `path`: its mode or its owner, or a folder in which that user
 * could replace the file. Undefined where nobody else could. Rejects where the path does not exist.
 */
export async function whoElseMayWrite(path: string, uid: number): Promise<string | undefined> {
  const isOwn = (owner: number) => owner === 0 || owner === uid
  const real = await realpath(path)
  const file = await stat(real)
  if (!isOwn(file.uid)) return `${real} belongs to another user: chown it to root or to the daemon's user`
  if (file.mode & groupOrOthersWrite) return `others may write to ${real}: chmod go-w ${real}`
  // Symbolic links on the path could be changed, too.
  for (const folder of new Set([...foldersAbove(real), ...foldersAbove(resolve(path))])) {
    const { mode, uid: owner } = await stat(folder)
    if (!isOwn(owner)) return `${folder}, a folder above it, belongs to another user`
    if (mode & groupOrOthersWrite && !(mode & sticky))
      return `others may write to ${folder}, a folder above it: chmod go-w ${folder}`
  }
  return undefined
}
