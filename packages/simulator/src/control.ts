// The control interface on loopback HTTP: it shows what really happened, and accepts actions.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { World } from '@callgate/world/world'
import { type ActionKind, actionReader, actions } from './actions.ts'
import type { Result, Simulator } from './simulator.ts'

export interface Control {
  /** `http://127.0.0.1:<port>` */
  readonly url: string
  close(): Promise<void>
}

export type ControlResult =
  | { readonly ok: true; readonly control: Control }
  | { readonly ok: false; readonly code: 'port_failed'; readonly message: string }

interface Answer {
  readonly status: number
  readonly body: unknown
}

const maxBodyBytes = 16_384
const recentLines = 50

function problem(status: number, code: string, message: string): Answer {
  return { status, body: { error: { code, message } } }
}

function done(result: Result, simulator: Simulator): Answer {
  if (result.ok) return { status: 200, body: simulator.state() }
  return problem(result.code === 'gate_unknown' ? 404 : 400, result.code, result.message)
}

type Route = (simulator: Simulator, body: unknown, world: World) => Answer

function routeOf(kind: ActionKind): Route {
  const read = actionReader(kind)
  return (simulator, body) => {
    const action = read(body)
    return action.ok ? done(action.value(simulator), simulator) : problem(400, 'body_invalid', action.message)
  }
}

const posts = Object.entries(actions).map(([name, kind]) => [`/${name}`, { POST: routeOf(kind) }] as const)

const routes: Readonly<Record<string, Readonly<Record<string, Route>>>> = {
  '/state': {
    GET: simulator => ({
      status: 200,
      body: { ...simulator.state(), wire: simulator.wireLog().slice(-recentLines) },
    }),
  },
  '/wire': {
    GET: (simulator, _, world) => ({
      status: 200,
      body: { nowMs: world.monotonicMs(), wallNowMs: world.nowMs(), lines: simulator.wireLog() },
    }),
  },
  ...Object.fromEntries(posts),
}

/** The body's JSON; an empty one is `{}`. */
async function readBody(request: IncomingMessage): Promise<{ readonly json: unknown } | Answer> {
  let text = ''
  for await (const chunk of request) {
    text += String(chunk)
    if (text.length > maxBodyBytes) return problem(413, 'body_too_large', `at most ${maxBodyBytes} bytes`)
  }
  if (text === '') return { json: {} }
  try {
    return { json: JSON.parse(text) }
  } catch {
    return problem(400, 'body_invalid', 'the body must be a JSON object')
  }
}

async function answer(simulator: Simulator, world: World, request: IncomingMessage): Promise<Answer> {
  const path = (request.url ?? '/').split('?')[0] ?? '/'
  const methods = Object.hasOwn(routes, path) ? routes[path] : undefined
  if (!methods) return problem(404, 'not_found', `there is ${Object.keys(routes).join(', ')}`)
  const method = request.method ?? 'GET'
  const route = Object.hasOwn(methods, method) ? methods[method] : undefined
  if (!route) return problem(405, 'method_not_allowed', `${path} takes ${Object.keys(methods).join(', ')}`)
  const body = await readBody(request)
  return 'json' in body ? route(simulator, body.json, world) : body
}

function send(response: ServerResponse, { status, body }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(`${JSON.stringify(body)}\n`)
}

function controlOf(server: Server): ControlResult {
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const close = () =>
    new Promise<void>(resolve => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { ok: true, control: { url: `http://127.0.0.1:${port}`, close } }
}

/** Listens on 127.0.0.1 only; `port` 0 takes a free one. */
export function startControl(options: {
  readonly world: World
  readonly simulator: Simulator
  readonly port: number
}): Promise<ControlResult> {
  const { world, simulator, port } = options
  const server = createServer((request, response) => {
    answer(simulator, world, request).then(
      found => send(response, found),
      error => {
        world.log.error('a control request failed', { error })
        response.destroy()
      },
    )
  })
  return new Promise(resolve => {
    server.once('error', error =>
      resolve({
        ok: false,
        code: 'port_failed',
        message: `no control interface on port ${port}: ${error.message}`,
      }),
    )
    server.listen(port, '127.0.0.1', () => resolve(controlOf(server)))
  })
}
