// One valid request for each operation that only the dashboard has. A new operation without one does not compile.

import { putCalibration } from '@callgate/cloud/calibration/calibration.kit'
import { pendingEnrolment } from '@callgate/cloud/enrolment/enrolment.kit'
import { examplePhoto, putPhoto } from '@callgate/cloud/gate/gatePhotos.kit'
import { newSubscription } from '@callgate/cloud/push/push.kit'
import { type SignedInBrowser, signInAgain } from '@callgate/cloud/user/user.kit'
import {
  type AppOperationId,
  mirroredOperations,
  type OwnOperationId,
} from '@callgate/contract/app/appOperations'
import type { OperationId } from '@callgate/contract/rest/operations'
import { signingKey } from '@callgate/contract/wire/signature'
import { newId } from '@callgate/world/ids'
import type { Api } from './apiServer.ts'
import { newAuthenticator } from './authenticator.ts'
import { gatewayThatCan, offered } from './gatewayThatCan.ts'
import { appShapeOf } from './operationShapes.ts'
import {
  addApp,
  addKey,
  answerOf,
  appCode,
  newInvitation,
  newPasskey,
  newPerson,
  newPushDevice,
  newResetLink,
  password,
  sendAs,
  ticketOf,
} from './userRequests.ts'
import {
  type AppIds,
  type Furnished,
  type Ids,
  newGate,
  newMember,
  type SentFields,
  validRequest,
  withQuery,
} from './validRequests.ts'

/** The requirements of a dashboard request, besides the ids of the Space. */
export interface AppGiven {
  readonly ids?: Partial<Ids & AppIds>
  readonly query?: SentFields
  readonly body?: object
  /** A browser other than the caller's, where the request ends its own session. */
  readonly browser?: SignedInBrowser
}

interface AppRow {
  /** Makes the data that the request consumes, and returns its body. */
  readonly prepare?: (
    api: Api,
    furnished: Furnished,
    browser: SignedInBrowser,
  ) => Promise<AppGiven> | AppGiven
}

/** A key that no other gateway has. */
const newPublicKey = (world: Api['world']) => signingKey(world.randomBytes(32)).publicKey

/** A gate of its own in calibration, with the given number of completed test calls. */
async function calibrated(api: Api, space: Furnished['space'], calls: number) {
  const gateId = await newGate(api, space)
  const place = { spaceId: space.spaceId, gateId, gatewayId: space.gatewayId }
  const ringsMs = [2_000, 3_000, 2_500].slice(0, calls)
  return { ids: { gateId }, openingIds: await putCalibration(api, place, ringsMs) }
}

export const appRequests: Readonly<Record<OwnOperationId, AppRow>> = {
  signIn: { prepare: (_, __, { email }) => ({ body: { email, password } }) },
  getSession: {},
  signOut: { prepare: async (api, _, browser) => ({ browser: await signInAgain(api, browser) }) },
  followSpace: {},
  getSecurity: {},
  startTotp: { prepare: async api => ({ browser: await newPerson(api) }) },
  enableTotp: {
    async prepare(api) {
      const browser = await newPerson(api)
      const { json } = await sendAs(api, browser, 'POST', '/app/v1/totp')
      return { browser, body: { code: appCode(String(json['secret']), api.world.nowMs()) } }
    },
  },
  disableTotp: {},
  renewRecoveryCodes: {
    async prepare(api) {
      const person = await newPerson(api)
      await addApp(api, person)
      return { browser: await signInAgain(api, person) }
    },
  },
  signInWithCode: {
    async prepare(api) {
      const person = await newPerson(api)
      const [code] = (await addApp(api, person)).recoveryCodes
      return { body: { ticket: await ticketOf(api, person.email), code } }
    },
  },
  startPasskey: {},
  addPasskey: {
    async prepare(api) {
      const browser = await newPerson(api)
      const { json } = await sendAs(api, browser, 'POST', '/app/v1/passkeys/options')
      const credential = newAuthenticator().create(json['options'] as { challenge: string })
      return { browser, body: { ticket: json['ticket'], name: 'Phone', credential } }
    },
  },
  removePasskey: {
    prepare: async (api, _, { userId }) => ({ ids: { passkeyId: await newPasskey(api, userId) } }),
  },
  getPush: {},
  addPushDevice: {
    prepare: ({ world }) => ({ body: { ...newSubscription(world), alerts: true, openings: false } }),
  },
  updatePushDevice: {
    prepare: async (api, _, { userId }) => ({
      ids: { deviceId: await newPushDevice(api, userId) },
      body: { openings: false },
    }),
  },
  removePushDevice: {
    prepare: async (api, _, { userId }) => ({ ids: { deviceId: await newPushDevice(api, userId) } }),
  },
  getPushText: { prepare: (_, { own }) => ({ query: { kind: 'opening', id: own.openingId } }) },
  startPasskeySignIn: {},
  signInWithPasskey: {
    async prepare(api) {
      return { body: await answerOf(api, await addKey(api, await newPerson(api))) }
    },
  },
  confirmSession: {
    prepare: async api => ({ browser: await newPerson(api), body: { password } }),
  },
  changePassword: {
    prepare: async api => ({
      browser: await newPerson(api),
      body: { currentPassword: password, password: 'other words that do not rhyme' },
    }),
  },
  listSessions: {},
  endOtherSessions: { prepare: async api => ({ browser: await newPerson(api) }) },
  endSession: {
    async prepare(api, _, browser) {
      const { sessionId } = await signInAgain(api, browser)
      return { ids: { sessionId } }
    },
  },
  updateProfile: { prepare: () => ({ body: { language: 'ro' } }) },
  requestPasswordReset: { prepare: () => ({ body: { email: 'nobody@example.com' } }) },
  resetPassword: {
    async prepare(api) {
      const token = await newResetLink(api, (await newPerson(api)).userId)
      return { body: { token, password: 'other words that do not rhyme' } }
    },
  },
  readInvitation: {
    async prepare(api, { space }) {
      const { token } = await newInvitation(api, space.spaceId)
      return { body: { token } }
    },
  },
  acceptInvitation: {
    async prepare(api, { space }) {
      const { token } = await newInvitation(api, space.spaceId)
      return { body: { token, name: 'Ion Pop', password: 'other words that do not rhyme' } }
    },
  },
  listUsers: {},
  getUser: {},
  updateUser: { prepare: (_, { own }) => ({ body: { role: 'admin', memberId: own.memberId } }) },
  removeUser: {
    async prepare(api, { space }) {
      const { userId } = await newPerson(api, space.spaceId)
      return { ids: { userId } }
    },
  },
  inviteUser: {
    prepare: ({ world }) => ({
      body: { email: `${newId(world, 'person')}@example.com`, name: 'Ion', role: 'admin' },
    }),
  },
  cancelInvitation: {
    async prepare(api, { space }) {
      const { invitationId } = await newInvitation(api, space.spaceId)
      return { ids: { invitationId } }
    },
  },
  listIncidents: {},
  listPastIncidents: {},
  updateOwnAlerts: { prepare: () => ({ body: { getsAlerts: false } }) },
  listGateFigures: {},
  getGateFigures: {},
  getGateCallers: {},
  updateGateCallers: {
    prepare: (_, { space }) => ({ body: { gatewayId: space.gatewayId, numberKnown: 'unknown' } }),
  },
  getGatePhoto: {},
  setGatePhoto: { prepare: () => ({ body: { jpeg: examplePhoto.jpeg } }) },
  showGatePhoto: {
    async prepare(api, { space }) {
      const gateId = await newGate(api, space)
      await putPhoto(api.database, { spaceId: space.spaceId, gateId })
      return { ids: { gateId }, query: { hash: examplePhoto.hash } }
    },
  },
  getCalibration: {},
  startCalibration: { prepare: async (api, { space }) => ({ ids: { gateId: await newGate(api, space) } }) },
  prepareTestCall: { prepare: async (api, { space }) => ({ ids: (await calibrated(api, space, 1)).ids }) },
  answerTestCall: {
    async prepare(api, { space }) {
      const { ids, openingIds } = await calibrated(api, space, 1)
      return { ids, body: { openingId: openingIds[0], hasMoved: true, afterS: 9 } }
    },
  },
  acceptCalibration: { prepare: async (api, { space }) => ({ ids: (await calibrated(api, space, 3)).ids }) },
  endCalibration: { prepare: async (api, { space }) => ({ ids: (await calibrated(api, space, 1)).ids }) },
  listHistory: {},
  exportActivity: {},
  exportHistory: {},
  getHistoryCounts: {},
  getSetUpSms: {},
  sendSetUpSms: {
    async prepare(api, { space }) {
      const gatewayId = await gatewayThatCan(api, space.spaceId, 'sms')
      const gateways = api.database.knex('gateways').where({ id: gatewayId })
      await gateways.update({ callerNumber: '+40740000111' })
      const body = { gatewayId, brand: 'rtu5024', place: '007', password: '1234' }
      return { ids: { gateId: await newGate(api, space) }, body }
    },
  },
  getSim: {},
  updateSim: { prepare: () => ({ body: { code: '*100#', warnBelow: 500, expiresOn: '2030-01-31' } }) },
  askSim: {
    async prepare(api, { space: { spaceId } }) {
      const { database } = api
      const gatewayId = await gatewayThatCan(api, spaceId, 'ussd')
      await database.knex('sims').insert({ spaceId, id: gatewayId, code: '*100#' })
      return { ids: { gatewayId } }
    },
  },
  getGatewayHistory: { prepare: () => ({ query: { range: '7d' } }) },
  addGateway: { prepare: ({ world }) => ({ body: { name: 'Attic', publicKey: newPublicKey(world) } }) },
  updateGateway: { prepare: () => ({ body: { name: 'Attic', callerNumber: '0740 000 111' } }) },
  // Its own gateway, which places the calls of the other tests.
  changeGatewayPassword: {
    prepare: async (api, { space }) => ({
      ids: { gatewayId: await gatewayThatCan(api, space.spaceId, 'ussd') },
    }),
  },
  revokeGateway: {
    prepare: async (api, { space }) => ({
      ids: { gatewayId: await gatewayThatCan(api, space.spaceId, 'ussd') },
    }),
  },
  listUpdates: {},
  setUpdateHours: { prepare: () => ({ body: { hours: { from: '02:00', to: '05:00' } } }) },
  allowUpdate: {
    async prepare(api, { space: { spaceId } }) {
      const gatewayId = await gatewayThatCan(api, spaceId, 'update')
      await offered(api, '0.2.0')
      return { ids: { gatewayId }, body: { version: '0.2.0' } }
    },
  },
  disallowUpdate: {},
  listEnrolments: {},
  startEnrolment: { prepare: () => ({ body: { name: 'Attic' } }) },
  getEnrolment: {},
  confirmEnrolment: {
    async prepare(api, { space }) {
      const { enrolmentId, fingerprint } = await pendingEnrolment(api, space.spaceId)
      return { ids: { enrolmentId }, body: { fingerprint } }
    },
  },
  refuseEnrolment: {
    async prepare(api, { space }) {
      const { enrolmentId } = await pendingEnrolment(api, space.spaceId)
      return { ids: { enrolmentId } }
    },
  },
  listMemberViews: {},
  getMemberCounts: {},
  getMemberView: {},
  saveMember: { prepare: () => ({ body: { note: 'Apartment 12' } }) },
  listApiKeys: {},
  createApiKey: { prepare: () => ({ body: { name: 'Desk', scopes: ['gates:read'] } }) },
  revokeApiKey: {},
  getSpace: {},
  updateSpace: { prepare: () => ({ body: { contactName: 'Ada', contactPhone: '+40 21 555 0100' } }) },
  lockDown: {},
  endLockDown: {},
  createSandbox: {
    // A user owns two at most, and the tests make more.
    async prepare({ database }, _furnished, { userId }) {
      const sandboxes = database.knex('spaces').select('id').where({ mode: 'sandbox' })
      await database.knex('userRoles').where({ userId }).whereIn('spaceId', sandboxes).delete()
      return { body: { name: 'Tests' } }
    },
  },
  getLastChange: {},
  observeOpening: { prepare: () => ({ body: { seen: 'moving' } }) },
  exportMembers: {},
  exportMemberData: {},
  exportOwnData: {},
  // Its own member, who presses in the other tests.
  eraseMember: { prepare: async (api, { space }) => ({ ids: { memberId: await newMember(api, space) } }) },
  listAccessTemplates: {},
  saveAccessTemplates: {
    prepare: () => {
      const schedules = [{ type: 'weekdays', timezone: 'Europe/Bucharest' }]
      return {
        body: { templates: [{ name: 'Cleaner', gateIds: [], schedules, endsAfterDays: 7, maxUsage: null }] },
      }
    },
  },
  editMembers: {
    async prepare(api, { space }) {
      const memberIds = [await newMember(api, space)]
      return { body: { memberIds, act: 'deactivate', isDryRun: false, sendsMails: false } }
    },
  },
  importMembers: {
    prepare: () => ({ body: { file: 'name,gate\nElena Stan,\n', isDryRun: false, sendsMails: false } }),
  },
}

export function isMirrored(id: AppOperationId): id is OperationId & AppOperationId {
  return Object.hasOwn(mirroredOperations, id)
}

export interface AppRequest extends AppGiven {
  readonly method: string
  readonly browser: SignedInBrowser
  pathWith(ids?: Partial<Ids & AppIds & { readonly spaceId: string }>): string
}

/** A request that succeeds once for a user with the right; prepare another one to send it again. */
export async function validAppRequest(
  api: Api,
  id: AppOperationId,
  furnished: Furnished,
  browser: SignedInBrowser,
): Promise<AppRequest> {
  const given: AppGiven = isMirrored(id)
    ? await validRequest(api, id, furnished)
    : ((await appRequests[id].prepare?.(api, furnished, browser)) ?? {})
  const own = { ...furnished.own, ...furnished.appIds, ...given.ids, spaceId: furnished.space.spaceId }
  const { method, path } = appShapeOf(id)
  return {
    browser,
    ...given,
    method,
    pathWith(others = {}) {
      const all = { ...own, ...others }
      const filled = path.replace(/:(\w+)/g, (_, name: keyof typeof all) =>
        encodeURIComponent(all[name] ?? ''),
      )
      return withQuery(filled, given.query ?? {})
    },
  }
}
