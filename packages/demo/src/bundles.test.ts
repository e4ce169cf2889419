// A bundle: stale when it is missing, or older than a source of its own.

import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { bundleNames, isBundleStale } from './bundles.ts'

it('is rebuilt only for a newer source', async () => {
  const top = await mkdtemp(join(tmpdir(), 'callgate-bundle-'))
  const touch = async (path: string, atSeconds: number) => {
    await mkdir(dirname(join(top, path)), { recursive: true })
    await writeFile(join(top, path), '')
    await utimes(join(top, path), atSeconds, atSeconds)
  }
  const stale = async () => {
    const isStale = await Promise.all(bundleNames.map(name => isBundleStale(top, name)))
    return bundleNames.filter((_, index) => isStale[index])
  }
  await touch('packages/modem/src/core/lines.ts', 100)
  expect(await stale()).toEqual(['web', 'cloud', 'gateway', 'simulator'])
  await touch('packages/gateway/dist/gateway.mjs', 200)
  await touch('packages/cloud/dist/callgate.mjs', 200)
  await touch('packages/web/dist/index.html', 200)
  await touch('packages/simulator/dist/simulator.mjs', 200)
  expect(await stale()).toEqual([])
  await touch('packages/modem/src/core/lines.test.ts', 300)
  await touch('packages/web/src/kit/Ring.test.tsx', 300)
  await touch('packages/gateway/node_modules/a.js', 300)
  expect(await stale()).toEqual([])
  await touch('packages/modem/src/core/lines.ts', 300)
  expect(await stale()).toEqual(['gateway'])
  await touch('packages/web/src/theme/tokens.css', 300)
  expect(await stale()).toEqual(['web', 'cloud', 'gateway'])
  await touch('deploy/bundle.ts', 300)
  expect(await stale()).toEqual(['web', 'cloud', 'gateway', 'simulator'])
  await rm(top, { recursive: true })
})
