// The guest's page: its bytes, the time of its answer, and the time from a press in a browser to the serial line.

import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { gunzipSync, gzip } from 'node:zlib'
import type { Member } from '@callgate/contract/rest/member'
import type { Browser } from 'playwright-core'
import { startChromium } from '../../browser/chromium.ts'
import type { DemoProcess } from '../../processes/endToEnd/demoProcess.ts'
import { nowMs, prepareGate, untilQuiet, wireSince } from './opening.ts'

/** A link answers 120 reads in a minute. */
const reads = 100
/** A link presses 10 times in a minute. */
const presses = 10

export interface GuestBench {
  readonly bytes: number
  readonly plainBytes: number
  /** Milliseconds, one for each request. */
  readonly answerMs: readonly number[]
  readonly baselineMs: readonly number[]
  /** Milliseconds from the event of the press to the bytes of ATD at the modem. */
  readonly pressMs: readonly number[]
}

/** One compressed answer with its time. */
function read(url: string): Promise<{ body: Buffer; ms: number }> {
  return new Promise((resolve, reject) => {
    const startMs = nowMs()
    const headers = { 'accept-encoding': 'gzip' }
    get(url, { headers }, response => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve({ body: Buffer.concat(chunks), ms: nowMs() - startMs }))
    }).on('error', reject)
  })
}

async function readOften(url: string) {
  const samples: number[] = []
  for (let count = 0; count < reads; count++) samples.push((await read(url)).ms)
  return samples
}

/** The baseline: a bare server that compresses the same page for each request. */
async function measureBaseline(page: Buffer): Promise<number[]> {
  const zip = promisify(gzip)
  const server = createServer((_, response) => {
    void zip(page).then(zipped => response.writeHead(200, { 'content-encoding': 'gzip' }).end(zipped))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const samples = await readOften(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  server.close()
  return samples
}

/** When the disc was pressed, by the machine's wall clock; recorded before the page's own script sees the press. */
const notePress = `addEventListener('click', event => { window.pressedAt = performance.timeOrigin + event.timeStamp }, true)`

async function measurePresses(browser: Browser, demo: DemoProcess, link: string): Promise<number[]> {
  const page = await browser.newPage({ reducedMotion: 'reduce' })
  await page.addInitScript(notePress)
  const samples: number[] = []
  for (let count = 0; count < presses; count++) {
    await page.goto(link)
    await untilQuiet(demo)
    const startMs = nowMs()
    await page.locator('.disc').click()
    await page.getByRole('heading', { name: 'The gate took the call' }).waitFor()
    // There is no navigation in between: the page changes in place.
    const pressedWallMs = (await page.evaluate('window.pressedAt')) as number
    const dialled = (await wireSince(demo, startMs)).find(
      ({ direction, text }) => direction === 'toModem' && text.startsWith('ATD'),
    )
    if (!dialled) throw new Error('the wire log does not show the call')
    samples.push(dialled.atMs - (pressedWallMs - (Date.now() - nowMs())))
  }
  await page.close()
  return samples
}

export async function measureGuest(demo: DemoProcess): Promise<GuestBench> {
  const gateId = await prepareGate(demo, '+40722000098')
  const accesses = [{ gateId }]
  const { body } = await demo.call('POST', '/api/v1/members', { name: 'Bench', accesses })
  const url = (body as { member: Member }).member.accesses[0]?.accessUrl ?? ''
  const first = await read(url)
  const plain = gunzipSync(first.body)
  const answerMs = await readOften(url)
  const baselineMs = await measureBaseline(plain)
  const { body: other } = await demo.call('POST', '/api/v1/members', { name: 'Bench 2', accesses })
  const browser = await startChromium()
  try {
    const link = (other as { member: Member }).member.accesses[0]?.accessUrl ?? ''
    const pressMs = await measurePresses(browser, demo, link)
    return { bytes: first.body.length, plainBytes: plain.length, answerMs, baselineMs, pressMs }
  } finally {
    await browser.close()
  }
}
