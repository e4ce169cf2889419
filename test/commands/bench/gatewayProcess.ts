// The bundled gateway as a process, over TLS: its start beside a bare Node, and its resources when idle and during calls.

import { type ChildProcess, spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type DemoProcess, runCommand } from '../../processes/endToEnd/demoProcess.ts'
import { type MeteredTls, meterTls, type Traffic } from './meteredTls.ts'
import { type Use, useOf } from './processUse.ts'

const top = new URL('../../../', import.meta.url).pathname
const nowMs = () => Number(process.hrtime.bigint()) / 1e6
const dayMs = 24 * 60 * 60_000

/** Starts Node with `args` and waits for `words` on either output. Returns the time in milliseconds, and the process. */
async function startUntil(args: readonly string[], words: string) {
  const startMs = nowMs()
  const child = spawn(process.execPath, [...args], { cwd: top, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', chunk => {
        output += chunk
        if (output.includes(words)) resolve()
      })
    child.once('exit', () => reject(new Error(`ended before "${words}": ${output}`)))
  })
  return { child, tookMs: nowMs() - startMs }
}

async function end(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM')
  if (child.exitCode === null) await new Promise(resolve => child.once('exit', resolve))
}

/** The resources that a gateway used in some time. */
export interface Spent extends Pick<Use, 'residentMb' | 'writtenBytes'> {
  readonly tookMs: number
  /** The share of one processor. */
  readonly processorShare: number
  readonly processorMs: number
  readonly traffic: Traffic
}

export interface GatewayFigures {
  readonly startMs: readonly number[]
  readonly bareStartMs: number
  readonly bareMb: number
  readonly idle: Spent
  /** A call that rings until the gateway hangs up. */
  readonly call: Spent
  /** An opening of a gate that rejects the call. */
  readonly opening: Spent
}

const cli = (demo: DemoProcess, ...args: string[]) =>
  runCommand(['packages/cloud/src/main.ts', ...args, '--json'], { CALLGATE_DATA: demo.dataFolder })

interface Configuration {
  readonly gatewayId: string
  readonly mqttUrl: string
}

const configurationOf = async (demo: DemoProcess) =>
  JSON.parse(
    await readFile(join(demo.dataFolder, 'gateway', 'callgate-gateway.yaml'), 'utf8'),
  ) as Configuration

/**
 * Adds a second gateway, with its own modem, to the demo's Space; the demo's own gateway calls no gate. Returns its configuration
 * file.
 */
async function admitGateway(demo: DemoProcess, serialPort: string, tls: MeteredTls): Promise<string> {
  const privateKeyFile = join(demo.dataFolder, 'bench.key')
  const made = await runCommand(['packages/gateway/src/main.ts', 'keygen', '--out', privateKeyFile, '--json'])
  const { publicKey } = JSON.parse(made.stdout) as { publicKey: string }
  const add = ['--space', demo.ready.spaceId, '--name', 'Bench', '--public-key', publicKey]
  const added = await cli(demo, 'gateway', 'add', ...add)
  const { cloudKeys, gatewayId, mqttPassword } = JSON.parse(added.stdout) as Record<string, unknown>
  const first = await configurationOf(demo)
  for (const { id } of demo.ready.gates) {
    const told = await cli(
      demo,
      'gate',
      'gateways',
      '--gate',
      id,
      '--gateway',
      first.gatewayId,
      '--may-call',
      'no',
    )
    if (told.code !== 0) throw new Error(told.stderr)
  }
  const ca = join(demo.dataFolder, 'bench-ca.pem')
  await writeFile(ca, tls.ca)
  const own = { gatewayId, mqttPassword, cloudKeys, privateKeyFile, serialPort, mqttUrl: tls.url, ca }
  const config = join(demo.dataFolder, 'bench-gateway.yaml')
  const dataFolder = join(demo.dataFolder, 'bench-gateway')
  await writeFile(config, JSON.stringify({ ...own, dataFolder, logLevel: 'info' }), { mode: 0o600 })
  return config
}

/** The resources that the process uses while `work` runs. */
async function spentIn(pid: number, tls: MeteredTls, work: () => Promise<unknown>): Promise<Spent> {
  const before = await useOf(pid)
  const traffic = tls.traffic()
  const startMs = nowMs()
  await work()
  const tookMs = nowMs() - startMs
  const after = await useOf(pid)
  const { bytes, pieces } = tls.traffic()
  const processorMs = after.processorMs - before.processorMs
  return {
    tookMs,
    processorMs,
    processorShare: processorMs / tookMs,
    residentMb: after.residentMb,
    writtenBytes: after.writtenBytes - before.writtenBytes,
    traffic: { bytes: bytes - traffic.bytes, pieces: pieces - traffic.pieces },
  }
}

/**
 * The headers of a TCP segment and of IPv4, with timestamps. A message and the broker's answer are three segments: the message,
 * the answer with its acknowledgement, and the acknowledgement of the answer. So there are one and a half for each piece.
 */
const headerBytes = 1.5 * 52

/** Extrapolated to the whole day, with estimated headers of TCP and IP. Bytes. */
export const bytesADay = ({ tookMs, traffic: { bytes, pieces } }: Spent) => ({
  onSocket: (bytes * dayMs) / tookMs,
  withHeaders: ((bytes + pieces * headerBytes) * dayMs) / tookMs,
})

/** By then the first beats are sent, and the modem is set up. */
const settledMs = 15_000

async function bareNode(rounds: number) {
  let startMs = Number.POSITIVE_INFINITY
  let residentMb = Number.NaN
  for (let round = 0; round < rounds; round++) {
    const { child, tookMs } = await startUntil(['-e', 'console.log("up"); setInterval(() => {}, 1000)'], 'up')
    startMs = Math.min(startMs, tookMs)
    await pause(500)
    residentMb = (await useOf(child.pid ?? 0)).residentMb
    await end(child)
  }
  return { bareStartMs: startMs, bareMb: residentMb }
}

async function open(demo: DemoProcess, farEnd: string): Promise<void> {
  const gate = demo.ready.gates.find(one => one.farEnd === farEnd)
  const answer = await demo.call('POST', `/api/v1/gates/${gate?.id}/open`)
  const expected = farEnd === 'ring_forever' ? 502 : 200
  if (answer.status !== expected)
    throw new Error(`${farEnd}: ${answer.status} ${JSON.stringify(answer.body)}`)
}

/** Starts a gateway `rounds` times, and a bare Node; then watches the gateway for `idleMs`, and in two calls. */
export async function measureGateway(
  demo: DemoProcess,
  { idleMs, rounds }: { readonly rounds: number; readonly idleMs: number },
): Promise<GatewayFigures> {
  const link = join(demo.dataFolder, 'bench-tty')
  const gates = demo.ready.gates.flatMap(({ farEnd, phoneNumber }) => ['--gate', `${phoneNumber}=${farEnd}`])
  const modem = [
    '--link',
    link,
    '--network',
    'fast',
    '--registered',
    '--control-port',
    '0',
    '--json',
    ...gates,
  ]
  const simulator = await startUntil(
    ['--import', 'tsx', 'packages/simulator/src/main.ts', ...modem],
    'controlUrl',
  )
  const tls = await meterTls(Number(new URL((await configurationOf(demo)).mqttUrl).port))
  try {
    const config = await admitGateway(demo, link, tls)
    const program = ['packages/gateway/dist/gateway.mjs', 'run', '--config', config]
    const startMs: number[] = []
    for (let round = 1; round < rounds; round++) {
      const { child, tookMs } = await startUntil(program, 'connected to the cloud')
      startMs.push(tookMs)
      await end(child)
    }
    const { child, tookMs } = await startUntil(program, 'connected to the cloud')
    const spent = (work: () => Promise<unknown>) => spentIn(child.pid ?? 0, tls, work)
    try {
      await pause(settledMs)
      const idle = await spent(() => pause(idleMs))
      const call = await spent(() => open(demo, 'ring_forever'))
      const opening = await spent(() => open(demo, 'reject_busy').then(() => pause(1_000)))
      return { startMs: [...startMs, tookMs], ...(await bareNode(rounds)), idle, call, opening }
    } finally {
      await end(child)
    }
  } finally {
    tls.close()
    await end(simulator.child)
  }
}
