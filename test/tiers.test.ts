// The tiers name files that are there, each once, and no file is slow without a reason.

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

/** A file of `pnpm test` takes at most so many seconds on two quiet cores, and one of `pnpm test:system`. */
const mostSeconds = { test: 20, system: 40 }
const slowFiles: Readonly<Record<string, string>> = {}

it('names each file once', () => {
  const all = ofSystem.flat()
  expect(all.filter((file, place) => all.indexOf(file) !== place)).toEqual([])
})

it.each([...waiting, ...computing, ...mutants])('has files for %s', path => {
  expect(filesOf([path])).not.toEqual([])
})

it('bounds the seconds of each file', () => {
  const slow = Object.entries(fileSeconds).filter(([file, seconds]) => {
    const most = ofSystem.flat().includes(file) ? mostSeconds.system : mostSeconds.test
    return seconds > most && !(file in slowFiles)
  })
  expect(slow).toEqual([])
  expect(Object.keys(slowFiles).filter(file => !(file in fileSeconds))).toEqual([])
})

it('has the seconds of files that are there', () => {
  expect(Object.keys(fileSeconds).filter(file => !isThere(file))).toEqual([])
})
