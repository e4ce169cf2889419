import { idPrefix } from '@callgate/contract/idPrefix'
import { externalShown } from '@callgate/contract/rest/external'
import { Gate } from '@callgate/contract/rest/gate'
import { fakeWorld } from '@callgate/world/fake'
import { newId } from '@callgate/world/ids'
import { isoTime } from '@callgate/world/world'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../database/database.ts'
import { onPostgres, testDatabase } from '../database/postgres.kit.ts'
import { plansOf } from '../database/queryPlan.kit.ts'
import type { Principal } from '../http/handler.ts'
import { bodyOf, newPrincipal, requestOf } from '../http/requests.kit.ts'
import { gateReadHandlers } from './gateReads.ts'

const world = fakeWorld(1)
let database: Database
let principal: Principal

beforeAll(async () => {
  database = await testDatabase(world)
  principal = await newPrincipal({ database, world })
})
afterAll(() => database.close())

const list = (query: { limit?: number; isActive?: boolean }) =>
  gateReadHandlers({ database }).listGates(requestOf(database, principal, { query }))

const hostile = [
  ...['', '"', '\\', "'", '/', '</script>', '{"json":[1,null]}', 'null', '0', '1e5', 'é', '🚪', '\u202e'],
  ...[
    '\b\f\n\r\t',
    '\u0001\u001f\u007f\u0080',
    '\u2028\u2029',
    '\ufeff',
    '\ufffd',
    '\uffff',
    '?',
    '%s',
    '$1',
  ],
]
const text = fc.oneof(
  fc.constantFrom(...hostile),
  fc.string({ unit: 'binary', maxLength: 40 }).map(any => any.replaceAll('\u0000', '')),
  fc.array(fc.constantFrom(...hostile), { maxLength: 6 }).map(parts => parts.join('')),
)
const time = fc.integer({ min: 0, max: 4e12 }).map(isoTime)
/** The members of a gate that are not texts. */
const others = {
  isActive: fc.boolean(),
  openCount: fc.oneof(fc.nat(9), fc.integer({ min: 0, max: 2 ** 31 - 1 }), fc.maxSafeInteger()),
  lastOpenedAt: fc.option(time),
  createdAt: time,
}
/** The members that are there only where they were set. */
const external = fc.record(
  { externalId: text, metadata: fc.dictionary(fc.stringMatching(/^[a-z]{1,9}$/), text, { minKeys: 1 }) },
  { requiredKeys: [] },
)
const texts = Object.entries(Gate.properties).flatMap(([name, schema]) =>
  name === 'id' || name in others || name in externalShown
    ? []
    : [[name, 'anyOf' in schema ? fc.option(text) : text]],
)
const gate: fc.Arbitrary<Omit<Gate, 'id'>> = fc
  .tuple(fc.record({ ...Object.fromEntries(texts), ...others }), external)
  .map(([fields, more]) => ({ ...fields, ...more }) as Omit<Gate, 'id'>)

it('has a column for each member of a gate', async () => {
  const columns = Object.keys(await database.knex('gates').columnInfo())
  const missing = Object.keys(Gate.properties).filter(name => !columns.includes(name))
  expect(missing, 'Add them by a new file in database/migrations, and its line in list.ts there.').toEqual([])
})

describe('the list of gates', () => {
  it('is the text that JSON.stringify prints for the gates, whatever their content', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(gate, { maxLength: 8 }), async given => {
        const gates: Gate[] = given.map(({ externalId, metadata, ...fields }, place) => ({
          id: newId(world, idPrefix.gate),
          ...fields,
          // Two active gates never have the same one.
          ...(externalId !== undefined && { externalId: `${place}${externalId}` }),
          ...(metadata && { metadata }),
        }))
        await database.write(async tx => {
          await tx('gates').delete()
          for (const { metadata, ...row } of gates)
            await tx('gates').insert({
              ...row,
              ...(metadata && { metadata: JSON.stringify(metadata) }),
              spaceId: principal.spaceId,
              callProfile: '{}',
            })
        })
        const inOrder = gates.sort((a, b) => (a.createdAt + a.id < b.createdAt + b.id ? -1 : 1))
        expect(await list({})).toEqual({ status: 200, json: JSON.stringify({ gates: inOrder }) })
        const inactive = inOrder.filter(({ isActive }) => !isActive)
        expect(await list({ isActive: false })).toEqual({
          status: 200,
          json: JSON.stringify({ gates: inactive }),
        })
        // A page is made from rows.
        const { gates: page } = await bodyOf(list({ limit: 200 }))
        expect(JSON.stringify(page)).toBe(JSON.stringify(inOrder))
      }),
      { numRuns: 300 },
    )
  })

  it('is read by an index that has its order', async ({ skip }) => {
    skip(onPostgres, 'it reads plans of SQLite')
    const [steps] = await plansOf(database, async () => list({}))
    expect(steps?.join()).toContain('gates_spaceid_createdat_id_index (spaceId=?)')
    expect(steps?.join()).not.toContain('TEMP B-TREE')
  })
})
