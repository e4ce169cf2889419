// A cloud with a Space, gates and users for the browser tests of the dashboard, with the real clock and a simulated gateway.

import { createPasswordHashes } from '@callgate/cloud/user/passwordHashes'
import { newUser, type SignedInBrowser } from '@callgate/cloud/user/user.kit'
import type { RoleName } from '@callgate/contract/app/appOperation'
import type { Gate } from '@callgate/contract/rest/gate'
import { realWorld } from '@callgate/world/real'
import type { BrowserContext, Page } from 'playwright-core'
import { ended, type NumberKind, numberOf } from '../api/scriptedGateway.ts'
import { type ServedCloud, serveCloud, type Tenant } from '../api/servedCloud.ts'
import type { Opening, TestBrowser } from './browser.ts'
import { newestCall } from './newestCall.ts'

export const password = 'four words and a gate'

/** A user of the Space; by default an owner who reads English. */
export interface GivenUser {
  readonly name: string
  readonly role?: RoleName
  readonly language?: 'en' | 'ro'
  /** Signed in a while ago, so that protected actions ask for a confirmation. */
  readonly isUnconfirmed?: boolean
}

export interface DashboardHouse extends ServedCloud {
  readonly space: Tenant
  /** One call of the REST API that must succeed. */
  call<T>(method: string, path: string, body?: unknown): Promise<T>
  /**
   * A new gate; the last digit of its number decides how its calls end. Its page shows that it opens for the cool-down, a second
   * by default.
   */
  addGate(name: string, kind?: NumberKind, coolDownMs?: number): Promise<Gate>
  addUser(name: string, given?: { role?: RoleName; language?: 'en' | 'ro' }): Promise<SignedInBrowser>
  /** The browser is signed in as this user. */
  signIn(context: BrowserContext, user: SignedInBrowser): Promise<void>
  /** A page at `path` in a new browser of `browser`, in which a new user is signed in. */
  open(browser: TestBrowser, user: GivenUser, path: string, options: Opening): Promise<Page>
  /** The gateway sends a beat now. */
  beat(): Promise<void>
  /** Waits until a gate is called, and then reports the signals of the line. */
  report(step: 'ringing' | 'opened'): Promise<void>
}

const zoned = { name: 'Casa Lalelelor' }

/** `host` is the name of this machine for the browser: passkeys need a name instead of an address. */
export async function dashboardHouse(given: { readonly host?: string } = {}): Promise<DashboardHouse> {
  const world = realWorld({ logLevel: 'silent' })
  const cloud = await serveCloud(world, given)
  const { knex } = cloud.database
  const space = await cloud.addSpace('business')
  const passwordHash = await createPasswordHashes(world).make(password)
  await knex('spaces').where({ id: space.spaceId }).update(zoned)
  await knex('gateways').where({ id: space.gatewayId }).update({ name: 'Attic' })
  let gates = 0
  let users = 0

  const call: DashboardHouse['call'] = async (method, path, body) => {
    // A key of its own for each call: rate limits are not tested here.
    const { key } = await space.addKey()
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const answer = await fetch(`${cloud.base}/api/v1${path}`, { method, headers, ...sent })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return answer.status === 204 ? undefined : JSON.parse(await answer.text())
  }

  const addUser: DashboardHouse['addUser'] = async (name, { language = 'en', role = 'owner' } = {}) => {
    // A user of its own for each: rate limits are not tested here.
    users += 1
    const email = `user${users}@example.com`
    const given = { email, name, role, spaceId: space.spaceId }
    const user = await newUser({ database: cloud.database, world }, given)
    await knex('users').where({ id: user.userId }).update({ passwordHash, language })
    return user
  }

  const signIn: DashboardHouse['signIn'] = (context, { token }) =>
    context.addCookies([{ name: 'sid', value: token, url: cloud.base, httpOnly: true, sameSite: 'Strict' }])

  return {
    ...cloud,
    space,
    call,
    async addGate(name, kind = 'neverReports', coolDownMs = 1_000) {
      gates += 1
      const body = { name, location: 'Strada Lalelelor 14', phoneNumber: numberOf(kind, gates) }
      const { gate } = await call<{ gate: Gate }>('POST', '/gates', body)
      await call('PATCH', `/gates/${gate.id}/profile`, { mode: 'reject', coolDownMs })
      return gate
    },
    addUser,
    signIn,
    async open(browser, { isUnconfirmed = false, name, ...given }, path, options) {
      const { context, page } = await browser.open(cloud.base, options)
      const user = await addUser(name, given)
      const { sessionId: id } = user
      if (isUnconfirmed) await knex('sessions').where({ id }).update({ confirmedAt: null })
      await signIn(context, user)
      await page.goto(path)
      return page
    },
    beat: () => cloud.gateway.beat(space.gatewayId),
    async report(step) {
      const report = step === 'ringing' ? ({ phase: 'ringing', sinceClaimMs: 10 } as const) : ended(true)
      await cloud.gateway.report(await newestCall(cloud.database), report)
    },
  }
}
