// A real Mosquitto with the configuration of `deploy/broker`, where it is installed.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { selfSigned } from '@callgate/mqtt/certificate.kit'
import { freePort } from '../freePort.ts'

const configuration = new URL('../../../deploy/broker/mosquitto.conf', import.meta.url).pathname
const pluginName = 'mosquitto_dynamic_security.so'

function firstOf(folders: readonly string[], name: string): string | undefined {
  return folders.map(folder => join(folder, name)).find(path => existsSync(path))
}

/** The paths of the program and of its plugin; undefined where it is not installed. */
function installed(): { readonly program: string; readonly plugin: string } | undefined {
  const program = firstOf([...(process.env['PATH'] ?? '').split(':'), '/usr/sbin'], 'mosquitto')
  const machines = existsSync('/usr/lib')
    ? readdirSync('/usr/lib').filter(name => name.includes('-linux-'))
    : []
  const plugin = firstOf([...machines.map(name => join('/usr/lib', name)), '/usr/lib'], pluginName)
  return program !== undefined && plugin !== undefined ? { program, plugin } : undefined
}

/** Why tests with Mosquitto are skipped, for the runner; undefined where it is installed. */
export const withoutMosquitto = installed()
  ? undefined
  : 'Mosquitto with its dynamic security is not installed'

export interface Mosquitto {
  readonly port: number
  /** The authority behind its certificate, which is for `localhost`. */
  readonly caFile: string
  /** The file of its accounts. */
  readonly accountsFile: string
  readonly program: string
  readonly args: readonly string[]
  start(): Promise<void>
  stop(): Promise<void>
  log(): string
}

/** A Mosquitto in `folder` that is not started yet. Its accounts are written into `accountsFile` first. */
export async function newMosquitto(folder: string): Promise<Mosquitto> {
  const paths = installed()
  if (!paths) throw new Error(withoutMosquitto)
  mkdirSync(folder, { recursive: true })
  const port = await freePort()
  const place = (name: string) => join(folder, name)
  writeFileSync(place('broker.crt'), selfSigned.cert)
  writeFileSync(place('broker.key'), selfSigned.key)
  const changed: readonly (readonly [string, string])[] = [
    ['listener 8883', `listener ${port} 127.0.0.1`],
    ['/etc/mosquitto/callgate/broker.crt', place('broker.crt')],
    ['/etc/mosquitto/callgate/broker.key', place('broker.key')],
    ['/var/lib/mosquitto/dynamic-security.json', place('dynamic-security.json')],
    [`/usr/lib/x86_64-linux-gnu/${pluginName}`, paths.plugin],
  ]
  let text = readFileSync(configuration, 'utf8')
  for (const [from, to] of changed) {
    if (!text.includes(from)) throw new Error(`mosquitto.conf does not say ${from}`)
    text = text.replace(from, to)
  }
  // Started by root, it would switch to another user, who cannot write here.
  writeFileSync(place('mosquitto.conf'), process.getuid?.() === 0 ? `user root\n${text}` : text)
  const args = ['-c', place('mosquitto.conf')]
  let running: ChildProcess | undefined
  let log = ''

  async function isListening(): Promise<boolean> {
    const socket = connect({ port, host: '127.0.0.1' })
    const [event] = await Promise.race([
      once(socket, 'connect').then(() => ['connect']),
      once(socket, 'close').then(() => ['close']),
    ]).catch(() => ['error'])
    socket.destroy()
    return event === 'connect'
  }

  return {
    port,
    caFile: place('broker.crt'),
    accountsFile: place('dynamic-security.json'),
    program: paths.program,
    args,
    log: () => log,
    async start() {
      const child = spawn(paths.program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
      running = child
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', chunk => {
          log += chunk
        })
      while (!(await isListening()))
        if (child.exitCode !== null) throw new Error(`Mosquitto has ended: ${log}`)
    },
    async stop() {
      const child = running
      running = undefined
      if (!child || child.exitCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}
