// The cloud of the benchmark of webhooks, as a process: it presses, records events, and sends them, as far as it is asked to.

import { Agent, request } from 'node:https'
import { setTimeout as pause } from 'node:timers/promises'
import { noteDrift } from '@callgate/cloud/calibration/profileDoubts'
import { openDatabase } from '@callgate/cloud/database/database'
import { migrate } from '@callgate/cloud/database/migrate'
import { noteWebhooks } from '@callgate/cloud/event/deliveryRows'
import { recordEvents } from '@callgate/cloud/event/events'
import { createExchange } from '@callgate/cloud/opening/exchange'
import { createSeal } from '@callgate/cloud/secrets/sealing'
import { newSpace } from '@callgate/cloud/space/space.kit'
import { createWebhookDoor, type WebhookDoor } from '@callgate/cloud/webhook/webhookRequest'
import { webhookSecretPlace } from '@callgate/cloud/webhook/webhookRows'
import { createWebhookSender } from '@callgate/cloud/webhook/webhookSender'
import { webhookSecret } from '@callgate/cloud/webhook/webhookSignature'
import { selfSigned } from '@callgate/mqtt/certificate.kit'
import { newId } from '@callgate/world/ids'
import { realWorld } from '@callgate/world/real'
import { isoTime } from '@callgate/world/world'
import { endpointOf, newTenant, open, type Tenant } from './postgresRate.ts'
import { type AskedPhase, type Phase, type PhaseFigures, rates, tarpits } from './webhooks.ts'

const pressing = 8
/** How long after a phase its deliveries may still arrive, milliseconds. */
const graceMs = 5_000

const [url = '', tarpitPort = '', ...ports] = process.argv.slice(2)
const world = realWorld({ logLevel: 'silent' })
const database = await openDatabase({ url })
await migrate(database)
const seal = createSeal(world, new Map([[1, new Uint8Array(32).fill(1)]]))

/** A Space whose events are sent to a port of this machine. */
async function subscribed(port: string): Promise<string> {
  const spaceId = await newSpace({ database, world })
  const id = newId(world, 'hook')
  const secretSealed = seal.seal(webhookSecret(world.randomBytes(32)), webhookSecretPlace(id))
  const createdAt = isoTime(world.nowMs())
  await database.write(async tx => {
    await tx('webhooks').insert({ id, spaceId, url: `https://localhost:${port}/`, secretSealed, createdAt })
    await noteWebhooks(tx, spaceId)
  })
  return spaceId
}

const inAll = <T>(count: number, make: (place: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, place) => make(place)))

const tenants = await inAll(pressing, () => newTenant(database))
const receivers = await Promise.all(ports.map(subscribed))
const silent = await inAll(tarpits, () => subscribed(tarpitPort))
const other = await subscribed(ports[0] ?? '')
const unsent = await inAll(ports.length, () => newSpace({ database, world }))
const exchange = createExchange({ noteDrift, world, database, endpoint: endpointOf(tenants) })

/** When an event was committed, first attempted, and taken, by its name. */
const committed = new Map<string, number>()
const attempted = new Map<string, number>()
const taken = new Map<string, number>()
let events = 0

async function record(spaceId: string, kind: string): Promise<string> {
  const name = `${kind}_${++events}`
  const event = { kind: 'gate.updated', targetId: name, atMs: world.nowMs() } as const
  await database.write(tx => recordEvents(tx, spaceId, [event]), { spaceId })
  committed.set(name, world.monotonicMs())
  return name
}

const door = createWebhookDoor({
  world,
  resolve: async () => ['127.0.0.1'],
  isNamed: () => true,
  ca: selfSigned.cert,
})
/** The same door, which notes the times. */
const watched: WebhookDoor = {
  close() {},
  async post(message) {
    const [, name = ''] = /"targetId":"(\w+)"/.exec(String(message.body)) ?? []
    if (!attempted.has(name)) attempted.set(name, world.monotonicMs())
    const ended = await door.post(message)
    if (ended.error === null) taken.set(name, world.monotonicMs())
    return ended
  },
}

/** As many connections to each receiver as the sender has. */
const agent = new Agent({ keepAlive: true, maxSockets: 4, maxFreeSockets: 4, ca: selfSigned.cert })
/** The baseline: a POST of the same size, right after the commit, and nothing kept. */
async function sendBare(name: string, port = ''): Promise<void> {
  attempted.set(name, world.monotonicMs())
  const body = Buffer.from(JSON.stringify({ targetId: name, filling: ' '.repeat(120) }))
  await new Promise<void>((resolve, reject) => {
    const asked = request(
      { host: '127.0.0.1', servername: 'localhost', port, method: 'POST', agent },
      answer => {
        answer.resume()
        answer.on('end', resolve)
      },
    )
    asked.on('error', reject)
    asked.end(body)
  })
  taken.set(name, world.monotonicMs())
}

/** Begins `work` at a steady rate for some seconds, and waits for all of it. */
async function atRate(
  perSecond: number,
  seconds: number,
  work: (place: number) => Promise<unknown>,
): Promise<void> {
  const beganMs = world.monotonicMs()
  const running: Promise<unknown>[] = []
  for (let place = 0; place < perSecond * seconds; place++) {
    const waitMs = beganMs + (place * 1_000) / perSecond - world.monotonicMs()
    if (waitMs > 0) await pause(waitMs)
    running.push(work(place))
  }
  await Promise.all(running)
}

/** Opens the gate of a tenant at a steady rate, one opening after the other, and notes how long each press took. */
function openings(tenant: Tenant, seconds: number, pressMs: number[]): Promise<void> {
  let before: Promise<unknown> = Promise.resolve()
  return atRate(rates.openings, seconds, () => {
    before = before.then(async () => pressMs.push(await open(exchange, tenant, ++events)))
    return before
  })
}

const turnOf = (spaces: readonly string[], place: number) => spaces[place % spaces.length] ?? ''
const sinceCommit = (of: ReadonlyMap<string, number>, kind: string) =>
  [...of].flatMap(([name, atMs]) =>
    name.startsWith(`${kind}_`) ? atMs - (committed.get(name) ?? Number.NaN) : [],
  )
const missing = () =>
  [...committed.keys()].filter(name => !name.startsWith('silent_') && !taken.has(name)).length

async function sendByWebhooks(seconds: number): Promise<void> {
  const sender = createWebhookSender({ world, database, seal, door: watched })
  sender.start()
  // Receivers that answer are known as such, as they are after their first delivery.
  await Promise.all([...receivers, other].map(spaceId => record(spaceId, 'first')))
  while (missing() > 0) await pause(20)
  await Promise.all([
    atRate(rates.deliveries, seconds, place => record(turnOf(receivers, place), 'event')),
    atRate(rates.tarpits, seconds, place => record(turnOf(silent, place), 'silent')),
    atRate(rates.other, seconds, () => record(other, 'other')),
  ])
  const untilMs = world.monotonicMs() + graceMs
  while (missing() > 0 && world.monotonicMs() < untilMs) await pause(20)
  await sender.stop()
}

/** What is done beside the presses. */
const beside: Readonly<Record<Phase, (seconds: number) => Promise<void>>> = {
  written: seconds => atRate(rates.deliveries, seconds, place => record(turnOf(unsent, place), 'silent')),
  bare: seconds =>
    atRate(rates.deliveries, seconds, async place =>
      sendBare(await record(turnOf(unsent, place), 'event'), turnOf(ports, place)),
    ),
  webhooks: sendByWebhooks,
}

async function measure({ phase, seconds }: AskedPhase): Promise<PhaseFigures> {
  for (const times of [committed, attempted, taken]) times.clear()
  const pressMs: number[] = []
  await Promise.all([beside[phase](seconds), ...tenants.map(tenant => openings(tenant, seconds, pressMs))])
  return {
    pressMs,
    attemptMs: sinceCommit(attempted, 'event'),
    answerMs: sinceCommit(taken, 'event'),
    otherMs: sinceCommit(taken, 'other'),
    missing: missing(),
  }
}

process.on('disconnect', () => process.exit(0))
process.on('message', async (asked: AskedPhase) => process.send?.(await measure(asked)))
process.send?.('ready')
