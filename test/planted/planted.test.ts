// Every planted bug is caught by its judge, and nothing is found where nothing was planted.

import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bugs } from './bugs.ts'
import { judged, planted } from './plant.ts'

const cache = join(import.meta.dirname, '../../node_modules/.cache')
let folder = ''
beforeAll(async () => {
  await mkdir(cache, { recursive: true })
  folder = await mkdtemp(join(cache, 'planted-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('a judge', () => {
  it.concurrent.each([...new Set(bugs.map(bug => bug.judge))])(
    'finds nothing in the product: %s',
    async judge => {
      expect(await judged(judge, folder)).toEqual([])
    },
  )
})

describe('a planted bug', () => {
  it.concurrent.each(bugs)('is caught: $name', async bug => {
    const promises = (await judged(bug.judge, folder, bug)).map(violation => violation.slice(0, 2))
    expect(promises).toContain(bug.breaks)
  })

  it('has a name of its own', () => {
    expect(new Set(bugs.map(bug => bug.name)).size).toBe(bugs.length)
  })

  it('fails when its place is gone or is not the only one', async () => {
    const place = { name: 'one', file: 'a.ts', find: 'a', replace: 'b' }
    expect(planted('cat', place)).toBe('cbt')
    expect(() => planted('cot', place)).toThrow('0 places')
    expect(() => planted('tata', place)).toThrow('2 places')
    const [bug] = bugs
    if (bug)
      await expect(judged(bug.judge, folder, { ...bug, find: 'no such text' })).rejects.toThrow('0 places')
    await expect(judged('interleavings', folder, { ...place, file: 'none.ts' })).rejects.toThrow(
      'never loads',
    )
  })
})
