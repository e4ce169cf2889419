// The permission matrix of the dashboard: every operation, every state of a session, own and foreign Spaces and ids.

import { planLimits } from '@callgate/cloud/core/plan'
import { setOwnLimits } from '@callgate/cloud/space/plans'
import { newUser, type SignedInBrowser, signInAgain } from '@callgate/cloud/user/user.kit'
import type { AppOperationId } from '@callgate/contract/app/appOperations'
import { needsConfirmation } from '@callgate/contract/app/confirmations'
import { csrfHeader } from '@callgate/contract/app/session'
import { type AppProblemCode, statusOf } from '@callgate/contract/rest/problem'
import { isoTime } from '@callgate/world/world'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, type Api, serveWholeApi } from './apiServer.ts'
import { isMirrored, validAppRequest } from './appRequests.ts'
import { appOperationIds, appShapeOf } from './operationShapes.ts'
import { passwordHash } from './userRequests.ts'
import { type AppIds, type Furnished, furnish, type Ids, requests } from './validRequests.ts'

let api: Api
let home: Furnished
let foreign: Furnished

/** A browser, and the rights of its session in the Space `home`. */
interface Visitor {
  readonly name: string
  readonly browser: SignedInBrowser
  readonly headers: Readonly<Record<string, string>>
  /** Undefined: nobody is signed in. */
  readonly role: 'owner' | 'admin' | 'none' | undefined
  /** Whether the browser reports that the dashboard's own script sent the request. */
  readonly isOwnScript: boolean
  /** Absent: the user has confirmed the session in the last five minutes. */
  readonly isConfirmed?: boolean
}
let visitors: readonly Visitor[]
let owner: SignedInBrowser

const idOfNobody = `space_${'0'.repeat(26)}`
const told = (code: AppProblemCode) => `${statusOf(code)} ${code}`
const toldOf = ({ json, status }: Answer) => (status < 400 ? String(status) : `${status} ${json.error.code}`)

async function makeVisitors(): Promise<readonly Visitor[]> {
  const { database, world } = api
  const { spaceId } = home.space
  const elsewhere = await api.addSpace()
  const admin = await newUser(api, { email: 'admin@example.com', spaceId, role: 'admin' })
  const stranger = await newUser(api, { email: 'stranger@example.com', spaceId: elsewhere.spaceId })
  const removed = await newUser(api, { email: 'removed@example.com', spaceId })
  await database.knex('userRoles').where({ userId: removed.userId }).delete()
  const gone = await newUser(api, { email: 'gone@example.com', spaceId })
  await database
    .knex('users')
    .where({ id: gone.userId })
    .update({ deactivatedAt: isoTime(world.nowMs()) })
  const change = async (columns: object) => {
    const browser = await signInAgain(api, owner)
    await database.knex('sessions').where({ id: browser.sessionId }).update(columns)
    return browser
  }
  const ago = (ms: number) => isoTime(world.nowMs() - ms)
  const signedOut = await signInAgain(api, owner)
  await database.knex('sessions').where({ id: signedOut.sessionId }).delete()
  const { [csrfHeader]: _, ...withoutToken } = owner.headers
  const unconfirmed = await signInAgain(api, owner)

  const of = (browser: SignedInBrowser, role: Visitor['role']) => ({
    browser,
    role,
    headers: browser.headers,
    isOwnScript: true,
  })
  const nobody = (name: string, browser: SignedInBrowser) => ({ ...of(browser, undefined), name })
  return [
    { ...nobody('no cookie', owner), headers: { 'Sec-Fetch-Site': 'same-origin' } },
    {
      ...nobody('an API key', owner),
      headers: { authorization: `Bearer ${home.space.key}`, 'Sec-Fetch-Site': 'same-origin' },
    },
    { ...nobody('an unknown token', owner), headers: { ...owner.headers, Cookie: `sid=${'A'.repeat(43)}` } },
    { ...nobody('an odd token', owner), headers: { ...owner.headers, Cookie: 'sid=../../x' } },
    nobody('a session that has ended', signedOut),
    nobody('a session that was idle for 12 hours', await change({ lastSeenAt: ago(12 * 3_600_000) })),
    nobody('a session past its end', await change({ expiresAt: ago(0) })),
    nobody('a deactivated user', gone),
    { ...of(stranger, 'none'), name: 'a user of another Space' },
    { ...of(removed, 'none'), name: 'a user who was removed' },
    {
      ...of(owner, 'owner'),
      name: 'another site',
      headers: { ...owner.headers, 'Sec-Fetch-Site': 'cross-site' },
      isOwnScript: false,
    },
    {
      ...of(owner, 'owner'),
      name: 'another origin',
      headers: { ...owner.headers, Origin: 'http://evil.example' },
      isOwnScript: false,
    },
    { ...of(owner, 'owner'), name: 'no token', headers: withoutToken, isOwnScript: false },
    {
      ...of(owner, 'owner'),
      name: 'the token of another session',
      headers: { ...owner.headers, [csrfHeader]: stranger.headers[csrfHeader] ?? '' },
      isOwnScript: false,
    },
    { ...of(unconfirmed, 'owner'), name: 'an owner who has not confirmed', isConfirmed: false },
    { ...of(admin, 'admin'), name: 'an admin' },
    { ...of(owner, 'owner'), name: 'an owner' },
  ]
}

beforeAll(async () => {
  api = await serveWholeApi()
  home = await furnish(api, await api.addSpace('business'))
  const limits = Object.fromEntries(planLimits.map(limit => [limit, 10_000]))
  await setOwnLimits(api, { spaceId: home.space.spaceId, limits, actor: 'operator' })
  foreign = await furnish(api, await api.addSpace('pro'))
  owner = await newUser(api, { email: 'owner@example.com', spaceId: home.space.spaceId })
  visitors = await makeVisitors()
  await api.database.knex('users').update({ passwordHash })
})
afterAll(() => api.stop())

/** The whole permission table: the order of the checks, and the answers. */
function expectedOf(
  id: AppOperationId,
  { isConfirmed = true, isOwnScript, name, role }: Visitor,
  isForeign: boolean,
  isConfirmationNeeded: boolean,
): string {
  const { answers, method, role: needed } = appShapeOf(id)
  const { onLive } = isMirrored(id) ? requests[id] : {}
  const success = onLive ? told(onLive) : (Object.keys(answers)[0] ?? '')
  const isRefused = !isOwnScript && method !== 'GET'
  // Before the sign-in there is no token.
  if (needed === 'none' && isRefused && !name.includes('token')) return told('csrf_refused')
  if (needed === 'none')
    return id === 'signIn' && name === 'a deactivated user' ? told('unauthorized') : success
  if (role === undefined) return told('unauthorized')
  const inSpace = needed !== 'user'
  if (inSpace && (role === 'none' || isForeign)) return told('not_found')
  if (needed === 'owner' && role !== 'owner') return told('insufficient_role')
  if (isRefused) return told('csrf_refused')
  return isConfirmed || !isConfirmationNeeded ? success : told('confirmation_required')
}

const sentBy = ({ headers, isOwnScript, role }: Visitor, browser: SignedInBrowser) =>
  isOwnScript && role !== undefined ? browser.headers : headers

/** Every session is confirmed just now, except that of a visitor without a confirmation. */
async function confirmAll({ browser, isConfirmed }: Visitor): Promise<void> {
  const { knex } = api.database
  await knex('sessions').update({ confirmedAt: isoTime(api.world.nowMs()) })
  if (isConfirmed === false)
    await knex('sessions').where({ id: browser.sessionId }).update({ confirmedAt: null })
}

describe.each(appOperationIds)('%s', id => {
  it('answers every session and every Space as the permission table says', async () => {
    const answered: Record<string, string> = {}
    const expected: Record<string, string> = {}
    const { path, role } = appShapeOf(id)
    for (const visitor of visitors)
      for (const place of path.includes(':spaceId') ? ['own', 'foreign', 'missing'] : ['own']) {
        const { body, browser, method, pathWith } = await validAppRequest(api, id, home, visitor.browser)
        // A refused request consumes nothing, so it needs no session of its own.
        const isGood = visitor.isOwnScript && visitor.role !== undefined && visitor.isConfirmed !== false
        const isNeeded = needsConfirmation(id, body)
        const sent = isGood || !isNeeded ? sentBy(visitor, browser) : visitor.headers
        await confirmAll(visitor)
        // A sign-in ends the browser's former session, which other tests here need.
        const { Cookie, ...withoutCookie } = sent
        const headers = role === 'none' ? withoutCookie : sent
        const spaceId = place === 'foreign' ? foreign.space.spaceId : idOfNobody
        const name = `${visitor.name}, ${place}`
        const sentTo = pathWith(place === 'own' ? {} : { spaceId })
        answered[name] = toldOf(await api.send(method, sentTo, { key: null, headers, body }))
        expected[name] = expectedOf(id, visitor, place !== 'own', isNeeded)
        await api.nextMinute()
      }
    expect(answered).toEqual(expected)
  })
})

/** The names of the ids in the path, without the Space's own. */
function idNamesOf(id: AppOperationId): (keyof (Ids & AppIds))[] {
  const names = [...appShapeOf(id).path.matchAll(/:(\w+)/g)].map(([, name]) => name)
  return names.filter(name => name !== 'spaceId') as (keyof (Ids & AppIds))[]
}

describe.each(appOperationIds.filter(id => idNamesOf(id).length > 0))('%s', id => {
  it('answers an id of another Space byte by byte like an id that nobody has', async () => {
    const { body, method, pathWith } = await validAppRequest(api, id, home, owner)
    const others = { ...foreign.own, ...foreign.appIds }
    for (const name of idNamesOf(id)) {
      const texts: string[] = []
      for (const value of [others[name], `${others[name].split('_')[0]}_${'0'.repeat(26)}`]) {
        await api.nextMinute()
        await api.database.knex('sessions').update({ confirmedAt: isoTime(api.world.nowMs()) })
        const path = pathWith({ [name]: value })
        const answer = await api.send(method, path, { key: null, headers: owner.headers, body })
        texts.push(`${answer.status} ${answer.text}`)
      }
      expect(texts).toEqual([expect.stringContaining('404 '), texts[0]])
    }
  })
})
