// A rotation of the signing key while the cloud serves and daemons run, over real connections and with real files.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCloud } from '@callgate/cloud/app'
import { readConfig } from '@callgate/cloud/config'
import { type Database, openDatabase } from '@callgate/cloud/database/database'
import { migrate } from '@callgate/cloud/database/migrate'
import { addGateway } from '@callgate/cloud/gateway/gateways'
import {
  beginSigningRotation,
  forgetOldSigningKey,
  signingState,
} from '@callgate/cloud/rotation/signingRotation'
import { loadKeyring } from '@callgate/cloud/secrets/keyring'
import { createSpace } from '@callgate/cloud/space/spaces'
import { seal, signingKey, type VerifyingKey, verifyingKey } from '@callgate/contract/wire/signature'
import { topicOf } from '@callgate/contract/wire/topics'
import { openCloudKeys } from '@callgate/gateway/cloudKeys'
import { Daemon } from '@callgate/gateway/daemon'
import { openJournal } from '@callgate/gateway/journal'
import { folderDisk } from '@callgate/gateway/journalDisk'
import { createModem } from '@callgate/modem/modem'
import { connectMqtt, type MqttHandlers } from '@callgate/mqtt/mqttConnection'
import { backoff } from '@callgate/world/backoff'
import { realWorld } from '@callgate/world/real'
import type { World } from '@callgate/world/world'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'

const real = realWorld({ logLevel: 'silent' })
/** By default the key files are checked every 30 s, and gateways beat every 10 s; here sooner. */
const world: World = {
  ...real,
  after: (ms, work) => real.after(ms === 30_000 ? 100 : Math.min(ms, 1_000), work),
}
/** Some minutes later, for the command that waits for them. */
const later: World = { ...real, nowMs: () => real.nowMs() + 200_000 }
const patient = { timeout: 60_000, interval: 50 }

let folder = ''
let database: Database
let mqttUrl = ''
let spaceId = ''
let firstKeys: readonly string[] = []
const undo: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'callgate-rotating-'))
  database = await openDatabase({ url: join(folder, 'callgate.sqlite') })
  await migrate(database)
  const loaded = await loadKeyring(real, { folder })
  if (!loaded.ok) throw new Error(loaded.message)
  firstKeys = loaded.keyring.publicKeys()
  const given = { name: 'A', plan: 'pro', country: 'RO', timezone: 'Europe/Bucharest' } as const
  spaceId = (await createSpace({ database, world }, given)).spaceId
  await serve()
})
afterAll(async () => {
  for (const step of undo.reverse()) await step()
  await database.close()
  rmSync(folder, { recursive: true })
})

async function serve() {
  const read = readConfig({ CALLGATE_DATA: folder })
  if (!read.ok) throw new Error(read.message)
  const cloud = createCloud({ world, database, config: { ...read.config, port: 0, mqttPort: 0 } })
  const started = await cloud.start()
  if (!started.ok) throw new Error(started.message)
  mqttUrl = started.mqttUrl.replace('localhost', '127.0.0.1')
  undo.push(() => cloud.stop())
}

const publicHalf = (text: string): VerifyingKey => {
  const key = verifyingKey(text)
  if (!key) throw new Error('no key')
  return key
}

async function enrol(name: string) {
  const seed = real.randomBytes(32)
  const publicKey = signingKey(seed).publicKey
  const added = await addGateway({ database, world }, { spaceId, name, publicKey, actor: 'operator' })
  if (!added.ok) throw new Error(added.code)
  const { gatewayId, mqttPassword } = added.gateway

  async function run(pinned = firstKeys) {
    const disk = folderDisk(join(folder, gatewayId))
    const opened = await openJournal({ world, disk })
    if (!opened.ok) throw new Error(opened.message)
    const configured = pinned.map(publicHalf)
    const logged: string[] = []
    const note = (message: string) => void logged.push(message)
    const log = { ...real.log, info: note, warn: note }
    const cloudKeys = await openCloudKeys({ world: { ...world, log }, disk, configured })
    let heard: MqttHandlers | undefined
    const login = { clientId: gatewayId, username: gatewayId, password: mqttPassword }
    const noPort = { ok: false, code: 'port_missing', message: 'unplugged' } as const
    const daemon = new Daemon({
      world: { ...world, log },
      gatewayId,
      signingKey: signingKey(seed),
      cloudKeys,
      portName: 'none',
      journal: opened.journal,
      disk,
      modem: createModem({ world, baudRate: 115_200, openLine: async () => noPort }),
      connect(wire, handlers) {
        heard = handlers
        return connectMqtt({ ...wire, ...login, to: mqttUrl, reconnect: backoff(world) }, handlers)
      },
      onSuperseded: () => logged.push('superseded'),
      onForgotten: () => logged.push('forgotten'),
    })
    daemon.start()
    const stop = () => daemon.stop()
    const deliver = (payload: string) => heard?.onMessage(topicOf(gatewayId, 'ack'), Buffer.from(payload))
    const trusted = () => cloudKeys.trusted().map(({ keyId }) => keyId)
    const isTakenUp = () =>
      vi.waitFor(() => expect(logged).toContain('the cloud has taken up this gateway'), patient)
    return { trusted, logged, stop, deliver, isTakenUp }
  }
  return { gatewayId, run }
}

const parts = (at = real) => ({ database, world: at, places: { folder } })
const statuses = async () => {
  const state = await signingState(parts())
  return state.ok ? Object.fromEntries(state.gateways.map(({ name, standing }) => [name, standing])) : state
}
const become = (wanted: Readonly<Record<string, string>>) =>
  vi.waitFor(async () => expect(await statuses()).toEqual(wanted), patient)

it('replaces the key of a serving cloud: no daemon is restarted, and one that was off comes back', async () => {
  const [attic, cellar] = [await enrol('Attic'), await enrol('Cellar')]
  const running = await attic.run()
  const first = await cellar.run()
  await running.isTakenUp()
  await first.isTakenUp()
  await first.stop()
  const stolen = signingKey(
    Buffer.from(readFileSync(join(folder, 'signing-key'), 'utf8').trim(), 'base64url'),
  )

  const begun = await beginSigningRotation(parts())
  if (!begun.ok) throw new Error(begun.message)
  const next = begun.keys[1]?.keyId ?? ''
  await become({ Attic: 'trusts', Cellar: 'waits' })
  expect(running.trusted()).toEqual([stolen.keyId, next])
  expect(await forgetOldSigningKey(parts(later), { leavesBehind: false })).toMatchObject({
    ok: false,
    message: expect.stringContaining('Cellar'),
  })
  const second = await cellar.run()
  await second.isTakenUp()
  await become({ Attic: 'trusts', Cellar: 'trusts' })
  await second.stop()

  expect(await forgetOldSigningKey(parts(later), { leavesBehind: false })).toMatchObject({ ok: true })
  await vi.waitFor(() => expect(running.trusted()).toEqual([next]), patient)
  // It was off when the old key ended, and already trusts the new one.
  const third = await cellar.run()
  await third.isTakenUp()
  await vi.waitFor(() => expect(third.trusted()).toEqual([next]), patient)

  const thief = { result: 'keys', number: Number.MAX_SAFE_INTEGER, keys: [stolen.publicKey] }
  running.deliver(seal(stolen, { type: 'ack', gatewayId: attic.gatewayId, body: JSON.stringify(thief) }))
  expect(running.logged.at(-1)).toContain(`the key ${stolen.keyId} that it names is not trusted here`)
  expect(running.trusted()).toEqual([next])
  expect(running.logged.filter(line => line.includes('not trusted here'))).toHaveLength(1)
  await running.stop()
  await third.stop()
})

it('tells a gateway that was left behind what to do, and admits it when that is done', async () => {
  const shed = await enrol('Shed')
  const left = await shed.run()
  const isTold = (line: string) =>
    line.includes('write the public key that "callgate signing-key status" shows')
  await vi.waitFor(() => expect(left.logged.some(isTold)).toBe(true), patient)
  await left.stop()
  expect(await statuses()).toMatchObject({ Shed: 'never_heard' })
  const state = await signingState(parts())
  const mended = await shed.run(state.ok ? state.keys.map(({ publicKey }) => publicKey) : [])
  await mended.isTakenUp()
  await mended.stop()
})
