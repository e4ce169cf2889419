// The rows of the page of pictures, and the comparison of two runs.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { differences, picturesByScene } from './pictureIndex.ts'

it('puts the variants of a page into one row', () => {
  const names = [
    'dash-gate-en-390.png',
    'dash-gate-ro-1280-dark.png',
    'dash-gates-en-390.png',
    'kit-1280-dark.png',
  ]
  expect([...picturesByScene([...names, 'mail-alert-uk-360-gmail-dark.png'])]).toEqual([
    ['dash-gate', names.slice(0, 2)],
    ['dash-gates', names.slice(2, 3)],
    ['kit', names.slice(3)],
    ['mail-alert', ['mail-alert-uk-360-gmail-dark.png']],
  ])
})

it('finds the pictures of two runs that differ', async () => {
  const folders = await Promise.all(
    ['a', 'b'].map(name => mkdtemp(join(tmpdir(), `callgate-pictures-${name}-`))),
  )
  const [one = '', two = ''] = folders
  const put = (folder: string, name: string, text: string) => writeFile(join(folder, name), text)
  await put(one, 'same.png', 'x')
  await put(two, 'same.png', 'x')
  await put(one, 'other.png', 'x')
  await put(two, 'other.png', 'y')
  await put(one, 'new.png', 'x')
  expect(await differences(one, two)).toEqual(['other.png'])
  for (const folder of folders) await rm(folder, { recursive: true })
})
