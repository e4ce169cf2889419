// Fills the database of a simulation: straight into the tables, because the simulation has no REST API.

import type { Database } from '@callgate/cloud/database/database'
import { type CallProfileInput, callProfile } from '@callgate/contract/call/callProfile'
import type { FarEndName } from '@callgate/simulator/presets'
import type { SimulatedGate } from '@callgate/simulator/simulatedGates'
import type { FakeWorld } from '@callgate/world/fake'
import { newId } from '@callgate/world/ids'
import { isoTime } from '@callgate/world/world'

export interface HouseGate {
  readonly farEnd: FarEndName
  readonly profile: CallProfileInput
  /** When its network stops ringing, and with what tokens. Absent: as the preset of the far end says. */
  readonly network?: Pick<SimulatedGate, 'ringLimitMs' | 'givesUpWith'>
  /** How its module handles messages. Absent: it ignores them. */
  readonly listens?: SimulatedGate['listens']
  /** How it confirms that it has opened. Absent: not at all. */
  readonly confirmation?: SimulatedGate['confirmation']
}

/** A member with an access to one gate; `gate` is its place in the list. */
export interface HouseGuest {
  readonly gate: number
  readonly maxUsage: number | null
}

export interface HouseIds {
  readonly spaceId: string
  readonly apiKeyId: string
  readonly gatewayIds: readonly string[]
  readonly gateIds: readonly string[]
  /** A user of the dashboard, an admin of the Space, in a session. */
  readonly userId: string
  readonly sessionId: string
  readonly guests: readonly { readonly memberId: string; readonly accessId: string; readonly gate: number }[]
  /** The other Space, whose gate has the number of the first gate. */
  readonly other: OtherSpace | undefined
}

interface OtherSpace {
  readonly spaceId: string
  readonly apiKeyId: string
  readonly gatewayId: string
  readonly gateId: string
}

/** The password of every module that takes messages. */
export const modulePassword = '1234'
/** The text of a module that confirms its openings. */
export const confirmationText = 'Opened by your call'
/** The number of a gateway's SIM card. */
export const callerNumberOf = (gateway: number) => `+4071111111${gateway + 1}`
export const phoneNumberOf = (gate: number) => `+4072200000${gate + 1}`

/** The user's ids are the same in each seed, because drawn ids would change everything that is drawn after them. */
const userId = `user_${'0'.repeat(26)}`
const sessionId = `session_${'0'.repeat(26)}`

async function addUser({ knex }: Database, world: FakeWorld, spaceId: string): Promise<void> {
  const createdAt = isoTime(world.nowMs())
  // As long as in the cloud: a wall clock that is set forward in a seed can end the session.
  const expiresAt = isoTime(world.nowMs() + 7 * 24 * 3_600_000)
  const person = { email: 'olga@example.com', name: 'Olga', language: 'en', createdAt }
  await knex('users').insert({ id: userId, ...person })
  await knex('userRoles').insert({ userId, spaceId, role: 'admin', createdAt })
  const session = { tokenHash: 'none', browser: 'Firefox', createdAt, lastSeenAt: createdAt, expiresAt }
  await knex('sessions').insert({ id: sessionId, userId, ...session })
}

const zone = { country: 'RO', timezone: 'Europe/Bucharest', language: 'en' }

async function addSpace({ knex }: Database, world: FakeWorld, name: string) {
  const createdAt = isoTime(world.nowMs())
  const spaceId = newId(world, 'space')
  const apiKeyId = newId(world, 'key')
  await knex('spaces').insert({ id: spaceId, name, plan: 'pro', ...zone, createdAt })
  const scopes = JSON.stringify(['gates:open'])
  const key = { spaceId, name: 'door', keyHash: `of ${name}`, shownPrefix: 'svc_live_', scopes, createdAt }
  await knex('apiKeys').insert({ ...key, id: apiKeyId })
  return { apiKeyId, spaceId }
}

const gatewayOf = (place: number, publicKey: string) => ({
  name: `Pi ${place + 1}`,
  publicKey,
  passwordHash: 'none',
  callerNumber: callerNumberOf(place),
})

const gateOf = (place: number, { farEnd, profile }: HouseGate) => ({
  name: farEnd,
  phoneNumber: phoneNumberOf(place),
  location: '',
  isActive: true,
  callProfile: JSON.stringify(callProfile(profile)),
})

/** Another Space with a gateway of its own, and a gate that has the number of the first gate. */
async function addOther(
  world: FakeWorld,
  database: Database,
  { gates, publicKeys }: { readonly gates: readonly HouseGate[]; readonly publicKeys: readonly string[] },
  publicKey: string,
): Promise<OtherSpace> {
  const { knex } = database
  const createdAt = isoTime(world.nowMs())
  const { apiKeyId, spaceId } = await addSpace(database, world, 'Other')
  const gatewayId = newId(world, 'gw')
  const gateway = gatewayOf(publicKeys.length, publicKey)
  await knex('gateways').insert({ id: gatewayId, spaceId, ...gateway, createdAt })
  const gateId = newId(world, 'gate')
  for (const gate of gates.slice(0, 1))
    await knex('gates').insert({ id: gateId, spaceId, ...gateOf(0, gate), createdAt })
  return { spaceId, apiKeyId, gatewayId, gateId }
}

/** Makes one Space with an API key, a user, gateways, gates and guests, and the other Space where the plan has one. */
export async function furnish(
  world: FakeWorld,
  database: Database,
  what: {
    readonly gates: readonly HouseGate[]
    readonly guests: readonly HouseGuest[]
    readonly publicKeys: readonly string[]
    /** The public key of the other Space's gateway; absent: there is no other Space. */
    readonly otherKey?: string | undefined
  },
): Promise<HouseIds> {
  const { knex } = database
  const createdAt = isoTime(world.nowMs())
  const { apiKeyId, spaceId } = await addSpace(database, world, 'House')
  await addUser(database, world, spaceId)
  const gatewayIds = what.publicKeys.map(() => newId(world, 'gw'))
  for (const [place, publicKey] of what.publicKeys.entries())
    await knex('gateways').insert({
      id: gatewayIds[place],
      spaceId,
      ...gatewayOf(place, publicKey),
      createdAt,
    })
  const gateIds = what.gates.map(() => newId(world, 'gate'))
  for (const [place, gate] of what.gates.entries())
    await knex('gates').insert({ id: gateIds[place], spaceId, ...gateOf(place, gate), createdAt })
  const schedules = JSON.stringify([{ type: 'always', timezone: zone.timezone }])
  const guests = what.guests.map(({ gate }) => ({
    gate,
    memberId: newId(world, 'member'),
    accessId: newId(world, 'access'),
  }))
  for (const [place, { accessId, gate, memberId }] of guests.entries()) {
    await knex('members').insert({ id: memberId, spaceId, name: `Guest ${place + 1}`, createdAt })
    const cap = { schedules, maxUsage: what.guests[place]?.maxUsage ?? null }
    const to = { memberId, gateId: gateIds[gate], spaceId }
    await knex('accesses').insert({ id: accessId, ...to, ...cap, createdAt })
  }
  const other = what.otherKey === undefined ? undefined : await addOther(world, database, what, what.otherKey)
  return { spaceId, apiKeyId, userId, sessionId, gatewayIds, gateIds, guests, other }
}
