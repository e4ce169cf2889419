// The rights of the files of an installed cloud.

import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { operatorFiles } from '../backup/operatorFiles.ts'
import { writeMachine } from './machineFiles.ts'

const folder = mkdtempSync(join(tmpdir(), 'callgate-machine-'))
const before = process.umask()
afterEach(() => {
  process.umask(before)
  rmSync(folder, { recursive: true })
})

it('lets the group of the cloud read what root writes, also where root hides new files', async ({ skip }) => {
  skip(process.getuid?.() !== 0, 'only root writes for another user')
  const places = {
    settings: join(folder, 'cloud.env'),
    folder: join(folder, 'cloud'),
    dataFolder: join(folder, 'data'),
  }
  mkdirSync(places.dataFolder)
  process.umask(0o077)
  const content = { settings: 'PORT=1\n', files: { 'privkey.pem': 'key' } }
  expect(await writeMachine(operatorFiles(undefined), places, content)).toBeUndefined()
  const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)
  expect([places.settings, places.folder, join(places.folder, 'privkey.pem')].map(modeOf)).toEqual([
    '640',
    '750',
    '640',
  ])
})
