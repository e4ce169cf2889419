// Within a package, the rooms depend on each other in one direction.

import { expect, it } from 'vitest'
import type { Facts } from './facts.ts'
import { cycleIn, foreignCores, roomsOf, usersOfCores } from './rooms.ts'
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

it('keeps a core of the cloud that one room alone uses in that room', () => {
  const users = usersOfCores('cloud', allFacts)
  expect(users.size).toBeGreaterThan(20)
  const ofOne = [...users].filter(([, rooms]) => rooms.size < 2)
  expect(ofOne.map(([core, rooms]) => `${core} is used by ${[...rooms].join() || 'nobody'}`)).toEqual([])
})

it('leaves the core of a room of the cloud to that room', () => {
  expect(foreignCores('cloud', allFacts)).toEqual([])
})

/** A file of the cloud that imports others. */
const file = (path: string, ...specifiers: string[]) =>
  ({
    path: `packages/cloud/src/${path}`,
    imports: specifiers.map(specifier => ({ specifier })),
  }) as unknown as Facts

it('finds a core of one room, and one that another room uses', () => {
  const users = usersOfCores('cloud', [
    file('core/plan.ts'),
    file('core/limit.ts', './plan.ts'),
    file('gate/gates.ts', '../core/limit.ts', './core/lock.ts', '../member/core/cap.ts'),
    file('gate/core/lock.ts', '../../core/zone/week.ts'),
    file('member/members.ts', '../core/zone/day.ts'),
  ])
  expect([...users].map(([core, rooms]) => [core, [...rooms]])).toEqual([
    ['core/plan', ['gate']],
    ['core/limit', ['gate']],
    ['core/zone', ['gate', 'member']],
  ])
  expect(foreignCores('cloud', [file('gate/gates.ts', './core/lock.ts', '../member/core/cap.ts')])).toEqual([
    'packages/cloud/src/gate/gates.ts imports packages/cloud/src/member/core/cap.ts',
  ])
})
