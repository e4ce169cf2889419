// The receivers on the page of the webhooks, run as they stand there: they take what is signed, and nothing else.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { signedHeaders, webhookSecret } from '@callgate/cloud/webhook/webhookSignature'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from './freePort.ts'

const top = fileURLToPath(new URL('../..', import.meta.url))
const secret = webhookSecret(new Uint8Array(32).fill(7))
const old = webhookSecret(new Uint8Array(32).fill(8))
const running: ChildProcess[] = []
let folder: string
let page: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callgate-receivers-'))
  page = await readFile(join(top, 'packages/cloud/docs/webhooks.md'), 'utf8')
  await symlink(join(top, 'packages/cloud/node_modules'), join(folder, 'node_modules'))
})
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL')
  await rm(folder, { recursive: true })
})

/** The receiver and the sender. */
const examplesIn = (language: string) =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, text = '']) => text)

/** What the page's own sender says of the receiver that was started from it. */
function checkExample(file: string, [program = '', ...options]: readonly string[]): string {
  const env = { ...process.env, WEBHOOK_SECRET: secret }
  return spawnSync(program, [...options, join(folder, `sender-${file}`)], { env, cwd: top }).stdout.toString()
}

/** Starts a receiver of the page on a port, and waits until it answers. */
async function startExample(language: string, file: string, command: readonly string[]): Promise<string> {
  const [receiver = '', sender = ''] = examplesIn(language)
  const port = await freePort()
  expect([receiver, sender].map(text => text.split('8000').length)).toEqual([2, 2])
  await writeFile(join(folder, file), receiver.replace('8000', String(port)))
  await writeFile(join(folder, `sender-${file}`), sender.replace('8000', String(port)))
  const [program = '', ...options] = command
  const env = { ...process.env, WEBHOOK_SECRET: secret }
  running.push(spawn(program, [...options, join(folder, file)], { env, stdio: 'ignore', cwd: top }))
  const base = `http://127.0.0.1:${port}/`
  await expect
    .poll(
      () =>
        fetch(base).then(
          () => true,
          () => false,
        ),
      { timeout: 20_000, interval: 50 },
    )
    .toBe(true)
  return base
}

async function expectVerifies(base: string): Promise<void> {
  const body = JSON.stringify({ type: 'opening.ended', sequence: 7, data: {} })
  const of = { id: 'msg_1', timestamp: Math.floor(Date.now() / 1_000), body }
  const send = async (headers: Readonly<Record<string, string>>, text = body) =>
    (await fetch(base, { method: 'POST', headers, body: text })).status
  expect(await send(signedHeaders([secret], of))).toBe(204)
  expect(await send(signedHeaders([old, secret], of))).toBe(204)
  expect(await send(signedHeaders([old], of))).toBe(400)
  expect(await send(signedHeaders([secret], of), body.replace('7', '8'))).toBe(400)
  expect(await send(signedHeaders([secret], { ...of, timestamp: of.timestamp - 3_600 }))).toBe(400)
  expect(await send({})).toBe(400)
}

it('verifies in TypeScript', async () => {
  const command = [process.execPath, '--import', 'tsx']
  await expectVerifies(await startExample('ts', 'receiver.mts', command))
  expect(checkExample('receiver.mts', command)).toBe('signed 204 changed 400\n')
})

it('verifies in Python', async ({ skip }) => {
  skip(spawnSync('python3', ['--version']).status !== 0, 'there is no Python on this machine')
  await expectVerifies(await startExample('python', 'receiver.py', ['python3']))
  expect(checkExample('receiver.py', ['python3'])).toBe('signed 204 changed 400\n')
})
