// Fuzzing of the dashboard: generated requests to each of its own operations, checked against the contract.

import { planLimits } from '@callgate/cloud/core/plan'
import { setOwnLimits } from '@callgate/cloud/space/plans'
import { newUser, type SignedInBrowser } from '@callgate/cloud/user/user.kit'
import type { AppShape } from '@callgate/contract/app/appOperation'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, serveWholeApi } from '../apiServer.ts'
import { isMirrored, validAppRequest } from '../appRequests.ts'
import { appOperationIds, appShapeOf } from '../operationShapes.ts'
import { type Furnished, furnish } from '../validRequests.ts'
import { valuesOf } from './schemaValues.ts'

/** The operations of a Space that only the dashboard has; those of the REST API are fuzzed elsewhere. */
const ids = appOperationIds.filter(id => {
  const { isStream, path } = appShapeOf(id)
  return !isMirrored(id) && path.includes(':spaceId') && !isStream
})
const requestsOfEach = 16

let api: Api
let home: Furnished
let owner: SignedInBrowser
beforeAll(async () => {
  api = await serveWholeApi(7)
  home = await furnish(api, await api.addSpace('business'))
  const { spaceId } = home.space
  const limits = Object.fromEntries(planLimits.map(limit => [limit, 10_000]))
  await setOwnLimits(api, { spaceId, limits, actor: 'operator' })
  owner = await newUser(api, { email: 'owner@example.com', spaceId })
})
afterAll(() => api.stop())

/** A value of a schema in which one member may be anything at all, or be missing. */
function sentFor(schema: AppShape['body']): fc.Arbitrary<unknown> {
  if (!schema) return fc.constant(undefined)
  const fitting = valuesOf(schema as never) as fc.Arbitrary<Record<string, unknown>>
  const spoilt = fc.tuple(fitting, fc.jsonValue(), fc.nat()).map(([value, other, place]) => {
    const names = Object.keys(value)
    const name = names[place % Math.max(1, names.length)] ?? 'more'
    return { ...value, [name]: other }
  })
  return fc.oneof(fitting, spoilt, fc.jsonValue())
}

/** A query that may have some invalid parts. */
function queryFor(schema: AppShape['body']): fc.Arbitrary<string> {
  const names = Object.keys((schema as { properties?: object } | undefined)?.properties ?? {})
  const value = fc.oneof(fc.constantFrom('1', 'true', '24h', 'denied,opened', 'x', ''), fc.string())
  return fc
    .dictionary(fc.constantFrom(...names, 'more'), value, { maxKeys: 3 })
    .map(given => new URLSearchParams(given).toString())
}

describe.each(ids)('%s', id => {
  it('answers any input as the contract declares, and never with a failure of its own', async () => {
    const { body, method, query } = appShapeOf(id)
    const requests = fc.sample(fc.tuple(sentFor(body), queryFor(query), fc.nat(9)), {
      numRuns: requestsOfEach,
      seed: ids.indexOf(id),
    })
    for (const [sent, asked, kind] of requests) {
      await api.nextMinute()
      const valid = await validAppRequest(api, id, home, owner)
      const odd = kind === 0 ? { gateId: 'x', memberId: '%', gatewayId: "' or 1=1" } : {}
      // Without the query of the valid request, because another one is sent.
      const [path = ''] = valid.pathWith(odd).split('?')
      const given = body === undefined ? {} : { body: kind === 1 ? valid.body : (sent ?? {}) }
      const { headers } = owner
      // `send` checks the answer against the contract.
      const answer = await api.send(method, asked === '' ? path : `${path}?${asked}`, {
        key: null,
        headers,
        ...given,
      })
      expect(
        answer.status,
        `${method} ${path}?${asked} ${JSON.stringify(given)}: ${answer.text}`,
      ).toBeLessThan(500)
    }
  })
})
