import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { realWorld } from '@callgate/world/real'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openDatabase } from '../database/database.ts'
import { fillFolder } from '../database/tables.kit.ts'
import { pendingEnrolment } from '../enrolment/enrolment.kit.ts'
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
const newSpace = async (): Promise<string> =>
  (await json('space', 'create', '--name', 'Demo', '--plan', 'pro')).spaceId

it('creates a code, shows who waits, and admits them by the fingerprint', async () => {
  const spaceId = await newSpace()
  const add = ['gateway', 'add', '--space', spaceId, '--name', 'Attic']
  const said = await callgate(...add)
  expect(said.out).toMatch(/\n {2}[0-9A-Z]{6}-[0-9A-Z]{6}-[0-9A-Z]{6}\n/)
  expect(said.out).toContain('--cloud https://gates.example.com --cloud-key ')
  expect(said.out).toContain(`gateway confirm --space ${spaceId} --enrolment enrol_`)
  const world = realWorld({ logLevel: 'silent' })
  const database = await openDatabase({ url: join(folder, 'callgate.sqlite') })
  const { enrolmentId, fingerprint } = await pendingEnrolment({ database, world }, spaceId)
  await database.close()
  const listed = (await callgate('gateway', 'enrolments')).out
  expect(listed).toContain(`${fingerprint.slice(0, 3)} ${fingerprint.slice(3)}`)
  expect(listed).toContain('100000003d1f')
  const confirm = ['gateway', 'confirm', '--enrolment', enrolmentId, '--fingerprint']
  expect((await callgate(...confirm, '12')).err).toContain('six digits')
  const other = fingerprint === '000000' ? '000001' : '000000'
  expect((await callgate(...confirm, other)).err).toContain('The fingerprint is another one')
  const admitted = (await callgate(...confirm, fingerprint)).out
  expect(admitted).toMatch(/^The gateway Yard is admitted: gw_/)
  expect(admitted).toContain('Its serial number: 100000003d1f. IMEI of its modem: not told.')
  expect((await callgate(...confirm, fingerprint)).err).toContain('no gateway to confirm')
  expect((await json('gateway', 'list')).gateways).toMatchObject([{ name: 'Yard' }])
})

it('writes the code of a card into a new file for its owner alone, and withdraws codes', async () => {
  const spaceId = await newSpace()
  const card = join(folder, 'callgate-gateway.yaml')
  const add = ['gateway', 'add', '--space', spaceId, '--name', 'Attic', '--card', card]
  const { code, cloudKey, enrolment } = await json(...add)
  expect(readFileSync(card, 'utf8')).toContain(
    `cloud: https://gates.example.com\ncode: ${code}\ncloudKey: ${cloudKey}\n`,
  )
  expect(statSync(card).mode & 0o777).toBe(0o600)
  const before = readFileSync(card, 'utf8')
  const again = await callgate(...add)
  expect([again.code, again.err]).toEqual([1, expect.stringContaining('exists already, so no code was made')])
  expect(readFileSync(card, 'utf8')).toBe(before)
  expect((await json('gateway', 'enrolments')).enrolments).toHaveLength(1)
  const refuse = ['gateway', 'refuse', '--enrolment']
  expect((await callgate(...refuse, enrolment.id)).out).toContain('its code is dead')
  expect((await callgate(...refuse, 'enrol_none')).err).toBe('There is no enrolment with this id.')
  const states = (await json('gateway', 'enrolments')).enrolments.map(({ state }: { state: string }) => state)
  expect(states).not.toContain('refused')
})

it('creates no code for a card that cannot be written, and no file where no code is created', async () => {
  const spaceId = await newSpace()
  const add = ['gateway', 'add', '--space', spaceId, '--card']
  const nowhere = await callgate(...add, join(folder, 'no/card.yaml'), '--name', 'Attic')
  expect(nowhere.err).toContain('card.yaml: ENOENT. No code was made.')
  const card = join(folder, 'card.yaml')
  expect((await callgate(...add, card, '--name', ' ')).code).toBe(1)
  expect(existsSync(card)).toBe(false)
  expect((await json('gateway', 'enrolments')).enrolments).toEqual([])
})

it('creates no code where the accounts at the broker are maintained by hand', async () => {
  const spaceId = await newSpace()
  const environment = { CALLGATE_DATA: folder, MQTT_URL: 'mqtts://cloud:secret@broker.example:8883' }
  const said = await runCommand(environment, ['gateway', 'add', '--space', spaceId, '--name', 'Attic'])
  expect(said.err).toContain('MQTT_ADMIN_URL')
  expect(said.code).toBe(1)
})
