// Work that is done again and again while a program runs.

import type { World } from './world.ts'

/**
 * Begins `work` when `everyMs` have passed, and again when so much has passed since its end: it never overlaps itself. The
 * first time comes after `firstMs`, where that is given. `failed` is told why it failed; it is done again all the same. Long
 * work asks its parameter whether it is to end. The answer stops it, and resolves when the work that goes on has ended.
 */
export function repeat(
  world: Pick<World, 'after' | 'log'>,
  everyMs: number,
  work: (isStopped: () => boolean) => Promise<void>,
  failed: (why: string) => void = why => world.log.error('what is done again and again has failed', { why }),
  firstMs = everyMs,
): () => Promise<void> {
  let isStopped = false
  let running = Promise.resolve()
  const plan = (inMs: number) =>
    world.after(inMs, () => {
      running = work(() => isStopped)
        .catch((error: unknown) => failed(String(error)))
        .finally(() => {
          if (!isStopped) timer = plan(everyMs)
        })
    })
  let timer = plan(firstMs)
  return () => {
    isStopped = true
    timer.cancel()
    return running
  }
}
