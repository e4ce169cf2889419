import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exampleEvidence } from '@callgate/contract/rest/opening'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openDatabase } from '../database/database.ts'
import { fillFolder } from '../database/tables.kit.ts'
import { grantedRow, openingRow } from '../opening/openingRow.kit.ts'
import { runCommand } from './terminal.kit.ts'

let folder = ''
let gateId = ''
let spaceId = ''
const callgate = (...args: string[]) => runCommand({ CALLGATE_DATA: folder }, args)
const json = async (...args: string[]) => JSON.parse((await callgate(...args, '--json')).out)

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'callgate-gates-'))
  await fillFolder(folder)
  spaceId = (await json('space', 'create', '--name', 'Lake view', '--plan', 'pro')).spaceId
  gateId = (await json('gate', 'add', '--name', 'Barrier', '--phone', '0722 123 456')).gate.id
})
afterEach(() => rmSync(folder, { recursive: true }))

it('lists, changes and switches gates, like an admin', async () => {
  expect((await callgate('gate', 'list')).out).toMatch(/Barrier +\+40722123456 +active +not calibrated +0/)
  const of = ['--gate', gateId]
  const changed = await json('gate', 'update', ...of, '--name', 'North', '--description', 'By the lake')
  expect(changed.gate).toMatchObject({ name: 'North', description: 'By the lake' })
  expect((await callgate('gate', 'show', ...of)).out).toContain('By the lake')
  expect((await json('gate', 'update', ...of, '--description', '')).gate.description).toBeNull()
  expect(await json('gate', 'deactivate', ...of)).toEqual({ gateId, isActive: false })
  expect((await json('gate', 'list', '--active', 'yes')).gates).toEqual([])
  expect(await json('gate', 'reactivate', ...of)).toEqual({ gateId, isActive: true })
  expect(await json('gate', 'profile', ...of)).toMatchObject({
    name: 'North',
    callProfile: { mode: 'unverified' },
  })
  expect((await callgate('gate', 'update', ...of, '--phone', '112')).err).toMatch(/^phoneNumber .*\.$/)
  for (const args of [['show'], ['update', '--name', 'X'], ['deactivate'], ['profile']])
    expect((await callgate('gate', ...args, '--gate', 'gate_x')).err).toMatch(/see "callgate gate list"\.$/)
  const profile = join(folder, 'profile.json')
  for (const [given, says] of [
    [{ mode: 'ring' }, 'not measured'],
    [{ mode: 'reject', learned: true }, 'measured'],
  ] as const) {
    writeFileSync(profile, JSON.stringify(given))
    await callgate('gate', 'profile', ...of, '--file', profile)
    const shown = (await callgate('gate', 'show', ...of)).out
    expect(shown).toMatch(new RegExp(`active +${says}`))
    expect(shown.includes('see "callgate gate calibrate"')).toBe(says === 'not measured')
  }
  expect((await json('gate', 'list')).gates).toMatchObject([{ id: gateId, calibration: 'measured' }])
  const { activity } = await json('activity', 'list')
  const actions = activity.map((entry: { actor: string; action: string }) => `${entry.actor} ${entry.action}`)
  expect(actions).toEqual([
    'operator gate.updated',
    'operator gate.updated',
    'operator gate.reactivated',
    'operator gate.deactivated',
    'operator gate.updated',
    'operator gate.updated',
    'operator gate.created',
  ])
  expect((await callgate('activity', 'list')).out).toMatch(
    /gate\.updated +North +North, name: Barrier -> North/,
  )
  expect((await json('activity', 'list', '--limit', '1')).pagination.nextCursor).toMatch(/./)
})

/** Two presses of a member: one that opened, with the report of its call, and one that was denied. */
async function press(memberId: string, call: object | null = exampleEvidence.call): Promise<void> {
  const database = await openDatabase({ url: join(folder, 'callgate.sqlite') })
  const { knex } = database
  const key = { createdAt: openingRow.calledAt, name: 'Pi', publicKey: 'k', passwordHash: 'h' }
  await knex('gateways').insert({ id: 'gw_a', spaceId, ...key })
  const who = {
    actorType: 'guest',
    actorName: 'Ana Pop',
    actorEmail: 'ana@example.com',
    apiKeyId: null,
  } as const
  const completedAt = '2026-01-05T08:00:09.000Z'
  const of = { spaceId, gateId, ...who, memberId, completedAt, lockedNumber: null }
  const ended = {
    status: 'completed',
    reason: 'rejected_after_ring',
    opened: 'likely',
    confidence: 'likely',
  } as const
  const id = 'open_01kd0000000000000000000001'
  await knex('openings').insert({ ...grantedRow, ...of, ...ended, id, safeToRetry: false })
  const body = JSON.stringify({
    phase: 'ended',
    verdict: exampleEvidence.verdict,
    evidence: call,
  })
  const sent = { gatewayId: 'gw_a', bootId: 'boot1', seq: 1, phase: 'ended', signature: 's' }
  await knex('openingReports').insert({ openingId: id, ...sent, body, receivedAt: completedAt })
  const denied = {
    status: 'failed',
    reason: 'outside_schedule',
    opened: 'no',
    confidence: 'certain',
  } as const
  const later = { id: 'open_01kd0000000000000000000002', calledAt: '2026-01-06T08:00:00.000Z' }
  await knex('openings').insert({ ...openingRow, ...of, ...denied, ...later, safeToRetry: false })
  await database.close()
}

it('lists openings by filters and pages, and shows one with the evidence of its call', async () => {
  const { member } = await json('member', 'create', '--name', 'Ana Pop')
  await press(member.id)
  const statuses = async (...filter: string[]) => {
    const { openings } = await json('opening', 'list', ...filter)
    return openings.map(({ status }: { status: string }) => status)
  }
  expect(await statuses('--member', member.id)).toEqual(['failed', 'completed'])
  expect(await statuses('--status', 'completed', '--gate', gateId)).toEqual(['completed'])
  expect(await statuses('--from', '2026-01-06T00:00:00Z')).toEqual(['failed'])
  expect(await statuses('--to', '2026-01-01T00:00:00Z')).toEqual([])
  const { openings, pagination } = await json('opening', 'list', '--limit', '1')
  expect(openings).toMatchObject([{ reason: 'outside_schedule' }])
  expect(await statuses('--cursor', pagination.nextCursor)).toEqual(['completed'])
  const show = ['opening', 'show', '--opening', 'open_01kd0000000000000000000001']
  expect(await json(...show)).toMatchObject({ evidence: { call: exampleEvidence.call, gatewayId: 'gw_a' } })
  const { out } = await callgate(...show)
  expect(out).toContain('by Ana Pop (ana@example.com), called 2026-01-05T08:00:00.000Z')
  expect(out).toMatch(/opened +likely, likely/)
  expect(out).toMatch(/4310 ms {2}\+CLCC alerting/)
})

it('lets no text of a gateway control the terminal', async () => {
  const { member } = await json('member', 'create', '--name', 'Ana Pop')
  const events = [{ atMs: 5, event: '+COPS: \u001b]0;owned\u0007\u009b2J\rdone' }]
  await press(member.id, { ...exampleEvidence.call, events })
  const { out } = await callgate('opening', 'show', '--opening', 'open_01kd0000000000000000000001')
  expect(out).toContain('+COPS: �]0;owned��2J�done')
  expect(out).not.toMatch(/[^\P{Cc}\n]/u)
})

it.each([
  ['opening show --opening open_x', 'There is no opening with this id; see "callgate opening list".'],
  ['opening list --status open', 'status must be one of initiated, connected, completed, failed, timeout.'],
  ['opening list --from yesterday', 'from must be like'],
  ['opening list --limit many', 'limit must be integer.'],
  ['activity list --cursor x', 'cursor is not one of this list'],
])('refuses %s', async (line, message) => {
  const { code, err, out } = await callgate(...line.split(' '))
  expect([code, out]).toEqual([1, ''])
  expect(err).toContain(message)
})

it('says how to press, because no command does', async () => {
  expect((await callgate('opening', '--help')).out).toContain('POST /api/v1/gates/GATE/open')
})
