import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { UpdateFault } from '@callgate/contract/releaseWords'
import { expect, it, onTestFinished } from 'vitest'
import { fetchRelease, offeredRelease } from './fetchRelease.ts'
import { hastyWorld } from './update.kit.ts'

const release = { version: '0.2.0', architecture: 'arm64', bytes: 600_000 } as const
const content = Buffer.alloc(release.bytes, 'release ')

/** A simulated cloud, and the path for the release. */
async function played(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const asked: (string | undefined)[] = []
  const server = createServer((request, response) => {
    asked.push(request.headers.range)
    answer(request, response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const folder = mkdtempSync(join(tmpdir(), 'callgate-fetch-'))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
    rmSync(folder, { recursive: true })
  })
  const { port } = server.address() as AddressInfo
  return {
    asked,
    path: join(folder, 'release'),
    source: { cloudUrl: `http://127.0.0.1:${port}`, ca: undefined },
  }
}

/** Sends the requested range, or less of it. */
function send(
  request: IncomingMessage,
  response: ServerResponse,
  {
    cutAfter = Number.POSITIVE_INFINITY,
    file = content,
    whole = file.length,
  }: { readonly cutAfter?: number; readonly file?: Buffer; readonly whole?: number } = {},
) {
  const [, first = '0', last = '0'] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
  const piece = file.subarray(Number(first), Number(last) + 1)
  response.writeHead(206, {
    'content-range': `bytes ${first}-${last}/${whole}`,
    'content-length': piece.length,
  })
  if (piece.length <= cutAfter) return response.end(piece)
  return response.write(piece.subarray(0, cutAfter), () => response.destroy())
}

const fine = async () => undefined

it('goes on after the last whole piece when a line breaks, and fetches no received piece twice', async () => {
  let requests = 0
  const { asked, path, source } = await played((request, response) =>
    send(request, response, ++requests === 2 ? { cutAfter: 10_000 } : {}),
  )
  expect(await fetchRelease(hastyWorld(), source, release, path, fine)).toEqual({ ok: true })
  expect(readFileSync(path).equals(content)).toBe(true)
  expect(asked).toEqual([
    'bytes=0-8191',
    'bytes=8192-270335',
    'bytes=8192-270335',
    'bytes=270336-532479',
    'bytes=532480-599999',
  ])
})

it('goes on after the pieces of an earlier run', async () => {
  const { asked, path, source } = await played(send)
  writeFileSync(path, content.subarray(0, 599_000))
  expect(await fetchRelease(hastyWorld(), source, release, path, fine)).toEqual({ ok: true })
  expect(readFileSync(path).equals(content)).toBe(true)
  expect(asked).toEqual(['bytes=599000-599999'])
})

const keyless: UpdateFault = { cause: 'no_release_key', text: 'no release key' }

it('checks whether the release may be installed before it fetches the rest', async () => {
  const { asked, path, source } = await played(send)
  const fetched = await fetchRelease(hastyWorld(), source, release, path, async () => keyless)
  expect(fetched).toEqual({ ok: false, fault: keyless, mayGoOn: false })
  expect(asked).toEqual(['bytes=0-8191'])
})

it.each([
  [
    'the cloud answers 500',
    true,
    (_: IncomingMessage, response: ServerResponse) => response.writeHead(500).end(),
  ],
  [
    'the cloud answers 200',
    true,
    (_: IncomingMessage, response: ServerResponse) => response.end('all of it'),
  ],
  [
    'does not offer it any more',
    false,
    (_: IncomingMessage, response: ServerResponse) => response.writeHead(404).end(),
  ],
  [
    'another file of this name',
    false,
    (request: IncomingMessage, response: ServerResponse) => send(request, response, { whole: 7 }),
  ],
])('gives up after a while, or at once: %s', async (words, mayGoOn, answer) => {
  const { path, source } = await played(answer)
  const fetched = await fetchRelease(hastyWorld(), source, release, path, fine)
  const cause = mayGoOn ? 'not_fetched' : 'not_offered'
  expect(fetched).toMatchObject({
    ok: false,
    mayGoOn,
    fault: { cause, text: expect.stringContaining(words) },
  })
})

it('accepts whole pieces only, and stops asking when none comes', async () => {
  let first = true
  const { asked, path, source } = await played((request, response) => {
    if (first) send(request, response)
    else {
      const [, from = ''] = /bytes=(\d+)-/.exec(request.headers.range ?? '') ?? []
      response.writeHead(206, { 'content-range': `bytes ${from}-${from}/${content.length}` }).end('x')
    }
    first = false
  })
  const fetched = await fetchRelease(hastyWorld(), source, release, path, fine)
  expect(fetched).toMatchObject({ ok: false, fault: { text: expect.stringContaining('206 with 1 bytes') } })
  expect(readFileSync(path)).toHaveLength(8_192)
  expect(asked.length).toBeLessThan(200)
})

it('fetches at most three times the size plus 10 MB', async () => {
  const large = Buffer.alloc(5_000_000)
  let turn = 0
  const { asked, path, source } = await played((request, response) => {
    // Every fourteenth piece comes, which restarts the time without progress.
    if (turn++ % 14 === 0) send(request, response, { file: large })
    else send(request, response, { file: large, cutAfter: 200_000 })
  })
  const fetched = await fetchRelease(hastyWorld(), source, { ...release, bytes: large.length }, path, fine)
  expect(fetched).toEqual({
    ok: false,
    fault: { cause: 'not_fetched', text: expect.stringContaining('too much was lost') },
    mayGoOn: false,
  })
  // 25 MB, where most pieces cost 200 kB and a connection.
  expect(asked.length).toBeGreaterThan(100)
  expect(asked.length).toBeLessThan(130)
})

it('finds the newest release for its machine', async () => {
  const of = (version: string, architecture: string) => ({ version, architecture, bytes: 9, more: 1 })
  const releases = [of('0.2.0', 'arm64'), of('0.10.0', 'arm64'), of('0.9.0', 'arm64'), of('0.11.0', 'amd64')]
  const { source } = await played((_, response) => response.end(JSON.stringify({ releases, more: 1 })))
  const here = { version: '0.1.0', architecture: 'arm64' }
  expect(await offeredRelease(source, here)).toMatchObject({ ok: true, release: { version: '0.10.0' } })
  expect(await offeredRelease(source, { ...here, version: '0.10.0' })).toEqual({
    ok: true,
    release: undefined,
  })
})

it.each([
  ['of an older version', 404, ''],
  ['answers 502', 502, ''],
  ['does not know', 200, '<html>'],
  ['does not know', 200, '{"releases":[{"version":"../x","architecture":"arm64","bytes":9}]}'],
])('names the fault of the list: %s', async (words, status, body) => {
  const { source } = await played((_, response) => response.writeHead(status).end(body))
  const found = await offeredRelease(source, { version: '0.1.0', architecture: 'arm64' })
  expect(found).toMatchObject({
    ok: false,
    fault: { cause: 'not_fetched', text: expect.stringContaining(words) },
  })
})
