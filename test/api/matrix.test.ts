// The permission matrix: every operation, every state of a credential, every kind of id.

import { newApiKey, revokeApiKey } from '@callgate/cloud/space/apiKeys'
import { setPlan } from '@callgate/cloud/space/spaces'
import type { OperationId } from '@callgate/contract/rest/operations'
import { limitableScopes, type Scope, scopeNames } from '@callgate/contract/rest/scope'
import { isoTime } from '@callgate/world/world'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, type Api, serveWholeApi } from './apiServer.ts'
import { operationIds, shapeOf } from './operationShapes.ts'
import {
  type Furnished,
  furnish,
  type Ids,
  type ParamName,
  paramsOf,
  requests,
  statusAndCode,
  statusAndCodeOf,
  type ValidRequest,
  validRequest,
} from './validRequests.ts'

/** The headers of a request, and the rights that they give. */
interface Credential {
  readonly name: string
  readonly headers: Readonly<Record<string, string>>
  /** Undefined where the headers contain no valid key. */
  readonly scopes: readonly Scope[] | undefined
  readonly hasPlan: boolean
  /** The gates that the key is limited to. */
  readonly gateIds?: readonly string[]
  readonly furnished: Furnished
}

type IdKind = 'own' | 'foreign' | 'deleted' | 'missing' | 'odd'
interface Target {
  readonly name: string
  readonly place: IdKind
  readonly param: ParamName | undefined
  readonly ids: Partial<Ids>
}

/** Ids of the right form that nobody has. */
const missing: Ids = {
  gateId: `gate_${'0'.repeat(26)}`,
  memberId: `member_${'0'.repeat(26)}`,
  accessId: `access_${'0'.repeat(26)}`,
  openingId: `open_${'0'.repeat(26)}`,
  gatewayId: `gw_${'0'.repeat(26)}`,
  webhookId: `hook_${'0'.repeat(26)}`,
  deliveryId: `msg_${'0'.repeat(26)}_1`,
}
const oddIds = [
  '1',
  '%',
  '..',
  'a b/c?d#e',
  '\u0000',
  '__proto__',
  "' or 1=1 --",
  '😀',
  'x'.repeat(2_000),
] as const

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
const spaceNames = ['home', 'foreign', 'free', 'ended'] as const
type Spaces = Readonly<Record<(typeof spaceNames)[number], Furnished>>

let api: Api
let spaces: Spaces
let credentials: readonly Credential[]

/** The four Spaces. Once its data is made, `free` may no longer use the API, and after 14 days neither may `ended`. */
async function makeSpaces(): Promise<Spaces> {
  const made = []
  for (const name of spaceNames) {
    const plan = name === 'home' ? 'business' : name === 'ended' ? 'trial' : 'pro'
    made.push([name, await furnish(api, await api.addSpace(plan))] as const)
  }
  const all = Object.fromEntries(made) as Record<(typeof spaceNames)[number], Furnished>
  const given = { spaceId: all.free.space.spaceId, plan: 'free', actor: 'operator' } as const
  await setPlan(api, given)
  return all
}

async function makeCredentials({ ended, free, home }: Spaces): Promise<readonly Credential[]> {
  const { database, world } = api
  const { key, addKey } = home.space
  const revoked = await addKey()
  await revokeApiKey({ database, world }, { apiKeyId: revoked.apiKeyId, actor: 'operator' })
  const expired = await addKey({ expiresAt: isoTime(world.nowMs() + 1_000) })
  const other = await addKey()
  const scoped: Credential[] = []
  for (const scope of scopeNames) {
    const made = await addKey({ scopes: [scope] })
    scoped.push({ ...atHome([scope]), name: scope, headers: bearer(made.key) })
  }
  for (const place of ['own', 'deleted'] as const) {
    const gateIds = [home[place].gateId]
    const made = await addKey({ scopes: limitableScopes, gateIds })
    const name = `limited to the ${place} gate`
    scoped.push({ ...atHome(limitableScopes), name, gateIds, headers: bearer(made.key) })
  }
  // By then the trial of 14 days has ended, and the key with an expiry has expired.
  await world.advance(15 * 24 * 60 * 60_000)

  function atHome(scopes: readonly Scope[] | undefined) {
    return { scopes, hasPlan: true, furnished: home }
  }
  const bad = (name: string, headers: Record<string, string>) => ({ ...atHome(undefined), name, headers })
  const good = (name: string, headers: Record<string, string>) => ({ ...atHome(scopeNames), name, headers })
  return [
    bad('no key', {}),
    bad('a malformed key', bearer('svc_live_short')),
    bad('a key with a bad checksum', bearer(`${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`)),
    bad('an unknown key', bearer(newApiKey(world))),
    bad('a revoked key', bearer(revoked.key)),
    bad('an expired key', bearer(expired.key)),
    bad('different keys in both headers', { ...bearer(key), 'x-api-key': other.key }),
    good('equal keys in both headers', { ...bearer(key), 'x-api-key': key }),
    { ...good('a free plan', bearer(free.space.key)), hasPlan: false, furnished: free },
    { ...good('an ended trial', bearer(ended.space.key)), hasPlan: false, furnished: ended },
    ...scoped,
    good('every scope', { 'x-api-key': key }),
  ]
}

beforeAll(async () => {
  api = await serveWholeApi()
  spaces = await makeSpaces()
  credentials = await makeCredentials(spaces)
})
afterAll(() => api.stop())

/** For each id of the path a target in every place. The other ids of the path belong to the Space itself. */
function targetsOf(id: OperationId, { deleted }: Furnished): Target[] {
  const others = paramsOf(id).flatMap(param => {
    const at = (place: IdKind, value: string) => ({
      name: `${place} ${param}`,
      place,
      param,
      ids: { [param]: value },
    })
    return [
      at('foreign', spaces.foreign.own[param]),
      // Nothing deletes an opening, a gateway or a delivery.
      ...(param === 'openingId' || param === 'gatewayId' || param === 'deliveryId'
        ? []
        : [at('deleted', deleted[param])]),
      at('missing', missing[param]),
      at('odd', oddIds[3]),
    ]
  })
  return [{ name: 'own', place: 'own', param: undefined, ids: {} }, ...others]
}

/** Whether the scopes and the limit of the key allow the operation on some gates. */
function isAllowedTo(id: OperationId, { gateIds, scopes }: Credential): boolean {
  const { judgesGates, scope } = shapeOf(id)
  const hasScope = scopes !== undefined && (scope === 'any' || scopes.includes(scope))
  return hasScope && (gateIds === undefined || judgesGates === true)
}

/** Whether the target is at a gate beyond the limit of the key. Every opening is at the own gate. */
function isBeyondLimit(
  id: OperationId,
  { furnished, gateIds }: Credential,
  { param, place }: Target,
): boolean {
  if (!gateIds) return false
  const isOfGate = paramsOf(id).some(name => name === 'gateId' || name === 'openingId')
  const at = param === 'gateId' && place === 'deleted' ? furnished.deleted : furnished.own
  return isOfGate && !gateIds.includes(at.gateId)
}

/** The whole permission table: the order of the checks, and the answers. */
function expectedOf(id: OperationId, credential: Credential, target: Target): string {
  const { hasPlan, scopes } = credential
  const { param, place } = target
  const { answers } = shapeOf(id)
  if (!scopes) return statusAndCodeOf('unauthorized')
  if (!hasPlan) return statusAndCodeOf('plan_upgrade_required')
  if (!isAllowedTo(id, credential)) return statusAndCodeOf('insufficient_scope')
  const { onLive } = requests[id]
  if (onLive) return statusAndCodeOf(onLive)
  if (isBeyondLimit(id, credential, target)) return statusAndCodeOf('not_found')
  if (place === 'own') return Object.keys(answers)[0] ?? ''
  const onDeleted = place === 'deleted' && param ? requests[id].onDeleted?.[param] : undefined
  return typeof onDeleted === 'number' ? String(onDeleted) : statusAndCodeOf(onDeleted ?? 'not_found')
}

function sendAs(
  { headers }: Pick<Credential, 'headers'>,
  { body, method, pathWith }: ValidRequest,
  ids: Partial<Ids> = {},
): Promise<Answer> {
  return api.send(method, pathWith(ids), { key: null, headers, body })
}

describe.each(operationIds)('%s', id => {
  it('answers every credential and every kind of id as the permission table says', async () => {
    const answered: Record<string, string> = {}
    const expected: Record<string, string> = {}
    for (const credential of credentials) {
      const isAllowed = credential.hasPlan && isAllowedTo(id, credential)
      // Only an allowed request uses up prepared data. A Space that may not use the API could prepare none.
      const request = await validRequest(api, id, isAllowed ? credential.furnished : spaces.home)
      for (const target of targetsOf(id, credential.furnished)) {
        const name = `${credential.name}, ${target.name}`
        const own = isAllowed ? {} : credential.furnished.own
        answered[name] = statusAndCode(await sendAs(credential, request, { ...own, ...target.ids }))
        expected[name] = expectedOf(id, credential, target)
      }
      if (isAllowed) await requests[id].afterwards?.(api, credential.furnished)
      await api.nextMinute()
    }
    expect(answered).toEqual(expected)
  })
})

/** An answer without the headers that differ between any two answers. */
function bytesOf({ headers, status, text }: Answer): object {
  const { date: _, ratelimit: __, 'x-request-id': ___, ...rest } = headers
  return { status, text, headers: rest }
}

describe.each(operationIds.filter(id => paramsOf(id).length > 0))('%s', id => {
  it('answers a foreign id byte by byte like a missing one', async () => {
    const request = await validRequest(api, id, spaces.home)
    const key = { headers: bearer(spaces.home.space.key) }
    for (const param of paramsOf(id)) {
      const answers: object[] = []
      for (const value of [missing[param], spaces.foreign.own[param], ...oddIds]) {
        await api.nextMinute()
        answers.push(bytesOf(await sendAs(key, request, { [param]: value })))
      }
      expect(answers[0]).toMatchObject({ status: 404 })
      expect(answers).toEqual(answers.map(() => answers[0]))
    }
  })
})
