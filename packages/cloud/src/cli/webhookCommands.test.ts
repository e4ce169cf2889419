import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { fillFolder } from '../database/tables.kit.ts'
import { runCommand } from './terminal.kit.ts'

let folder: string
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'callgate-cli-'))
  await fillFolder(folder)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const callgate = (...args: string[]) =>
  runCommand({ CALLGATE_DATA: folder, APP_URL: 'https://gates.example.com' }, args)
const json = async (...args: string[]) => JSON.parse((await callgate(...args, '--json')).out)

it('adds a webhook, sends a test, switches it off and on, and removes it', async () => {
  await json('space', 'create', '--name', 'Demo', '--plan', 'pro')
  const create = ['webhook', 'create', '--url', 'https://desk.example.com/hook', '--types', 'opening.ended']
  const { secret, webhook } = await json(...create)
  expect(secret).toMatch(/^whsec_/)
  expect(webhook).toMatchObject({ types: ['opening.ended'], isActive: true })
  const of = ['--webhook', webhook.id]
  expect((await callgate('webhook', 'test', ...of)).out).toContain('A test event waits')
  expect((await callgate('webhook', 'deliveries', ...of)).out).toMatch(/webhook\.test .* waiting +-$/m)
  expect((await callgate('webhook', 'set', ...of, '--active', 'no')).out).toContain('off: switched_off')
  const list = await callgate('webhook', 'list')
  expect(list.out).toMatch(/https:\/\/desk\.example\.com\/hook +opening\.ended +off: switched_off$/m)
  expect(list.out).not.toContain(secret)
  expect((await callgate('webhook', 'test', ...of)).err).toContain('it is switched off')
  expect(await json('webhook', 'set', ...of, '--active', 'yes')).toMatchObject({
    webhook: { isActive: true },
  })
  expect(await json('webhook', 'remove', ...of)).toEqual({ webhookId: webhook.id })
  expect((await callgate('webhook', 'deliveries', ...of)).err).toContain('There is no webhook with this id')
  expect((await callgate('webhook', 'create', '--url', 'https://127.0.0.1/')).err).toContain('a public name')
})
