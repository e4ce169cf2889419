import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { batchedLines, bootClock, realWorld } from './real.ts'

it('returns the requested number of random bytes, and none twice', () => {
  const world = realWorld({ logLevel: 'silent' })
  const counts = [0, 1, 12, 4_095, 4_096, 4_097, 10_000]
  expect(counts.map(count => world.randomBytes(count).length)).toEqual(counts)
  const draws = Array.from({ length: 5_000 }, () => Buffer.from(world.randomBytes(10)).toString('hex'))
  expect(new Set(draws).size).toBe(draws.length)
  const counted = new Map<number, number>()
  for (const byte of Buffer.from(draws.join(''), 'hex')) counted.set(byte, (counted.get(byte) ?? 0) + 1)
  // 50,000 bytes: about 195 of each value. A value that comes too often would show a wiped or stuck byte.
  expect(Math.max(...counted.values())).toBeLessThan(300)
  expect(counted.size).toBe(256)
})

it('does not change bytes that it returned earlier', () => {
  const world = realWorld({ logLevel: 'silent' })
  const first = world.randomBytes(32)
  const copy = Uint8Array.from(first)
  for (let draw = 0; draw < 1_000; draw++) world.randomBytes(32)
  expect(first).toEqual(copy)
})

it('reads the time since the boot at most once a millisecond of monotonic time', () => {
  let monotonicMs = 7
  let suspendedMs = 0
  let readings = 0
  const sinceBootMs = bootClock(
    () => {
      readings++
      return 1_000 + monotonicMs + suspendedMs
    },
    () => monotonicMs,
  )
  expect(sinceBootMs()).toBe(1_007)
  monotonicMs += 0.9
  suspendedMs = 60_000
  expect(sinceBootMs()).toBe(1_007)
  expect(readings).toBe(1)
  monotonicMs += 0.1
  expect(sinceBootMs()).toBe(61_008)
  expect(readings).toBe(2)
})

it('writes log lines together, in order, and each once', () => {
  const written: string[] = []
  const lines = batchedLines(text => written.push(text))
  const all = Array.from({ length: 200 }, (_, place) => `${place}\n`)
  for (const line of all) lines.write(line)
  expect(written.length).toBeLessThan(5)
  lines.flush()
  lines.flush()
  expect(written.join('')).toBe(all.join(''))
})

/** The standard error of a process that logs, and then ends as `then` says. */
function logOf(then: string) {
  const code = `
    import { realWorld } from ${JSON.stringify(new URL('real.ts', import.meta.url).href)}
    const { log } = realWorld({ logLevel: 'info' })
    for (let place = 0; place < 3; place++) log.info('line ' + place)
    ${then}`
  const given = ['--import', 'tsx', '--input-type', 'module', '--eval', code]
  const { status, stderr } = spawnSync(process.execPath, given, { encoding: 'utf8' })
  const messages = [...stderr.matchAll(/"message":"([^"]*)"/g)].map(([, message = '']) => message)
  return { messages, status, stderr }
}

it.each([
  ['its work is done', '', 0],
  ['it exits', 'process.exit(3)', 3],
  ['it has a bug', "throw new Error('a bug')", 1],
  ['it has a bug later', "setImmediate(() => { throw new Error('a bug') })", 1],
])('loses no line of the log when %s', (_, then, status) => {
  expect(logOf(then)).toMatchObject({ messages: ['line 0', 'line 1', 'line 2'], status })
})

it('has written a warning, and the lines before it, before anything else happens', () => {
  const { messages } = logOf("log.warn('trouble'); log.info('lost'); process.kill(process.pid, 'SIGKILL')")
  expect(messages).toEqual(['line 0', 'line 1', 'line 2', 'trouble'])
})

it('hides possible secrets, and prints the other fields unchanged', () => {
  const fields = {
    key: 'svc_a',
    gate: { token: 'svc_b', name: 'North' },
    pin: null,
    requestId: 'svc',
    at: 1.5,
  }
  const { stderr } = logOf(`
    log.info('plain', { requestId: 'a', status: 200, isOpen: true, what: null, none: undefined })
    log.warn('secret', ${JSON.stringify(fields)})
    log.error('failed', { error: new Error('a bug') })`)
  const [plain, secret, failed] = stderr
    .trim()
    .split('\n')
    .slice(3)
    .map(line => JSON.parse(line))
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT/)
  expect(plain).toEqual({
    level: 'info',
    time,
    message: 'plain',
    requestId: 'a',
    status: 200,
    isOpen: true,
    what: null,
  })
  const hidden = '[hidden]'
  expect(secret).toEqual({
    level: 'warn',
    time,
    message: 'secret',
    requestId: 'svc',
    at: 1.5,
    key: hidden,
    pin: hidden,
    gate: { token: hidden, name: 'North' },
  })
  expect(failed).toMatchObject({ level: 'error', error: { message: 'a bug' } })
})

it('hides a secret in the text of a warning or an error, and nothing else of it', () => {
  const why =
    'cannot reach postgres://callgate:p%40ss@db:5432/c with svc_live_0123456789abcdef, for https://gates.example/g/AbCdEfGhIjKlMnOpQrStUvWx'
  const { stderr } = logOf(
    `log.error('failed', ${JSON.stringify({ why, at: 'mqtts://broker:8883', cookie: 'a' })})`,
  )
  const { at, cookie, why: said } = JSON.parse(stderr.trim().split('\n').at(-1) ?? '')
  expect(said).toBe(
    'cannot reach postgres://[hidden]@db:5432/c with [hidden], for https://gates.example/g/[hidden]',
  )
  expect([at, cookie]).toEqual(['mqtts://broker:8883', '[hidden]'])
})
