// A cloud with gates and guests for the browser tests of the guest's page, with the real clock and a gateway that a test
// simulates.

import type { Member } from '@callgate/contract/rest/member'
import { realWorld } from '@callgate/world/real'
import type { LogFields, World } from '@callgate/world/world'
import { type CallEnd, calls, reportOf } from '../api/scriptedCalls.ts'
import { type NumberKind, numberOf } from '../api/scriptedGateway.ts'
import { type ServedCloud, serveCloud, type Tenant } from '../api/servedCloud.ts'
import { newestCall } from './newestCall.ts'

export interface NewAccess {
  readonly gateId: string
  readonly schedules?: readonly object[]
  readonly maxUsage?: number
}

export interface HouseGuest {
  readonly memberId: string
  /** The path of the magic link. */
  readonly link: string
  /** The guest's openings, oldest first. */
  openings(): Promise<readonly { readonly id: string; readonly reason: string | null }[]>
}

export interface GuestHouse extends ServedCloud {
  readonly space: Tenant
  /** The whole log, as text. */
  logged(): string
  /** One call of the REST API that must succeed. */
  call<T>(method: string, path: string, body?: unknown): Promise<T>
  /** A new gate; the last digit of its number decides how its calls end. */
  addGate(name: string, kind?: NumberKind, location?: string): Promise<string>
  /** A new member with these accesses. */
  addGuest(...accesses: readonly NewAccess[]): Promise<HouseGuest>
  /** Reports that the gate of the newest opening rings. */
  ring(): Promise<void>
  /** Reports the end of the newest opening. */
  end(how?: CallEnd): Promise<void>
}

/** A world with the real clock, whose log is kept. */
function loggedWorld(): { world: World; logged: () => string } {
  const lines: string[] = []
  const note = (message: string, fields?: LogFields) =>
    void lines.push(JSON.stringify({ message, ...fields }))
  const world = {
    ...realWorld({ logLevel: 'silent' }),
    log: { debug: note, info: note, warn: note, error: note },
  }
  return { world, logged: () => lines.join('\n') }
}

export async function guestHouse(spaceName = 'Casa Lalelelor'): Promise<GuestHouse> {
  const { logged, world } = loggedWorld()
  const cloud = await serveCloud(world)
  const space = await cloud.addSpace('business')
  const { knex } = cloud.database
  await knex('spaces').update({ name: spaceName, contactName: 'Mihai Radu', contactPhone: '+40 21 555 0100' })
  let gates = 0

  async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    // A key of its own for each call: rate limits are not tested here.
    const { key } = await space.addKey()
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const answer = await fetch(`${cloud.base}/api/v1${path}`, { method, headers, ...sent })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return (answer.status === 204 ? undefined : await answer.json()) as T
  }

  return {
    ...cloud,
    space,
    logged,
    call,
    async addGate(name, kind = 'neverReports', location = 'Strada Lalelelor 14') {
      gates += 1
      const body = { name, location, phoneNumber: numberOf(kind, gates) }
      const { gate } = await call<{ gate: { id: string } }>('POST', '/gates', body)
      return gate.id
    },
    async addGuest(...accesses) {
      const body = { name: 'Ana', accesses }
      const { member } = await call<{ member: Member }>('POST', '/members', body)
      const { id: memberId } = member
      return {
        memberId,
        link: new URL(member.accesses[0]?.accessUrl ?? '').pathname,
        openings: () =>
          knex('openings').where({ memberId }).orderBy(['calledAt', 'id']).select('id', 'reason'),
      }
    },
    ring: async () =>
      cloud.gateway.report(await newestCall(cloud.database), { phase: 'ringing', sinceClaimMs: 10 }),
    end: async (how = 'opened') =>
      cloud.gateway.report(await newestCall(cloud.database), reportOf(calls[how])),
  }
}
