// The bundled gateway as a process: its memory when idle, and its start to MQTT-ready, beside a bare Node.

import { spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type DemoProcess, runCommand } from '../processes/endToEnd/demoProcess.ts'

const top = new URL('../../', import.meta.url).pathname
const nowMs = () => Number(process.hrtime.bigint()) / 1e6

/** Resident memory of a process, in MB. */
async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) / 1024
}

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

export interface GatewayFigures {
  readonly startMs: number
  readonly bareStartMs: number
  readonly idleMb: number
  readonly bareMb: number
}

/** Admits a second gateway, with its own modem, to the demo's Space. Returns the path of its configuration. */
async function admitGateway(demo: DemoProcess, serialPort: string): Promise<string> {
  const privateKeyFile = join(demo.dataFolder, 'bench.key')
  const made = await runCommand(['packages/gateway/src/main.ts', 'keygen', '--out', privateKeyFile, '--json'])
  const { publicKey } = JSON.parse(made.stdout) as { publicKey: string }
  const add = [
    'gateway',
    'add',
    '--space',
    demo.ready.spaceId,
    '--name',
    'Bench',
    '--public-key',
    publicKey,
    '--json',
  ]
  const added = await runCommand(['packages/cloud/src/main.ts', ...add], { CALLGATE_DATA: demo.dataFolder })
  const { cloudKeys, gatewayId, mqttPassword } = JSON.parse(added.stdout) as Record<string, unknown>
  const first = JSON.parse(
    await readFile(join(demo.dataFolder, 'gateway', 'callgate-gateway.yaml'), 'utf8'),
  ) as {
    mqttUrl: string
  }
  const own = { gatewayId, mqttPassword, cloudKeys, privateKeyFile, serialPort, mqttUrl: first.mqttUrl }
  const config = join(demo.dataFolder, 'bench-gateway.yaml')
  const dataFolder = join(demo.dataFolder, 'bench-gateway')
  await writeFile(config, JSON.stringify({ ...own, dataFolder, logLevel: 'info' }), { mode: 0o600 })
  return config
}

/** Starts a gateway and a bare Node, `rounds` times each; keeps the best start of both, and their memory when idle. */
export async function measureGateway(demo: DemoProcess, rounds: number): Promise<GatewayFigures> {
  const link = join(demo.dataFolder, 'bench-tty')
  const modem = [
    'packages/simulator/src/main.ts',
    '--link',
    link,
    '--network',
    'fast',
    '--registered',
    '--control-port',
    '0',
  ]
  const simulator = await startUntil(['--import', 'tsx', ...modem, '--json'], 'controlUrl')
  const config = await admitGateway(demo, link)
  const program = ['packages/gateway/dist/gateway.mjs', 'run', '--config', config]
  const bare = ['-e', 'console.log("up"); setInterval(() => {}, 1000)']
  let startMs = Number.POSITIVE_INFINITY
  let bareStartMs = Number.POSITIVE_INFINITY
  let idleMb = Number.NaN
  let bareMb = Number.NaN
  for (let round = 0; round < rounds; round++) {
    for (const [args, words] of [
      [bare, 'up'],
      [program, 'connected to the cloud'],
    ] as const) {
      const { child, tookMs } = await startUntil(args, words)
      const isBare = args === bare
      if (isBare) bareStartMs = Math.min(bareStartMs, tookMs)
      else startMs = Math.min(startMs, tookMs)
      if (round === rounds - 1) {
        // By then it is idle: the first beats are sent, and the modem was asked a few times.
        await new Promise(resolve => setTimeout(resolve, 15_000))
        const mb = await residentMb(child.pid ?? 0)
        if (isBare) bareMb = mb
        else idleMb = mb
      }
      child.kill('SIGTERM')
      await new Promise(resolve => child.once('exit', resolve))
    }
  }
  simulator.child.kill('SIGTERM')
  return { startMs, bareStartMs, idleMb, bareMb }
}
