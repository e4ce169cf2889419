import { execFile } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const gates = ['North', 'West', 'Slow', 'Stuck'].map(name => ({ id: `gate_${name}`, name }))

/** What each request is answered with; an opening of Slow rings once, then is over. */
let asked = 0
function answerTo(method: string, url: string): readonly [number, object] {
  if (url.startsWith('/api/v1/gates?')) return [200, { gates }]
  const gate = /gate_(\w+)\/open$/.exec(url)?.[1]
  if (method === 'POST' && gate === 'West')
    return [
      502,
      { error: { code: 'open_failed', message: 'It was busy.', reason: 'busy', safeToRetry: false } },
    ]
  if (method === 'POST') return [200, { opened: gate === 'North', openingId: `open_${gate}` }]
  asked += 1
  const status = asked === 1 ? 'connected' : url.endsWith('Slow') ? 'completed' : 'failed'
  return [200, { opening: { status, errorMessage: status === 'failed' ? 'Nobody knows.' : null } }]
}

let server: Server
let BASE_URL = ''
beforeAll(async () => {
  server = createServer((request, response) => {
    const [status, body] = answerTo(request.method ?? '', request.url ?? '')
    response.writeHead(status).end(JSON.stringify(body))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  BASE_URL = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const program = fileURLToPath(new URL('open-gate.ts', import.meta.url))

function run(environment: Record<string, string>, name = 'North') {
  const env = { PATH: process.env['PATH'], ...environment }
  return new Promise<{ code: unknown; stdout: string; stderr: string }>(resolve => {
    execFile(process.execPath, ['--import', 'tsx', program, name], { env }, (error, stdout, stderr) =>
      resolve({ code: error ? error.code : 0, stdout, stderr }),
    )
  })
}

describe('the example', () => {
  it.each([
    ['North', 0, 'North is open.\n'],
    ['West', 1, 'West was not opened (busy): It was busy.\n'],
    ['Slow', 0, 'Slow is open.\n'],
    ['Stuck', 1, 'Stuck was not opened: Nobody knows.\n'],
    ['East', 1, 'There is no such gate.\n'],
  ])('says how %s took the call, also by its exit code', async (name, code, stdout) => {
    asked = 0
    expect(await run({ API_KEY: 'svc_live_x', BASE_URL }, name)).toEqual({ code, stdout, stderr: '' })
  })

  it('says what it needs', async () => {
    for (const environment of [{ BASE_URL }, { API_KEY: 'svc_live_x', BASE_URL: 'nonsense' }]) {
      const { code, stderr } = await run(environment)
      expect(code).toBe(1)
      expect(stderr).toMatch(/^Set API_KEY .*\n$/)
    }
  })
})
