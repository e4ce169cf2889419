import { isProblem, type Problem } from '@callgate/contract/rest/problem'
import { fakeWorld } from '@callgate/world/fake'
import type { Knex } from 'knex'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Database, Db } from '../database/database.ts'
import { memoryDatabase } from '../database/tables.kit.ts'
import { writeUnlessProblem } from '../database/transaction.ts'
import { notFound } from '../http/notFound.ts'
import { createSpace } from '../space/spaces.ts'
import { changeRow, endRow, showRow } from './changeRow.ts'

const world = fakeWorld(1)
const principal = (spaceId: string) =>
  ({
    spaceId,
    actor: 'user:ion@example.com',
    identity: { kind: 'user', userId: 'usr_1', sessionId: 's' },
  }) as const

let database: Database
let spaceId: string
beforeEach(async () => {
  database = await memoryDatabase()
  const space = { name: 'Old', plan: 'pro', country: 'RO', timezone: 'UTC' } as const
  spaceId = (await createSpace({ database, world }, space)).spaceId
})
afterEach(() => database.close())

interface Row {
  readonly id: string
  readonly name: string
}

const spaceAt = (id: string) => ({
  find: (db: Db): Promise<Row | undefined> => db('spaces').where({ id }).first('id', 'name'),
  none: notFound('Space'),
  show: ({ name }: Row) => ({ space: { name } }),
})
const request = (more: { readonly stale?: (current: object) => Problem | undefined } = {}) => ({
  principal: principal(spaceId),
  write: <T extends object>(work: (tx: Knex.Transaction) => Promise<T | Problem>) =>
    writeUnlessProblem(database, work, { spaceId }),
  ...more,
})

/** Renames the Space, and returns the entry of the activity. */
const rename = (to: string) => async (row: Row, tx: Knex.Transaction) => {
  await tx('spaces').where({ id: row.id }).update({ name: to })
  const details = { changes: { name: { from: row.name, to } } }
  return { action: 'space.updated', targetId: row.id, targetLabel: to, details } as const
}
const entries = () =>
  database.knex('activity').select('spaceId', 'action', 'actor', 'targetLabel', 'details').orderBy('id')
const nameNow = async () => (await database.knex('spaces').where({ id: spaceId }).first('name')).name

it('shows an existing row, and reports a missing one', async () => {
  expect(await showRow(database.knex, spaceAt(spaceId))).toEqual({
    status: 200,
    body: { space: { name: 'Old' } },
  })
  expect(await showRow(database.knex, spaceAt('sp_none'))).toEqual(notFound('Space'))
})

it('changes the row, records who did that, and answers with its new state', async () => {
  const answer = await changeRow(world, request(), spaceAt(spaceId), rename('New'))
  expect(answer).toEqual({ status: 200, body: { space: { name: 'New' } } })
  const [entry, ...others] = await entries()
  expect(others).toEqual([])
  expect(entry).toMatchObject({
    spaceId,
    action: 'space.updated',
    actor: 'user:ion@example.com',
    targetLabel: 'New',
  })
  expect(JSON.parse(entry.details)).toEqual({
    actorId: 'usr_1',
    targetId: spaceId,
    changes: { name: { from: 'Old', to: 'New' } },
  })
})

it('answers 204 where nothing is left to show', async () => {
  const answer = await endRow(world, request(), spaceAt(spaceId), rename('New'))
  expect(answer).toEqual({ status: 204 })
  expect(await entries()).toHaveLength(1)
})

it('records nothing where nothing has changed', async () => {
  const answer = await changeRow(world, request(), spaceAt(spaceId), () => undefined)
  expect(answer).toEqual({ status: 200, body: { space: { name: 'Old' } } })
  expect(await entries()).toEqual([])
})

it('answers 404 before any other problem', async () => {
  const stale = () => expect.unreachable('there is nothing to compare')
  const work = () => expect.unreachable('there is nothing to change')
  const answer = await changeRow(world, request({ stale }), spaceAt('sp_none'), work)
  expect(answer).toEqual(notFound('Space'))
})

it('compares the body of a GET with If-Match before it changes anything', async () => {
  const compared: object[] = []
  const outdated: Problem = { problem: 'precondition_failed', message: 'Read it again.' }
  const stale = (current: object) => {
    compared.push(current)
    return outdated
  }
  const answer = await changeRow(world, request({ stale }), spaceAt(spaceId), rename('New'))
  expect(answer).toEqual(outdated)
  expect(compared).toEqual([{ space: { name: 'Old' } }])
  expect(await nameNow()).toBe('Old')
})

it('rolls the change back where it is refused', async () => {
  const refusal: Problem = { problem: 'conflict', message: 'Not now.' }
  const answer = await changeRow(world, request(), spaceAt(spaceId), async (row, tx) => {
    await rename('New')(row, tx)
    return refusal
  })
  expect(isProblem(answer) && answer).toEqual(refusal)
  expect(await nameNow()).toBe('Old')
  expect(await entries()).toEqual([])
})
