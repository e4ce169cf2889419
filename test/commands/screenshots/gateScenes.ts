// The scenes of the gates: the cards in each of their states, a page of one of them, one gate alone, and sixty.

import { addCall, rejectedReport } from '@callgate/cloud/calibration/calibration.kit'
import { putPhoto } from '@callgate/cloud/gate/gatePhotos.kit'
import { newUser } from '@callgate/cloud/user/user.kit'
import type { Verdict } from '@callgate/contract/call/verdict'
import { numberOf } from '../../api/scriptedGateway.ts'
import type { Tenant, TenantPlan } from '../../api/servedCloud.ts'
import { callOf, nowText, type Records } from '../../browser/records.ts'
import type { Scene } from './scenes.ts'

const minute = 60_000
const day = 1_440 * minute
const nowMs = Date.parse(nowText)

const opened = { status: 'completed', reason: 'rejected_after_ring', opened: 'likely' } as const
const ends = {
  opened: { ...opened, confidence: 'likely' },
  probably: { ...opened, confidence: 'assumed' },
  missed: { status: 'failed', reason: 'no_reaction', opened: 'no', confidence: 'likely' },
  busy: { status: 'failed', reason: 'busy', opened: 'no', confidence: 'certain' },
  unknown: { status: 'timeout', reason: 'modem_lost_after_ring', opened: 'unknown', confidence: 'unknown' },
} as const satisfies Record<string, Partial<Verdict>>

interface Past {
  readonly name: string
  readonly location?: string
  /** Its calibration is measured. */
  readonly isMeasured?: true
  /** Who pressed last. */
  readonly actor?: string
  /** The ends of its calls, oldest first, each so many times. */
  readonly calls?: readonly (readonly [end: keyof typeof ends, times: number])[]
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
    const { actor = 'Ana Pop', calls = [], lastAgoMs = 4 * minute, location = '', name } = past
    this.#numbers += 1
    const body = { name, location, phoneNumber: numberOf('opens', 100 + this.#numbers) }
    // A key of its own, since each may write only so often.
    const { key } = await tenant.addKey()
    const { gate } = await callOf<{ gate: { id: string } }>({ cloud, tenant }, 'POST', '/gates', body, key)
    const { spaceId, gatewayId } = tenant
    if (past.isMeasured) await this.#measure(gate.id)
    const each = calls.flatMap(([end, times]) => Array.from({ length: times }, () => end))
    for (const [index, end] of each.entries()) {
      const endedMs = nowMs - lastAgoMs - (each.length - 1 - index) * 0.4 * day
      const report = rejectedReport(2_400 + (index % 5) * 190, { verdict: ends[end] })
      await addCall(this.#parts, { spaceId, gateId: gate.id, gatewayId }, report, endedMs)
    }
    const presser = actor.startsWith('api:') ? await tenant.addKey({ name: actor }) : undefined
    await cloud.database
      .knex('openings')
      .where({ gateId: gate.id })
      .update({ actorType: presser ? 'api' : 'guest', actorName: actor, apiKeyId: presser?.apiKeyId ?? null })
    return gate.id
  }

  async #measure(id: string): Promise<void> {
    const { knex } = this.#records.cloud.database
    const { callProfile } = await knex('gates').where({ id }).first('callProfile')
    const profile = { ...JSON.parse(callProfile), ...measured }
    await knex('gates')
      .where({ id })
      .update({ callProfile: JSON.stringify(profile) })
  }

  /** The owner of the pictures is an owner of this Space, too. */
  own({ spaceId }: Tenant) {
    return newUser(this.#parts, { email: 'mihai@example.com', spaceId, name: 'Mihai Radu' })
  }
}

const measured = { mode: 'reject', reactMinMs: 1_400, reactMaxMs: 7_300, learned: true }

const pasts = {
  courtyard: {
    name: 'Courtyard gate',
    location: 'Strada Lalelelor 14',
    isMeasured: true,
    calls: [
      ['opened', 11],
      ['busy', 1],
      ['opened', 10],
      ['unknown', 1],
      ['opened', 1],
    ],
  },
  yard: {
    name: 'Yard barrier',
    location: 'Strada Lalelelor 14, rear',
    isMeasured: true,
    calls: [['opened', 23]],
  },
  parking: { name: 'Underground parking', location: 'Level −1', isMeasured: true, calls: [['opened', 22]] },
  delivery: {
    name: 'Delivery gate',
    location: 'Strada Crinilor 2',
    isMeasured: true,
    actor: 'Ion Marin',
    calls: [
      ['opened', 20],
      ['missed', 3],
    ],
    lastAgoMs: 142 * minute,
  },
  north: {
    name: 'North entrance',
    location: 'Strada Crinilor 8',
    actor: 'api:Reception desk',
    calls: [['probably', 4]],
    lastAgoMs: day,
  },
  garden: {
    name: 'Garden gate',
    location: 'Strada Lalelelor 16',
    isMeasured: true,
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
    ...(place % 7 === 0 ? {} : { isMeasured: true as const }),
    calls: [
      ...(place % 9 === 4 ? [] : [['opened', 3 + (place % 4)] as const]),
      ...(place % 28 === 9 ? [['missed', 3] as const] : []),
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
