// One attempt: a POST over HTTPS, to addresses that were checked as they are connected to, with limits on time and size.

import { Resolver } from 'node:dns'
import type { IncomingMessage } from 'node:http'
import { Agent, type RequestOptions, request } from 'node:https'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { createSecureContext } from 'node:tls'
import type { DeliveryError } from '@callgate/contract/rest/webhook'
import type { Timer, World } from '@callgate/world/world'
import { isAllowedAddress } from './webhookAddresses.ts'

/** How an attempt ended. */
export interface Attempted {
  readonly status: number | null
  /** Null: it was delivered. */
  readonly error: DeliveryError | null
  readonly durationMs: number
  /** The header `Retry-After`. */
  readonly retryAfter?: string | undefined
}

/** All addresses of a name. Rejects where there is none. */
export type ResolveName = (name: string) => Promise<readonly string[]>

export interface WebhookDoor {
  post(message: {
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    /** By default it is JSON; else a header says what. */
    readonly body: string | Buffer
    readonly signal: AbortSignal
  }): Promise<Attempted>
  /** Closes the connections that are kept for the next attempt. */
  close(): void
}

export const limitsOfAttempt = {
  /** Until the connection is secure, the name included. Milliseconds. */
  connectMs: 5_000,
  /** Until the status. Milliseconds. */
  statusMs: 15_000,
  /** How long the rest of an answer is read after its status, and how much, so that the connection can be used again. */
  restMs: 1_000,
  answerBytes: 16_384,
  /** How long a connection is kept for the next attempt. Milliseconds. */
  keptMs: 4_000,
} as const

/** The name leads to an address that no delivery may connect to. */
class AddressRefused extends Error {}
/** A limit of time is over. */
class TimedOut extends Error {}
class NameNotFound extends Error {}

const broken = /^(ECONNRESET|EPIPE|ERR_STREAM_|ERR_HTTP_|HPE_)/
const ofTls = /^(CERT_|DEPTH_|ERR_SSL_|ERR_TLS_|EPROTO|HOSTNAME_MISMATCH|SELF_SIGNED_|UNABLE_TO_)/

function errorOf(error: Error & { readonly code?: string }, isSecure: boolean): DeliveryError {
  if (error instanceof AddressRefused) return 'address_refused'
  if (error instanceof TimedOut) return 'timed_out'
  if (error instanceof NameNotFound) return 'name_not_found'
  const { code = '' } = error
  if (ofTls.test(code)) return 'tls_failed'
  return isSecure || (broken.test(code) && code.startsWith('HPE_')) ? 'answer_broken' : 'connect_failed'
}

/**
 * Asks the name servers. Not `dns.lookup`, whose threads also serve files and passwords: a name whose server does not answer
 * would hold one for long.
 */
export function resolveName(name: string): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: 1_500, tries: 2 })
  const ask = (type: 'A' | 'AAAA') =>
    new Promise<readonly string[]>(resolve =>
      resolver.resolve(name, type, (error, addresses) => resolve(error ? [] : (addresses as string[]))),
    )
  return Promise.all([ask('A'), ask('AAAA')]).then(([four, six]) => {
    if (four.length + six.length === 0) throw new NameNotFound(name)
    return [...four, ...six]
  })
}

const addressesOfMachine = () =>
  Object.values(networkInterfaces()).flatMap(found => (found ?? []).map(({ address }) => address))

interface DoorParts {
  readonly world: World
  /** Whether the operator has named the network of an address. */
  readonly isNamed: (address: string) => boolean
  readonly resolve?: ResolveName
  /** PEM of an authority that is trusted instead of the public ones. */
  readonly ca?: string | undefined
}

/** The lookup of a connection: every address of the name must be allowed, and only these are connected to. */
function checkedLookup({ isNamed, resolve = resolveName }: DoorParts): LookupFunction {
  return (name, options, callback) => {
    const found = resolve(name).then(addresses => {
      const own = addressesOfMachine()
      const isAllowed = (address: string) => isAllowedAddress(address, { isNamed, own })
      if (!addresses.every(isAllowed)) throw new AddressRefused(name)
      return addresses.map(address => ({ address, family: isIP(address) }))
    })
    found.then(
      all => {
        const [first = { address: '', family: 0 }] = all
        if (options.all) callback(null, all)
        else callback(null, first.address, first.family)
      },
      (error: unknown) => {
        const why = error instanceof AddressRefused ? error : new NameNotFound(name)
        callback(why, '')
      },
    )
  }
}

/** Reads the rest of an answer, so that its connection can be kept; ends the connection where that is too long. */
function readRest(world: World, answer: IncomingMessage): Promise<void> {
  return new Promise(resolve => {
    let bytes = 0
    const limit = world.after(limitsOfAttempt.restMs, () => answer.destroy())
    answer.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > limitsOfAttempt.answerBytes) answer.destroy()
    })
    answer.on('error', () => {})
    answer.on('close', () => {
      limit.cancel()
      resolve()
    })
  })
}

class Door implements WebhookDoor {
  readonly #world: World
  readonly #lookup: LookupFunction
  readonly #agent: Agent

  constructor(parts: DoorParts) {
    this.#world = parts.world
    this.#lookup = checkedLookup(parts)
    // An agent of its own: the variables for proxies are not read, and connections are shared with nothing else.
    this.#agent = new Agent({
      keepAlive: true,
      maxFreeSockets: 4,
      timeout: limitsOfAttempt.keptMs,
      // Made once: it takes longer than the rest of an attempt.
      secureContext: createSecureContext({ ...(parts.ca !== undefined && { ca: parts.ca }) }),
    })
  }

  close(): void {
    this.#agent.destroy()
  }

  async post(message: Parameters<WebhookDoor['post']>[0]): Promise<Attempted> {
    const first = await this.#attempt(message)
    // The receiver has closed a kept connection at the moment in which it was used again.
    return first === 'closed' ? ((await this.#attempt(message, true)) as Attempted) : first
  }

  #attempt(
    { body, headers, signal, url }: Parameters<WebhookDoor['post']>[0],
    isAgain = false,
  ): Promise<Attempted | 'closed'> {
    const world = this.#world
    const beganMs = world.monotonicMs()
    const took = () => Math.max(0, Math.round(world.monotonicMs() - beganMs))
    const bytes = typeof body === 'string' ? Buffer.from(body) : body
    const sent = { 'content-type': 'application/json', ...headers, 'content-length': String(bytes.length) }
    const options: RequestOptions = {
      method: 'POST',
      agent: this.#agent,
      lookup: this.#lookup,
      headers: sent,
    }
    const { answerBytes: maxHeaderSize, connectMs, statusMs } = limitsOfAttempt
    return new Promise(resolve => {
      const timers: Timer[] = []
      let isSecure = false
      let isAnswered = false
      const end = (attempted: Attempted | 'closed') => {
        for (const timer of timers) timer.cancel()
        signal.removeEventListener('abort', abort)
        resolve(attempted)
      }
      const asked = request(url, { ...options, maxHeaderSize })
      const abort = () => asked.destroy(new TimedOut())
      const within = (ms: number) => world.after(ms, abort)
      const connecting = within(connectMs)
      timers.push(connecting, within(statusMs))
      signal.addEventListener('abort', abort)
      const secured = () => {
        isSecure = true
        connecting.cancel()
      }
      asked.on('socket', (socket: Socket) => {
        if (asked.reusedSocket) secured()
        else socket.once('secureConnect', secured)
      })
      asked.on('response', answer => {
        isAnswered = true
        const status = answer.statusCode ?? 0
        const error = status >= 200 && status < 300 ? null : 'answer_refused'
        const attempted = {
          status,
          error,
          durationMs: took(),
          retryAfter: answer.headers['retry-after'],
        } as const
        void readRest(world, answer).then(() => end(attempted))
      })
      asked.on('error', (error: Error & { readonly code?: string }) => {
        if (asked.reusedSocket && !isAgain && error.code === 'ECONNRESET') return end('closed')
        end({ status: null, error: errorOf(error, isSecure), durationMs: took() })
      })
      // Without an answer and without an error, such as after 101.
      asked.on('close', () => {
        if (!isAnswered) end({ status: null, error: 'answer_broken', durationMs: took() })
      })
      asked.end(bytes)
    })
  }
}

/** The only way by which deliveries leave the process. Redirects are not followed. */
export const createWebhookDoor = (parts: DoorParts): WebhookDoor => new Door(parts)
