// The API against each sentence of the specification and each decision, over HTTP.

import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isPostgres } from '@callgate/cloud/database/dialect'
import { onPostgres } from '@callgate/cloud/database/postgres.kit'
import { type PageName, readPage } from '@callgate/cloud/docs/docPages'
import { openApiDocument } from '@callgate/contract/openapi/openapi'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { checkWithPrism } from '../../commands/contract/prism.ts'
import { type Api, type Exchanged, serveWholeApi } from '../apiServer.ts'
import { operationIds, shapeOf } from '../operationShapes.ts'
import { accessTests } from './accesses.ts'
import { stageOf } from './conforms.ts'
import { conventionTests } from './conventions.ts'
import { decisions } from './decisions.ts'
import { decided, shown as shownBehind, specified } from './documents.ts'
import { extensionTests } from './extensions.ts'
import { gateTests } from './gates.ts'
import { historyTests } from './history.ts'
import { integratorTests } from './integrators.ts'
import { keyTests } from './keys.ts'
import { lockDownTests } from './lockDown.ts'
import { memberTests } from './members.ts'
import { openingTests } from './openings.ts'
import { scheduleTests } from './schedules.ts'
import { elsewhere, type OtherTest, type RowId, rowIds, rows } from './table.ts'

/** The operations of ours, each with the scope that it needs and the row of the decisions that tells of it. */
const extensions = {
  getGate: { scope: 'gates:read', row: 'One gate, one member, one opening' },
  getMember: { scope: 'members:read', row: 'One gate, one member, one opening' },
  getOpening: { scope: 'history:read', row: 'One gate, one member, one opening' },
  followOpening: { scope: 'history:read', row: 'Events of an opening' },
  getGateProfile: { scope: 'gates:read', row: 'Members of an answer' },
  updateGateProfile: { scope: 'gates:write', row: 'Members of an answer' },
  resetMemberLink: { scope: 'members:write', row: 'Link reset and mail again' },
  sendInvitation: { scope: 'members:write', row: 'Link reset and mail again' },
  listGateways: { scope: 'gates:read', row: 'Gateways' },
  getGateway: { scope: 'gates:read', row: 'Gateways' },
  listEvents: { scope: 'history:read', row: 'Events of a Space' },
  followEvents: { scope: 'history:read', row: 'Events of a Space' },
  getSelf: { scope: 'any', row: 'Who a key is' },
  bulkMembers: { scope: 'members:write', row: 'Many members at once' },
  reactivateMember: { scope: 'members:write', row: 'Reactivate' },
  getGateReadiness: { scope: 'gates:read', row: 'Whether a call can be placed' },
  listWebhooks: { scope: 'webhooks:read', row: 'Webhooks' },
  createWebhook: { scope: 'webhooks:write', row: 'Webhooks' },
  getWebhook: { scope: 'webhooks:read', row: 'Webhooks' },
  updateWebhook: { scope: 'webhooks:write', row: 'Webhooks' },
  deleteWebhook: { scope: 'webhooks:write', row: 'Webhooks' },
  testWebhook: { scope: 'webhooks:write', row: 'Webhooks' },
  rotateWebhookSecret: { scope: 'webhooks:write', row: 'Webhooks' },
  resendEvents: { scope: 'webhooks:write', row: 'Webhooks' },
  listDeliveries: { scope: 'webhooks:read', row: 'Webhooks' },
  resendDelivery: { scope: 'webhooks:write', row: 'Webhooks' },
  decideMember: { scope: 'members:read', row: 'Whether a member may open' },
  previewSchedules: { scope: 'members:read', row: 'Preview of schedules, proof of an opening' },
  getProof: { scope: 'history:read', row: 'Preview of schedules, proof of an opening' },
  getSandboxClock: { scope: 'members:read', row: 'Sandbox' },
  setSandboxClock: { scope: 'members:write', row: 'Sandbox' },
  listSandboxMails: { scope: 'members:read', row: 'Sandbox' },
  resetSandbox: { scope: 'gates:write', row: 'Sandbox' },
} as const

const tests = [
  gateTests,
  memberTests,
  accessTests,
  scheduleTests,
  openingTests,
  lockDownTests,
  historyTests,
  keyTests,
  conventionTests,
  extensionTests,
  integratorTests,
].flatMap(conforms => conforms.tests)

let api: Api
const exchanges: Exchanged[] = []
beforeAll(async () => {
  api = await serveWholeApi(1, undefined, exchanged => exchanges.push(exchanged))
})
afterAll(() => api.stop())
beforeEach(() => api.nextMinute())

const named = tests.map(({ run, shows }) => {
  const [first = '0 base', ...others] = shows
  const more = others.length > 0 ? ` (with ${others.join(', ')})` : ''
  return [`${first}: ${rows.get(first)?.join(' ')}${more}`, run] as const
})

describe('the API', () => {
  it.each(named)('%s', async (_name, run) => {
    const space = await api.addSpace()
    await api.world.advance(1)
    await run(stageOf(api, space))
  })
})

it('is served by the database that the run names', () => {
  expect(isPostgres(api.database.knex)).toBe(onPostgres)
})

const top = fileURLToPath(new URL('../../..', import.meta.url))

/** The tests of a row that are not there, each in a sentence. */
const lostTests = (row: string, tests: readonly OtherTest[]): string[] =>
  tests.flatMap(({ file, test }) => {
    const path = `${top}${file}`
    if (!existsSync(path)) return [`${row}: there is no file ${file}`]
    const text = readFileSync(path, 'utf8')
    const isThere = [`'`, `"`].some(quote => text.includes(`${quote}${test}${quote}`))
    return isThere ? [] : [`${row}: ${file} has no test '${test}'`]
  })
const shown = new Set<RowId>(tests.flatMap(({ shows }) => shows))

it('has no answer that prism does not find in the document', async ({ skip }) => {
  skip(!inject('isCheckedByPrism'), '`pnpm contract` runs it')
  const { checked, wrong } = await checkWithPrism(exchanges)
  process.stdout.write(`prism checked ${checked} of ${exchanges.length} answers\n`)
  expect(wrong).toEqual([])
  expect(checked).toBeGreaterThan(1_000)
})

describe('the table', () => {
  it('quotes every sentence of the specification and every decision, whole and once', () => {
    const texts = specified.map(({ text }) => text)
    expect(texts.length).toBeGreaterThan(130)
    const quoted = rowIds.filter(id => !decided.has(id)).flatMap(id => rows.get(id) ?? [])
    expect([...quoted].sort()).toEqual([...texts].sort())
    expect(Object.keys(decisions).sort()).toEqual([...decided.keys()].sort())
    expect(rowIds.filter(id => rows.get(id)?.length === 0)).toEqual([])
  })

  it('names for each decision words that the documentation contains', async () => {
    const plain = (text: string | undefined) => text?.replace(/\s+/g, ' ') ?? ''
    const reference = JSON.stringify(openApiDocument('http://localhost'))
    const textOf = async (page: PageName | 'reference') =>
      plain(page === 'reference' ? reference : (await readPage(page, 'http://localhost'))?.markdown)
    for (const [gap, [page, words]] of Object.entries(decisions))
      expect((await textOf(page)).includes(words) ? '' : `${gap}: ${page} does not say "${words}"`).toBe('')
  })

  it('leads every row about the dashboard and its users to a test of them', () => {
    const isOfUsers = (id: RowId) =>
      /dashboard|app users?\b|owners edit|user:/.test(`${id} ${rows.get(id)?.join(' ')}`)
    expect(rowIds.filter(id => isOfUsers(id) && !elsewhere[id])).toEqual([])
  })

  it('has a row for each operation that the specification does not know, and its scope', () => {
    const unknown = operationIds.filter(id => shapeOf(id).extension)
    expect(Object.fromEntries(unknown.map(id => [id, shapeOf(id).scope]))).toEqual(
      Object.fromEntries(Object.entries(extensions).map(([id, { scope }]) => [id, scope])),
    )
    expect(Object.values(extensions).filter(({ row }) => !decided.has(row))).toEqual([])
  })

  it('has a test for every row', () => {
    expect(rowIds.filter(id => !shown.has(id) && !elsewhere[id])).toEqual([])
  })

  it('names only tests of other files that exist', () => {
    expect(Object.entries(elsewhere).flatMap(([id, others]) => lostTests(id, others))).toEqual([])
  })

  it('names for each decision behind the API tests that exist', () => {
    expect(shownBehind.length).toBeGreaterThan(90)
    expect(shownBehind.filter(({ tests }) => tests.length === 0)).toEqual([])
    expect(shownBehind.flatMap(({ point, tests }) => lostTests(point, tests))).toEqual([])
  })

  it('has no test without a row', () => {
    expect(tests.filter(({ shows }) => shows.length === 0)).toEqual([])
  })
})
