// Checks recorded answers against the OpenAPI document with prism, as a proxy before a server that repeats them.

import { spawn } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import { openApiDocument } from '@callgate/contract/openapi/openapi'
import type { Exchanged } from '../../api/apiServer.ts'
import { toolPath, toolsFolder } from './tools.ts'

interface Violation {
  readonly location?: readonly string[]
  readonly message: string
}

/** Repeats an answer, which the header of the request selects. */
async function serveAgain(exchanges: readonly Exchanged[]) {
  const server = createServer((asked, response) => {
    const recorded = exchanges[Number(asked.headers['x-exchange'])]
    const { connection: _, 'transfer-encoding': __, ...headers } = recorded?.headers ?? {}
    response.writeHead(recorded?.status ?? 500, headers)
    response.end(recorded?.text)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return { server, base: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}` }
}

/** Starts prism before `upstream`. It listens on a free port, which it prints. */
async function startPrism(upstream: string) {
  const folder = `${toolsFolder}/dist/prism`
  await mkdir(folder, { recursive: true })
  await writeFile(`${folder}/openapi.json`, JSON.stringify(openApiDocument('')))
  const args = ['proxy', `${folder}/openapi.json`, upstream, '--port', '0', '--verboseLevel', 'info']
  const child = spawn(toolPath('prism'), args, { cwd: toolsFolder, stdio: ['ignore', 'pipe', 'inherit'] })
  const port = await new Promise<string>((resolve, reject) => {
    let printed = ''
    child.stdout.on('data', (chunk: Buffer) => {
      printed += String(chunk)
      const [, found] = /listening on http:\/\/[\d.]+:(\d+)/.exec(printed) ?? []
      if (found !== undefined) resolve(found)
    })
    child.on('exit', () => reject(new Error(`prism ended: ${printed}`)))
  })
  return { child, port }
}

/** Prism's findings about one answer; undefined where the document has no such operation. */
function askPrism(port: string, { method, path: given }: Exchanged, index: number) {
  // The service ignores a slash at the end; prism treats it as an empty id.
  const path = given.replace(/\/(?=$|\?)/, '')
  return new Promise<readonly Violation[] | undefined>((resolve, reject) => {
    const headers = { 'x-exchange': String(index), authorization: 'Bearer svc_live_x' }
    const asked = request({ host: '127.0.0.1', port, method, path, headers }, response => {
      const told = response.headers['sl-violations']
      const violations = JSON.parse(typeof told === 'string' ? told : '[]') as Violation[]
      const isOurs = response.headers['x-request-id'] !== undefined
      response.resume()
      response.on('end', () =>
        resolve(isOurs ? violations.filter(({ location }) => location?.[0] === 'response') : undefined),
      )
    })
    asked.on('error', reject)
    asked.end()
  })
}

/** The number of answers that prism has checked, and its findings. */
export async function checkWithPrism(exchanges: readonly Exchanged[]) {
  const { base, server } = await serveAgain(exchanges)
  const { child, port } = await startPrism(base)
  let checked = 0
  const wrong: string[] = []
  try {
    for (const [index, exchange] of exchanges.entries()) {
      // OpenAPI 3.1 has no schema for a stream: ours is that of the data of each event, and prism applies it to the whole body.
      if (exchange.headers['content-type']?.startsWith('text/event-stream')) continue
      const violations = await askPrism(port, exchange, index)
      if (violations) checked++
      for (const { location = [], message } of violations ?? [])
        wrong.push(`${exchange.method} ${exchange.path} ${exchange.status}: ${location.join('.')} ${message}`)
    }
  } finally {
    child.kill()
    server.closeAllConnections()
    server.close()
  }
  return { checked, wrong }
}
