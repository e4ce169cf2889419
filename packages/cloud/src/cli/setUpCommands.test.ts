import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openDatabase } from '../database/database.ts'
import { fillFolder } from '../database/tables.kit.ts'
import { runCommand } from './terminal.kit.ts'

let folder: string
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'callgate-cli-'))
  await fillFolder(folder)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const callgate = (args: readonly string[], secret?: string) =>
  runCommand({ CALLGATE_DATA: folder, APP_URL: 'https://gates.example.com' }, args, () => {}, secret)
const json = async (...args: string[]) => JSON.parse((await callgate([...args, '--json'])).out)

/** Adds a message that has ended. */
async function addTask(columns: object) {
  const database = await openDatabase({ url: join(folder, 'callgate.sqlite') })
  const details = JSON.stringify({ brand: 'rtu5024', phoneNumber: '+40722000001' })
  const at = new Date().toISOString()
  const times = { createdAt: at, expiresAt: at, endedAt: at }
  await database.knex('tasks').insert({ id: 'task_1', kind: 'sms', details, ...times, ...columns })
  await database.close()
}

it('shows who can send, asks for the password, and says what prevents a message', async () => {
  const { spaceId } = await json('space', 'create', '--name', 'Demo', '--plan', 'pro')
  const publicKey = 'uWFbdUmCz1UNKQ0VTBFJmGvwgDCvsHYlrNUZ7oEe2u0'
  const add = ['gateway', 'add', '--space', spaceId, '--name', 'Attic', '--public-key', publicKey]
  const { gatewayId } = await json(...add)
  const gate = ['gate', 'add', '--name', 'North', '--phone', '+40722000001', '--location', 'Street 1']
  const added = await json(...gate)
  const gateId = added.gate?.id ?? added.id ?? added.gateId
  const sms = ['gate', 'setup-sms', '--gate', gateId]
  expect((await callgate(sms)).out).toMatch(/Attic +- +no +- +-\n5 more within 24 hours\./)
  expect((await callgate([...sms, '--brand', 'rtu5024'])).err).toContain('--gateway together with --brand')
  await addTask({ spaceId, gatewayId, endedAs: 'not_done', reason: 'silent' })
  expect((await callgate(sms)).out).toContain('nobody knows whether it was sent. The gateway did not tell')
  const send = [...sms, '--gateway', gatewayId, '--brand', 'rtu5024', '--place', '007']
  expect((await callgate(send)).err).toContain('Nothing was sent')
  expect((await callgate(send, '8642')).err).toContain('number of the gateway')
  const wrong = await callgate(send, '86420')
  expect(wrong.err).toContain('password must be')
  expect(wrong.err + wrong.out).not.toContain('86420')
  expect((await callgate([...sms, '--gateway', gatewayId, '--brand', 'other'])).err).toContain('rtu5024')
})
