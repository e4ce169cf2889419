// Every planted bug is caught by its judge, and nothing is found where nothing was planted.

import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bugs } from './bugs.ts'
import { judged, planted } from './plant.ts'
import { isBroken } from './promise.ts'

const cache = join(import.meta.dirname, '../../../node_modules/.cache')
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
    const violations = await judged(bug.judge, folder, bug)
    expect(violations).toSatisfy(found => isBroken(bug.breaks, found))
  })

  it('is not caught by the breach of another promise', async () => {
    expect(isBroken('P5', ['A2: it is still initiated', 'failed: P5: an error'])).toBe(false)
    expect(isBroken('G2', ['A2: it is still initiated', 'A1, G2: it has no granted opening'])).toBe(true)
    // Within these seeds, what breaks first is another promise than the one that is sought.
    const bug = bugs.find(({ name }) => name === 'whoever joined never ends')
    const found = bug && (await judged('seeds', folder, { ...bug, name: 'sought in vain', breaks: 'P5' }))
    expect(found).not.toEqual([])
    expect(isBroken('P5', found ?? [])).toBe(false)
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
