// For the tests of webhooks: a receiver over HTTPS on this machine, and a Space whose events are sent to it.

import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Problem } from '@callgate/contract/rest/problem'
import type { Delivery, Webhook } from '@callgate/contract/rest/webhook'
import { selfSigned } from '@callgate/mqtt/certificate.kit'
import { type FakeWorld, fakeWorld } from '@callgate/world/fake'
import type { Knex } from 'knex'
import type { Database } from '../database/database.ts'
import { testDatabase } from '../database/postgres.kit.ts'
import { writeUnlessProblem } from '../database/transaction.ts'
import { type NewEvent, recordEvents } from '../event/events.ts'
import { newSeal, newSpace } from '../space/space.kit.ts'
import { webhookHandlers } from './webhookHandlers.ts'
import { createWebhookDoor, type ResolveName, type WebhookDoor } from './webhookRequest.ts'
import { createWebhookSender, type WebhookSender } from './webhookSender.ts'

export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** The same as it came. */
  readonly bytes: Buffer
}

export interface Receiver {
  readonly port: number
  readonly received: readonly Received[]
  /** The requests at one path. */
  at(path: string): readonly Received[]
  connections(): number
  close(): Promise<void>
}

/** Answers a request whose body was read; by default with 204. */
export type Answering = (received: Received, response: ServerResponse) => void

/** Starts a receiver of deliveries, as `localhost` with a certificate of its own. */
export async function startReceiver(
  answer: Answering = (_, response) => response.writeHead(204).end(),
): Promise<Receiver> {
  const received: Received[] = []
  let connections = 0
  const server = createServer(selfSigned, (request, response) => {
    const chunks: Buffer[] = []
    response.on('error', () => {})
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { headers, url: path = '' } = request
      const bytes = Buffer.concat(chunks)
      const one = { path, headers, body: bytes.toString(), bytes }
      received.push(one)
      answer(one, response)
    })
  })
  server.on('connection', () => {
    connections += 1
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    received,
    at: path => received.filter(one => one.path === path),
    connections: () => connections,
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

/** A door that may connect to this machine, and trusts the certificate of the receiver. */
export const doorOf = (world: FakeWorld, resolve: ResolveName = async () => ['127.0.0.1']): WebhookDoor =>
  createWebhookDoor({ world, resolve, isNamed: address => address.startsWith('127.'), ca: selfSigned.cert })

/** The headers of a delivery as a verifier takes them. */
export function signedPart({ headers }: Received): Record<string, string> {
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
  return Object.fromEntries(names.map(name => [name, String(headers[name])]))
}

export interface WebhookHouse {
  readonly world: FakeWorld
  readonly database: Database
  readonly spaceId: string
  readonly receiver: Receiver
  readonly sender: WebhookSender
  readonly handlers: ReturnType<typeof webhookHandlers>
  /** The parts of a request in the Space. */
  request<Given extends object>(given: Given): Given & OwnerRequest
  /** Adds a webhook that leads to a path of the receiver. */
  add(
    path: string,
    types?: Webhook['types'],
    ofSpace?: string,
  ): Promise<{ readonly webhook: Webhook; readonly secret: string }>
  record(...events: readonly Partial<NewEvent>[]): Promise<void>
  deliveries(webhookId: string): Promise<readonly Delivery[]>
  webhook(webhookId: string): Promise<Webhook>
  newSender(): WebhookSender
  close(): Promise<void>
}

interface OwnerRequest {
  readonly principal: never
  write<T extends object>(work: (tx: Knex.Transaction) => Promise<T>): Promise<T | Problem>
  stale(current: object): Problem | undefined
}

/** A Space of the plan business, with a sender that was started. */
export async function webhookHouse(answer?: Answering): Promise<WebhookHouse> {
  const world = fakeWorld()
  const database = await testDatabase(world)
  const spaceId = await newSpace({ database, world }, { plan: 'business' })
  const seal = newSeal(world)
  const receiver = await startReceiver(answer)
  const rules = { ports: [receiver.port], hasNetworks: true, ownHost: 'callgate.example' }
  const handlers = webhookHandlers({ database, world, seal, rules })
  const newSender = () => createWebhookSender({ world, database, seal, door: doorOf(world) })
  const sender = newSender()
  sender.start()

  const requestOf =
    (ofSpace: string) =>
    <Given extends object>(given: Given): Given & OwnerRequest => ({
      ...given,
      principal: { spaceId: ofSpace, identity: { kind: 'operator' }, actor: 'operator' } as never,
      write: work => writeUnlessProblem(database, work, { spaceId: ofSpace }),
      stale: () => undefined,
    })
  const request = requestOf(spaceId)
  /** The body of an answer; throws at a problem. */
  const bodyOf = <Body>(answer: { readonly body?: Body } | Problem): Body => {
    if ('problem' in answer) throw new Error(answer.message)
    return answer.body as Body
  }
  return {
    world,
    database,
    spaceId,
    receiver,
    sender,
    handlers,
    request,
    newSender,
    async add(path, types = null, ofSpace = spaceId) {
      const body = { url: `https://localhost:${receiver.port}${path}`, types }
      const given = requestOf(ofSpace)({ body, params: {}, query: {}, receivedAt: undefined as never })
      return bodyOf(await handlers.createWebhook(given))
    },
    async record(...events) {
      const usual = { kind: 'gate.updated', targetId: 'gate_1', atMs: world.nowMs() } as const
      const all = events.map(event => ({ ...usual, ...event }))
      await database.write(tx => recordEvents(tx, spaceId, all), { spaceId })
    },
    async deliveries(webhookId) {
      const given = request({
        params: { webhookId },
        query: { limit: 200 },
        body: undefined,
        receivedAt: undefined,
      })
      return bodyOf(await handlers.listDeliveries(given)).deliveries
    },
    async webhook(webhookId) {
      const given = request({ params: { webhookId }, query: {}, body: undefined, receivedAt: undefined })
      return bodyOf(await handlers.getWebhook(given)).webhook
    },
    async close() {
      await sender.stop()
      await receiver.close()
      await database.close()
    },
  }
}
