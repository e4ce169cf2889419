// What the specification and the decisions say of API keys, their scopes and their Space.

import { listApiKeys, newApiKey, revokeApiKey } from '@callgate/cloud/space/apiKeys'
import { setPlan } from '@callgate/cloud/space/spaces'
import type { OperationId } from '@callgate/contract/rest/operations'
import { type Scope, scopeNames } from '@callgate/contract/rest/scope'
import { isoTime } from '@callgate/world/world'
import { expect } from 'vitest'
import { operationIds, shapeOf } from '../operationShapes.ts'
import { furnish, statusAndCode, validRequest } from '../validRequests.ts'
import { conformance, type Stage } from './conforms.ts'

export const keyTests = conformance()
const conforms = keyTests

const gates = '/api/v1/gates'

conforms('5.1', async ({ api, space: { key } }) => {
  for (const headers of [
    { authorization: `Bearer ${key}` },
    { authorization: `bearer   ${key}` },
    { 'x-api-key': key },
  ] as Record<string, string>[])
    expect((await api.send('GET', gates, { key: null, headers })).status).toBe(200)
})

conforms('Both key headers', async ({ api, space: { addKey, key } }) => {
  const other = (await addKey()).key
  const send = async (headers: Record<string, string>, query = '') =>
    statusAndCode(await api.send('GET', gates + query, { key: null, headers }))
  const bearer = `Bearer ${key}`
  expect(await send({ authorization: bearer, 'x-api-key': key })).toBe('200')
  expect(await send({ authorization: bearer, 'x-api-key': other })).toBe('401 unauthorized')
  expect(await send({ authorization: 'Basic YTpi', 'x-api-key': key })).toBe('200')
  expect(await send({ authorization: 'Basic YTpi' })).toBe('401 unauthorized')
  expect(await send({}, `?api_key=${key}`)).toBe('401 unauthorized')
  expect(await send({ authorization: bearer }, `?api_key=${key}`)).toBe('400 validation_error')
})

conforms(['5.2', '5.3', '5.5', 'Key format', '1 keys'], async ({ api, as, space }) => {
  const { apiKeyId, key } = await space.addKey({ name: 'Integration', scopes: ['gates:read'] })
  const other = await space.addKey()
  expect(key).toMatch(/^svc_live_[0-9A-Za-z]{36}$/)
  const find = async () =>
    (await listApiKeys(api.database, space.spaceId)).find(listed => listed.apiKeyId === apiKeyId)
  expect(await find()).toMatchObject({
    name: 'Integration',
    scopes: ['gates:read'],
    shownPrefix: key.slice(0, 13),
    lastUsedAt: null,
  })
  expect(JSON.stringify(await api.database.knex('apiKeys'))).not.toContain(key.slice(13))
  expect((await as(key).get('/gates')).status).toBe(200)
  while ((await find())?.lastUsedAt === null) await api.world.advance(0)
  await revokeApiKey(api, { apiKeyId, actor: 'operator' })
  expect(statusAndCode(await as(key).get('/gates'))).toBe('401 unauthorized')
  expect((await as(other.key).get('/gates')).status).toBe(200)
})

conforms(['5.4', '1 Space', '7 404'], async ({ addGate, api, get }) => {
  await addGate()
  const other = await furnish(api, await api.addSpace())
  const { activity } = (await get('/activity')).json
  expect([(await get('/gates')).json.gates.length, activity.length]).toEqual([1, 2])
  for (const noun of ['members', 'openings'] as const) expect((await get(`/${noun}`)).json[noun]).toEqual([])
  for (const path of [
    `/gates/${other.own.gateId}`,
    `/members/${other.own.memberId}`,
    `/openings/${other.own.openingId}`,
  ])
    expect(statusAndCode(await get(path))).toBe('404 not_found')
})

conforms(['5.6', '7 401'], async ({ api, as, space }) => {
  const { apiKeyId, key } = await space.addKey()
  await revokeApiKey(api, { apiKeyId, actor: 'operator' })
  const expiresAt = isoTime(api.world.nowMs() + 1_000)
  const expiring = (await space.addKey({ expiresAt })).key
  expect((await as(expiring).get('/gates')).status).toBe(200)
  await api.world.advance(1_000)
  const bad = [
    null,
    '',
    'svc_live_',
    `${space.key}x`,
    space.key.toLowerCase(),
    newApiKey(api.world),
    key,
    expiring,
  ]
  const answers = []
  for (const one of bad) answers.push(await as(one).get('/gates'))
  expect(answers.map(statusAndCode)).toEqual(bad.map(() => '401 unauthorized'))
  // The answer does not say which of the reasons it is.
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  const scope = 'scope="gates:read"'
  expect(answers[0]?.headers['www-authenticate']).toBe(`Bearer realm="Callgate", ${scope}`)
  expect(answers[3]?.headers['www-authenticate']).toBe(
    `Bearer realm="Callgate", error="invalid_token", ${scope}`,
  )
})

conforms(['5.7', '7 403 insufficient_scope'], async ({ as, space }) => {
  const { key } = await space.addKey({ scopes: ['gates:write'] })
  const { json, status } = await as(key).get('/gates')
  const message = 'The API key lacks the scope gates:read.'
  expect([status, json]).toEqual([403, { error: { code: 'insufficient_scope', message } }])
})

conforms(['5.8', '7 403 plan_upgrade_required', '1 plan'], async ({ api, get, space: { spaceId } }) => {
  const plans = { free: 403, pro: 200, business: 200, trial: 200 } as const
  for (const [plan, expected] of Object.entries(plans)) {
    await setPlan(api, { spaceId, plan: plan as keyof typeof plans, actor: 'operator' })
    expect([plan, (await get('/gates')).status]).toEqual([plan, expected])
  }
  await setPlan(api, { spaceId, plan: 'free', actor: 'operator' })
  expect(statusAndCode(await get('/gates'))).toBe('403 plan_upgrade_required')
})

conforms('Plan limits', async ({ addGate, addMember, api, guest, space: { spaceId } }) => {
  const { id } = await addGate()
  const { accesses } = await addMember({ accesses: [{ gateId: id }] })
  await setPlan(api, { spaceId, plan: 'free', actor: 'operator' })
  expect(await guest(accesses[0]?.accessUrl ?? '').press(id)).toBeDefined()
})

/** `members:read_email` is ours. */
type SpecifiedScope = Exclude<Scope, 'members:read_email' | `webhooks:${string}`>
const isSpecified = (scope: Scope): scope is SpecifiedScope =>
  scope !== 'members:read_email' && !scope.startsWith('webhooks:')

/** What each scope grants, by the operations of the specification. */
const granted: Readonly<Record<SpecifiedScope, readonly OperationId[]>> = {
  'gates:read': ['listGates'],
  'gates:write': ['createGate', 'updateGate', 'deactivateGate'],
  'gates:open': ['openGate'],
  'members:read': ['listMembers'],
  'members:write': [
    'createMember',
    'updateMember',
    'deactivateMember',
    'addAccess',
    'updateAccess',
    'revokeAccess',
  ],
  'history:read': ['listOpenings', 'listActivity'],
}

/** A key with this scope alone may do what it grants, and no other operation of the specification. */
function grants(scope: SpecifiedScope) {
  return async ({ api, space }: Stage) => {
    const furnished = await furnish(api, space)
    const { key } = await space.addKey({ scopes: [scope] })
    const allowed: OperationId[] = []
    for (const id of operationIds.filter(id => !shapeOf(id).extension)) {
      const { body, method, pathWith } = await validRequest(api, id, furnished)
      const answer = await api.send(method, pathWith(), { key, body })
      if (answer.status < 300) allowed.push(id)
      else expect([id, statusAndCode(answer)]).toEqual([id, '403 insufficient_scope'])
    }
    expect(allowed).toEqual(operationIds.filter(id => granted[scope].includes(id)))
  }
}
for (const scope of scopeNames.filter(isSpecified)) conforms(`5 ${scope}`, grants(scope))

conforms('5 gates:open', async ({ addGate, as, space }) => {
  const { id } = await addGate()
  const { key } = await space.addKey({ scopes: scopeNames.filter(scope => scope !== 'gates:open') })
  expect(statusAndCode(await as(key).open(id))).toBe('403 insufficient_scope')
})
