// The command `pnpm attack`: fuzzes a real cloud with generated requests and cut connections.

import { execFileSync } from 'node:child_process'
import { cutWays } from '../../api/fuzz/cut.ts'
import { fail, readOptions } from '../../commandLine.ts'
import { cutDialogues, cutSecuredDialogue, most429, sendRequests, settledHeap } from './attack.ts'
import { startCloudProcess } from './cloudProcess.ts'

const help = `Usage: pnpm attack [--requests <number>] [--resets <number>] [--seed <number>]

Starts a cloud as a process and fuzzes it. It sends generated requests, valid and hostile. It also cuts dialogues over HTTP
and MQTT after each of their bytes: by a TCP reset, by a half-close, and by silence (the last two at most 20,000 times each).
A second cloud takes MQTT over TLS: a gateway's dialogue is cut after each byte on the wire, in the same three ways.

The cloud must keep running and answering, and never answer with 500. After a garbage collection its heap must be at most
10 % larger than after a first round. Fewer than 5 % of the requests may be answered by a rate limit.

  --requests <number>  generated requests (500000: 11 to 19 minutes, at 450 to 750 a second on two busy cores)
  --resets <number>    TCP resets (20000)
  --seed <number>      the seed of the requests (1)
  --help               prints this

Exit codes: 0 all of this holds; 1 otherwise, or a wrong command line.
`
const heapAllowance = 1.1
/** Each has 32 keys. With this many Spaces, the next turn of each comes after more than a minute. */
const mostSpaces = 100
/** The cloud forgets its rate counters within minutes. */
const settleWithinMs = 180_000

const options = readOptions(help, {
  requests: { type: 'string', default: '500000' },
  resets: { type: 'string', default: '20000' },
  seed: { type: 'string', default: '1' },
})
const whole = (name: 'requests' | 'resets' | 'seed') => {
  const value = Number(options[name])
  return Number.isSafeInteger(value) && value >= 0 ? value : fail(`--${name} must be a whole number from 0.`)
}
const requests = whole('requests')
const resets = whole('resets')
const seed = whole('seed')
const say = (line: string) => process.stdout.write(`${line}\n`)
const mebibytes = (bytes: number) => `${(bytes / 1_048_576).toFixed(1)} MiB`

execFileSync(process.execPath, ['--import', 'tsx', 'deploy/bundle.ts', 'cloud'], { stdio: 'ignore' })
const secured = await startCloudProcess({ isSecured: true })
try {
  for (const way of cutWays)
    say(`${await cutSecuredDialogue(secured, way)} × ${way} over TLS: the cloud answers`)
} catch (error) {
  fail(error instanceof Error ? error.message : String(error))
} finally {
  await secured.stop()
}
const cloud = await startCloudProcess({ spaceCount: mostSpaces })
try {
  // The first round loads all code and fills all caches.
  await sendRequests(cloud, seed, Math.min(requests, 5_000))
  for (const way of cutWays) await cutDialogues(cloud, way, Math.min(resets, 4_000))
  const before = await settledHeap(cloud, 0, 10_000)
  say(`heap after a first round: ${mebibytes(before)}`)
  const sinceMs = performance.now()
  for (const way of cutWays) {
    const count = way === 'reset' ? resets : Math.min(resets, 20_000)
    await cutDialogues(cloud, way, count)
    say(`${count} × ${way}: the cloud answers`)
  }
  const requestsMs = performance.now()
  const spread = await sendRequests(cloud, seed + 1_000_000_007, requests)
  const rate = Math.round((requests / (performance.now() - requestsMs)) * 1_000)
  say(
    `${requests} requests, ${rate} a second: ${Object.entries(spread)
      .map(([status, times]) => `${times} × ${status}`)
      .join(', ')}`,
  )
  const after = await settledHeap(cloud, before * heapAllowance, settleWithinMs)
  const seconds = Math.round((performance.now() - sinceMs) / 1000)
  say(`heap afterwards: ${mebibytes(after)}, ${((after / before - 1) * 100).toFixed(1)} % more, ${seconds} s`)
  if (after > before * heapAllowance) process.exitCode = 1
  if ((spread['429'] ?? 0) > requests * most429) process.exitCode = 1
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
} finally {
  await cloud.stop()
}
