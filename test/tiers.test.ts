// The tiers name existing files, each once, and no file is slow without a reason.

import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { fileSeconds } from './fileSeconds.ts'
import { computing, mutants, waiting } from './tiers.ts'

const top = fileURLToPath(new URL('..', import.meta.url))
const isThere = (file: string) => existsSync(join(top, file))
const testsIn = (folder: string) =>
  readdirSync(join(top, folder), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.test.ts') && !name.includes('node_modules'))
    .map(name => `${folder}${name}`)
const filesOf = (paths: readonly string[]) =>
  paths.flatMap(path => (path.endsWith('/') ? testsIn(path) : [path].filter(isThere)))
const ofSystem = [waiting, computing, mutants].map(filesOf)

/** The limit of seconds on two quiet cores, for a file of `pnpm test`, and for one of `pnpm test:system`. */
const mostSeconds = { test: 20, system: 40 }
const slowFiles: Readonly<Record<string, string>> = {
  'test/simulation/effects/effects.test.ts': 'every effect of an opening fails once and for 20 s: 660 runs',
  'test/processes/package/offeredUpdate.test.ts':
    'a new version is tried for 30 s, and the daemon looks every 30 s how an update has ended',
  'test/processes/package/update.test.ts': 'a new version is tried for 30 s',
  'test/processes/chaos/chaos.test.ts': 'a point is a start of real processes, and one call or two',
  'test/processes/chaos/twoGateways.test.ts': 'a point is a start of real processes, and one call or two',
  'test/mutation/mutants/mutants.test.ts': 'each mutant is a test run with modules of its own',
  'test/processes/endToEnd/setUpSms.test.ts':
    'calls that nobody takes, and messages that are sent, take their time',
  'test/processes/endToEnd/installerCommands.test.ts': 'calls of a real daemon take their time',
  'test/browser/layoutShift.test.ts': 'it shows 26 pages on a slow network with a quarter of a processor',
  'test/browser/installer.test.ts': 'an installer enrols, calls and measures with real programs',
}

it('names each file once', () => {
  const all = ofSystem.flat()
  expect(all.filter((file, place) => all.indexOf(file) !== place)).toEqual([])
})

it.each([...waiting, ...computing, ...mutants])('has files for %s', path => {
  expect(filesOf([path])).not.toEqual([])
})

it('limits the seconds of each file', () => {
  const slow = Object.entries(fileSeconds).filter(([file, seconds]) => {
    const most = ofSystem.flat().includes(file) ? mostSeconds.system : mostSeconds.test
    return seconds > most && !(file in slowFiles)
  })
  expect(slow).toEqual([])
  const mayBeSlow = (file: string) => (fileSeconds[file] ?? 0) > mostSeconds.test
  expect(Object.keys(slowFiles).filter(file => !mayBeSlow(file))).toEqual([])
})

it('has the seconds of existing files only', () => {
  expect(Object.keys(fileSeconds).filter(file => !isThere(file))).toEqual([])
})
