// A cloud, a gateway and its simulated modem as processes from their bundles, with the embedded broker or one apart with TLS.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { environmentOfParts } from '../../../packages/demo/src/arguments.ts'
import type { BundlePaths } from '../../../packages/demo/src/bundles.ts'
import { allScopes } from '../../../packages/demo/src/demoSpace.ts'
import { type TlsBroker, tlsBroker } from '../../processes/chaos/engines.ts'
import { type PartProcess, type Program, partProcess } from '../../processes/chaos/processes.ts'
import { callerOf, runCommand } from '../../processes/endToEnd/demoProcess.ts'
import { freePort } from '../../processes/freePort.ts'
import type { OpenedHouse } from './opening.ts'

export interface BrokerHouse extends OpenedHouse {
  /** The name of the broker. */
  readonly broker: string
  remove(): Promise<void>
}

const answersWithinMs = 60_000

async function untilAnswers(url: string): Promise<void> {
  const endMs = performance.now() + answersWithinMs
  for (;;) {
    const answer = await fetch(url).catch(() => undefined)
    if (answer?.ok) return
    if (performance.now() > endMs) throw new Error(`${url} has not answered`)
    await pause(100)
  }
}

/** Makes the Space, its key, and the gateway, whose configuration goes into `config`. */
async function furnish(
  bundles: BundlePaths,
  environment: Readonly<Record<string, string>>,
  own: Readonly<Record<'config' | 'folder' | 'mqttUrl' | 'serialPort', string>> & Partial<TlsBroker>,
): Promise<{ readonly spaceId: string; readonly key: string }> {
  const run = async (...args: string[]) => {
    const { code, stderr, stdout } = await runCommand([...args, '--json'], environment)
    if (code !== 0) throw new Error(stderr)
    return JSON.parse(stdout) as Record<string, string>
  }
  const home = ['--name', 'Bench', '--plan', 'pro', '--country', 'RO']
  const { spaceId = '' } = await run(bundles.cloud, 'space', 'create', ...home)
  const named = ['--space', spaceId, '--name', 'Bench']
  const { key = '' } = await run(bundles.cloud, 'key', 'create', ...named, '--scopes', allScopes.join(','))
  const privateKeyFile = join(own.folder, 'gateway.key')
  const { publicKey = '' } = await run(bundles.gateway, 'keygen', '--out', privateKeyFile)
  const added = await run(bundles.cloud, 'gateway', 'add', ...named, '--public-key', publicKey)
  const { cloudKeys, gatewayId, mqttPassword } = added
  const { mqttUrl, serialPort } = own
  const dataFolder = join(own.folder, 'gateway')
  const login = { gatewayId, mqttPassword, cloudKeys, mqttUrl, ...(own.caFile && { ca: own.caFile }) }
  const written = { ...login, privateKeyFile, serialPort, dataFolder, logLevel: 'info' }
  await writeFile(own.config, JSON.stringify(written), { mode: 0o600 })
  return { spaceId, key }
}

/** Starts a house whose gateway may still be on its way to the cloud. */
export async function startBrokerHouse(bundles: BundlePaths, isApart: boolean): Promise<BrokerHouse> {
  const folder = await mkdtemp(join(tmpdir(), 'callgate-broker-'))
  await mkdir(join(folder, 'logs'))
  const [http, mqtt, control] = [await freePort(), await freePort(), await freePort()]
  const apart = isApart ? await tlsBroker(join(folder, 'broker')) : undefined
  const baseUrl = `http://127.0.0.1:${http}`
  const ports = { PORT: String(http), MQTT_PORT: String(mqtt), APP_URL: baseUrl }
  const environment = { CALLGATE_DATA: folder, ...ports, ...apart?.environment }
  const [serialPort, config] = [join(folder, 'modem'), join(folder, 'callgate-gateway.yaml')]
  const started: PartProcess[] = []
  const start = (name: string, program: Program, own: Readonly<Record<string, string>> = {}) => {
    const logPath = join(folder, 'logs', `${name}.log`)
    const part = partProcess({
      ...program,
      environment: { ...environmentOfParts(process.env), ...own },
      logPath,
    })
    started.push(part)
    part.start()
  }
  async function remove() {
    for (const part of started) part.kill()
    await Promise.all(started.map(part => part.ended()))
    await rm(folder, { recursive: true, force: true })
  }
  try {
    if (apart) start('broker', apart.program)
    const line = ['--link', serialPort, '--control-port', String(control)]
    start('simulator', { args: [bundles.simulator, ...line, '--network', 'fast', '--registered', '--json'] })
    start('cloud', { args: [bundles.cloud, 'serve'] }, environment)
    await untilAnswers(`${baseUrl}/healthz`)
    const mqttUrl = apart ? `mqtts://localhost:${apart.port}` : `mqtt://127.0.0.1:${mqtt}`
    const { key, spaceId } = await furnish(bundles, environment, {
      config,
      folder,
      serialPort,
      ...apart,
      mqttUrl,
    })
    start('gateway', { args: [bundles.gateway, 'run', '--config', config] })
    const ready = { spaceId, simulatorUrl: `http://127.0.0.1:${control}` }
    const broker = apart ? `${apart.name} with TLS` : 'embedded'
    return { broker, dataFolder: folder, ready, call: callerOf(baseUrl, key), remove }
  } catch (error) {
    await remove()
    throw error
  }
}
