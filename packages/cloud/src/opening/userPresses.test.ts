import { isoTime, moment } from '@callgate/world/world'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newUser, type SignedInBrowser, signInAgain } from '../user/user.kit.ts'
import { type ExchangeRig, exchangeRig, said } from './exchange.kit.ts'

let rig: ExchangeRig
let gateId: string
let user: SignedInBrowser

beforeEach(async () => {
  rig = await exchangeRig()
  gateId = await rig.addGate()
  // An admin, in a Space on the free plan: neither the role nor the plan keeps a user from opening.
  user = await newUser(rig, { email: 'olga@example.com', spaceId: rig.spaceId, role: 'admin' })
})
afterEach(() => rig.close())

async function press({ sessionId, userId } = user, at = gateId): Promise<string> {
  const actor = { actorType: 'owner', actorName: 'Olga', actorEmail: user.email, userId, sessionId } as const
  const { exchange, spaceId, world } = rig
  const pressed = await exchange.press({ spaceId, gateId: at, actor, since: moment(world) })
  if (!pressed) throw new Error('no such gate')
  return pressed.openingId
}

it('opens as an owner with the name and e-mail of the moment of the press, without schedule, cap or use', async () => {
  const openingId = await press()
  await rig.database.knex('users').update({ name: 'Other', email: 'other@example.com' })
  expect(await rig.claim(openingId)).toMatchObject({ granted: true })
  await rig.report(openingId, said.completed)
  expect(await rig.opening(openingId)).toMatchObject({
    status: 'completed',
    actorType: 'owner',
    actorName: 'Olga',
    actorEmail: 'olga@example.com',
    userId: user.userId,
    sessionId: user.sessionId,
    apiKeyId: null,
    memberId: null,
    usageHeld: 0,
  })
})

/** Ways in which a permission, or the session that pressed, ends. */
const ends: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['the role is taken away', () => rig.database.knex('userRoles').delete()],
  [
    'the session ends, while another one of the user goes on',
    async () => {
      await signInAgain(rig, user)
      await rig.database.knex('sessions').where({ id: user.sessionId }).delete()
    },
  ],
  [
    'the user is deactivated',
    () => rig.database.knex('users').update({ deactivatedAt: isoTime(rig.world.nowMs()) }),
  ],
  [
    'the session reaches its end',
    () => rig.database.knex('sessions').update({ expiresAt: isoTime(rig.world.nowMs()) }),
  ],
  [
    'the session was not used for 12 hours',
    () => rig.database.knex('sessions').update({ lastSeenAt: isoTime(rig.world.nowMs() - 12 * 60 * 60_000) }),
  ],
]

describe('P3: a permission of a user that ends before the grant', () => {
  it.each(ends)('is refused at the claim: %s', async (_, end) => {
    const openingId = await press()
    await end()
    expect(await rig.claim(openingId)).toEqual({ granted: false, reason: 'refused' })
    expect(await rig.opening(openingId)).toMatchObject({ status: 'failed', reason: 'permission_lost' })
  })

  it.each(ends)('is refused at the press: %s', async (_, end) => {
    await end()
    expect(await rig.opening(await press())).toMatchObject({ status: 'failed', reason: 'permission_lost' })
  })

  it('is refused in another Space, and with the session of another user', async () => {
    const other = await newUser(rig, { email: 'dan@example.com' })
    expect(await rig.opening(await press(other))).toMatchObject({ reason: 'permission_lost' })
    const mixed = await press({ ...user, sessionId: other.sessionId }, await rig.addGate())
    expect(await rig.opening(mixed)).toMatchObject({ reason: 'permission_lost' })
  })
})
