import { once } from 'node:events'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { realWorld } from '@callgate/world/real'
import { expect, it, onTestFinished } from 'vitest'
import { askHealth, askRest, askStatus } from './askDaemon.ts'
import { type DaemonStatus, mostClients, mostQuestionBytes, socketName } from './localMessages.ts'
import { openLocalServer } from './localServer.ts'

const world = realWorld({ logLevel: 'silent' })
const status: DaemonStatus = {
  version: '0.1.0',
  upMs: 5,
  waiting: 0,
  isOpening: false,
  cloud: { isConnected: true, isTakenUp: true, problem: null, keyIds: ['k'] },
  modem: {
    state: 'ready',
    trouble: null,
    model: 'SIM800L',
    firmware: null,
    lacks: [],
    operator: null,
    registration: 'home',
    signalDbm: -71,
    voltageMv: 4_000,
  },
}

const played = {
  status: () => status,
  // As a later version may answer.
  health: () => ({ version: '0.2.0', upMs: 7, isHealthy: true, more: 1 }),
  rest: () => ({ rests: false, more: 1 }),
}

async function opened(answer: unknown = status) {
  const folder = await mkdtemp(join(tmpdir(), 'callgate-local-'))
  // As a killed daemon leaves it.
  await writeFile(join(folder, socketName), '')
  const answers = { ...played, status: () => answer as DaemonStatus }
  const server = await openLocalServer({ world, folder, answers })
  onTestFinished(async () => {
    server?.close()
    await rm(folder, { recursive: true })
  })
  return { folder, path: join(folder, socketName) }
}

it('answers a question, and only its owner may open the socket', async () => {
  const { folder, path } = await opened()
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect(await askStatus(world, folder)).toEqual({ ok: true, answer: status })
})

it('cuts off who sends no question, one with more in it, or a line without an end', async () => {
  const { folder, path } = await opened()
  for (const text of [
    'dial\n',
    '{"ask":"status","number":"+40722000001"}\n',
    'x'.repeat(mostQuestionBytes + 1),
  ]) {
    const socket = connect(path)
    let answer = ''
    socket.on('data', chunk => {
      answer += chunk
    })
    socket.on('error', () => {})
    socket.write(text)
    await once(socket, 'close')
    expect(answer).toBe('')
  }
  expect(await askStatus(world, folder)).toMatchObject({ ok: true })
})

it('serves a few clients at once and no more', async () => {
  const { folder, path } = await opened()
  const sockets = Array.from({ length: mostClients }, () => connect(path))
  await Promise.all(sockets.map(socket => once(socket, 'connect')))
  expect(await askStatus(world, folder)).toMatchObject({ ok: false })
  for (const socket of sockets) socket.destroy()
})

it('does not take the answer of another version', async () => {
  const { folder } = await opened({ ...status, more: 1 })
  expect(await askStatus(world, folder)).toEqual({ ok: false, why: 'it is of another version: restart it' })
})

it('understands what another version says of its health and its rest', async () => {
  const { folder } = await opened({ ...status, more: 1 })
  expect(await askHealth(world, folder)).toMatchObject({
    ok: true,
    answer: { version: '0.2.0', isHealthy: true },
  })
  expect(await askRest(world, folder)).toMatchObject({ ok: true, answer: { rests: false } })
})

it('says why nobody answers, and warns of a folder where no socket can be', async () => {
  expect(await askStatus(world, join(tmpdir(), 'callgate-nowhere'))).toMatchObject({
    ok: false,
    why: expect.stringContaining('no local socket'),
  })
  expect(await openLocalServer({ world, folder: join(tmpdir(), 'x'.repeat(120)), answers: played })).toBe(
    undefined,
  )
  expect(await openLocalServer({ world, folder: join(tmpdir(), 'callgate-nowhere'), answers: played })).toBe(
    undefined,
  )
})
