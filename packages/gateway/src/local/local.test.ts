import { once } from 'node:events'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { realWorld } from '@callgate/world/real'
import { expect, it, onTestFinished } from 'vitest'
import {
  askAt,
  askHealth,
  askPause,
  askRecording,
  askStatus,
  listenToModem,
  listenToTrace,
} from './askDaemon.ts'
import {
  type DaemonStatus,
  mostClients,
  mostQuestionBytes,
  socketName,
  type TraceLine,
} from './localMessages.ts'
import { type LocalAnswers, openLocalServer } from './localServer.ts'

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
    lowestInCallMv: 3_710,
  },
}

const played = {
  status: () => status,
  // The answer of a later version.
  health: () => ({ version: '0.2.0', upMs: 7, isHealthy: true, more: 1 }),
  rest: () => ({ rests: false, more: 1 }),
  at: async (line: string) => ({ result: 'ok' as const, lines: [line], why: null }),
  trace: () => () => {},
  unasked: () => () => {},
  recording: () => ['== Call 1 =='],
} satisfies LocalAnswers

async function opened(changed: Partial<LocalAnswers> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'callgate-local-'))
  // A killed daemon leaves this.
  await writeFile(join(folder, socketName), '')
  const server = await openLocalServer({ world, folder, answers: { ...played, ...changed } })
  onTestFinished(async () => {
    server?.close()
    await rm(folder, { recursive: true })
  })
  return { folder, path: join(folder, socketName) }
}

it('answers a question, over a socket that only its owner may open', async () => {
  const { folder, path } = await opened()
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect(await askStatus(world, folder)).toEqual({ ok: true, answer: status })
})

it('cuts off a client that sends no valid question, one with more fields, or a line without an end', async () => {
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

it('serves a limited number of clients at once', async () => {
  const { folder, path } = await opened()
  const sockets = Array.from({ length: mostClients }, () => connect(path))
  await Promise.all(sockets.map(socket => once(socket, 'connect')))
  expect(await askStatus(world, folder)).toMatchObject({ ok: false })
  for (const socket of sockets) socket.destroy()
})

it('rejects the answer of another version', async () => {
  const { folder } = await opened({ status: () => ({ ...status, more: 1 }) })
  expect(await askStatus(world, folder)).toEqual({ ok: false, why: 'it is of another version: restart it' })
})

it('understands the health and the pause of another version', async () => {
  const { folder } = await opened()
  expect(await askHealth(world, folder)).toMatchObject({
    ok: true,
    answer: { version: '0.2.0', isHealthy: true },
  })
  expect(await askPause(world, folder)).toMatchObject({ ok: true, answer: { rests: false } })
})

it('says why no daemon answers, and warns of a folder that can hold no socket', async () => {
  expect(await askHealth(world, join(tmpdir(), 'callgate-nowhere'))).toMatchObject({
    ok: false,
    why: expect.stringContaining('no local socket'),
  })
  for (const name of ['x'.repeat(120), 'callgate-nowhere'])
    expect(await openLocalServer({ world, folder: join(tmpdir(), name), answers: played })).toBe(undefined)
})

it('waits for the socket of a daemon that has just started', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'callgate-local-'))
  const asked = askStatus(world, folder)
  const server = await openLocalServer({ world, folder, answers: played })
  onTestFinished(async () => {
    server?.close()
    await rm(folder, { recursive: true })
  })
  expect(await asked).toEqual({ ok: true, answer: status })
})

it('gives up on a daemon that opens no socket within 5 s', async () => {
  expect(await askStatus(world, join(tmpdir(), 'callgate-nowhere'))).toMatchObject({ ok: false })
})

it('passes a line on to the modem, and the answer back', async () => {
  const { folder } = await opened()
  expect(await askAt(world, folder, 'AT+CSQ')).toEqual({
    ok: true,
    answer: { result: 'ok', lines: ['AT+CSQ'], why: null },
  })
  expect(await askAt(world, folder, 'x'.repeat(101))).toMatchObject({ ok: false })
})

it('sends a recording of any length, to the last line', async () => {
  const lines = Array.from({ length: 3_000 }, (_, place) => `${place} < ${'\\x00'.repeat(100)}`)
  const { folder } = await opened({ recording: () => lines })
  expect(await askRecording(world, folder)).toEqual({ ok: true, answer: lines })
})

it('sends each line to a listener, and stops when the listener leaves', async () => {
  const line = { openingId: 'open_1', atMs: 5, says: 'It rings', advice: null, end: null } as const
  let tell: (line: TraceLine) => void = () => {}
  let isListening = false
  const { folder } = await opened({
    trace(listener) {
      isListening = true
      tell = listener
      return () => {
        isListening = false
      }
    },
  })
  const heard: TraceLine[] = []
  const stop = listenToTrace(world, folder, { onLine: told => heard.push(told), onEnd() {} })
  await expect.poll(() => isListening).toBe(true)
  tell(line)
  tell({ ...line, atMs: 6 })
  await expect.poll(() => heard.length).toBe(2)
  expect(heard[1]).toEqual({ ...line, atMs: 6 })
  stop()
  await expect.poll(() => isListening).toBe(false)
})

it('ends a listener that receives a line of another version', async () => {
  let tell: (line: { text: string }) => void = () => {}
  const { folder } = await opened({
    unasked(listener) {
      tell = listener
      return () => {}
    },
  })
  const ends: string[] = []
  const hear = (onLine: (text: string) => void) =>
    listenToModem(world, folder, { onLine: ({ text }) => onLine(text), onEnd: why => ends.push(why) })
  const heard: string[] = []
  hear(text => heard.push(text))
  await expect
    .poll(() => {
      tell({ text: 'RING' })
      return heard.length
    })
    .toBeGreaterThan(0)
  tell({ text: 'x'.repeat(301) })
  await expect.poll(() => ends).toEqual(['it is of another version: restart it'])
})

it('cuts off a client with too many questions', async () => {
  const { path } = await opened()
  const socket = connect(path)
  let answers = ''
  socket.on('data', chunk => {
    answers += chunk
  })
  socket.on('error', () => {})
  socket.write('{"ask":"status"}\n'.repeat(9))
  await once(socket, 'close')
  expect(answers.split('\n').length).toBeLessThanOrEqual(9)
})
