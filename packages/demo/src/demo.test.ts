// The demo with small programs instead of the parts: what it makes, remembers, stops and prints.

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { runDemo } from './demo.ts'
import { readJson } from './folder.ts'
import { machinePorts } from './ports.ts'

const repository = fileURLToPath(new URL('../../..', import.meta.url))
const top = mkdtempSync(join(tmpdir(), 'callgate-demo-'))
const data = join(top, 'data')
const ready = join(data, 'ready.json')
const note = (name: string) => {
  try {
    return readFileSync(join(data, name), 'utf8').trim().split('\n')
  } catch {
    return []
  }
}

/** Each fake program records its requests and its end. */
const shared = `
  import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
  const note = (folder, name, line) => appendFileSync(folder + '/' + name, line + '\\n')
  const stay = (folder, name) => {
    note(folder, 'pids', name + ' ' + process.pid)
    process.on('SIGTERM', () => { note(folder, 'ends', name); process.exit() })
    setInterval(() => {}, 1000)
  }
`
const cloud = `${shared}
  import { createServer } from 'node:http'
  const folder = process.env.CALLGATE_DATA
  const [, , noun, verb] = process.argv
  const store = folder + '/gates'
  const gates = () => { try { return JSON.parse(readFileSync(store, 'utf8')) } catch { return [] } }
  const answer = (request, body) => {
    const member = folder + '/member'
    if (request.url.includes('/members/')) return JSON.parse(readFileSync(member, 'utf8'))
    if (request.url.endsWith('/members')) {
      note(folder, 'guests', 'made')
      const accesses = JSON.parse(body).accesses.map(({ gateId }) => ({ gateId, accessUrl: 'http://localhost/g/t' }))
      writeFileSync(member, JSON.stringify({ member: { id: 'member_1', accesses } }))
      return JSON.parse(readFileSync(member, 'utf8'))
    }
    if (request.url.includes('/openings')) return { openings: JSON.parse(readFileSync(folder + '/openings', 'utf8')) }
    if (request.method === 'GET') return { gates: gates() }
    const gate = { id: 'gate_' + gates().length, isActive: true, ...JSON.parse(body) }
    writeFileSync(store, JSON.stringify([...gates(), gate]))
    return { gate }
  }
  if (noun === 'serve') {
    createServer(async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      response.end(JSON.stringify(answer(request, body)))
    }).listen(process.env.PORT)
    console.log(readFileSync(folder + '/served', 'utf8'))
    stay(folder, 'cloud')
  } else {
    note(folder, 'commands', process.argv.slice(2).join(' '))
    const ids = { spaceId: 'space_1', apiKeyId: 'key_' + process.pid, key: 'svc_live_' + process.pid,
      password: 'secret', gatewayId: 'gw_1', mqttPassword: 'p', cloudKeys: ['k'] }
    console.log(JSON.stringify(ids))
  }
`
const simulator = `${shared}
  const { dirname } = await import('node:path')
  const argument = name => process.argv[process.argv.indexOf(name) + 1]
  stay(dirname(argument('--link')), 'simulator')
  console.log(JSON.stringify({ controlUrl: 'http://127.0.0.1:' + argument('--control-port') }))
`
const gateway = `${shared}
  const argument = name => process.argv[process.argv.indexOf(name) + 1]
  if (process.argv[2] === 'keygen') {
    writeFileSync(argument('--out'), 'secret')
    console.log(JSON.stringify({ publicKey: 'public' }))
  } else {
    const config = JSON.parse(readFileSync(argument('--config'), 'utf8'))
    stay(config.dataFolder + '/..', 'gateway')
    if (!['info', 'debug', 'trace'].includes(config.logLevel)) throw new Error('says nothing')
    console.error('the cloud has taken up this gateway')
    console.error('modem ready')
  }
`
const build = `
  import { mkdirSync, writeFileSync } from 'node:fs'
  const bundle = (part, name, text) => {
    if (!process.argv.includes(part)) return
    mkdirSync('packages/' + part + '/dist', { recursive: true })
    writeFileSync('packages/' + part + '/dist/' + name, text)
  }
  bundle('cloud', 'callgate.mjs', ${JSON.stringify(cloud)})
  bundle('gateway', 'gateway.mjs', ${JSON.stringify(gateway)})
  bundle('simulator', 'simulator.mjs', ${JSON.stringify(simulator)})
`

beforeAll(() => {
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(top, path)), { recursive: true })
    writeFileSync(join(top, path), text)
  }
  write('package.json', '{ "type": "module" }')
  write('deploy/bundle.ts', build)
  symlinkSync(join(repository, 'node_modules'), join(top, 'node_modules'))
})
afterAll(() => rmSync(top, { recursive: true }))

async function start({ openings = [{}], served = '{"quietForMs":60000}' } = {}) {
  mkdirSync(data, { recursive: true })
  writeFileSync(join(data, 'openings'), JSON.stringify(openings))
  writeFileSync(join(data, 'served'), served)
  for (const name of ['commands', 'pids', 'ends']) rmSync(join(data, name), { force: true })
  const stop = new AbortController()
  const said: string[] = []
  const settings = {
    network: 'normal',
    dataFolder: data,
    httpPort: await machinePorts.anyFree(),
    mqttPort: 1883,
    logLevel: 'warn',
  } as const
  const old = await readJson(ready)
  const say = (line: string) => {
    // The facts of an earlier start must be gone.
    if (said.length === 0) expect(existsSync(ready)).toBe(false)
    said.push(line)
  }
  const isFresh = async () => {
    const facts = await readJson(ready)
    return JSON.stringify(facts) !== JSON.stringify(old) && facts
  }
  const environment = { PATH: process.env['PATH'] }
  const exitCode = runDemo({ settings, top, node: process.execPath, environment, say, stop: stop.signal })
  const facts = await Promise.race([
    exitCode.then(() => {
      throw new Error(said.join('\n'))
    }),
    vi.waitUntil(isFresh, 150_000),
  ])
  return { said, exitCode, facts, settings, stop: () => stop.abort() }
}

it('makes a Space with its gates, key and gateway, and stops in order', async () => {
  const demo = await start()
  expect(demo.facts).toEqual({
    baseUrl: `http://localhost:${demo.settings.httpPort}`,
    docsUrl: `http://localhost:${demo.settings.httpPort}/docs`,
    dashboard: {
      url: `http://localhost:${demo.settings.httpPort}/`,
      email: 'owner@callgate.example',
      password: 'secret',
    },
    apiKey: expect.stringMatching(/^svc_live_/),
    spaceId: 'space_1',
    sandbox: { spaceId: 'space_1', apiKey: expect.stringMatching(/^svc_live_/) },
    guestUrl: 'http://localhost/g/t',
    simulatorUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    gates: ['reject_busy', 'answer_release_2s', 'ring_forever', 'busy_before_alert'].map((farEnd, index) => ({
      id: `gate_${index}`,
      name: expect.stringContaining('gate'),
      phoneNumber: `+4072200000${index + 1}`,
      farEnd,
    })),
  })
  for (const name of ['ready.json', 'demo.json', 'gateway/callgate-gateway.yaml'])
    expect(statSync(join(data, name)).mode & 0o777).toBe(0o600)
  expect(
    note('commands')
      .map(line => line.split(' ').slice(0, 2).join(' '))
      .sort(),
  ).toEqual([
    ...['gate profile', 'gate profile', 'gateway add', 'key create', 'key create'],
    ...['space create', 'space create', 'user create'],
  ])
  expect(note('commands').filter(line => line.startsWith('space create --sandbox '))).toHaveLength(1)
  const second = await runDemo({
    settings: demo.settings,
    top,
    node: process.execPath,
    environment: {},
    say: line => void demo.said.push(line),
    stop: new AbortController().signal,
  })
  expect(second).toBe(1)
  expect(demo.said.at(-1)).toContain('already runs')
  demo.stop()
  expect(await demo.exitCode).toBe(0)
  expect(note('ends')).toEqual(['gateway', 'cloud', 'simulator'])
})

it('starts again with a new key instead of the old one', async () => {
  const before = await readJson(join(data, 'demo.json'))
  const demo = await start()
  expect(before).toEqual(expect.objectContaining({ apiKeyIds: [expect.any(String)] }))
  const [revoked = ''] = note('commands').filter(line => line.startsWith('key revoke'))
  expect(JSON.stringify(before)).toContain(revoked.split(' ')[3])
  expect(note('commands')).toHaveLength(2)
  expect(demo.facts).toMatchObject({
    guestUrl: 'http://localhost/g/t',
    dashboard: { email: 'owner@callgate.example', password: 'secret' },
  })
  expect(note('guests')).toEqual(['made'])
  demo.stop()
  expect(await demo.exitCode).toBe(0)
})

it.each([
  ['only when each gate may be opened again', [{}], '{"quietForMs":1500}', 3.5],
  // It would wait for nothing.
  ['without asking when the cloud was stopped where no gate was opened yet', [], '', 0],
])('reports that it is ready %s', async (_when, openings, served, leastS) => {
  const demo = await start({ openings, served })
  const [, seconds = ''] = /^Ready after (\S+) s\.$/m.exec(demo.said.join('\n')) ?? []
  expect(Number(seconds)).toBeGreaterThan(leastS)
  demo.stop()
  expect(await demo.exitCode).toBe(0)
})

it('restarts a part that was killed, reports it, and still stops in order', async () => {
  const demo = await start()
  const pidsOf = (name: string) => note('pids').filter(line => line.startsWith(name))
  for (const name of ['cloud', 'simulator']) {
    process.kill(Number(pidsOf(name)[0]?.split(' ')[1]), 'SIGKILL')
    await vi.waitUntil(() => pidsOf(name).length === 2, 60_000)
    expect(demo.said.join('\n')).toContain(`The ${name} was ended by SIGKILL. It is started again`)
  }
  demo.stop()
  expect(await demo.exitCode).toBe(0)
  expect(note('ends')).toEqual(['gateway', 'cloud', 'simulator'])
})
