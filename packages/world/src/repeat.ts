// Work that is repeated while a program runs.

import type { World } from './world.ts'

/**
 * Begins `work` after `everyMs`, and again that long after its end, so it never overlaps itself. The first delay is `firstMs`,
 * where that is given. `failed` gets the error; the work is repeated all the same. Long work checks its parameter for whether it
 * has to end. The returned function stops the repetition, and resolves when the running work has ended.
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
