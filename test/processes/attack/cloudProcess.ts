// The cloud as a process of its own, whose heap can be read after a collection.

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openDatabase } from '@callgate/cloud/database/database'
import { createApiKey } from '@callgate/cloud/space/apiKeys'
import { createSpace } from '@callgate/cloud/space/spaces'
import { scopeNames } from '@callgate/contract/rest/scope'
import { selfSigned } from '@callgate/mqtt/certificate.kit'
import { realWorld } from '@callgate/world/real'
import { freePort } from '../freePort.ts'
import { slowness } from '../slowness.ts'
import type { Credentials } from './dialogues.ts'

const bundle = new URL('../../../packages/cloud/dist/callgate.mjs', import.meta.url).pathname

/** Loaded before the cloud: answers each message with the heap after two collections, in bytes. */
const heapReader = `data:text/javascript,${encodeURIComponent(`
process.on('message', () => {
  globalThis.gc(); globalThis.gc()
  process.send(process.memoryUsage().heapUsed)
})
process.channel.unref()
`)}`

export interface Space {
  readonly keys: readonly string[]
}

export interface CloudProcess {
  readonly ports: { readonly http: number; readonly mqtt: number }
  readonly credentials: Credentials
  /** Spaces with their keys: enough that requests to each in turn hardly ever meet a rate limit. */
  readonly spaces: readonly Space[]
  /** Why it no longer lives; undefined while it lives. */
  death(): string | undefined
  /** Whether it answers a request within 10 s on a quiet machine. */
  answers(): Promise<boolean>
  /** Bytes in use after a collection. */
  heapBytes(): Promise<number>
  stop(): Promise<void>
}

/** Makes a Space with a key and a gateway, by the command line. */
async function furnish(environment: NodeJS.ProcessEnv): Promise<Credentials> {
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
  const scopes = ['--scopes', 'all,gates:open']
  const { key = '' } = await command('key', 'create', '--space', spaceId, '--name', 'k', ...scopes)
  const publicKey = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }).x ?? ''
  const added = await command('gateway', 'add', '--space', spaceId, '--name', 'Pi', '--public-key', publicKey)
  const { gatewayId = '', mqttPassword = '' } = added
  return { key, gatewayId, mqttPassword }
}

/** Keys of one Space. */
const keysOfSpace = 32

/** Made by the program's own parts, because the command line takes a second for each. */
async function makeSpaces(dataFolder: string, count: number): Promise<readonly Space[]> {
  const world = realWorld({ logLevel: 'warn' })
  const url = join(dataFolder, 'callgate.sqlite')
  const database = await openDatabase({ url, patience: { world, withinMs: 30_000 } })
  const spaces: Space[] = []
  try {
    for (let made = 0; made < count; made++) {
      const home = { plan: 'business', country: 'RO', timezone: 'Europe/Bucharest' } as const
      const { spaceId } = await createSpace({ world, database }, { name: `Attacked ${made}`, ...home })
      const keys: string[] = []
      for (let number = 0; number < keysOfSpace; number++) {
        const given = { spaceId, name: `k${number}`, scopes: scopeNames, expiresAt: null, actor: 'attack' }
        keys.push((await createApiKey({ world, database }, given))?.key ?? '')
      }
      spaces.push({ keys })
    }
  } finally {
    await database.close()
  }
  return spaces
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

/** A file system in memory, where there is one: nothing here tests the disk, and the syncs took most of the time. */
const memory = '/dev/shm'

/** Writes a certificate, and returns the settings that make the broker take TLS. */
async function writeCertificate(folder: string): Promise<NodeJS.ProcessEnv> {
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  await writeFile(cert, selfSigned.cert)
  await writeFile(key, selfSigned.key, { mode: 0o600 })
  return { MQTT_TLS_CERT: cert, MQTT_TLS_KEY: key }
}

/**
 * Starts a cloud on data of its own, with the given number of Spaces. A secured one takes MQTT over TLS alone. The bundle must
 * exist.
 */
export async function startCloudProcess({ isSecured = false, spaceCount = 2 } = {}): Promise<CloudProcess> {
  const folder = await mkdtemp(join(existsSync(memory) ? memory : tmpdir(), 'callgate-attack-'))
  const ports = { http: await freePort(), mqtt: await freePort() }
  const environment = {
    PATH: process.env['PATH'],
    CALLGATE_DATA: folder,
    PORT: String(ports.http),
    MQTT_PORT: String(ports.mqtt),
    LOG_LEVEL: 'error',
    ...(isSecured ? await writeCertificate(folder) : {}),
  }
  const child = spawn(process.execPath, ['--expose-gc', '--import', heapReader, bundle, 'serve'], {
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const death = lifeOf(child)
  const answers = async () => {
    // In whole milliseconds: AbortSignal.timeout takes no fractions.
    const signal = AbortSignal.timeout(Math.ceil(10_000 * slowness()))
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
    credentials: await furnish(environment),
    spaces: await makeSpaces(folder, spaceCount),
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
