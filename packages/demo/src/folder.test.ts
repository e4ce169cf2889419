// The data folder: private files, and one demo at a time.

import { spawnSync } from 'node:child_process'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { lockFolder, makeFolders, readJson, writePrivately } from './folder.ts'

const top = fileURLToPath(new URL('../../..', import.meta.url))
let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callgate-folder-'))
})
afterAll(() => rm(folder, { recursive: true }))

it('writes files that only their owner can read, whatever existed before', async () => {
  const path = join(folder, 'ready.json')
  await writeFile(path, 'old', { mode: 0o644 })
  await writePrivately(path, { a: 1 })
  expect(await readJson(path)).toEqual({ a: 1 })
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect(await readdir(folder)).toEqual(['ready.json'])
})

it('reads nothing from a missing file, or one that is not JSON', async () => {
  await writeFile(join(folder, 'demo.json'), '{"half')
  expect(await readJson(join(folder, 'demo.json'))).toBeUndefined()
  expect(await readJson(join(folder, 'none.json'))).toBeUndefined()
})

/** Whether `biome check` finds no fault in a folder of this checkout. */
function isClean(path: string): boolean {
  const biome = join(top, 'node_modules/@biomejs/biome/bin/biome')
  const args = [biome, 'check', '--no-errors-on-unmatched', path]
  return spawnSync(process.execPath, args, { cwd: top }).status === 0
}

it('is ignored by git and the checks inside a checkout', async () => {
  const own = await mkdtemp(join(top, 'second-demo-'))
  try {
    const data = join(own, 'data')
    expect(await makeFolders(data, ['logs'])).toMatchObject({ ok: true })
    await writeFile(join(data, 'ready.json'), '{"not":   "formatted"}')
    expect(isClean(own)).toBe(true)
    // A folder that existed before stays unchanged.
    await rm(join(data, '.gitignore'))
    expect(await makeFolders(data, ['logs'])).toMatchObject({ ok: true })
    expect(isClean(own)).toBe(false)
  } finally {
    await rm(own, { recursive: true })
  }
})

it('reports that the folder cannot be made', async () => {
  await writeFile(join(folder, 'file'), '')
  expect(await makeFolders(join(folder, 'file'), ['logs'])).toEqual({
    ok: false,
    message: expect.stringContaining('CALLGATE_DATA'),
  })
})

it('is held by one demo at a time', async () => {
  const first = await lockFolder(folder)
  expect(await lockFolder(folder)).toEqual({ ok: false, message: expect.stringContaining('already runs') })
  if (first.ok) await first.value.release()
  const second = await lockFolder(folder)
  expect(second.ok).toBe(true)
  if (second.ok) await second.value.release()
})
