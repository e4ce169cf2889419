// Port paths, in a folder of real links as udev makes them.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { portPaths } from './portPaths.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callgate-ports-'))
  for (const name of ['usb-1a86_7523-if00-port0', 'usb-1a86_7523-if02-port0', 'usb-0403_x', 'a+b'])
    await writeFile(join(folder, name), '')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const inFolder = async (...paths: string[]) =>
  (await portPaths(paths.map(path => join(folder, path)))).map(path => path.slice(folder.length + 1))

it('keeps plain paths, present or not, and replaces a pattern by the ports that fit it', async () => {
  expect(await inFolder('gone', 'usb-1a86_*')).toEqual([
    'gone',
    'usb-1a86_7523-if00-port0',
    'usb-1a86_7523-if02-port0',
  ])
  expect(await inFolder('usb-1a86_*if02*', 'usb-1a86_7523-if02-port0')).toEqual(['usb-1a86_7523-if02-port0'])
})

it('reads only the star as a pattern, and a missing folder as an empty one', async () => {
  expect(await inFolder('a+*', 'aa*')).toEqual(['a+b'])
  expect(await inFolder('no/such/folder/*')).toEqual([])
})
