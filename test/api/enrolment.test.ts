// Enrolment with the real cloud over HTTP and the real gateway: complete, cut off at each step, and in a race.

import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, request as httpRequest, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkLogin } from '@callgate/cloud/gateway/gateways'
import { newUser, type SignedInBrowser } from '@callgate/cloud/user/user.kit'
import type { EnrolmentView } from '@callgate/contract/app/enrolment'
import { readConfig } from '@callgate/gateway/config'
import { type Enrolled, type EnrolmentNews, enrol } from '@callgate/gateway/enrol/enrol'
import { storeLogin } from '@callgate/gateway/enrol/newConfiguration'
import { fakeWorld, settle } from '@callgate/world/fake'
import { isoTime } from '@callgate/world/world'
import * as fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { type Api, serveWholeApi } from './apiServer.ts'
import { valuesOf } from './fuzz/schemaValues.ts'
import { enrolmentOperationIds, enrolmentShapeOf } from './operationShapes.ts'

let api: Api
let admin: SignedInBrowser
let spaceId: string
let folder: string
let seed = 100
let proxy: Server
let proxyUrl: string
/** The request of the gateways that is cut, and whether the cloud still gets it. */
let cut: { readonly at: number; readonly isDelivered: boolean } | undefined
let requests = 0

/** A proxy between the gateways and the cloud that cuts a request. */
function cutting(): Server {
  return createServer((incoming, outgoing) => {
    requests += 1
    const isCut = cut?.at === requests
    if (isCut && !cut?.isDelivered) return void incoming.socket.destroy()
    const onward = httpRequest(
      new URL(incoming.url ?? '', api.base),
      { method: incoming.method, headers: incoming.headers },
      answer => {
        if (isCut) return void answer.resume().on('end', () => incoming.socket.destroy())
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(outgoing)
      },
    )
    incoming.pipe(onward)
  })
}

beforeAll(async () => {
  api = await serveWholeApi(11)
  spaceId = (await api.addSpace()).spaceId
  admin = await newUser(api, { email: 'ada@example.com', spaceId, role: 'admin' })
  proxy = cutting()
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve))
  proxyUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
})
afterAll(async () => {
  proxy.closeAllConnections()
  await new Promise(resolve => proxy.close(resolve))
  await api.stop()
})
beforeEach(async () => {
  await api.nextMinute()
  folder = await mkdtemp(join(tmpdir(), 'callgate-enrolment-'))
  cut = undefined
  requests = 0
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function send(method: string, path: string, body?: object): Promise<{ [name: string]: never }> {
  // Hours pass in these tests, and a new gateway needs a session that was confirmed just now.
  await api.database.knex('sessions').update({ confirmedAt: isoTime(api.world.nowMs()) })
  const sent = { key: null, headers: admin.headers, body }
  const { status, text } = await api.send(method, `/app/v1/spaces/${spaceId}/enrolments${path}`, sent)
  expect(status, text).toBeLessThan(300)
  return text === '' ? {} : JSON.parse(text)
}
const start = async (given: object = {}) =>
  (await send('POST', '', { name: 'Attic', ...given })) as never as {
    enrolment: EnrolmentView
    code: string
    cloudKey: string
  }
const view = async (id: string) => (await send('GET', `/${id}`))['enrolment'] as never as EnrolmentView

interface Running {
  readonly news: EnrolmentNews[]
  /** Resolves at the end, or when one of its requests was cut. */
  readonly end: Promise<Enrolled | 'cut'>
}

/** A gateway that enrols in `place`. Its clock runs until it has ended or was cut; then it stops for good. */
function run(code: string | undefined, place = folder, more: object = {}): Running {
  seed += 1
  const world = fakeWorld(seed)
  const news: EnrolmentNews[] = []
  const config = join(place, 'callgate-gateway.yaml')
  let isOver = false
  const end = new Promise<Enrolled | 'cut'>((resolve, reject) => {
    enrol({
      world,
      cloudUrl: proxyUrl,
      code,
      folder: place,
      device: async () => ({ device: { version: '0.1.0', serial: '1' }, says: '' }),
      tell(told) {
        news.push(told)
        if (told.kind === 'trouble') resolve('cut')
      },
      store: login =>
        storeLogin(config, login, {
          cloudUrl: 'https://gates.example.com',
          serialPort: '/dev/serial0',
          dataFolder: 'data',
          allowPlainMqtt: false,
        }),
      ...more,
    }).then(resolve, reject)
  }).finally(() => {
    isOver = true
  })
  const go = async () => {
    for (await settle(5); !isOver; await settle(5)) {
      // Its time passes only as fast as the cloud answers: otherwise its requests would time out on a busy machine.
      await fetch(api.base, { method: 'HEAD' })
      await world.advance(500)
    }
  }
  void go()
  return { news, end }
}

/** The fingerprint that a gateway shows, without confirming anything. */
async function shownBy({ news }: Running): Promise<string> {
  for (;;) {
    const told = news.find(one => one.kind === 'compare')
    if (told?.kind === 'compare') return told.fingerprint
    await settle(5)
  }
}

/** Confirms the gateway that waits in this enrolment. */
async function confirmSoon(id: string): Promise<void> {
  for (;;) {
    const { gateway, state } = await view(id)
    if (state === 'confirmed') return
    const { fingerprint = null } = gateway ?? {}
    if (fingerprint !== null) await send('POST', `/${id}/confirm`, { fingerprint })
    await settle(5)
  }
}

async function isAdmitted(place = folder): Promise<string> {
  const read = await readConfig(join(place, 'callgate-gateway.yaml'))
  if (!read.ok) return read.message
  const { gatewayId, mqttPassword } = read.value
  return checkLogin(api.database, gatewayId, Buffer.from(mqttPassword), api.world.nowMs())
}
const gatewaysOf = async () =>
  Number((await api.database.knex('gateways').where({ spaceId }).count({ rows: '*' }))[0]?.['rows'])

it('enrols a gateway that shows the same fingerprint as the dashboard', async () => {
  const { cloudKey, code, enrolment } = await start()
  const running = run(code, folder, { cloudKey })
  const shown = await shownBy(running)
  expect((await view(enrolment.id)).gateway?.fingerprint).toBe(shown)
  await send('POST', `/${enrolment.id}/confirm`, { fingerprint: shown })
  expect(await running.end).toMatchObject({ ok: true })
  expect(await isAdmitted()).toBe('admitted')
})

const steps = [1, 2, 3, 4].flatMap(at => [
  { at, isDelivered: false },
  { at, isDelivered: true },
])
it.each(steps)(
  'continues after a power cut at request $at, whether the cloud got it ($isDelivered)',
  async given => {
    const before = await gatewaysOf()
    const { code, enrolment } = await start()
    cut = given
    const first = run(code)
    const confirming = confirmSoon(enrolment.id)
    const ended = await first.end
    // The fourth request is sent only where the third one found the gateway confirmed.
    const again = ended === 'cut' ? run(given.at === 1 ? code : undefined) : undefined
    if (again) expect(await again.end).toMatchObject({ ok: true })
    await confirming
    expect(await isAdmitted()).toBe('admitted')
    expect(await gatewaysOf()).toBe(before + 1)
  },
)

it('admits one of two gateways with one code; the other learns of it, and the admin can refuse the first', async () => {
  const before = await gatewaysOf()
  const { code, enrolment } = await start()
  const places = [join(folder, 'a'), join(folder, 'b')]
  const racers = places.map(place => run(code, place))
  const loser = await Promise.race(racers.map(({ end }, place) => end.then(ended => ({ ended, place }))))
  expect(loser.ended).toMatchObject({ ok: false, code: 'code_used' })
  const winner = racers[1 - loser.place] as Running
  const shown = await shownBy(winner)
  expect((await view(enrolment.id)).gateway?.fingerprint).toBe(shown)
  await send('DELETE', `/${enrolment.id}`)
  expect(await winner.end).toMatchObject({ ok: false, code: 'not_confirmed' })
  expect(await gatewaysOf()).toBe(before)
})

it.each(enrolmentOperationIds)('%s answers any input as the contract declares', async id => {
  const { body, method, path } = enrolmentShapeOf(id)
  const fitting = valuesOf(body as never)
  for (const sent of fc.sample(fc.oneof(fitting, fc.jsonValue()), { numRuns: 40, seed: 5 })) {
    await api.world.advance(60_000)
    const asked = path.replace(':enrolmentId', 'enrol_01kdhx3m8e2w7q5v9z4r6t8y0a')
    // `send` checks the answer against the contract.
    const { status } = await api.send(method, asked, { key: null, body: sent ?? {} })
    expect([400, 404, 429]).toContain(status)
  }
})
