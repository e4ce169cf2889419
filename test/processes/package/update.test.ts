// Updates of the installed package: its launcher, its command `update` and its daemon, with a systemctl of this test in place of
// systemd.

import { execFileSync } from 'node:child_process'
import { createReadStream, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addRelease, releaseFolder } from '@callgate/cloud/release/releaseShelf'
import { realWorld } from '@callgate/world/real'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { bundledGateway } from '../../../deploy/pi/gatewayPackage.ts'
import { releaseFile, runningGateway, stranger } from './installedGateway.ts'

const world = realWorld({ logLevel: 'silent' })

let folder = ''
let bundle: Awaited<ReturnType<typeof bundledGateway>> = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'callgate-updated-'))
  execFileSync('chmod', ['755', folder])
  bundle = await bundledGateway()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('G5: installs a signed version between two calls, rolls back one that does not start, and refuses all others', async ({
  skip,
}) => {
  skip(process.arch !== 'x64', 'the package for amd64 does not run here')
  const given = { folder, bundle }
  const { fromCloud, press, relays, store, update, versionNow } = await runningGateway({
    ...given,
    onTestFinished,
  })
  const isOpen = { status: 200, body: { opened: true } }
  const opens = () =>
    vi.waitFor(async () => expect(await press()).toMatchObject(isOpen), {
      timeout: 90_000,
      interval: 1_000,
    })
  await opens()
  const shelf = releaseFolder(folder)
  expect(await update(...fromCloud)).toMatchObject({
    code: 0,
    text: expect.stringContaining('the cloud offers none'),
  })
  expect(await addRelease(shelf, createReadStream(await releaseFile(given, '1.2.0')))).toMatchObject({
    ok: true,
  })
  const before = relays()
  // A press within the cool-down would join the call before.
  await new Promise(resolve => world.after(6_000, () => resolve(undefined)))
  const [pressed, updated] = await Promise.all([press(), update(...fromCloud)])
  expect(pressed).toMatchObject(isOpen)
  expect(relays()).toBe(before + 1)
  expect(updated).toMatchObject({
    code: 0,
    text: expect.stringContaining('Installed: version 1.2.0 works.'),
  })
  expect(versionNow()).toBe('1.2.0')
  await opens()
  const crashes = "if (process.argv.includes('run')) process.exit(70)"
  const broken = (bytes: Buffer) =>
    Buffer.from(bytes.map((byte, at) => (at === bytes.length - 9 ? byte ^ 1 : byte)))
  for (const [path, words] of [
    [await releaseFile(given, '1.3.0', { by: stranger }), 'not signed by a release key'],
    [await releaseFile(given, '1.3.1', { alter: broken }), 'not the one that was signed'],
    [await releaseFile(given, '1.1.5'), '1.1.5 is not newer than 1.2.0'],
    [
      await releaseFile(given, '1.4.0', { first: crashes }),
      'version 1.4.0 was taken back: it ended by itself',
    ],
  ] as const) {
    expect(await update(path)).toMatchObject({ code: 6, text: expect.stringContaining(words) })
    expect(versionNow()).toBe('1.2.0')
  }
  await opens()
  expect(readdirSync(store).sort()).toEqual(['current', 'failed', 'inbox', 'lock', 'outcome', 'versions'])
})
