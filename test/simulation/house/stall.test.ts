// A seed whose run stalls is reported, and the seeds after it are run.

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const places = ['manySeeds.ts', 'stall.ts'].map(name => new URL(name, import.meta.url).href)

/** The first seed awaits something that never comes, and the second one ends. */
const program = `
  const [{ runShare }, { endStall }] = await Promise.all(${JSON.stringify(places)}.map(place => import(place)))
  const over = { violations: [], openings: 1, calls: 0, faults: {}, moves: {}, endings: {} }
  const run = endStall(seed => seed === 7 ? new Promise(() => {}) : Promise.resolve(over))
  await runShare(7, 2, sum => console.log(JSON.stringify(sum)), run)`

it('reports the seed of a run that stalls, and runs the next one', async () => {
  const args = ['--import', 'tsx', '--input-type=module', '--eval', program]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  const { openings, seeds, violations } = JSON.parse(stdout)
  expect({ openings, seeds }).toEqual({ openings: 1, seeds: 2 })
  expect(violations).toEqual([
    expect.stringMatching(/^seed 7: it broke off: Error: the run stalls: it awaits what never comes/),
  ])
})
