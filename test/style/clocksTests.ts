// The clock of a sandbox is read only where accesses are decided. All else stays on the real clock.

import { expect, it } from 'vitest'
import { allFacts } from './sources.ts'

const readers = [
  'guest/linkReplies',
  'member/memberViews',
  'member/previews',
  'opening/memberDecisions',
  'opening/permits',
  'sandbox/sandboxHandlers',
  'space/spaceModes',
]

it('lets only what decides on accesses read the clock of a sandbox', () => {
  const found = allFacts
    .filter(({ path }) => path.startsWith('packages/') && !/\.(?:test|kit)\.ts$/.test(path))
    .filter(
      ({ path, text }) => /\b(?:readS|s)paceTimeMs\b/.test(text) && !path.endsWith('/core/spaceTime.ts'),
    )
    .map(({ path }) => path)
  expect(found.sort()).toEqual(readers.map(name => `packages/cloud/src/${name}.ts`))
})
