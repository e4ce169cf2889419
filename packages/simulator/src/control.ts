// The control interface on loopback HTTP: what truly happened, and the levers to make other things happen.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { World } from '@callgate/world/world'
import { isFarEndName, isPresetName, presetNames } from './presets.ts'
import type { Result, SimulatedGate, Simulator } from './simulator.ts'

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

type JsonObject = Readonly<Record<string, unknown>>

const maxBodyBytes = 16_384
const recentLines = 50
const phoneNumberGrammar = /^\+?[0-9]{3,15}$/

function problem(status: number, code: string, message: string): Answer {
  return { status, body: { error: { code, message } } }
}

function done(result: Result, simulator: Simulator): Answer {
  if (result.ok) return { status: 200, body: simulator.state() }
  return problem(result.code === 'gate_unknown' ? 404 : 400, result.code, result.message)
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isPhoneNumber(value: unknown): value is string {
  return typeof value === 'string' && phoneNumberGrammar.test(value)
}

function setPreset(simulator: Simulator, { preset, phoneNumber }: JsonObject): Answer {
  if (typeof preset !== 'string' || !isPresetName(preset))
    return problem(400, 'preset_unknown', `preset must be one of ${presetNames().join(', ')}`)
  if (phoneNumber !== undefined && !isPhoneNumber(phoneNumber))
    return problem(400, 'phone_number_invalid', 'phoneNumber must be text like +40722000001')
  return done(simulator.setPreset(preset, phoneNumber), simulator)
}

function addGate(simulator: Simulator, { phoneNumber, farEnd, callers, relay }: JsonObject): Answer {
  if (!isPhoneNumber(phoneNumber))
    return problem(400, 'phone_number_invalid', 'phoneNumber must be text like +40722000001')
  if (typeof farEnd !== 'string' || !isFarEndName(farEnd))
    return problem(
      400,
      'far_end_unknown',
      `farEnd must be one of ${presetNames().filter(isFarEndName).join(', ')}`,
    )
  if (relay !== undefined && relay !== 'pulse' && relay !== 'toggle')
    return problem(400, 'relay_unknown', 'relay must be pulse or toggle')
  if (callers !== undefined && !(Array.isArray(callers) && callers.every(isPhoneNumber)))
    return problem(400, 'callers_invalid', 'callers must be a list of phone numbers')
  const gate: SimulatedGate = {
    phoneNumber,
    farEnd,
    ...(callers === undefined ? {} : { callers }),
    ...(relay === undefined ? {} : { relay }),
  }
  return done(simulator.addGate(gate), simulator)
}

type Route = (simulator: Simulator, body: JsonObject, world: World) => Answer

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
  '/preset': { POST: setPreset },
  '/gates': { POST: addGate },
  '/unplug': {
    POST: simulator => {
      simulator.unplug()
      return { status: 200, body: simulator.state() }
    },
  },
  '/plug': {
    POST: simulator => {
      simulator.plug()
      return { status: 200, body: simulator.state() }
    },
  },
}

/** The body as an object; an empty one is `{}`. */
async function readBody(request: IncomingMessage): Promise<JsonObject | Answer> {
  let text = ''
  for await (const chunk of request) {
    text += String(chunk)
    if (text.length > maxBodyBytes) return problem(413, 'body_too_large', `at most ${maxBodyBytes} bytes`)
  }
  if (text === '') return {}
  try {
    const body: unknown = JSON.parse(text)
    return isObject(body) ? body : problem(400, 'body_invalid', 'the body must be a JSON object')
  } catch {
    return problem(400, 'body_invalid', 'the body must be a JSON object')
  }
}

function isAnswer(value: JsonObject | Answer): value is Answer {
  return typeof value['status'] === 'number' && 'body' in value
}

async function answer(simulator: Simulator, world: World, request: IncomingMessage): Promise<Answer> {
  const path = (request.url ?? '/').split('?')[0] ?? '/'
  const methods = Object.hasOwn(routes, path) ? routes[path] : undefined
  if (!methods) return problem(404, 'not_found', `there is ${Object.keys(routes).join(', ')}`)
  const method = request.method ?? 'GET'
  const route = Object.hasOwn(methods, method) ? methods[method] : undefined
  if (!route) return problem(405, 'method_not_allowed', `${path} takes ${Object.keys(methods).join(', ')}`)
  const body = await readBody(request)
  return isAnswer(body) ? body : route(simulator, body, world)
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
