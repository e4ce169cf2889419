// The launchers: which ones are found, and how their end is noticed.

import { expect, it } from 'vitest'
import { launchersFrom, oneEnds, type ProcessFacts, readProcess } from './launchers.ts'

const table = (rows: readonly (readonly [pid: number, name: string, commandLine: string])[]) => {
  const known = new Map<number, ProcessFacts>(
    rows.map(([pid, name, commandLine]) => [
      pid,
      { parent: pid - 1, name, commandLine, startedAt: `at ${pid}` },
    ]),
  )
  return { known, read: async (pid: number) => known.get(pid) }
}

const started = [
  [1, 'init', '/sbin/init'],
  [2, 'node', 'node some/harness.js'],
  [3, 'bash', 'bash -c npx -y pnpm@10 start &'],
  [4, 'npm exec pnpm@1', 'npm exec pnpm@10 start'],
  [5, 'sh', "sh -c 'pnpm' start"],
  [6, 'node', 'node /usr/bin/pnpm start'],
  [7, 'sh', 'sh -c node --import tsx packages/demo/src/main.ts'],
] as const

it('finds npx and pnpm, but not the shells nor the process that started them', async () => {
  const found = await launchersFrom(7, table(started).read)
  expect(found.map(({ pid }) => pid)).toEqual([6, 4])
})

it('finds none when the demo was started directly', async () => {
  expect(await launchersFrom(2, table(started).read)).toEqual([])
})

it('notices the end of one of them, and another process with its id', async () => {
  for (const after of [undefined, { parent: 1, name: 'node', commandLine: 'node', startedAt: 'later' }]) {
    const { known, read } = table(started)
    const launchers = await launchersFrom(7, read)
    known.delete(4)
    if (after) known.set(4, after)
    await oneEnds(launchers, read, new AbortController().signal)
  }
})

it('reads a real process', async () => {
  const own = await readProcess(process.pid)
  expect(own).toEqual(
    expect.objectContaining({ parent: process.ppid, commandLine: expect.stringContaining('node') }),
  )
  expect(await readProcess(2 ** 30)).toBeUndefined()
})
