// The command `pnpm load`: measures one tenant's openings while slow clients, an abusive tenant and a stolen gateway
// attack the cloud.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type DemoProcess, runCommand, startDemo } from '../../processes/endToEnd/demoProcess.ts'
import { line, spread } from '../bench/figures.ts'
import { openingBench } from '../bench/opening.ts'
import { furnishTenant, type Tenant } from './loadSpaces.ts'

const help = `Usage: pnpm load [--rounds <number>] [--strangers <number>] [--within <ms>]

Load test: starts the demo and measures the time from the press to the ATD, first on a quiet cloud, then under attack. The
attackers are processes of the lowest priority: slow clients that hold connections, an abusive tenant with 5,000 members,
and a stolen gateway that sends as many signed messages as it can.

  --rounds <number>     openings in each of the two measurements (100)
  --strangers <number>  slow connections that are held, or tried again (4000)
  --within <ms>         how much higher the p99 may be under attack (250)
  --help                prints this

Exit codes: 0 the p99 is within the limit and no opening failed; 1 otherwise.`

const say = (text: string) => process.stdout.write(`${text}\n`)

function wholeNumber(name: string, text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new Error(`--${name} must be a whole number from 1.`)
  return Number(text)
}

/** One attacker: a process of the lowest priority, because a real attacker would not use our processor. */
function attacker(file: string, args: readonly string[]): ChildProcess {
  const program = new URL(file, import.meta.url).pathname
  const command = ['-n', '19', process.execPath, '--import', 'tsx', program, ...args]
  return spawn('nice', command, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
}

/** Asks an attacker for its counters. */
async function countersOf(child: ChildProcess): Promise<string> {
  const answer = once(child, 'message')
  child.send('tell')
  return JSON.stringify((await answer)[0])
}

/** The address of the demo's broker, from the configuration of its gateway. */
async function brokerOf({ dataFolder }: DemoProcess): Promise<string> {
  const text = await readFile(join(dataFolder, 'gateway', 'callgate-gateway.yaml'), 'utf8')
  return (JSON.parse(text) as { mqttUrl: string }).mqttUrl
}

/** Enrols a gateway in the Space for the thief. Returns the path of a file with its secrets. */
async function steal(demo: DemoProcess, { gateIds, keys, spaceId }: Tenant): Promise<string> {
  const privateKeyFile = join(demo.dataFolder, 'stolen.key')
  const keygen = ['packages/gateway/src/main.ts', 'keygen', '--out', privateKeyFile, '--json']
  const { publicKey } = JSON.parse((await runCommand(keygen)).stdout) as { publicKey: string }
  const own = ['--space', spaceId, '--name', 'Stolen', '--public-key', publicKey, '--json']
  const add = ['packages/cloud/src/main.ts', 'gateway', 'add', ...own]
  const added = await runCommand(add, { CALLGATE_DATA: demo.dataFolder })
  const { gatewayId, mqttPassword } = JSON.parse(added.stdout) as Record<string, string>
  const pressed = await demo.call('POST', `/api/v1/gates/${gateIds[0]}/open`, undefined, keys[0])
  const { openingId } = (pressed.body as { error: { openingId: string } }).error
  const mqttUrl = await brokerOf(demo)
  const path = join(demo.dataFolder, 'loot.json')
  await writeFile(path, JSON.stringify({ gatewayId, mqttUrl, mqttPassword, privateKeyFile, openingId }))
  return path
}

/** Starts all attackers, and waits until each one works. */
async function attack(demo: DemoProcess, tenant: Tenant, strangers: number) {
  const { baseUrl } = demo.ready
  const mqttUrl = new URL(await brokerOf(demo))
  const children = {
    strangers: attacker('strangers.ts', [new URL(baseUrl).port, mqttUrl.port, String(strangers)]),
    tenant: attacker('abuser.ts', [baseUrl, tenant.keys.join(','), tenant.links.join(',')]),
    gateway: attacker('thief.ts', [await steal(demo, tenant)]),
  }
  await Promise.all(Object.values(children).map(child => once(child, 'message')))
  // Time for the connections to open.
  await pause(5_000)
  return {
    async end() {
      for (const [name, child] of Object.entries(children)) {
        say(`  ${name}: ${await countersOf(child)}`)
        child.disconnect()
        await once(child, 'exit')
      }
    },
  }
}

async function run(rounds: number, strangers: number, withinMs: number): Promise<boolean> {
  const demo = await startDemo()
  try {
    const tenant = await furnishTenant(demo.dataFolder, demo.ready.baseUrl)
    const bench = await openingBench(demo, 2 * rounds)
    const quiet = await bench.measure(rounds)
    const attackers = await attack(demo, tenant, strangers)
    const loaded = await bench.measure(rounds)
    say('The attackers')
    await attackers.end()
    say(`From the press to ATD, ${rounds} openings of another tenant each`)
    say(line('quiet', spread(quiet.toLine)))
    say(line('attacked', spread(loaded.toLine)))
    for (const failure of [...quiet.failures, ...loaded.failures]) say(`  failed: ${failure}`)
    const laterMs = spread(loaded.toLine).p99 - spread(quiet.toLine).p99
    say(`  p99 later by ${laterMs.toFixed(1)} ms; the limit is ${withinMs} ms`)
    return laterMs <= withinMs && quiet.failures.length + loaded.failures.length === 0
  } finally {
    await demo.remove()
  }
}

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '100' },
    strangers: { type: 'string', default: '4000' },
    within: { type: 'string', default: '250' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) say(help)
else {
  const [rounds, strangers, within] = [
    wholeNumber('rounds', values.rounds),
    wholeNumber('strangers', values.strangers),
    wholeNumber('within', values.within),
  ]
  process.exitCode = (await run(rounds, strangers, within)) ? 0 : 1
}
