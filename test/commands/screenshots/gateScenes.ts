// The scenes of the gates: the cards in each of their states, a page of one of them, one gate alone, and sixty.

import { addCall } from '@callgate/cloud/calibration/calibration.kit'
import { putPhoto } from '@callgate/cloud/gate/gatePhotos.kit'
import { newUser } from '@callgate/cloud/user/user.kit'
import { callProfile } from '@callgate/contract/call/callProfile'
import { type CallEnd, calls, measured, rejectedAfter, reportOf } from '../../api/scriptedCalls.ts'
import { numberOf } from '../../api/scriptedGateway.ts'
import type { Tenant, TenantPlan } from '../../api/servedCloud.ts'
import { callOf, nowText, type Records } from '../../browser/records.ts'
import type { Scene } from './scenes.ts'

const minute = 60_000
const day = 1_440 * minute
const nowMs = Date.parse(nowText)

interface Past {
  readonly name: string
  readonly location?: string
  /** Nobody has said how its module takes a call. Else it was measured. */
  readonly isUncalibrated?: true
  /** Who pressed last. */
  readonly actor?: string
  /** The ends of its calls, oldest first, each so many times. */
  readonly calls?: readonly (readonly [end: CallEnd, times: number])[]
  /** How long ago the last one was. */
  readonly lastAgoMs?: number
}

class Spaces {
  readonly #records: Records
  #numbers = 0

  constructor(records: Records) {
    this.#records = records
  }

  get #parts() {
    const { cloud, world } = this.#records
    return { database: cloud.database, world }
  }

  /** A Space with a gateway that is online. */
  async space(name: string, plan: TenantPlan = 'pro'): Promise<Tenant> {
    const { cloud } = this.#records
    const { knex } = cloud.database
    const tenant = await cloud.addSpace(plan)
    await knex('spaces').where({ id: tenant.spaceId }).update({ name })
    await knex('gateways').where({ id: tenant.gatewayId }).update({ name: 'Attic' })
    return tenant
  }

  /** Adds a gate with its calls. Returns its id. */
  async gate(tenant: Tenant, past: Past): Promise<string> {
    const { cloud } = this.#records
    const { actor = 'Ana Pop', lastAgoMs = 4 * minute, location = '', name } = past
    this.#numbers += 1
    const body = { name, location, phoneNumber: numberOf('opens', 100 + this.#numbers) }
    // A key of its own, since each may write only so often.
    const { key } = await tenant.addKey()
    const { gate } = await callOf<{ gate: { id: string } }>({ cloud, tenant }, 'POST', '/gates', body, key)
    const { spaceId, gatewayId } = tenant
    const profile = past.isUncalibrated ? callProfile({ mode: 'unverified' }) : measured
    await cloud.database
      .knex('gates')
      .where({ id: gate.id })
      .update({ callProfile: JSON.stringify(profile) })
    const each = (past.calls ?? []).flatMap(([end, times]) => Array.from({ length: times }, () => end))
    for (const [index, end] of each.entries()) {
      const endedMs = nowMs - lastAgoMs - (each.length - 1 - index) * 0.4 * day
      const facts = end === 'opened' ? rejectedAfter(2_400 + (index % 5) * 190) : calls[end]
      const report = reportOf(facts, profile)
      await addCall(this.#parts, { spaceId, gateId: gate.id, gatewayId }, report, endedMs)
    }
    const presser = actor.startsWith('api:') ? await tenant.addKey({ name: actor }) : undefined
    await cloud.database
      .knex('openings')
      .where({ gateId: gate.id })
      .update({ actorType: presser ? 'api' : 'guest', actorName: actor, apiKeyId: presser?.apiKeyId ?? null })
    return gate.id
  }

  /** The owner of the pictures is an owner of this Space, too. */
  own({ spaceId }: Tenant) {
    return newUser(this.#parts, { email: 'mihai@example.com', spaceId, name: 'Mihai Radu' })
  }
}

const pasts = {
  courtyard: {
    name: 'Courtyard gate',
    location: 'Strada Lalelelor 14',
    calls: [
      ['opened', 11],
      ['busy', 1],
      ['opened', 10],
      ['lost', 1],
      ['opened', 1],
    ],
  },
  yard: {
    name: 'Yard barrier',
    location: 'Strada Lalelelor 14, rear',
    calls: [['opened', 23]],
  },
  parking: { name: 'Underground parking', location: 'Level −1', calls: [['opened', 22]] },
  delivery: {
    name: 'Delivery gate',
    location: 'Strada Crinilor 2',
    actor: 'Ion Marin',
    calls: [
      ['opened', 20],
      ['noReaction', 3],
    ],
    lastAgoMs: 142 * minute,
  },
  north: {
    name: 'North entrance',
    location: 'Strada Crinilor 8',
    actor: 'api:Reception desk',
    isUncalibrated: true,
    calls: [['opened', 4]],
    lastAgoMs: day,
  },
  garden: {
    name: 'Garden gate',
    location: 'Strada Lalelelor 16',
    calls: [
      ['opened', 17],
      ['busy', 1],
      ['opened', 6],
    ],
    lastAgoMs: 46 * day,
  },
} as const satisfies Readonly<Record<string, Past>>

/** What a Space of an installer may have: many gates, most of them without a place. */
const blocks = (count: number): readonly Past[] =>
  Array.from({ length: count }, (_, place) => ({
    name: `Block ${String.fromCharCode(65 + (place % 12))}, entrance ${1 + Math.floor(place / 12)}`,
    ...(place % 7 === 0 ? { isUncalibrated: true as const } : {}),
    calls: [
      ...(place % 9 === 4 ? [] : [['opened', 3 + (place % 4)] as const]),
      ...(place % 28 === 9 ? [['noReaction', 3] as const] : []),
    ],
    lastAgoMs: (3 + 37 * place) * minute,
  }))

export async function gateScenes(records: Records): Promise<readonly Scene[]> {
  const spaces = new Spaces(records)
  const { knex } = records.cloud.database
  const states = await spaces.space('Casa Lalelelor')
  const ids = new Map<string, string>()
  for (const [name, past] of Object.entries(pasts)) ids.set(name, await spaces.gate(states, past))
  const idOf = (name: keyof typeof pasts) => ids.get(name) ?? ''
  await putPhoto({ knex }, { spaceId: states.spaceId, gateId: idOf('courtyard') })
  await knex('gates')
    .where({ id: idOf('garden') })
    .update({ isActive: false })
  const one = await spaces.space('Casa Mică')
  await spaces.gate(one, pasts.courtyard)
  const many = await spaces.space('Cartierul Nou', 'business')
  for (const past of blocks(60)) await spaces.gate(many, past)
  for (const { gatewayId } of [states, one, many]) await records.cloud.gateway.beat(gatewayId)
  const scene = (name: string, tenant: Tenant, more: Partial<Scene> = {}): Scene => ({
    name,
    path: `/spaces/${tenant.spaceId}/gates`,
    put: () => spaces.own(tenant),
    ...more,
  })
  return [
    scene('states', states),
    scene('state-of-one', states, { path: `/spaces/${states.spaceId}/gates/${idOf('courtyard')}` }),
    scene('one', one),
    scene('many', many),
  ]
}
