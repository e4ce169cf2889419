// Within a package, the rooms depend on each other in one direction.

import { expect, it } from 'vitest'
import { cycleIn, roomsOf } from './rooms.ts'
import { allFacts } from './sources.ts'
import { mayImport } from './tables.ts'

const packages = Object.keys(mayImport).filter(name =>
  allFacts.some(({ path }) => path.startsWith(`packages/${name}/src/`)),
)

it.each(packages)('%s has no cycle of rooms', name => {
  const rooms = roomsOf(name, allFacts)
  expect(rooms.size).toBeGreaterThan(0)
  expect(cycleIn(rooms)).toBeUndefined()
})

it('keeps only the program, its composition and its configuration at the root of the cloud', () => {
  const atRoot = allFacts.map(({ path }) => path).filter(path => /^packages\/cloud\/src\/[^/]+$/.test(path))
  expect(atRoot.filter(path => !path.endsWith('.test.ts')).sort()).toEqual([
    'packages/cloud/src/api.ts',
    'packages/cloud/src/app.ts',
    'packages/cloud/src/config.ts',
    'packages/cloud/src/configVariables.ts',
    'packages/cloud/src/main.ts',
  ])
})

it('finds a cycle', () => {
  const rooms = new Map([
    ['gate', new Set(['http'])],
    ['http', new Set(['space'])],
    ['space', new Set(['http'])],
  ])
  expect(cycleIn(rooms)).toEqual(['http', 'space', 'http'])
})
