// The command `pnpm attack`: a real cloud under generated requests and cut connections, by the hundred thousand.

import { execFileSync } from 'node:child_process'
import { cutWays } from '../../api/fuzz/cut.ts'
import { fail, readOptions } from '../../commandLine.ts'
import { cutDialogues, most429, sendRequests, settledHeap } from './attack.ts'
import { startCloudProcess } from './cloudProcess.ts'

const help = `Usage: pnpm attack [--requests <number>] [--resets <number>] [--seed <number>]

Starts a cloud of its own and sends it generated requests, valid and hostile, and whole dialogues over HTTP and MQTT
that are cut after each of their bytes: by a TCP reset, and as often by a half-close and by silence, though not more
than 20,000 times. The cloud has to live and to answer, never with a 500, and its heap after a collection has to come
back within 10 % of what it was after a first round. Fewer than 5 % of the requests may be answered by a rate limit. Exits with 1
if not.

  --requests <number>  generated requests (500000: 11 to 19 minutes, at 450 to 750 a second on two busy cores)
  --resets <number>    resets (20000)
  --seed <number>      of the requests (1)
  --help               this
`
const heapAllowance = 1.1
/** With 32 keys each: they have their next turn after more than a minute. */
const mostSpaces = 100
/** What the cloud remembers of a request, such as its rates, it forgets within minutes. */
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
const cloud = await startCloudProcess(mostSpaces)
try {
  // A first round, so that all code is loaded and all caches are filled.
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
