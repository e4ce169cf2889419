import { mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { writeWhole } from './syncedFile.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callgate-whole-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

it('writes a file readable by its owner only, over an older draft that everybody could read', async () => {
  const file = join(folder, 'a.yaml')
  await writeFile(`${file}.new`, 'a draft of a run that was cut off', { mode: 0o644 })
  await writeWhole(file, 'new')
  expect(await readFile(file, 'utf8')).toBe('new')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
})

it('writes to no file to which a link in the place of the draft leads', async () => {
  const file = join(folder, 'a.yaml')
  const other = join(folder, 'of-another-owner')
  await writeFile(other, 'as it was', { mode: 0o644 })
  await symlink(other, `${file}.new`)
  await writeWhole(file, 'new')
  expect(await readFile(other, 'utf8')).toBe('as it was')
  expect((await stat(other)).mode & 0o777).toBe(0o644)
  expect(await readFile(file, 'utf8')).toBe('new')
})
