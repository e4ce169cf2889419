// The staging folder of `callgate setup`, and what becomes of it.

import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { makeStaging } from './stagingFolder.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'callgate-staging-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** The works for the end of the process. */
function ending() {
  const works = new Set<() => void>()
  const atExit = (work: () => void) => {
    works.add(work)
    return () => works.delete(work)
  }
  return { atExit, works }
}

it('removes what a killed process has left, and its own folder when it is done', () => {
  mkdirSync(join(folder, '.setup-old'))
  const { atExit, works } = ending()
  const { path, remove } = makeStaging(folder, atExit)
  expect(readdirSync(folder).map(name => join(folder, name))).toEqual([path])
  remove()
  expect([readdirSync(folder), works.size]).toEqual([[], 0])
})

it('removes its folder where the process ends before', () => {
  const { atExit, works } = ending()
  makeStaging(folder, atExit)
  for (const work of works) work()
  expect(readdirSync(folder)).toEqual([])
})
