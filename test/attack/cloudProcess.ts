// The cloud as a process of its own, whose heap can be read after a collection.

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Credentials } from './dialogues.ts'

const bundle = new URL('../../packages/cloud/dist/callgate.mjs', import.meta.url).pathname

/** Loaded before the cloud: answers each message with the heap after two collections, in bytes. */
const heapReader = `data:text/javascript,${encodeURIComponent(`
process.on('message', () => {
  globalThis.gc(); globalThis.gc()
  process.send(process.memoryUsage().heapUsed)
})
process.channel.unref()
`)}`

export interface CloudProcess {
  readonly ports: { readonly http: number; readonly mqtt: number }
  /** Of a Space of its own, with several keys. */
  readonly credentials: Credentials & { readonly keys: readonly string[] }
  /** Why it does not live any more; undefined while it lives. */
  death(): string | undefined
  /** Whether it answers a request within 10 s. */
  answers(): Promise<boolean>
  /** Bytes in use after a collection. */
  heapBytes(): Promise<number>
  stop(): Promise<void>
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}

async function furnish(
  environment: NodeJS.ProcessEnv,
  keyCount: number,
): Promise<CloudProcess['credentials']> {
  const command = async (...args: readonly string[]) => {
    const { stdout } = await promisify(execFile)(process.execPath, [bundle, ...args, '--json'], {
      env: environment,
    })
    return JSON.parse(stdout) as Readonly<Record<string, string>>
  }
  const { spaceId = '' } = await command(
    'space',
    'create',
    '--name',
    'Attacked',
    '--plan',
    'business',
    '--country',
    'RO',
  )
  const keys: string[] = []
  for (let made = 0; made < keyCount; made++) {
    const { key = '' } = await command(
      'key',
      'create',
      '--space',
      spaceId,
      '--name',
      `k${made}`,
      '--scopes',
      'all,gates:open',
    )
    keys.push(key)
  }
  const publicKey = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }).x ?? ''
  const added = await command('gateway', 'add', '--space', spaceId, '--name', 'Pi', '--public-key', publicKey)
  const { gatewayId = '', mqttPassword = '' } = added
  return { keys, key: keys[0] ?? '', gatewayId, mqttPassword }
}

function lifeOf(child: ChildProcess): () => string | undefined {
  let complaint = ''
  child.stderr?.on('data', chunk => {
    complaint = `${complaint}${chunk}`.slice(-4_000)
  })
  let end: string | undefined
  child.once('exit', (code, signal) => {
    end = `the cloud ended with ${signal ?? code}:\n${complaint}`
  })
  return () => end
}

/** Starts one on data of its own. The bundle has to be there. */
export async function startCloudProcess(keyCount = 4): Promise<CloudProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'callgate-attack-'))
  const ports = { http: await freePort(), mqtt: await freePort() }
  const environment = {
    PATH: process.env['PATH'],
    CALLGATE_DATA: folder,
    PORT: String(ports.http),
    MQTT_PORT: String(ports.mqtt),
    LOG_LEVEL: 'error',
  }
  const child = spawn(process.execPath, ['--expose-gc', '--import', heapReader, bundle, 'serve'], {
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const death = lifeOf(child)
  const answers = async () => {
    const signal = AbortSignal.timeout(10_000)
    const asked = fetch(`http://127.0.0.1:${ports.http}/healthz`, {
      signal,
      headers: { connection: 'close' },
    })
    const answer = await asked.catch(() => undefined)
    return answer?.ok === true
  }
  while (!(await answers())) if (death()) throw new Error(death())
  return {
    ports,
    credentials: await furnish(environment, keyCount),
    death,
    answers,
    async heapBytes() {
      const told = once(child, 'message')
      child.send('heap')
      return Number((await told)[0])
    },
    async stop() {
      if (death() === undefined) {
        const ended = once(child, 'exit')
        child.kill('SIGTERM')
        await ended
      }
      await rm(folder, { recursive: true, force: true })
    },
  }
}
