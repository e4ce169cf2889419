// Ends the run of a seed that awaits something that never comes: otherwise the whole process would end, with all later seeds.

import type { SeedRun } from './seedRun.ts'

type Run = (seed: number) => Promise<SeedRun>

/** The run rejects when the process has nothing left to do and the run has not ended. */
export const endStall =
  (run: Run): Run =>
  async seed => {
    let end = () => {}
    const stall = new Promise<never>((_, reject) => {
      end = () => reject(new Error('the run stalls: it awaits what never comes'))
    })
    process.once('beforeExit', end)
    try {
      return await Promise.race([run(seed), stall])
    } finally {
      process.off('beforeExit', end)
    }
  }
