// Within a package, the rooms depend on each other in one direction, and so do the files of a room.

import { expect, it } from 'vitest'
import { type Facts, factsOf } from './facts.ts'
import { cycleIn, filesOf, foreignCores, type Imports, roomOf, roomsOf, usersOfCores } from './rooms.ts'
import { allFacts } from './sources.ts'
import { mayImport, roomsWithCyclesOfTypes } from './tables.ts'

const packages = Object.keys(mayImport).filter(name =>
  allFacts.some(({ path }) => path.startsWith(`packages/${name}/src/`)),
)

it.each(packages)('%s has no cycle of rooms', name => {
  const rooms = roomsOf(name, allFacts)
  expect(rooms.size).toBeGreaterThan(0)
  expect(cycleIn(rooms)).toBeUndefined()
})

/** The files of one room. */
const within = (room: string, files: Imports): Imports =>
  new Map([...files].filter(([path]) => roomOf(path) === room))

it.each(packages)('%s has no cycle of files in a room', name => {
  const withTypes = filesOf(name, allFacts)
  const withoutTypes = filesOf(name, allFacts, false)
  expect(withTypes.size).toBeGreaterThan(0)
  for (const room of roomsOf(name, allFacts).keys()) {
    const files = `${name}/${room}` in roomsWithCyclesOfTypes ? withoutTypes : withTypes
    expect(cycleIn(within(room, files)), room).toBeUndefined()
  }
})

it.each(Object.keys(roomsWithCyclesOfTypes))('still needs the exception for %s', room => {
  const [packageName = '', name = ''] = room.split('/')
  expect(cycleIn(within(name, filesOf(packageName, allFacts)))).toBeDefined()
})

/** Files of two folders with the same meaning: the same texts in another language, and the entry of a page. */
const meanTheSame = /\/(words\/(en|ro)|guest\/texts|mail\/alertTexts)\/|\/main\.tsx$/

it.each(packages)('%s has no two files of one name that do not mean the same', name => {
  const paths = allFacts.map(({ path }) => path).filter(path => path.startsWith(`packages/${name}/src/`))
  expect(paths).not.toEqual([])
  const named = paths
    .filter(path => !meanTheSame.test(path))
    .map(path => path.slice(path.lastIndexOf('/') + 1))
  expect(named.filter((file, place) => named.indexOf(file) !== place)).toEqual([])
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

it('finds a cycle of files, of their types alone too', () => {
  const of = (name: string, source: string) => factsOf(`packages/cloud/src/cli/${name}.ts`, source)
  const facts = [
    of('program', "export const run = async () => (await import('./perform.ts')).perform()"),
    of('perform', "import type { Terminal } from './program.ts'"),
  ]
  const [program, perform] = facts.map(({ path }) => path)
  expect(cycleIn(filesOf('cloud', facts))).toEqual([program, perform, program])
  expect(cycleIn(filesOf('cloud', facts, false))).toBeUndefined()
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
