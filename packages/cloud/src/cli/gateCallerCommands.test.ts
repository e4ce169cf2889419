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

it('lists the gateways of a gate, and sets which ones may call it', async () => {
  const { spaceId } = await json('space', 'create', '--name', 'Demo', '--plan', 'pro')
  const { gate } = await json('gate', 'add', '--name', 'Barrier', '--phone', '0722 123 456')
  const gateways = ['gate', 'gateways', '--gate', gate.id]
  expect((await callgate(...gateways)).out).toBe('There are none.')
  const publicKey = 'uWFbdUmCz1UNKQ0VTBFJmGvwgDCvsHYlrNUZ7oEe2u0'
  const add = ['gateway', 'add', '--space', spaceId, '--name', 'Attic', '--public-key', publicKey]
  const { gatewayId } = await json(...add)
  expect((await callgate(...gateways)).out).toMatch(/Attic +- +yes +unknown$/)
  const one = [...gateways, '--gateway', gatewayId]
  expect((await callgate(...one, '--may-call', 'no', '--number-known', 'yes')).out).toMatch(
    /Attic +- +no +yes$/,
  )
  expect(await json(...gateways)).toMatchObject({
    gateways: [{ gatewayId, mayCall: false, numberKnown: 'yes' }],
  })
  expect((await callgate(...one)).err).toContain('Give --gateway together with --may-call')
  expect((await callgate(...gateways, '--may-call', 'no')).err).toContain('Give --gateway together')
  expect((await callgate(...gateways, '--gateway', 'gw_none', '--may-call', 'no')).err).not.toBe('')
  expect((await callgate('gate', 'gateways', '--gate', 'gate_none')).err).toContain('There is no gate')
})
