// An operator calibrates a gate by commands, through a serving cloud.

import { operatorFiles } from '@callgate/cloud/backup/operatorFiles'
import { rejectedReport } from '@callgate/cloud/calibration/calibration.kit'
import { calibrateWork } from '@callgate/cloud/cli/calibrateCommands'
import { readConfig } from '@callgate/cloud/config'
import { realWorld } from '@callgate/world/real'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { numbers } from './scriptedGateway.ts'
import { type ServedCloud, serveCloud, type Tenant } from './servedCloud.ts'

const world = realWorld({ logLevel: 'silent' })
let cloud: ServedCloud
let space: Tenant

beforeAll(async () => {
  cloud = await serveCloud(world)
  space = await cloud.addSpace()
})
afterAll(() => cloud.stop())

async function newGate(tenant = space): Promise<string> {
  const headers = { authorization: `Bearer ${tenant.key}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ name: 'Barrier', phoneNumber: numbers.neverReports })
  const answer = await fetch(`${cloud.base}/api/v1/gates`, { method: 'POST', headers, body })
  const { gate } = (await answer.json()) as { gate: { id: string } }
  const profile = JSON.stringify({ coolDownMs: 0 })
  await fetch(`${cloud.base}/api/v1/gates/${gate.id}/profile`, { method: 'PATCH', headers, body: profile })
  return gate.id
}

async function calibrate(gate: string, options: object = {}, appUrl = cloud.base): Promise<string> {
  const read = readConfig({ APP_URL: appUrl })
  if (!read.ok) throw new Error(read.message)
  const files = operatorFiles(undefined)
  const parts = {
    config: read.config,
    database: cloud.database,
    world,
    files,
    readSecret: async () => undefined,
  }
  const said = await calibrateWork.calibrate(parts, { gate, space: space.spaceId, ...options })
  return said.ok ? said.text : `refused: ${said.message}`
}

/** Changes the gateway's report about its modem. */
async function setModem(modem: object): Promise<void> {
  const { knex } = cloud.database
  const { lastBeat } = await knex('gateways').where({ id: space.gatewayId }).first('lastBeat')
  const beat = JSON.parse(lastBeat)
  const changed = JSON.stringify({ ...beat, modem: { ...beat.modem, ...modem } })
  await knex('gateways').where({ id: space.gatewayId }).update({ lastBeat: changed })
}

/** A test call that the gate rejects, and the 30 s after it. */
async function makeCall(gate: string, ringMs: number): Promise<string> {
  const made = calibrate(gate, { step: 'call' })
  const calls = cloud.gateway.calls.length
  await expect.poll(() => cloud.gateway.calls.length).toBe(calls + 1)
  const openingId = cloud.gateway.calls.at(-1) ?? ''
  await cloud.gateway.report(openingId, rejectedReport(ringMs))
  const said = await made
  const completedAt = new Date(Date.now() - 40_000).toISOString()
  await cloud.database.knex('openings').where({ id: openingId }).update({ completedAt })
  return said
}

it('makes three calls, asks after each, and saves the result', async () => {
  const gate = await newGate()
  expect(await calibrate(gate)).toBe(
    [
      ...[
        'Not measured.',
        `Look first: no gateway is online that may call this gate; see "callgate gate gateways".`,
      ],
      'Of the SIM card in the gate: forwarding, voicemail and call waiting off; from a phone with that card ##002# and #43#.',
      'Begin with --step start.',
    ].join('\n'),
  )
  await cloud.gateway.beat(space.gatewayId)
  await setModem({ signalDbm: -105, trouble: 'caller_id_hidden' })
  const weak = await calibrate(gate)
  for (const word of ['its number is hidden', 'its signal is below -93 dBm'])
    expect(weak).toContain(`Look first at Pi: ${word}`)
  expect(await calibrate(gate, { step: 'start' })).toContain('3 more calls: --step call.')
  expect(await makeCall(gate, 2_000)).toMatch(/^1\. rejected after 2\.0 s\nDid the gate move\?/)
  for (const after of ['soon', '121'])
    expect(await calibrate(gate, { step: 'moved', after })).toBe(
      'refused: --after must be seconds from 0 to 120, such as 8.',
    )
  expect(await calibrate(gate, { step: 'moved', after: '8' })).toContain('the gate moved after 8 s')
  await makeCall(gate, 3_000)
  expect(await calibrate(gate, { step: 'still' })).toContain('the gate stood still')
  // After a mistake, the answer is given again.
  expect(await calibrate(gate, { step: 'moved' })).toContain('2. rejected after 3.0 s; the gate moved')
  await makeCall(gate, 2_500)
  expect(await calibrate(gate, { step: 'moved' })).toContain('The calls show: reject.')
  expect(await calibrate(gate, { step: 'accept' })).toMatch(/^Measured .* by SIM800C on Orange RO\./)
  const keys = await cloud.database.knex('apiKeys').where({ name: 'calibration' }).select('revokedAt')
  expect(keys.map(({ revokedAt }) => revokedAt === null)).toEqual([false, false, false])
})

it('reports what is wrong, and what would be right', async () => {
  const gate = await newGate()
  const call = { step: 'call' }
  expect(await calibrate(gate, call)).toBe('refused: No calibration of this gate goes on. Start one first.')
  await calibrate(gate, { step: 'start' })
  expect(await calibrate(gate, { step: 'moved' })).toBe('refused: There is no test call yet.')
  const nowhere = await calibrate(gate, call, 'http://localhost:1')
  expect(nowhere).toMatch(
    /^refused: The cloud cannot be reached at http:\/\/localhost:1: .* It has to serve\.$/,
  )
  await cloud.database.knex('gates').where({ id: gate }).update({ isActive: false })
  expect(await calibrate(gate, call)).toMatch('refused: No test call came of it')
  expect(await calibrate('gate_none')).toBe('refused: There is no gate with this id.')
})
