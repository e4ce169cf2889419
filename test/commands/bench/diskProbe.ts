// The disk as it is beside a benchmark: bare synced writes, whose longest times are no fault of the program that is measured.

import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** The bytes of one write, about those of a commit, and the pause after it in milliseconds. */
const [bytes, pauseMs] = [16_384, 20]

/** Runs `work`, and meanwhile writes and syncs a file of its own; returns how long each of these writes took. */
export async function besideDisk<T>(work: () => Promise<T>): Promise<{ done: T; syncMs: readonly number[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'callgate-disk-'))
  const file = await open(join(folder, 'probe'), 'w')
  const syncMs: number[] = []
  let isOver = false
  const probing = (async () => {
    while (!isOver) {
      const beganMs = performance.now()
      await file.write(Buffer.alloc(bytes), 0, bytes, 0)
      await file.datasync()
      syncMs.push(performance.now() - beganMs)
      await pause(pauseMs)
    }
  })()
  try {
    return { done: await work(), syncMs }
  } finally {
    isOver = true
    await probing
    await file.close()
    await rm(folder, { recursive: true, force: true })
  }
}
