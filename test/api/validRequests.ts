// One valid request for each operation, and the data that a Space needs for it. A new operation without one does not compile.

import { crc32 } from 'node:zlib'
import { pendingEnrolment } from '@callgate/cloud/enrolment/enrolment.kit'
import { keepOwn } from '@callgate/cloud/space/plans'
import type { OperationShape } from '@callgate/contract/rest/operation'
import type { OperationId } from '@callgate/contract/rest/operations'
import { type ProblemCode, problemCodes } from '@callgate/contract/rest/problem'
import type { Answer, Api } from './apiServer.ts'
import { shapeOf } from './operationShapes.ts'
import { numberOf, numbers } from './scriptedGateway.ts'
import type { Tenant } from './servedCloud.ts'
import { newInvitation, newPasskey, newPerson, newPushDevice } from './userRequests.ts'

/** The ids that a path can contain. */
export type ParamName =
  | 'gateId'
  | 'memberId'
  | 'accessId'
  | 'openingId'
  | 'gatewayId'
  | 'webhookId'
  | 'deliveryId'
export type Ids = Readonly<Record<ParamName, string>>
/** The ids that only paths of the dashboard contain. */
export type AppIds = Readonly<
  Record<
    'enrolmentId' | 'apiKeyId' | 'userId' | 'sessionId' | 'invitationId' | 'passkeyId' | 'deviceId',
    string
  >
>

/** A Space with one of everything. */
export interface Furnished {
  readonly space: Tenant
  readonly own: Ids
  /** Data that only the dashboard requests by id. */
  readonly appIds: AppIds
  /** A deactivated gate and member, an access that was revoked, and a removed webhook; nothing deletes the others. */
  readonly deleted: Readonly<Omit<Ids, 'openingId' | 'gatewayId' | 'deliveryId'>>
}

/** Sends a request of the Space, and returns the answer. Throws at a problem, which is a defect of the test. */
async function make(api: Api, { key }: Tenant, path: string, body: object): Promise<Answer['json']> {
  const answer = await api.send('POST', `/api/v1${path}`, { key, body })
  if (answer.status >= 400) throw new Error(`POST ${path} answered ${answer.text}`)
  return answer.json
}

/** One address for each Space, because the number of mails to one address is limited over all Spaces. */
const emailOf = ({ spaceId }: Tenant) => `${spaceId}@example.com`
/** A number for each Space, because a call of one Space prevents the others from calling the same number. */
const phoneOf = ({ spaceId }: Tenant) => numberOf('opens', crc32(spaceId) % 90_000)
export const newGate = (api: Api, space: Tenant) =>
  make(api, space, '/gates', { name: 'Gate', phoneNumber: phoneOf(space) }).then(({ gate }) => gate.id)
export const newMember = (api: Api, space: Tenant) =>
  make(api, space, '/members', { name: 'Ana', email: emailOf(space) }).then(({ member }) => member.id)
const newAccess = async (api: Api, space: Tenant, memberId: string) => {
  const made = await make(api, space, `/members/${memberId}/accesses`, { gateId: await newGate(api, space) })
  return made.access.id
}

export const newWebhook = (api: Api, space: Tenant) =>
  make(api, space, '/webhooks', { url: 'https://desk.example.com/hook' }).then(({ webhook }) => webhook.id)
const newDelivery = (api: Api, space: Tenant, webhookId: string) =>
  make(api, space, `/webhooks/${webhookId}/test`, {}).then(({ delivery }) => delivery.id)

/** Makes one of everything in an empty Space, by a key with every scope. */
export async function furnish(api: Api, space: Tenant): Promise<Furnished> {
  const { key, spaceId } = space
  // The requests of a test add more webhooks than a plan allows.
  await api.database.write(tx => keepOwn(tx, spaceId, { webhookLimit: 10_000 }), { spaceId })
  const gateId = await newGate(api, space)
  const memberId = await newMember(api, space)
  const accessId = await newAccess(api, space, memberId)
  const { openingId } = await make(api, space, `/gates/${gateId}/open`, {})
  const deleted = {
    gateId: await newGate(api, space),
    memberId: await newMember(api, space),
    accessId: await newAccess(api, space, memberId),
    webhookId: await newWebhook(api, space),
  }
  await api.send('DELETE', `/api/v1/gates/${deleted.gateId}`, { key })
  await api.send('DELETE', `/api/v1/members/${deleted.memberId}`, { key })
  await api.send('DELETE', `/api/v1/members/${memberId}/accesses/${deleted.accessId}`, { key })
  await api.send('DELETE', `/api/v1/webhooks/${deleted.webhookId}`, { key })
  const webhookId = await newWebhook(api, space)
  const deliveryId = await newDelivery(api, space, webhookId)
  const { apiKeyId } = await space.addKey({ scopes: [] })
  const { sessionId, userId } = await newPerson(api, space.spaceId)
  const { invitationId } = await newInvitation(api, space.spaceId)
  const passkeyId = await newPasskey(api, userId)
  const { enrolmentId } = await pendingEnrolment(api, space.spaceId)
  const appIds = {
    enrolmentId,
    apiKeyId,
    userId,
    sessionId,
    invitationId,
    passkeyId,
    deviceId: await newPushDevice(api, userId),
  }
  return {
    space,
    own: { gateId, memberId, accessId, openingId, gatewayId: space.gatewayId, webhookId, deliveryId },
    appIds,
    deleted,
  }
}

/** The fields of a query, as texts. */
export type SentFields = Readonly<Record<string, string>>

/** The requirements of a request, besides the ids of the Space. */
interface RequestOptions {
  readonly ids?: Partial<Ids>
  readonly query?: SentFields
  readonly body?: object
  /** Another valid body for the same ids. */
  readonly otherBody?: object
}

interface Row {
  /** Makes the data that the request consumes, and returns its body. */
  readonly prepare?: (api: Api, furnished: Furnished) => Promise<RequestOptions> | RequestOptions
  /** The answer for the id of something deleted: a status of success, or a code. Absent: `not_found`. */
  readonly onDeleted?: Partial<Record<ParamName, 200 | 204 | ProblemCode>>
  /** The answer of a live Space, where only a sandbox has the operation. */
  readonly onLive?: ProblemCode
  /** Takes back what the request has done to something deleted. */
  readonly afterwards?: (api: Api, furnished: Furnished) => Promise<unknown>
}

const bodies = (body: object, otherBody: object) => () => ({ body, otherBody })
const gate = { name: 'New', phoneNumber: numbers.opens }

export const requests: Readonly<Record<OperationId, Row>> = {
  listGates: {},
  createGate: { prepare: bodies(gate, { ...gate, name: 'Other' }) },
  getGate: { onDeleted: { gateId: 200 } },
  updateGate: { prepare: bodies({ name: 'A' }, { name: 'B' }), onDeleted: { gateId: 200 } },
  deactivateGate: {
    prepare: async (api, { space }) => ({ ids: { gateId: await newGate(api, space) } }),
    onDeleted: { gateId: 204 },
  },
  getGateProfile: { onDeleted: { gateId: 200 } },
  updateGateProfile: {
    prepare: bodies({ coolDownMs: 5_001 }, { coolDownMs: 5_002 }),
    onDeleted: { gateId: 200 },
  },
  getSandboxClock: { onLive: 'not_found' },
  setSandboxClock: {
    prepare: bodies({ at: null }, { at: '2026-03-29T00:59:50Z' }),
    onLive: 'not_found',
  },
  listSandboxMails: { onLive: 'not_found' },
  resetSandbox: { onLive: 'not_found' },
  getGateReadiness: { onDeleted: { gateId: 200 } },
  openGate: { onDeleted: { gateId: 'open_failed' } },
  listGateways: {},
  getGateway: {},
  listMembers: {},
  createMember: { prepare: bodies({ name: 'Ion' }, { name: 'Dan' }) },
  bulkMembers: {
    prepare: bodies(
      { items: [{ externalId: 'bulk-1', name: 'Ana' }] },
      { items: [{ externalId: 'bulk-2', name: 'Ana' }] },
    ),
  },
  getMember: { onDeleted: { memberId: 200 } },
  updateMember: { prepare: bodies({ note: 'a' }, { note: 'b' }), onDeleted: { memberId: 200 } },
  deactivateMember: {
    prepare: async (api, { space }) => ({ ids: { memberId: await newMember(api, space) } }),
    onDeleted: { memberId: 204 },
  },
  addAccess: {
    prepare: async (api, { space }) => ({
      body: { gateId: await newGate(api, space) },
      otherBody: { gateId: await newGate(api, space) },
    }),
    onDeleted: { memberId: 'conflict' },
  },
  updateAccess: { prepare: bodies({ maxUsage: 3 }, { maxUsage: 4 }) },
  revokeAccess: {
    prepare: async (api, { own, space }) => ({
      ids: { accessId: await newAccess(api, space, own.memberId) },
    }),
  },
  reactivateMember: {
    onDeleted: { memberId: 200 },
    afterwards: (api, { deleted, space }) =>
      api.send('DELETE', `/api/v1/members/${deleted.memberId}`, { key: space.key }),
  },
  resetMemberLink: { onDeleted: { memberId: 'conflict' } },
  sendInvitation: { onDeleted: { memberId: 'conflict' } },
  decideMember: {
    prepare: (_, { own }) => ({ query: { gateId: own.gateId } }),
    onDeleted: { memberId: 200 },
  },
  previewSchedules: {
    prepare: bodies({ schedules: [{ type: 'weekdays' }] }, { schedules: [{ type: 'always' }] }),
  },
  listOpenings: { prepare: () => ({ query: { limit: '10' } }) },
  getOpening: {},
  getProof: {},
  followOpening: {},
  listActivity: {},
  listWebhooks: {},
  createWebhook: {
    prepare: bodies({ url: 'https://a.example.com/' }, { url: 'https://b.example.com/' }),
  },
  getWebhook: {},
  updateWebhook: { prepare: bodies({ description: 'A' }, { description: 'B' }) },
  deleteWebhook: {
    prepare: async (api, { space }) => ({ ids: { webhookId: await newWebhook(api, space) } }),
  },
  testWebhook: {},
  rotateWebhookSecret: { prepare: bodies({ overlapHours: 1 }, { overlapHours: 2 }) },
  listDeliveries: {},
  resendDelivery: {},
  resendEvents: { prepare: bodies({ after: 0 }, { after: 1 }) },
  listEvents: {},
  followEvents: {},
  getSelf: {},
}

/** A request that succeeds once; prepare another one to send it again. */
export interface ValidRequest extends RequestOptions {
  readonly method: OperationShape['method']
  readonly ids: Ids
  /** The path with these ids in place of the default ones, and the query with these additional fields. */
  pathWith(ids?: Partial<Ids>, fields?: SentFields): string
}

/** Fills the ids into an operation's path, encoded. */
export function pathOf(id: OperationId, ids: Ids): string {
  return shapeOf(id).path.replace(/:(\w+)/g, (_, name: ParamName) => encodeURIComponent(ids[name]))
}

/** The path with the query. */
export function withQuery(path: string, query: SentFields): string {
  const asked = new URLSearchParams(query).toString()
  return asked === '' ? path : `${path}?${asked}`
}

/** The ids that an operation's path names. */
export function paramsOf(id: OperationId): ParamName[] {
  return [...shapeOf(id).path.matchAll(/:(\w+)/g)].map(([, name]) => name as ParamName)
}

export async function validRequest(api: Api, id: OperationId, furnished: Furnished): Promise<ValidRequest> {
  const given = (await requests[id].prepare?.(api, furnished)) ?? {}
  const ids = { ...furnished.own, ...given.ids }
  const { method } = shapeOf(id)
  const pathWith: ValidRequest['pathWith'] = (others = {}, fields = {}) =>
    withQuery(pathOf(id, { ...ids, ...others }), { ...given.query, ...fields })
  return { ...given, ids, method, pathWith }
}

/** `200`, or `404 not_found`. */
export function statusAndCode({ json, status }: Answer): string {
  return status < 400 ? String(status) : `${status} ${json.error.code}`
}

/** A problem's status and code, in the words of `statusAndCode`. */
export function statusAndCodeOf(code: ProblemCode): string {
  return `${problemCodes[code].status} ${code}`
}
