// How a test of the table is written: the rows that it shows, and what it does in a Space of its own.

import type { Access, AccessGrant } from '@callgate/contract/rest/access'
import type { Gate, GateCreate } from '@callgate/contract/rest/gate'
import type { Member, MemberCreate } from '@callgate/contract/rest/member'
import type { Answer, Api } from '../apiServer.ts'
import { type Guest, guestOf } from '../guest.ts'
import { type NumberKind, numberOf } from '../scriptedGateway.ts'
import type { Tenant } from '../servedCloud.ts'
import { type RowId, rowIds } from './table.ts'

type Headers = Readonly<Record<string, string>>

/** What one test gets: a Space of its own, and ways to send requests in it. Paths continue /api/v1. */
export interface Stage {
  readonly api: Api
  readonly space: Tenant
  get(path: string, headers?: Headers): Promise<Answer>
  post(path: string, body?: unknown, headers?: Headers): Promise<Answer>
  patch(path: string, body: unknown, headers?: Headers): Promise<Answer>
  del(path: string, headers?: Headers): Promise<Answer>
  /** The same stage with another key, or none. */
  as(key: string | null): Stage
  /** This and the next two let a millisecond pass, so that what is made has an order. */
  addGate(more?: Partial<GateCreate> & { kind?: NumberKind }): Promise<Gate>
  addMember(more?: Partial<MemberCreate>): Promise<Member>
  addAccess(memberId: string, grant: AccessGrant): Promise<Access>
  open(gateId: string, headers?: Headers): Promise<Answer>
  /** The member's own browser. */
  guest(accessUrl: string): Guest
  /** The actions of the activity log, newest first. */
  actions(): Promise<readonly string[]>
  /** The kinds of the mails that wait to be sent in this Space, in order. */
  mails(): Promise<readonly string[]>
}

/** The JSON of an answer. Throws at a problem. */
async function jsonOf(answer: Promise<Answer>): Promise<Answer['json']> {
  const { json, status, text } = await answer
  if (status >= 400) throw new Error(`the test could not be prepared: ${text}`)
  return json
}

async function make(api: Api, answer: Promise<Answer>): Promise<Answer['json']> {
  const json = await jsonOf(answer)
  await api.world.advance(1)
  return json
}

/** Each gate of a Space gets a number of its own, so that no press joins the call of another gate. */
export function stageOf(api: Api, space: Tenant, key: string | null = space.key, made = { gates: 0 }): Stage {
  const send = (method: string, path: string, body: unknown, headers: Headers = {}) =>
    api.send(method, `/api/v1${path}`, { key, headers, ...(body !== undefined && { body }) })
  const stage: Stage = {
    api,
    space,
    get: (path, headers) => send('GET', path, undefined, headers),
    post: (path, body, headers) => send('POST', path, body, headers),
    patch: (path, body, headers) => send('PATCH', path, body, headers),
    del: (path, headers) => send('DELETE', path, undefined, headers),
    as: other => stageOf(api, space, other, made),
    async addGate({ kind = 'opens', ...more } = {}) {
      const phoneNumber = numberOf(kind, made.gates++)
      const { gate } = await make(
        api,
        stage.post('/gates', { name: `Gate ${made.gates}`, phoneNumber, ...more }),
      )
      return gate
    },
    async addMember(more = {}) {
      const { member } = await make(api, stage.post('/members', { name: 'Ana', ...more }))
      return member
    },
    async addAccess(memberId, grant) {
      const { access } = await make(api, stage.post(`/members/${memberId}/accesses`, grant))
      return access
    },
    open: (gateId, headers) => stage.post(`/gates/${gateId}/open`, undefined, headers),
    guest: accessUrl => guestOf(api, accessUrl),
    async actions() {
      const { activity } = await jsonOf(stage.get('/activity'))
      return activity.map(({ action }) => action)
    },
    mails: () => api.database.knex('outbox').where({ spaceId: space.spaceId }).orderBy('id').pluck('kind'),
  }
  return stage
}

/** A test of the table. */
export interface Conformance {
  readonly shows: readonly RowId[]
  run(stage: Stage): Promise<void>
}

/** Collects tests. They are run, and the rows that they show are compared with the table. */
export interface Conforms {
  (shows: RowId | readonly RowId[], run: Conformance['run']): void
  readonly tests: readonly Conformance[]
}

/** One for each file of tests. */
export function conformance(): Conforms {
  const tests: Conformance[] = []
  const conforms = (shows: RowId | readonly RowId[], run: Conformance['run']) => {
    tests.push({ shows: typeof shows === 'string' ? [shows] : shows, run })
  }
  return Object.assign(conforms, { tests })
}

/** The rows whose names begin with `start`, such as the fields of one resource. */
export const rowsOf = (start: string): RowId[] => rowIds.filter(id => id.startsWith(start))
