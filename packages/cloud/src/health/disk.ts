// The disk of the database: how much is free, before a write fails.

import { statfs } from 'node:fs/promises'
import type { Finding } from './readiness.ts'

const mebibyte = 2 ** 20
/** A press writes some kilobytes, and SQLite's log takes some MiB before it starts again from its beginning. */
const leastFreeBytes = 8 * mebibyte
const littleFreeBytes = 256 * mebibyte

/** The finding for a number of free bytes: little space is `ok`, with a warning. */
export function diskFinding(freeBytes: number): Finding {
  const free = `${Math.floor(freeBytes / mebibyte)} MiB are free on the disk of the database`
  if (freeBytes < leastFreeBytes) return { ok: false, reason: `${free}: soon no press can be written down.` }
  return { ok: true, ...(freeBytes < littleFreeBytes && { warning: `${free}.` }) }
}

/** Checks the disk that contains `folder`. It ignores quotas of the user. */
export async function checkDisk(folder: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(folder)
  return diskFinding(bavail * bsize)
}
