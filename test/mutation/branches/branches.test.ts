// The judge of the branches: what it finds in a report, and what it makes of it.

import { expect, it } from 'vitest'
import { countBranches, type FileReport, missingLines, unexplained } from './branches.ts'

const source = `const one = given ?? 1
if (given) go()
  else stay()
`
const at = (line: number) => ({ start: { line } })
const report: FileReport = {
  path: 'a.ts',
  branchMap: {
    0: { loc: at(1), locations: [at(1), at(1)] },
    // A missing else has no place of its own.
    1: { loc: at(2), locations: [at(2), { start: {} }] },
    2: { loc: at(3), locations: [at(3)] },
  },
  b: { 0: [1, 0], 1: [1, 0], 2: [4] },
}

it('finds each line with a branch that was never taken', () => {
  expect(missingLines(report, source)).toEqual(['const one = given ?? 1', 'if (given) go()'])
  expect(missingLines({ ...report, b: { 0: [1, 1], 1: [1, 1], 2: [0] } }, source)).toEqual(['else stay()'])
  expect(countBranches(report)).toEqual({ all: 5, taken: 3 })
})

it('wants every such line explained, and no other', () => {
  const missing = { 'a.ts': missingLines(report, source) }
  const why = 'because'
  expect(unexplained(missing, [{ why, lines: { 'a.ts': missing['a.ts'] } }])).toEqual([])
  const wrong = unexplained(missing, [
    { why, lines: { 'a.ts': ['if (given) go()', 'else stay()'], 'b.ts': ['x'] } },
  ])
  expect(wrong).toEqual([
    'a.ts: no test takes a branch of: const one = given ?? 1',
    'a.ts: explained, and taken or gone: else stay()',
    'b.ts: explained, and taken or gone: x',
  ])
})
