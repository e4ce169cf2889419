// The parts, simulated by small programs: awaited, lost, restarted, stopped, and ended with the demo.

import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it, vi } from 'vitest'
import { lastLines, whyInLog } from './command.ts'
import { lifeline } from './lifeline.ts'
import { RunningParts } from './parts.ts'

const logFolder = mkdtempSync(join(tmpdir(), 'callgate-parts-'))
afterAll(() => rmSync(logFolder, { recursive: true }))

const usual = { afterMs: [5, 5], settledMs: 60_000 }

function makeParts(patience = usual, sayAfterMs = 60_000) {
  const over = new AbortController()
  const lost: string[] = []
  const notices: string[] = []
  const onLost = (message: string) => void lost.push(message)
  const onNotice = (message: string) => void notices.push(message)
  const given = { node: process.execPath, top: logFolder, logFolder, environment: { PATH: '/bin' } }
  const parts = new RunningParts({ ...given, patience, sayAfterMs, over: over.signal, onLost, onNotice })
  return { over, lost, notices, parts }
}

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
const pidOf = (line: string) => (/^pid \d+$/.test(line) ? Number(line.slice(4)) : undefined)
const stays = 'console.log("pid", process.pid); setInterval(() => {}, 1000)'

it('waits for a line of a part, and stops the part by force when it does not end', async () => {
  const { lost, parts } = makeParts()
  await parts.start('polite', [
    '-e',
    `process.on("SIGTERM", () => { console.log("bye"); process.exit() }); ${stays}`,
  ])
  await parts.start('deaf', ['-e', `process.on("SIGTERM", () => {}); ${stays}`])
  const polite = await parts.waitForLine('polite', pidOf, 60_000)
  const deaf = await parts.waitForLine('deaf', pidOf, 60_000)
  await parts.stop(['polite'], 60_000)
  await parts.stop(['deaf'], 300)
  expect(await parts.waitForLine('polite', line => line === 'bye' || undefined, 1_000)).toEqual({
    ok: true,
    value: true,
  })
  for (const pid of [polite, deaf]) expect(pid.ok && isAlive(pid.value)).toBe(false)
  expect(lost).toEqual([])
})

it('reports what it waits for when that takes long, with the log line that says why', async () => {
  const { notices, parts } = makeParts(usual, 5)
  const line = { level: 'warn', msg: 'the serial port is held by another program.' }
  await parts.start('gateway', ['-e', `console.log('${JSON.stringify(line)}'); ${stays}`])
  const pid = await parts.waitForLine('gateway', pidOf, 60_000)
  notices.length = 0
  await parts.waitForLine('gateway', () => undefined, 300)
  await parts.stop(['gateway'], 60_000)
  expect(pid.ok).toBe(true)
  expect(notices).toEqual([
    expect.stringMatching(
      /^Still waiting for the gateway: the serial port is held by another program\. Its log: .*gateway\.log$/,
    ),
  ])
})

it('does not report a short wait', async () => {
  const { notices, parts } = makeParts()
  expect(await parts.sayWhy('cloud', Promise.resolve(7))).toBe(7)
  expect(notices).toEqual([])
})

it('finds the reason in a log', () => {
  const info = '{"level":"info","msg":"starting"}'
  const error = '{"level":"error","code":"port_busy","msg":"the port is taken"}'
  expect(whyInLog(`${info}\n${error}\n${info}\n`)).toBe('the port is taken')
  expect(whyInLog(`${info}\n`)).toBe('starting')
  expect(whyInLog('Segmentation fault\n')).toBe('Segmentation fault')
  expect(whyInLog('')).toBeUndefined()
})

it('names a lost part, with the last lines of its log', async () => {
  const { lost, parts } = makeParts()
  await parts.start('cloud', ['-e', 'console.error("the disk is full"); process.exit(3)'])
  await vi.waitUntil(() => lost.length > 0, 60_000)
  expect(lost).toEqual([
    expect.stringMatching(/^The cloud ended with exit code 3[\s\S]*the disk is full[\s\S]*cloud\.log$/),
  ])
})

it('restarts a part that ends by itself, until it has ended too often', async () => {
  const { lost, notices, parts } = makeParts()
  parts.keepAlive()
  await parts.start('cloud', ['-e', 'process.exit(70)'])
  await vi.waitUntil(() => lost.length > 0, 60_000)
  expect(notices).toHaveLength(2)
  expect(notices[0]).toMatch(/^The cloud ended with exit code 70. It is started again in 0.005 s. Its log: /)
  expect(lost).toEqual([expect.stringMatching(/^The cloud ended with exit code 70, soon after/)])
})

it('counts only ends of a part that had not stayed up', async () => {
  const { lost, notices, over, parts } = makeParts({ afterMs: [5, 5], settledMs: 1 })
  parts.keepAlive()
  await parts.start('cloud', ['-e', 'process.exit(70)'])
  await vi.waitUntil(() => notices.length > 4, 60_000)
  expect(lost).toEqual([])
  over.abort()
})

it('does not restart a part after a final exit code, and reports that', async () => {
  const { lost, notices, over, parts } = makeParts()
  parts.keepAlive()
  await parts.start('gateway', ['-e', 'process.exit(3)'], {}, { 3: 'it was revoked' })
  await vi.waitUntil(() => notices.length > 0, 60_000)
  expect(notices).toEqual([
    expect.stringMatching(/^The gateway ended with exit code 3: it was revoked. Its log: .*gateway\.log$/),
  ])
  expect(lost).toEqual([])
  over.abort()
})

it('runs a command, and returns its output or its failure', async () => {
  const { over, parts } = makeParts()
  expect(await parts.run(['-e', 'console.log(process.env.A)'], { A: '1' })).toEqual({
    ok: true,
    value: '1\n',
  })
  expect(await parts.run(['-e', 'console.error("no such Space"); process.exit(1)'])).toEqual({
    ok: false,
    message: expect.stringMatching(/exit code 1[\s\S]*no such Space/),
  })
  const endless = parts.run(['-e', stays])
  over.abort()
  expect((await endless).ok).toBe(false)
  expect((await parts.start('late', ['-e', stays])).ok).toBe(false)
})

it('ends a part when the demo was killed', async () => {
  // A demo of three lines: it starts one part like the real demo and stays. Both keep its output pipe open.
  const holder = `
    require('node:child_process').spawn(process.execPath, ['--import', ${JSON.stringify(lifeline)}, '-e',
      ${JSON.stringify(stays)}], { stdio: ['pipe', 'inherit', 'inherit'], detached: true })
    setInterval(() => {}, 1000)`
  const demo = spawn(process.execPath, ['-e', holder], { stdio: ['ignore', 'pipe', 'inherit'] })
  const allGone = new Promise<void>(resolve => demo.stdout.once('close', resolve))
  const pid = await new Promise<number | undefined>(resolve => {
    demo.stdout.on('data', chunk => resolve(pidOf(String(chunk).trim())))
  })
  expect(pid && isAlive(pid)).toBe(true)
  demo.kill('SIGKILL')
  await allGone
})

it('shows the end of a log', () => {
  expect(lastLines('a\nb\nc\n', 2)).toBe('    b\n    c')
})
