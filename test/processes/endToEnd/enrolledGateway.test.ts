// Enrolment with the bundled program of the gateway and a real cloud: with human mistakes, kills, and a revocation.

import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCloud } from '@callgate/cloud/app'
import { runCommand } from '@callgate/cloud/cli/terminal.kit'
import { readConfig } from '@callgate/cloud/config'
import { type Database, openDatabase } from '@callgate/cloud/database/database'
import { migrate } from '@callgate/cloud/database/migrate'
import { openPort } from '@callgate/simulator/port'
import { usualSimulator } from '@callgate/simulator/usual.kit'
import { realWorld } from '@callgate/world/real'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { slowness } from '../slowness.ts'

const bundle = new URL('../../../packages/gateway/dist/gateway.mjs', import.meta.url).pathname
const world = realWorld({ logLevel: 'silent' })
const patient = { timeout: 60_000, interval: 50 }

let folder = ''
let database: Database
let stopCloud = async () => {}
let cloudUrl = ''
let environment: Record<string, string> = {}
let spaceId = ''
const children = new Set<ChildProcess>()

const callgate = (...args: string[]) => runCommand(environment, args)
const json = async (...args: string[]) => JSON.parse((await callgate(...args, '--json')).out)

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'callgate-enrolled-'))
  database = await openDatabase({ url: join(folder, 'callgate.sqlite') })
  await migrate(database)
  environment = { CALLGATE_DATA: folder, APP_URL: 'http://127.0.0.1' }
  const read = readConfig(environment)
  if (!read.ok) throw new Error(read.message)
  const cloud = createCloud({ world, database, config: { ...read.config, port: 0, mqttPort: 0 } })
  const started = await cloud.start()
  if (!started.ok) throw new Error(started.message)
  stopCloud = () => cloud.stop()
  cloudUrl = `http://127.0.0.1:${started.port}`
  spaceId = (await json('space', 'create', '--name', 'A', '--plan', 'pro')).spaceId
})
afterEach(() => {
  for (const child of children) child.kill('SIGKILL')
  children.clear()
})
afterAll(async () => {
  await stopCloud()
  await database.close()
  rmSync(folder, { recursive: true })
})

const file = (name = 'callgate-gateway.yaml') => join(folder, 'pi', name)

/** The bundled program, with its output so far. */
function gateway(...args: string[]) {
  const child = spawn(process.execPath, [bundle, ...args, '--config', file()])
  children.add(child)
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', chunk => {
      said += chunk
    })
  const ended = new Promise<number | null>(resolve => child.once('exit', resolve))
  const says = (words: string | RegExp) => vi.waitFor(() => expect(said).toMatch(words), patient)
  return { child, ended, said: () => said, says }
}
const enrol = (...args: string[]) => {
  const at = ['--cloud', cloudUrl, '--serial-port', file('no-port'), '--data-folder', file('data')]
  return gateway('enrol', ...args, ...at)
}
/** Runs a command that ends by itself. */
async function told(started: ReturnType<typeof gateway>): Promise<string> {
  const code = await started.ended
  return `${code} ${started.said()}`
}

/** Enrols with a modem at the port in the configuration; both sides then show its IMEI. */
async function enrolAgain(): Promise<void> {
  const simulator = usualSimulator({ world })
  // The port that the configuration contains since the first enrolment.
  const modem = openPort({ world, simulator, link: file('no-port') })
  if (!modem.ok) throw new Error(modem.message)
  const again = await json('gateway', 'add', '--space', spaceId, '--name', 'Attic')
  const third = enrol(again.code, '--again', '--cloud-key', again.cloudKey)
  await third.says(/Compare these six digits/)
  const { imei } = simulator.state().modem
  expect(third.said()).toContain(`IMEI of the modem: ${imei}.`)
  const [other = ''] = /\d{3} \d{3}/.exec(third.said()) ?? []
  expect((await callgate('gateway', 'enrolments')).out).toMatch(new RegExp(`${other} .* ${imei}`))
  const confirmed = await callgate(
    ...['gateway', 'confirm', '--enrolment', again.enrolment.id, '--fingerprint', other],
  )
  expect(confirmed.out).toContain(`IMEI of its modem: ${imei}.`)
  expect(await told(third)).toContain('Enrolled.')
  simulator.stop()
  await modem.port.close()
}

it('enrols with typos, a wrong code and kills on the way; runs; and is cut within 5 s of its revocation', async () => {
  const { code, enrolment } = await json('gateway', 'add', '--space', spaceId, '--name', 'Attic')
  expect(await told(gateway('enrol', code))).toContain('1 Say where the cloud is')
  const typo = `${code.slice(0, -1)}${code.endsWith('0') ? '1' : '0'}`
  expect(await told(enrol(typo))).toContain('1 The code has a typo')
  expect(await told(enrol('7H2KQM'))).toContain('1 A code has 18 letters and digits')
  expect(await told(enrol('0'.repeat(18)))).toContain('1 There is no such code')
  expect(await told(enrol())).toContain('1 The code was not taken yet')

  const first = enrol(code.toLowerCase().replaceAll('-', ' '), '--show-at', file('shown'))
  await first.says(/Compare these six digits .*: \d{3} \d{3}/)
  await first.says(/The IMEI of the modem is not known, and is left out\. The serial port .* is missing/)
  const [digits = ''] = /\d{3} \d{3}/.exec(first.said()) ?? []
  await vi.waitFor(() => expect(readFileSync(file('shown'), 'utf8')).toContain(digits), patient)
  first.child.kill('SIGKILL')
  await first.ended
  // Another machine with the same code.
  const thief = spawn(process.execPath, [
    bundle,
    'enrol',
    code,
    '--cloud',
    cloudUrl,
    '--config',
    join(folder, 'b/c.yaml'),
  ])
  children.add(thief)
  let refusal = ''
  thief.stderr.on('data', chunk => {
    refusal += chunk
  })
  expect(await new Promise(resolve => thief.once('exit', resolve))).toBe(1)
  expect(refusal).toContain('Another gateway has used this code before')

  const second = enrol()
  await second.says(digits)
  expect((await callgate('gateway', 'enrolments')).out).toContain(digits)
  const confirm = ['gateway', 'confirm', '--enrolment', enrolment.id, '--fingerprint', digits]
  const { gateway: admitted } = await json(...confirm)
  expect(await told(second)).toContain('Enrolled. The configuration is in')
  expect(statSync(file()).mode & 0o777).toBe(0o600)
  expect(await told(enrol(code))).toContain('names a gateway already: this one was enrolled')
  expect(await told(gateway('doctor', '--quick'))).toContain(`It can be read; gateway ${admitted.id}`)

  const daemon = gateway('run')
  const heard = () => database.knex('gateways').where({ id: admitted.id }).first('lastBeatAt')
  await vi.waitFor(async () => expect((await heard()).lastBeatAt).not.toBeNull(), patient)
  const revokedMs = world.monotonicMs()
  await callgate('gateway', 'revoke', '--gateway', admitted.id)
  expect(await daemon.ended).toBe(3)
  expect(world.monotonicMs() - revokedMs).toBeLessThan(5_000 * slowness())

  await enrolAgain()
  const next = gateway('run')
  await vi.waitFor(async () => {
    const rows = await database.knex('gateways').whereNull('revokedAt').whereNotNull('lastBeatAt')
    expect(rows).toHaveLength(1)
  }, patient)
  next.child.kill('SIGTERM')
  expect(await next.ended).toBe(0)
})
