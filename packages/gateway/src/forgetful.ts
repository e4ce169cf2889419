// Finds disks that lose their data: the memory above a read-only root, or a folder in memory.

import { statfs } from 'node:fs/promises'

/** OVERLAYFS_SUPER_MAGIC and TMPFS_MAGIC, statfs(2). */
const forgetful = new Set([0x794c7630, 0x01021994])

/** Whether data in this folder is lost when the machine is switched off. Rejects where there is no such folder. */
export async function isForgetful(folder: string): Promise<boolean> {
  return forgetful.has((await statfs(folder)).type)
}
