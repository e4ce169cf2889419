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

it('shows and sets what is known of the SIM card of a gateway', async () => {
  const { spaceId } = await json('space', 'create', '--name', 'Demo', '--plan', 'pro')
  const publicKey = 'uWFbdUmCz1UNKQ0VTBFJmGvwgDCvsHYlrNUZ7oEe2u0'
  const add = ['gateway', 'add', '--space', spaceId, '--name', 'Attic', '--public-key', publicKey]
  const { gatewayId } = await json(...add)
  const sim = ['gateway', 'sim', '--gateway', gatewayId]
  expect((await callgate(...sim)).out).toMatch(/^code +-\nwarn below +-\n/)
  const set = [...sim, '--code', '*100#', '--warn-below', '5,5', '--expires-on', '2020-01-31']
  expect((await callgate(...set)).out).toMatch(
    /code +\*100#\nwarn below +5\.50\n(?:.*\n)*warning +The card has ended\./,
  )
  expect(await json(...sim, '--warn-below', '', '--expires-on', '')).toMatchObject({
    gatewayId,
    sim: { code: '*100#', warnBelow: null, expiresOn: null },
  })
  expect((await callgate(...sim, '--code', '*21*0722123456#')).err).toContain('code must be like "*100#"')
  expect((await callgate(...sim, '--warn-below', 'five')).err).toContain('--warn-below must be an amount')
  expect((await callgate(...sim, '--expires-on', 'soon')).err).toContain('expiresOn')
  expect((await callgate(...sim, '--ask')).err).toContain('version cannot do that')
  expect((await callgate('gateway', 'sim', '--gateway', 'gw_none')).err).toContain(
    'see "callgate gateway list"',
  )
})
