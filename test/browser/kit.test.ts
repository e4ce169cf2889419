// The parts of the dashboard in each of their states, in a real browser, on a page that only tests build.

import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildWeb } from '../../deploy/web.ts'
import { expectAccessible } from './accessibility.ts'
import { useBrowser } from './browser.ts'
import { serveFolder } from './serveFolder.ts'

const browser = useBrowser()
const web = fileURLToPath(new URL('../../packages/web', import.meta.url))
let folder = ''
let server: Server
let base = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callgate-kit-'))
  await buildWeb(web, join(folder, 'kit'), 'kit.html')
  server = createServer(serveFolder(join(folder, 'kit')))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await rm(folder, { recursive: true })
})

it.each([
  ['a phone', { width: 390, height: 844 }],
  ['the narrowest phone', { width: 280, height: 653 }],
  ['a desktop', { width: 1280, height: 800 }],
])('is accessible in every state on %s, in light and dark', async (_, viewport) => {
  const { page } = await browser.open(base, { viewport })
  await page.goto('/kit.html')
  await page.getByRole('button', { name: /Ringing/ }).waitFor()
  for (const waits of [/^Next, in about 8 s/, /^2 calls first, about 11 s/, /^Other gates are called first/])
    await page.getByRole('button', { name: waits }).waitFor()
  await expectAccessible(page)
  const wider = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
  expect(await page.evaluate(wider)).toBe(0)
})

it('offers another press only in the states where one is safe', async () => {
  const { page } = await browser.open(base)
  await page.goto('/kit.html')
  const able = page.locator('.open[aria-disabled="false"]')
  await able.first().waitFor()
  const said = (await able.allTextContents()).map(text => text.replace(/Press again$/, ': again'))
  expect(said).toEqual(['Open', 'Busy: again', 'No gateway is online: again', 'No press arrived: again'])
})
