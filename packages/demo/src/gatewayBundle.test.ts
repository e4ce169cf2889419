// The bundle: stale when it is missing, or older than a source.

import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { isBundleStale } from './gatewayBundle.ts'

it('is built again only for a source that is newer', async () => {
  const top = await mkdtemp(join(tmpdir(), 'callgate-bundle-'))
  const touch = async (path: string, atSeconds: number) => {
    await mkdir(dirname(join(top, path)), { recursive: true })
    await writeFile(join(top, path), '')
    await utimes(join(top, path), atSeconds, atSeconds)
  }
  await touch('packages/modem/src/core/lines.ts', 100)
  expect(await isBundleStale(top)).toBe(true)
  await touch('packages/gateway/dist/gateway.mjs', 200)
  expect(await isBundleStale(top)).toBe(false)
  await touch('packages/modem/src/core/lines.test.ts', 300)
  await touch('packages/gateway/node_modules/a.js', 300)
  expect(await isBundleStale(top)).toBe(false)
  await touch('packages/contract/src/gate.ts', 300)
  expect(await isBundleStale(top)).toBe(true)
  await rm(top, { recursive: true })
})
