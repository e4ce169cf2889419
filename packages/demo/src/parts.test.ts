// The parts, with small programs in their place: heard, lost, stopped, and gone when the demo is.

import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it, vi } from 'vitest'
import { lifeline } from './lifeline.ts'
import { createParts, lastLines } from './parts.ts'

const logFolder = mkdtempSync(join(tmpdir(), 'callgate-parts-'))
afterAll(() => rmSync(logFolder, { recursive: true }))

function makeParts() {
  const over = new AbortController()
  const lost: string[] = []
  const restarted: string[] = []
  const onLost = (message: string) => void lost.push(message)
  const onRestart = (message: string) => void restarted.push(message)
  const given = { node: process.execPath, top: logFolder, logFolder, environment: { PATH: '/bin' } }
  return { over, lost, restarted, parts: createParts({ ...given, over: over.signal, onLost, onRestart }) }
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

it('hears a part and stops it, by force when it does not listen', { timeout: 60_000 }, async () => {
  const { lost, parts } = makeParts()
  await parts.start('polite', [
    '-e',
    `process.on("SIGTERM", () => { console.log("bye"); process.exit() }); ${stays}`,
  ])
  await parts.start('deaf', ['-e', `process.on("SIGTERM", () => {}); ${stays}`])
  const polite = await parts.heard('polite', pidOf, 60_000)
  const deaf = await parts.heard('deaf', pidOf, 60_000)
  await parts.stop(['polite', 'deaf'], 300)
  expect(await parts.heard('polite', line => line === 'bye' || undefined, 1_000)).toEqual({
    ok: true,
    value: true,
  })
  for (const pid of [polite, deaf]) expect(pid.ok && isAlive(pid.value)).toBe(false)
  expect(lost).toEqual([])
})

it('says which part was lost, and its last words', async () => {
  const { lost, parts } = makeParts()
  await parts.start('cloud', ['-e', 'console.error("the disk is full"); process.exit(3)'])
  await vi.waitUntil(() => lost.length > 0, 60_000)
  expect(lost).toEqual([
    expect.stringMatching(/^The cloud ended with exit code 3[\s\S]*the disk is full[\s\S]*cloud\.log$/),
  ])
})

it('runs a command, and gives its output or its complaint', async () => {
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

it('is no longer there when the demo was killed', { timeout: 60_000 }, async () => {
  // A demo of three lines: it starts one part as ours does and stays. Both hold the pipe that it prints to.
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
