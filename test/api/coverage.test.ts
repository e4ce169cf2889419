// Every answer and every problem that the contract declares occurs, and no others.

import { setOwnLimits } from '@callgate/cloud/space/plans'
import { setPlan } from '@callgate/cloud/space/spaces'
import { problemsOf, unchangedStatus } from '@callgate/contract/openapi/openapiAnswers'
import { isConditionalRead, type RateClass } from '@callgate/contract/rest/operation'
import type { OperationId } from '@callgate/contract/rest/operations'
import { type ProblemCode, problemCodes } from '@callgate/contract/rest/problem'
import { rateLimits } from '@callgate/contract/rest/rateLimits'
import { scopeNames } from '@callgate/contract/rest/scope'
import { isoTime } from '@callgate/world/world'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Answer, type Api, allConnections, type Sending, serveWholeApi } from './apiServer.ts'
import { operationIds, shapeOf } from './operationShapes.ts'
import { numbers } from './scriptedGateway.ts'
import {
  type Furnished,
  furnish,
  paramsOf,
  requests,
  statusAndCode,
  statusAndCodeOf,
  type ValidRequest,
  validRequest,
} from './validRequests.ts'

let api: Api
let furnished: Furnished
/** For the operations that only a sandbox has. */
let sandbox: Awaited<ReturnType<Api['addSandbox']>>

beforeAll(async () => {
  api = await serveWholeApi()
  furnished = await furnish(api, await api.addSpace('business'))
  sandbox = await api.addSandbox()
})
afterAll(() => api.stop())
beforeEach(() => api.nextMinute())

/** A valid request for the operation, and a way to send it with something changed. */
async function requestFor(id: OperationId) {
  const request = await validRequest(api, id, furnished)
  const { body, method } = request
  const space = requests[id].onLive ? sandbox : furnished.space
  const send = (path: string, sending: Sending = {}) =>
    api.send(method, path, { key: space.key, body, ...sending })
  return { ...request, send, space }
}
type Sendable = Awaited<ReturnType<typeof requestFor>>

/** How a valid request is changed so that it gets each declared problem. */
type Producer = (request: Sendable, id: OperationId) => Promise<Answer>

const named = (key: string) => ({ 'idempotency-key': key })
const idOfNobody = '0'.repeat(26)

/** The stored answer of an Idempotency-Key can no longer be decrypted, as after a restore without the cloud's keys. */
async function loseKeptAnswer({ pathWith, send }: Sendable): Promise<Answer> {
  await send(pathWith(), { headers: named('lost') })
  await api.database.knex('keptAnswers').update({ sealedAnswer: '1.lost' })
  return send(pathWith(), { headers: named('lost') })
}

/** A twin (the same request again) that does not wait for the first one, which is still running. */
async function sendTwin({ pathWith, send }: Sendable, phoneNumber: string): Promise<Answer> {
  const made = await api.send('POST', '/api/v1/gates', {
    key: furnished.space.key,
    body: { name: 'Slow', phoneNumber },
  })
  const path = pathWith({ gateId: made.json.gate.id })
  const first = send(path, { headers: { ...named('twin'), prefer: 'wait=1' } })
  const calls = api.gateway.calls.length
  // The twin must not arrive before the first one.
  while (api.gateway.calls.length === calls) await api.world.advance(0)
  const twin = await send(path, { headers: { ...named('twin'), prefer: 'wait=0' } })
  await api.outlast(first)
  return twin
}

async function withLimits(send: () => Promise<Answer>): Promise<Answer> {
  const { spaceId } = furnished.space
  const limit = (count: number | null) => ({
    gateLimit: count,
    monthlyInvitationLimit: count,
    // As `furnish` has set it.
    webhookLimit: count ?? 10_000,
  })
  await setOwnLimits(api, { spaceId, limits: limit(0), actor: 'operator' })
  const answer = await send()
  await setOwnLimits(api, { spaceId, limits: limit(null), actor: 'operator' })
  return answer
}

async function onFreePlan({ pathWith, send, space: { spaceId } }: Sendable): Promise<Answer> {
  await setPlan(api, { spaceId, plan: 'free', actor: 'operator' })
  const answer = await send(pathWith())
  await setPlan(api, { spaceId, plan: 'business', actor: 'operator' })
  return answer
}

/** For each rate limit, a key that has used it up. */
const spent = new Map<RateClass, string>()

async function sendTooOften({ method, pathWith }: ValidRequest, id: OperationId): Promise<Answer> {
  const { rateClass } = shapeOf(id)
  const known = spent.get(rateClass)
  const key = known ?? (await furnished.space.addKey()).key
  // A request with an unknown field does nothing, but counts against the rate limit.
  const send = () => api.send(method, pathWith({}, { unknown: '1' }), { key })
  for (let count = 0; !known && count < rateLimits[rateClass].requests; count++) await send()
  spent.set(rateClass, key)
  return send()
}

/** A fault that no operation expects: the table of the keys is missing. */
async function withoutKeys(send: () => Promise<Answer>): Promise<Answer> {
  const { knex } = api.database
  await knex.schema.renameTable('apiKeys', 'apiKeysAway')
  const answer = await send()
  await knex.schema.renameTable('apiKeysAway', 'apiKeys')
  return answer
}

/** The signature of the grant was not kept, and the cloud has no longer the key that has signed it. */
async function withoutGrantKey({ ids, pathWith, send }: Sendable): Promise<Answer> {
  const { knex } = api.database
  await knex('openings').where({ id: ids.openingId }).update({ grantSignature: null })
  await knex('signingKeys').insert({ createdAt: isoTime(0), keyId: 'gone', publicKey: null })
  const answer = await send(pathWith())
  await knex('signingKeys').where({ keyId: 'gone' }).delete()
  return answer
}

const producers: Readonly<Record<Exclude<ProblemCode, 'method_not_allowed'>, Producer>> = {
  validation_error: ({ pathWith, send }) => send(pathWith({}, { unknown: '1' })),
  unauthorized: ({ pathWith, send }) => send(pathWith(), { key: null }),
  async insufficient_scope({ pathWith, send, space }, id) {
    const scopes = scopeNames.filter(scope => scope !== shapeOf(id).scope)
    return send(pathWith(), { key: (await space.addKey({ scopes })).key })
  },
  plan_upgrade_required: onFreePlan,
  plan_limit_reached({ body, pathWith, send }, id) {
    const isReactivation = id === 'updateGate'
    const path = pathWith(isReactivation ? { gateId: furnished.deleted.gateId } : {})
    return withLimits(() => send(path, { body: isReactivation ? { isActive: true } : body }))
  },
  not_found({ body, pathWith, send }, id) {
    const [param] = paramsOf(id)
    if (param) return send(pathWith({ [param]: idOfNobody }))
    if (requests[id].onLive) return send(pathWith(), { key: furnished.space.key })
    const accesses = [{ gateId: idOfNobody }]
    if (id === 'bulkMembers')
      return send(pathWith(), { body: { items: [{ externalId: 'a', name: 'A', accesses }] } })
    return send(pathWith(), { body: { ...body, accesses } })
  },
  conflict(request, id) {
    if (id === 'getProof') return withoutGrantKey(request)
    return id === 'openGate' ? sendTwin(request, numbers.neverReports) : loseKeptAnswer(request)
  },
  precondition_failed: ({ pathWith, send }) => send(pathWith(), { headers: { 'if-match': '"other"' } }),
  payload_too_large: ({ pathWith, send }, id) =>
    send(pathWith(), { body: 'x'.repeat((shapeOf(id).mostBodyBytes ?? 64 * 1024) + 1024) }),
  unsupported_media_type: ({ pathWith, send }) =>
    send(pathWith(), { body: 'name=A', headers: { 'content-type': 'text/plain' } }),
  async idempotency_mismatch({ otherBody, pathWith, send }) {
    await send(pathWith(), { headers: named('other') })
    return send(pathWith(), { headers: named('other'), body: otherBody })
  },
  rate_limited: sendTooOften,
  internal_error: ({ pathWith, send }) => withoutKeys(() => send(pathWith())),
  open_failed: ({ pathWith, send }) => send(pathWith({ gateId: furnished.deleted.gateId })),
}

/** Problems that are declared but cannot occur over HTTP, and why. */
const unreachable: Readonly<Record<string, string>> = Object.fromEntries(
  (
    [
      'openGate',
      'reactivateMember',
      'resetMemberLink',
      'resetSandbox',
      'sendInvitation',
      'resendDelivery',
      'testWebhook',
    ] as const
  ).map(id => [
    `${id} idempotency_mismatch`,
    'its only body is {}, and every other one is refused before it is compared',
  ]),
)

const isReachable = (id: OperationId, code: ProblemCode) =>
  problemsOf(shapeOf(id)).includes(code) && !(`${id} ${code}` in unreachable)

describe.each(Object.entries(producers))('%s', (name, produce) => {
  const code = name as ProblemCode
  const declaring = operationIds.filter(id => isReachable(id, code))
  it(`comes from ${declaring.length} operations`, async () => {
    const answered: Record<string, string> = {}
    for (const id of declaring) {
      answered[id] = statusAndCode(await produce(await requestFor(id), id))
      // In the next minute a used-up key could be used again.
      if (code !== 'rate_limited') await api.nextMinute()
    }
    expect(answered).toEqual(Object.fromEntries(declaring.map(id => [id, statusAndCodeOf(code)])))
  })
})

/** The declared successful answers of an operation, and that to If-None-Match. */
const successesOf = (id: OperationId) => [
  ...Object.keys(shapeOf(id).answers),
  ...(isConditionalRead(shapeOf(id)) ? [String(unchangedStatus)] : []),
]

it('every operation succeeds in each declared way', async () => {
  const answered: Record<string, string[]> = {}
  for (const id of operationIds) {
    const { pathWith, send } = await requestFor(id)
    const answers = [await send(pathWith())]
    if (id === 'openGate') {
      const body = { name: 'Slow', phoneNumber: numbers.neverReports }
      const made = await api.send('POST', '/api/v1/gates', { key: furnished.space.key, body })
      const path = pathWith({ gateId: made.json.gate.id })
      answers.push(await send(path, { headers: { prefer: 'respond-async' } }))
    }
    const [{ headers, text = '' } = {}] = answers
    // The first answer is the whole stream of an opening that has ended. Nothing comes after its last event.
    const lastEventId = text.match(/(?<=^id: )\d+/gm)?.at(-1)
    if (id === 'followOpening')
      answers.push(await send(pathWith(), { headers: { 'last-event-id': lastEventId ?? '' } }))
    if (isConditionalRead(shapeOf(id)))
      answers.push(await send(pathWith(), { headers: { 'if-none-match': headers?.etag ?? '' } }))
    answered[id] = answers.map(statusAndCode)
    await api.nextMinute()
  }
  expect(answered).toEqual(Object.fromEntries(operationIds.map(id => [id, successesOf(id)])))
})

it('every operation answers 503 while the database accepts no statement', async () => {
  const sendables: [OperationId, Sendable][] = []
  for (const id of operationIds) sendables.push([id, await requestFor(id)])
  await api.nextMinute()
  const answered: Record<string, string> = {}
  const { client } = api.database.knex
  // All connections of the database are in use here, so every request waits too long for one.
  const taken = await allConnections(api.database.knex)
  const patienceMs = client.pool.acquireTimeoutMillis
  client.pool.acquireTimeoutMillis = 1
  for (const [id, { pathWith, send }] of sendables) {
    const answer = await send(pathWith())
    answered[id] = `${statusAndCode(answer)}, Retry-After ${answer.headers['retry-after']}`
  }
  client.pool.acquireTimeoutMillis = patienceMs
  for (const connection of taken) await client.releaseConnection(connection)
  const unavailable = '503 internal_error, Retry-After 1'
  expect(answered).toEqual(Object.fromEntries(operationIds.map(id => [id, unavailable])))
})

describe('the contract', () => {
  it('declares exactly the answers that occurred', () => {
    const declared = operationIds.flatMap(id => [
      ...successesOf(id).map(status => `${id} ${status}`),
      ...problemsOf(shapeOf(id))
        .filter(code => isReachable(id, code))
        .map(code => `${id} ${problemCodes[code].status} ${code}`),
      `${id} 503 internal_error`,
    ])
    const seen = api.seen.map(({ code, operation, status }) =>
      [operation, status, code ?? []].flat().join(' '),
    )
    expect([...new Set(seen)].sort()).toEqual(declared.sort())
  })

  it('declares every problem that is listed as unreachable', () => {
    const declared = operationIds.flatMap(id => problemsOf(shapeOf(id)).map(code => `${id} ${code}`))
    expect(Object.keys(unreachable).filter(name => !declared.includes(name))).toEqual([])
  })
})
