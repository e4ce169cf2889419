import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { operatorFiles } from '../backup/operatorFiles.ts'
import { readConfig } from '../config.ts'
import { usualCountries } from '../gate/countries.ts'
import { type MailHouse, mailHouse } from '../mail/mail.kit.ts'
import { giveUp } from '../mail/outbox.ts'
import type { CommandWork, Options } from './commandWork.ts'
import { gateWork } from './gateCommands.ts'
import { mailWork } from './mailCommands.ts'
import { planWork } from './planCommands.ts'
import { runCommand } from './terminal.kit.ts'

let house: MailHouse
beforeEach(async () => {
  house = await mailHouse()
})
afterEach(() => house.database.close())

const read = readConfig({})
if (!read.ok) throw new Error(read.message)
const { config } = read

const readSecret = async () => undefined
const perform = (work: CommandWork, options: Options = {}) =>
  work({ ...house, config, readSecret, files: operatorFiles(undefined) }, options)

/** The output of a command with `--json`. */
async function json(work: CommandWork, options: Options = {}) {
  const said = await perform(work, options)
  if (!said.ok) throw new Error(said.message)
  return JSON.parse(JSON.stringify(said.json))
}

async function text(work: CommandWork, options: Options = {}): Promise<string> {
  const said = await perform(work, options)
  return said.ok ? said.text : said.message
}

it('lists the plans as decided, and changes the given limits', async () => {
  const { plans } = await json(planWork.list)
  expect(plans.map((plan: { name: string }) => plan.name)).toEqual(['free', 'pro', 'trial', 'business'])
  expect(await json(planWork.set, { name: 'pro', gates: '30' })).toEqual({
    name: 'pro',
    gateLimit: 30,
    monthlyInvitationLimit: 500,
    gatewayLimit: 100,
    keyLimit: 200,
    userLimit: 200,
    webhookLimit: 10,
    hasApi: true,
    trialDays: null,
  })
  await json(planWork.set, { name: 'pro', invitations: '0', gateways: '7', keys: '8', users: '9', api: 'no' })
  await json(planWork.set, { name: 'trial', trialDays: '30' })
  const table = await text(planWork.list)
  expect(table).toMatch(/^pro +30 +0 +7 +8 +9 +10 +no +-$/m)
  expect(table).toMatch(/^trial +25 +500 +100 +200 +200 +10 +yes +30$/m)
})

it('gives a Space limits of its own and takes them back, and records what changed', async () => {
  const { spaceId } = house
  const limits = (options: Options = {}) => json(planWork.limits, { space: spaceId, ...options })
  const limit = { gateLimit: null, monthlyInvitationLimit: null, gatewayLimit: null, keyLimit: null }
  const none = { spaceId, name: 'Lake view', ...limit, userLimit: null, webhookLimit: null }
  expect(await limits()).toEqual(none)
  const both = { ...none, gateLimit: 3, monthlyInvitationLimit: 7 }
  expect(await limits({ gates: '3', invitations: '7' })).toEqual(both)
  await house.world.advance(1)
  expect(await limits({ gates: '3' })).toEqual(both)
  expect(await limits({ gates: 'plan' })).toEqual({ ...both, gateLimit: null })
  const entries = await house.database.knex('activity').where({ spaceId }).orderBy('id')
  expect(entries.map(({ action, actor, details }) => [action, actor, JSON.parse(details).changes])).toEqual([
    [
      'space.plan_changed',
      'operator',
      { gateLimit: { from: null, to: 3 }, monthlyInvitationLimit: { from: null, to: 7 } },
    ],
    ['space.plan_changed', 'operator', { gateLimit: { from: 3, to: null } }],
  ])
})

it('gives a Space allowed countries of its own and removes them, and records the changes', async () => {
  const { spaceId } = house
  const countries = (options: Options = {}) => json(planWork.countries, { space: spaceId, ...options })
  const space = { spaceId, name: 'Lake view', country: 'RO' }
  expect(await countries()).toEqual({ ...space, allowedCountries: usualCountries })
  const own = { ...space, allowedCountries: ['DE', 'TR'] }
  expect(await countries({ allow: 'TR, DE,TR' })).toEqual(own)
  expect(await countries()).toEqual(own)
  // Limits and countries do not affect each other.
  await json(planWork.limits, { space: spaceId, gates: '3' })
  await house.world.advance(1)
  expect(await text(planWork.countries, { space: spaceId })).toBe(
    'Gates of Lake view may have numbers of RO and of: DE TR',
  )
  expect(await countries({ allow: 'usual' })).toEqual({ ...space, allowedCountries: usualCountries })
  expect(await json(planWork.limits, { space: spaceId })).toMatchObject({ gateLimit: 3 })
  const entries = await house.database.knex('activity').where({ spaceId }).orderBy('id').pluck('details')
  const changes = entries.map(details => JSON.parse(details).changes.allowedCountries)
  expect(changes.filter(Boolean)).toEqual([
    { from: null, to: ['DE', 'TR'] },
    { from: ['DE', 'TR'], to: null },
  ])
})

it('shows unsent mails without their address, and retries one', async () => {
  const { memberId, spaceId } = house
  expect(await text(mailWork.list)).toBe('There are none.')
  const id = await house.queue()
  await giveUp(house, { mailId: id, spaceId }, 'failed', '550 nobody')
  const { mails } = await json(mailWork.list, { space: spaceId })
  expect(mails).toMatchObject([{ mailId: id, memberId, state: 'given_up', lastError: '550 nobody' }])
  expect(await text(mailWork.list)).toContain('given up')
  expect(await text(mailWork.list)).not.toContain('ana@example.com')
  expect(await json(mailWork.retry, { id })).toEqual({ mailId: id, isDue: true })
  expect((await json(mailWork.list)).mails).toMatchObject([{ state: 'waiting', attempts: 0 }])
  expect((await json(mailWork.list, { space: 'space_other' })).mails).toEqual([])
})

it.each([
  ['Nothing to change', planWork.set, { name: 'pro' }],
  ['--gates must be a whole number from 0 to 1000000.', planWork.set, { name: 'pro', gates: '-1' }],
  ['--gates must be a whole number', planWork.set, { name: 'pro', gates: 'plan' }],
  ['--invitations must be a whole', planWork.set, { name: 'pro', gates: '1', invitations: '1e3' }],
  ['--api must be yes or no', planWork.set, { name: 'pro', gates: '1', api: 'maybe' }],
  ['trial only', planWork.set, { name: 'pro', trialDays: '3' }],
  ['--trial-days must be', planWork.set, { name: 'trial', trialDays: '0' }],
  ['no plan gold', planWork.set, { name: 'gold', gates: '1' }],
  ['or the word plan', planWork.limits, { space: 'space_x', gates: 'many' }],
  ['no Space', planWork.limits, { space: 'space_x', gates: '1' }],
  ['--allow does not know "Germany"', planWork.countries, { space: 'space_x', allow: 'RO,Germany' }],
  ['no Space', planWork.countries, { space: 'space_x', allow: 'RO' }],
  ['begins with mail_', mailWork.retry, { id: 'member_1' }],
] satisfies [string, CommandWork, Options][])(
  'complains in one sentence, and changes nothing: %s',
  async (complaint, work, options) => {
    const before = await text(planWork.list)
    const said = await perform(work, options)
    expect(said.ok ? '' : said.message).toContain(complaint)
    expect(await text(planWork.list)).toBe(before)
  },
)

it('lists the stored gates whose number is never called, with the rule', async () => {
  const { database, spaceId } = house
  expect(await text(gateWork.refused)).toBe('There are none.')
  const [gate] = await database.knex('gates').select('id', 'name')
  await database.knex('gates').where({ id: gate.id }).update({ phoneNumber: '+4990012345678' })
  const shown = { gateId: gate.id, spaceId, name: gate.name, phoneNumber: '+4990012345678' }
  expect(await json(gateWork.refused)).toEqual({ gates: [{ ...shown, prefix: '+49 900', kind: 'premium' }] })
  expect(await text(gateWork.refused, { space: spaceId })).toMatch(/\+49 900: a premium-rate range$/)
  expect(await json(gateWork.refused, { space: 'space_x' })).toEqual({ gates: [] })
})

it('can be run with the options of the command line', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'callgate-operator-'))
  const callgate = async (...args: string[]) => {
    const { code, err, out } = await runCommand({ CALLGATE_DATA: folder }, [...args, '--json'])
    return [code, err + out]
  }
  const set = ['plan', 'set', '--name', 'trial', '--gates', '1', '--api', 'no', '--trial-days', '3']
  const [, plan] = await callgate(...set)
  expect(JSON.parse(String(plan))).toMatchObject({
    name: 'trial',
    gateLimit: 1,
    hasApi: false,
    trialDays: 3,
  })
  const noSpace = [1, 'There is no Space space_x; see "callgate space list".']
  const space = ['--space', 'space_x']
  expect(await callgate('space', 'limits', ...space, '--invitations', 'plan')).toEqual(noSpace)
  expect(await callgate('space', 'countries', ...space, '--allow', 'usual')).toEqual(noSpace)
  expect(await callgate('mail', 'list')).toEqual([0, '{"mails":[]}'])
  expect(await callgate('gate', 'refused', ...space)).toEqual([0, '{"gates":[]}'])
  rmSync(folder, { recursive: true })
})
