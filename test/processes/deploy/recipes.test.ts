// The recipes for integrators in packages/client/examples, each as a program against a real cloud.

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { realWorld } from '@callgate/world/real'
import { isoTime } from '@callgate/world/world'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ServedCloud, serveCloud } from '../../api/servedCloud.ts'
import { noPython, pythonThat, usablePython } from './pythonHere.ts'

const top = fileURLToPath(new URL('../../..', import.meta.url))
const examples = join(top, 'packages/client/examples')
const world = realWorld({ logLevel: 'silent' })

let folder: string
let python: string | undefined
let cloud: ServedCloud

beforeAll(async () => {
  python = await pythonThat(usablePython)
  folder = await mkdtemp(join(tmpdir(), 'callgate-recipes-'))
  await run(process.execPath, ['--import', 'tsx', join(top, 'deploy/bundle.ts'), 'python', '--to', folder])
  cloud = await serveCloud(world)
})
afterAll(async () => {
  await cloud.stop()
  await rm(folder, { recursive: true, force: true })
})

interface Ended {
  readonly code: unknown
  readonly stdout: string
  readonly stderr: string
}

const environment = (more: Record<string, string> = {}) => ({
  PATH: process.env['PATH'],
  PYTHONPATH: join(folder, 'python'),
  PYTHONDONTWRITEBYTECODE: '1',
  BASE_URL: cloud?.base ?? '',
  ...more,
})

function run(program: string, args: readonly string[], more?: Record<string, string>): Promise<Ended> {
  return new Promise(resolve => {
    execFile(program, args, { env: environment(more), cwd: top }, (error, stdout, stderr) =>
      resolve({ code: error ? error.code : 0, stdout, stderr }),
    )
  })
}

const done = (stdout: string) => ({ code: 0, stdout, stderr: '' })
const failed = (stdout: string) => ({ code: 1, stdout, stderr: '' })

interface FoundMember {
  readonly externalId?: string
  readonly name: string
}

/** A Space with two gates. */
async function house() {
  const { key } = await cloud.addSpace('business')
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const post = async (path: string, body: object) => {
    const init = { method: 'POST', headers, body: JSON.stringify(body) }
    expect((await fetch(`${cloud.base}/api/v1${path}`, init)).status).toBe(201)
  }
  for (const [name, phoneNumber] of [
    ['North', '0722123456'],
    ['South', '0722123457'],
  ] as const)
    await post('/gates', { name, phoneNumber })
  const members = async () => {
    const listed = await fetch(`${cloud.base}/api/v1/members?isActive=true`, { headers })
    return ((await listed.json()) as { members: readonly FoundMember[] }).members
  }
  return { post, key, members }
}

it('a sync makes the members as the CRM has them, and nothing twice', async ({ skip }) => {
  if (!python) return skip(noPython)
  const program = python
  const { key, members, post } = await house()
  await post('/members', { name: 'Of others' })
  const file = join(folder, 'people.csv')
  const sync = async (lines: readonly string[], ...options: readonly string[]) => {
    await writeFile(file, `id,name,gate\n${lines.join('\n')}\n`)
    return run(program, [join(examples, 'sync_members.py'), file, ...options], { API_KEY: key })
  }
  const both = ['7,Ana Ștefan,North', '7,Ana Ștefan,South', '8,Bob,North']
  expect(await sync(both, '--dry-run')).toEqual(done('It would be: 2 created.\n'))
  expect(await members()).toHaveLength(1)
  expect(await sync(both)).toEqual(done('Done: 2 created.\n'))
  expect(await sync(both)).toEqual(done('Done: 2 unchanged.\n'))
  const ana = (await members()).find(({ externalId }) => externalId === '7')
  expect(ana).toMatchObject({ name: 'Ana Ștefan', accesses: [{}, {}] })
  expect(await sync(['7,Ana Pop,South'])).toEqual(done('Done: 1 changed, 1 deactivated.\n'))
  expect((await members()).map(({ externalId, name }) => [externalId, name]).sort()).toEqual([
    [undefined, 'Of others'],
    ['7', 'Ana Pop'],
  ])
  expect(await sync(['7,Ana,East'])).toEqual(failed("There is no gate 'East'.\n"))
  const tooLong = await sync(['7,Ana,North', `8,${'x'.repeat(121)},North`])
  expect(tooLong).toEqual(failed('item 1: items[1].name must have at most 120 characters\n'))
  const twice = await sync(['7,Ana,North', '8,Bob,North', '8,Bob,North'])
  expect(twice).toEqual(failed(expect.stringMatching(/^item 1: .+\n$/)))

  const many = Array.from({ length: 450 }, (_, place) => `m${place},Many ${place},North`)
  expect(await sync(many)).toEqual(done('Done: 450 created, 1 deactivated.\n'))
})

it('a booking becomes an access with an end, once', async ({ skip }) => {
  if (!python) return skip(noPython)
  const program = python
  const { key, members } = await house()
  const book = (...given: readonly string[]) =>
    run(program, [join(examples, 'booking.py'), ...given], { API_KEY: key })
  const inDays = (days: number) => isoTime(world.nowMs() + days * 86_400_000)
  const times = [inDays(30), inDays(34)]
  const first = await book('b-1', 'Ana', 'South', ...times)
  expect(first).toEqual(done(expect.stringContaining(`${cloud.base}/g/`)))
  expect(await book('b-1', 'Ana', 'South', ...times)).toEqual(first)
  const later = [times[0] ?? '', inDays(35)]
  expect(await book('b-1', 'Ana', 'South', ...later)).toEqual(first)
  expect(await members()).toMatchObject([
    {
      externalId: 'b-1',
      accesses: [{ schedules: [{ type: 'one-shot', startsAt: later[0], expiresAt: later[1] }] }],
    },
  ])
  expect(await book('b-2', 'Bob', 'East', ...times)).toEqual(failed('There is no gate East.\n'))
  expect(await book('b-2', 'Bob', 'North', ...times.toReversed())).toMatchObject({ code: 1, stderr: '' })
  expect(await members()).toHaveLength(1)
})

/** A webhook as the service sends it (Standard Webhooks 1.0.0). */
async function send(base: string, secret: string, id: string, sequence: number) {
  const timestamp = String(Math.floor(world.nowMs() / 1000))
  const body = JSON.stringify({ type: 'opening.ended', timestamp: '2026', sequence, data: {} })
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
  return (await fetch(base, { method: 'POST', body, headers })).status
}

it('a receiver takes each event once, by both secrets of a rotation, and nothing from strangers', async ({
  skip,
}) => {
  if (!python) return skip(noPython)
  const [old, fresh, foreign] = [1, 2, 3].map(fill => `whsec_${Buffer.alloc(32, fill).toString('base64')}`)
  const receiver: ChildProcess = spawn(python, [join(examples, 'webhook_receiver.py')], {
    env: environment({ WEBHOOK_SECRET: `${old} ${fresh}` }),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (!receiver.stdout) throw new Error('the receiver has no output')
  const lines = createInterface(receiver.stdout)[Symbol.asyncIterator]()
  const line = async () => (await lines.next()).value as string
  try {
    const base = await line()
    expect(await send(base, old ?? '', 'msg_1', 7)).toBe(204)
    expect(await line()).toBe('7 opening.ended')
    expect(await send(base, old ?? '', 'msg_1', 7)).toBe(204)
    expect(await send(base, foreign ?? '', 'msg_2', 8)).toBe(400)
    expect(await line()).toBe('refused: bad_signature')
    expect(await send(base, fresh ?? '', 'msg_3', 9)).toBe(204)
    expect(await line()).toBe('9 opening.ended')
  } finally {
    receiver.kill()
  }
})

it('a job of CI proves the rules of a visitor on a sandbox, and touches no live Space', async () => {
  const job = (API_KEY: string) =>
    run(process.execPath, ['--import', 'tsx', join(examples, 'check-sandbox.ts')], { API_KEY })
  const { key } = await cloud.addSandbox()
  for (let time = 1; time <= 2; time++) expect(await job(key)).toEqual(done('Everything is as expected.\n'))
  const live = await house()
  expect(await job(live.key)).toEqual(failed('this is no key of a sandbox\n'))
  expect(await job('svc_test_x')).toMatchObject({ code: 1, stdout: expect.stringMatching(/^unauthorized: /) })
})

/** The examples of pages of the documentation in one language, as one program. */
async function programOf(language: string, names: readonly string[]): Promise<string> {
  const read = names.map(name => readFile(join(top, `packages/cloud/docs/${name}.md`), 'utf8'))
  const pages = (await Promise.all(read)).join('\n')
  const blocks = [...pages.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))]
  return blocks.map(([, text = '']) => text).join('')
}

/** The ids that the text tells a reader of the shell's examples to keep. */
function withKeptIds(commands: string): string {
  const answer = (curl: string) => `ANSWER=$(${curl.trim()})\necho "$ANSWER"\n`
  const idOf = (kind: string) => `$(echo "$ANSWER" | grep -o '${kind}_[a-z0-9]*' | head -1)`
  return commands
    .replace(/^export (?:BASE_URL|API_KEY)=.*\n/gm, '')
    .replace(/^curl (?:[^\n]|\n(?! *(?:curl|export|$)))*\n/gm, answer)
    .replaceAll('curl ', 'curl -s ')
    .replace(/=(\w+)_…/g, (_, kind: string) => `=${idOf(kind)}`)
}

it('the first pages of the documentation open a gate and let a member in, in each language', async ({
  skip,
}) => {
  if (!python) return skip(noPython)
  const pages = ['start', 'members']
  const lines = (opened: string, no: string, none: string) =>
    new RegExp(
      `^Tests sandbox\ngate_\\w+ North gate\nopened ${opened}\nmember_\\w+ http\\S+\n${no} ${none}\nalways\n$`,
    )

  const { key } = await cloud.addSandbox()
  await writeFile(join(folder, 'first.py'), await programOf('python', pages))
  const ofPython = await run(python, [join(folder, 'first.py')], { API_KEY: key })
  expect(ofPython).toMatchObject({ code: 0, stderr: '' })
  expect(ofPython.stdout).toMatch(lines('True', 'False', 'outside_schedule'))

  const client = join(top, 'packages/client/src/client.ts')
  const text = (await programOf('ts', pages)).replace("'callgate-client'", JSON.stringify(client))
  await writeFile(join(folder, 'first.mts'), text)
  const args = ['--import', 'tsx', join(folder, 'first.mts')]
  const ofTypeScript = await run(process.execPath, args, { API_KEY: key })
  expect(ofTypeScript).toMatchObject({ code: 0, stderr: '' })
  expect(ofTypeScript.stdout).toMatch(lines('true', 'false', 'outside_schedule'))

  const shell = await run('sh', ['-c', withKeptIds(await programOf('sh', pages))], { API_KEY: key })
  expect(shell).toMatchObject({ code: 0, stderr: '' })
  expect(shell.stdout).toMatch(
    /"mode":"sandbox".*"phoneNumber":"\+447700900100".*"opened":true.*"accessUrl".*"outside_schedule".*"type":"always"/s,
  )
  expect(shell.stdout).not.toContain('"error"')
})
