// The branches that the coverage command finds in a report, and the markers that it accepts for them.

import { expect, it } from 'vitest'
import { countBranches, type FileReport, wrongLines } from './branches.ts'

const source = `const one = given ?? 1
if (given) go()
  else stay()
`
const at = (line: number) => ({ start: { line } })
/** A report on the source, as if it began the given number of lines further down. */
const reportOf = (counts: FileReport['b'], above = 0): FileReport => ({
  path: 'a.ts',
  branchMap: {
    0: { loc: at(above + 1), locations: [at(above + 1), at(above + 1)] },
    // A missing else has no place of its own.
    1: { loc: at(above + 2), locations: [at(above + 2), { start: {} }] },
    2: { loc: at(above + 3), locations: [at(above + 3)] },
  },
  b: counts,
})
const twoMissing = { 0: [1, 0], 1: [1, 0], 2: [4] }
const noneMissing = { 0: [1, 1], 1: [1, 1], 2: [1] }

it('finds each line with a branch that no test takes', () => {
  expect(wrongLines('a.ts', source, reportOf(twoMissing))).toEqual([
    'a.ts:1: no test takes a branch of: const one = given ?? 1',
    'a.ts:2: no test takes a branch of: if (given) go()',
  ])
  expect(wrongLines('a.ts', source, reportOf({ ...noneMissing, 2: [0] }))).toEqual([
    'a.ts:3: no test takes a branch of: else stay()',
  ])
  expect(countBranches(reportOf(twoMissing))).toEqual({ all: 5, taken: 3 })
})

it('accepts a line with a marker above it, and no other line', () => {
  const first = `  // Not tested: a reason\n  // of two lines.\n${source}`
  expect(wrongLines('a.ts', first, reportOf(twoMissing, 2))).toEqual([
    'a.ts:4: no test takes a branch of: if (given) go()',
  ])
  const empty = `\n// Not tested:\n${source}`
  expect(wrongLines('a.ts', empty, reportOf(twoMissing, 2))).toHaveLength(2)
})

it('finds a marker whose line has no such branch', () => {
  const marked = `// Not tested: a reason.\n${source}`
  expect(wrongLines('a.ts', marked, reportOf(noneMissing, 1))).toEqual([
    'a.ts:2: marked as not tested, but tests take every branch of: const one = given ?? 1',
  ])
  const apart = `// Not tested: a reason.\n\n${source}`
  expect(wrongLines('a.ts', apart, reportOf({ ...noneMissing, 0: [1, 0] }, 2))).toHaveLength(2)
  expect(wrongLines('b.ts', marked, undefined)).toEqual([
    'b.ts:2: marked, but not measured: const one = given ?? 1',
  ])
})
