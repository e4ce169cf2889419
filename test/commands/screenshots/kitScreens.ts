// The pictures of the parts of the dashboard, each in its states, from the page that only tests build.

import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildWeb } from '../../../deploy/web.ts'
import { serveFolder } from '../../browser/serveFolder.ts'
import type { Studio } from './studio.ts'

const web = fileURLToPath(new URL('../../../packages/web', import.meta.url))

export async function shootKit({ browser, scale, shoot }: Studio): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'callgate-kit-'))
  await buildWeb(web, join(folder, 'kit'), 'kit.html')
  const server = createServer(serveFolder(join(folder, 'kit')))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const page = await browser.newPage({
    baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    viewport: { width: 1280, height: 1500 },
    deviceScaleFactor: scale,
    locale: 'en-GB',
    reducedMotion: 'reduce',
  })
  await page.goto('/kit.html')
  await page.getByRole('button', { name: /Ringing/ }).waitFor()
  await page.locator('.skeleton-bar').first().waitFor()
  await shoot('kit-1280', page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await shoot('kit-1280-dark', page)
  await page.close()
  server.closeAllConnections()
  server.close()
  await rm(folder, { recursive: true })
}
