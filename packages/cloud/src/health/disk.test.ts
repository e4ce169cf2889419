import { tmpdir } from 'node:os'
import { expect, it } from 'vitest'
import { checkDisk, diskFinding } from './disk.ts'

const mebibyte = 2 ** 20

it.each([
  [0, false, '0 MiB are free on the disk of the database: soon no press can be written down.'],
  [8 * mebibyte - 1, false, '7 MiB are free on the disk of the database: soon no press can be written down.'],
  [8 * mebibyte, true, '8 MiB are free on the disk of the database.'],
  [256 * mebibyte - 1, true, '255 MiB are free on the disk of the database.'],
  [256 * mebibyte, true, undefined],
])('with %i bytes free is ok: %s', (freeBytes, ok, words) => {
  const told = words === undefined ? {} : ok ? { warning: words } : { reason: words }
  expect(diskFinding(freeBytes)).toEqual({ ok, ...told })
})

it('is read from the system, and a failure rejects', async () => {
  expect(await checkDisk(tmpdir())).toHaveProperty('ok')
  await expect(checkDisk('/proc/no such folder')).rejects.toThrow()
})
