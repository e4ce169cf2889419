// Puts several files in their places: all of them, or none. A marker shows that a process was killed in between.

import { lstat, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { syncToDisk } from './manifest.ts'

/** A rename within one disk. Nothing may exist at `to`. */
export interface Move {
  readonly from: string
  readonly to: string
}

/** Thrown when a move failed and the earlier moves could not be undone. The marker stays. */
export class LeftHalfway extends Error {}

const markerText =
  'A restore is moving files, or was interrupted in that. Run "callgate restore" again, with --replace.\n'

/** Whether the path exists; a broken link counts too. */
export const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  )

async function move({ from, to }: Move): Promise<void> {
  if (await isThere(to)) throw Object.assign(new Error(`${to} is there already`), { code: 'EEXIST' })
  await rename(from, to)
}

async function syncFolders(moves: readonly Move[], marker: string): Promise<void> {
  const folders = new Set([marker, ...moves.flatMap(({ from, to }) => [from, to])].map(path => dirname(path)))
  for (const folder of folders) await syncToDisk(folder)
}

/**
 * Makes all moves in their order and syncs them to the disk. When one fails, the earlier moves are undone and the error is
 * thrown; `LeftHalfway` when that fails too. An earlier marker is removed only when all moves succeed.
 */
export async function moveAll(moves: readonly Move[], marker: string): Promise<void> {
  const wasHalfway = await isThere(marker)
  const made: Move[] = []
  try {
    const handle = await open(marker, 'w', 0o600)
    await handle.writeFile(markerText).finally(() => handle.close())
    await syncToDisk(marker)
    await syncToDisk(dirname(marker))
    for (const one of moves) {
      await move(one)
      made.push(one)
    }
    await syncFolders(moves, marker)
    // Last, and not synced: if a power cut brings the marker back, the operator runs the restore once more, which is harmless.
    await rm(marker)
  } catch (error) {
    try {
      for (const { from, to } of made.reverse()) await move({ from: to, to: from })
      await syncFolders(moves, marker)
      if (!wasHalfway) await rm(marker, { force: true })
    } catch (second) {
      throw new LeftHalfway(`${String(error)}; it could not be taken back: ${String(second)}`)
    }
    throw error
  }
}
