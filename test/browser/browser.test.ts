// The browser of the tests: it starts on a bare system, and records errors in a page.

import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectAccessible } from './accessibility.ts'
import { useBrowser } from './browser.ts'

const pages: Record<string, string> = {
  '/good': '<!doctype html><html lang="en"><title>Good</title><main><h1>Good</h1></main>',
  '/script': '<script>alert(1)</script>',
  '/elsewhere': '<img src="http://127.0.0.1:1/a.png">',
  '/broken': '<img src="/fault">',
  '/late': '<!doctype html><html lang="en"><title>Late</title><body></body></html>',
  '/dim':
    '<!doctype html><html lang="en"><title>Dim</title><style>@media (prefers-color-scheme: dark) { p { color: #eee } }</style><main><h1>Dim</h1><p>Grey</p></main>',
  '/blind': '<!doctype html><html lang="en"><title>Blind</title><main><h1>Blind</h1><button></button></main>',
}

let server: Server
let base = ''
const browser = useBrowser()

beforeAll(async () => {
  server = createServer(({ url = '' }, response) => {
    const page = pages[url]
    response.statusCode = page === undefined ? 500 : 200
    response.setHeader('Content-Type', 'text/html')
    response.setHeader('Content-Security-Policy', "default-src 'none'; img-src *; style-src 'unsafe-inline'")
    response.end(page)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

it('shows a correct page without trouble', async () => {
  const { page, troubles } = await browser.open(base)
  await page.goto('/good')
  expect(await page.getByRole('heading').textContent()).toBe('Good')
  await expectAccessible(page)
  expect(troubles).toEqual([])
})

it.each([
  ['/script', /^console: policy violated: script-src-elem inline/],
  ['/elsewhere', /^asked somebody else: /],
  ['/broken', /^answered: 500 /],
])('records the trouble of %s', async (path, trouble) => {
  const { page, troubles } = await browser.open(base, { provokes: [/./] })
  await page.goto(path)
  await expect.poll(() => troubles).toContainEqual(expect.stringMatching(trouble))
})

it('finds elements that a screen reader cannot name', async () => {
  const { page } = await browser.open(base)
  await page.goto('/blind')
  await expect(expectAccessible(page)).rejects.toThrow('button-name')
})

it('finds text that is unreadable in the dark scheme only', async () => {
  const { page } = await browser.open(base)
  await page.goto('/dim')
  await expect(expectAccessible(page)).rejects.toThrow('in dark colours')
})

it('checks a page whose content comes late', async () => {
  const { page } = await browser.open(base)
  await page.goto('/late')
  await page.evaluate(`setTimeout(() => {
    document.body.innerHTML = '<main><h1>Late</h1><p class="skeleton">Reading</p></main>'
    setTimeout(() => { document.querySelector('.skeleton').outerHTML = '<button></button>' }, 200)
  }, 200)`)
  await expect(expectAccessible(page)).rejects.toThrow('button-name')
})
