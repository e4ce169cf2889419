// The resources that a process has used so far: processor, memory, and bytes written to the disk, as Linux counts them; and its heap.

import { readdir, readFile } from 'node:fs/promises'

export interface Use {
  /** On a processor, all threads together, milliseconds. */
  readonly processorMs: number
  /** Resident, in MB. */
  readonly residentMb: number
  /** Passed to the disk in whole pages, the smallest unit of a disk. Bytes. */
  readonly writtenBytes: number
}

/** Threads that have ended are not counted. */
async function processorMs(pid: number): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`)
  // The first number is the time on a processor, in nanoseconds (Documentation/scheduler/sched-stats.rst).
  const ofEach = threads.map(async id => {
    const stat = await readFile(`/proc/${pid}/task/${id}/schedstat`, 'utf8').catch(() => '0')
    return Number(stat.split(' ')[0]) / 1e6
  })
  return (await Promise.all(ofEach)).reduce((sum, ms) => sum + ms, 0)
}

export async function useOf(pid: number): Promise<Use> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const io = await readFile(`/proc/${pid}/io`, 'utf8')
  return {
    processorMs: await processorMs(pid),
    residentMb: Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) / 1024,
    writtenBytes: Number(/^write_bytes: (\d+)/m.exec(io)?.[1] ?? Number.NaN),
  }
}

/** The memory of this process after a collection, in bytes. It needs `--expose-gc`. */
export function collectedMemory(): { readonly residentBytes: number; readonly heapBytes: number } {
  for (let collected = 0; collected < 4; collected++) globalThis.gc?.()
  const { heapUsed, rss } = process.memoryUsage()
  return { residentBytes: rss, heapBytes: heapUsed }
}
