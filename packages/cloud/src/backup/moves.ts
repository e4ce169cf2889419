// Putting several files in their places: all of them, or none. A marker tells of a process that was killed in between.

import { lstat, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { syncToDisk } from './manifest.ts'

/** A rename within one disk; nothing may have the name `to`. */
export interface Move {
  readonly from: string
  readonly to: string
}

/** Thrown where a move failed and those before it could not be taken back: the marker stays. */
export class LeftHalfway extends Error {}

const markerText =
  'A restore is moving files, or was interrupted in that. Run "callgate restore" again, with --replace.\n'

/** Whether there is anything of that name, a link that leads nowhere included. */
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
 * Makes all moves in their order, and they are on the disk then. Where one fails, those before it are taken back and it
 * rejects with the error; with `LeftHalfway` where that fails too. A marker of before stays unless all is well.
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
    // Last, and not put on the disk for sure: where it comes back, the restore is asked for once more, and no harm is done.
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
