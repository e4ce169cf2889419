import { expect, it } from 'vitest'
import { appOperations } from './app/appOperations.ts'
import { type Limit, limits } from './limits.ts'

/** Whose limits the body of an operation has. */
const nounOf: Readonly<Record<string, keyof typeof limits>> = {
  createGate: 'gate',
  updateGate: 'gate',
  updateGateProfile: 'profile',
  answerTestCall: 'testCall',
  addGateway: 'gateway',
  updateGateway: 'gateway',
  startEnrolment: 'gateway',
  updateSim: 'sim',
  createApiKey: 'apiKey',
  createWebhook: 'webhook',
  updateWebhook: 'webhook',
  createMember: 'member',
  updateMember: 'member',
  saveMember: 'member',
  addAccess: 'access',
  updateAccess: 'access',
  editMembers: 'memberEdit',
  saveAccessTemplates: 'template',
  previewSchedules: 'access',
  inviteUser: 'user',
  requestPasswordReset: 'user',
  updateProfile: 'account',
  acceptInvitation: 'account',
  changePassword: 'account',
  resetPassword: 'account',
  signIn: 'signIn',
  signInWithCode: 'signIn',
  enableTotp: 'signIn',
  confirmSession: 'signIn',
  addPasskey: 'passkey',
  updateSpace: 'space',
  createSandbox: 'space',
}

/** Nobody types these. */
const untyped = new Set([
  'createGate.externalId',
  'updateGate.externalId',
  'createMember.externalId',
  'updateMember.externalId',
  'saveMember.externalId',
  'setGatePhoto.jpeg',
  'signInWithCode.ticket',
  'addPasskey.ticket',
  'addPushDevice.endpoint',
  'bulkMembers.items',
  'signInWithPasskey.ticket',
  'confirmSession.ticket',
  'allowUpdate.version',
  'rotateWebhookSecret.overlapHours',
  'resendEvents.after',
])

interface Bounded {
  readonly anyOf?: readonly Bounded[]
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly minimum?: number
  readonly maximum?: number
}

/** What a schema says of a length, a count or a number; undefined where it says nothing. */
function limitOf({ anyOf, ...schema }: Bounded): Limit | undefined {
  for (const one of anyOf ?? []) {
    const limit = limitOf(one)
    if (limit) return limit
  }
  const most = schema.maxLength ?? schema.maxItems ?? schema.maximum
  const least = schema.minLength ?? schema.minItems ?? schema.minimum ?? 0
  return most === undefined ? undefined : { least, most }
}

const found = Object.entries(appOperations).flatMap(([id, operation]) => {
  const { properties = {} } = ('body' in operation ? operation.body : {}) as {
    readonly properties?: Readonly<Record<string, Bounded>>
  }
  return Object.entries(properties).flatMap(([field, schema]) => {
    const limit = limitOf(schema)
    return limit && !untyped.has(`${id}.${field}`) ? [{ id, field, limit }] : []
  })
})

/** Where the limits of pages say something else than the schema, or nothing; and what to do. */
function faultOf({ field, id, limit }: (typeof found)[number]): string | undefined {
  const noun = nounOf[id]
  const where = `packages/contract/src/limits.ts, and give it to the schema of ${id}`
  if (!noun) return `${id} takes a limited ${field}: say in this test whose limits it has`
  const known: Limit | undefined = (limits[noun] as Readonly<Record<string, Limit>>)[field]
  if (!known) return `${field} has no limits for pages: write limits.${noun}.${field} into ${where}`
  const isSame = known.least === limit.least && known.most === limit.most
  return isSame ? undefined : `${field} of ${id} has other limits than limits.${noun}.${field} in ${where}`
}

it('has the same values for pages as the schemas of every typed field', () => {
  expect(found.length).toBeGreaterThan(40)
  expect(found.flatMap(one => faultOf(one) ?? [])).toEqual([])
})

it('detects a field without limits, and one with others', () => {
  const limit = { least: 1, most: 99 }
  expect(faultOf({ id: 'createGate', field: 'shoeSize', limit })).toContain('write limits.gate.shoeSize into')
  expect(faultOf({ id: 'createGate', field: 'name', limit })).toContain('name of createGate has other limits')
  expect(faultOf({ id: 'createThing', field: 'name', limit })).toContain('say in this test')
})

it('has no limit that is in no schema', () => {
  const used = new Set(found.map(({ field, id }) => `${nounOf[id]}.${field}`))
  const known = Object.entries(limits).flatMap(([noun, fields]) =>
    Object.keys(fields).map(field => `${noun}.${field}`),
  )
  // In lists inside of a body, and in queries.
  const elsewhere = [
    'access.maxUsage',
    'schedule.timeWindows',
    'search.text',
    'template.name',
    'template.gateIds',
    'template.endsAfterDays',
  ]
  expect(known.filter(name => !used.has(name) && !elsewhere.includes(name))).toEqual([])
})
