// The command `pnpm bench`: benchmarks, each beside a baseline (the floor) that is measured in the same run.

import { type DemoProcess, startDemo } from '../processes/endToEnd/demoProcess.ts'
import { line, percentile, spread } from './figures.ts'
import { measureFloor } from './floor.ts'
import { measureGateway } from './gatewayProcess.ts'
import { measureGuest } from './guest.ts'
import { measureModem } from './modem.ts'
import { measureOpening } from './opening.ts'
import { measureRest } from './rest.ts'
import { measureSchedule } from './schedule.ts'
import { measureSlowLine, slow } from './slowLine.ts'
import { measureStandstill } from './standstill.ts'
import { measureStreams } from './streams.ts'

const help = `Usage: pnpm bench [<rounds>]
       pnpm bench standstill [<text>]
       pnpm bench streams [<count>]
       pnpm bench slow-line [<rounds>]

Measures this machine: how long one request blocks the cloud's event loop, decisions of schedules, the REST API, the modem
driver, the gateway, open event streams, and the way of an opening from the request to the modem and back. Each figure stands beside a floor: the
same work with bare libraries, measured in the same run.

  <rounds>           how often the gate is opened (100)
  standstill         measures only how long requests block the event loop
  standstill <text>  only for requests whose name contains <text>, such as PATCH
  streams            measures only open event streams: 10,000 of them
  streams <count>    as many as this; each takes two files of this machine (ulimit -n)
  slow-line          measures only the dashboard at 9 Mbit/s, a round trip of 170 ms and a quarter of the processor
  slow-line <rounds> so many visits (5)
  --help             prints this
`
const [argument, wanted] = process.argv.slice(2)
if (argument === '--help') {
  process.stdout.write(help)
  process.exit()
}
const isOnlyStandstill = argument === 'standstill'
const isOnlyStreams = argument === 'streams'
const isOnlySlowLine = argument === 'slow-line'
const rounds = Number(isOnlyStandstill || isOnlyStreams || isOnlySlowLine ? 0 : (argument ?? 100))
const say = (text: string) => process.stdout.write(`${text}\n`)
const ratio = (ours: number, floor: number) => `${(ours / floor).toFixed(2)} ×`

async function sayStreams(count: number): Promise<void> {
  const { addresses, halfMs, heapBytes, lastMs, openedPerS, residentBytes, streams } =
    await measureStreams(count)
  const times = (ms: readonly number[]) =>
    `p50 ${percentile(ms, 0.5).toFixed(0)} ms, longest ${Math.max(...ms).toFixed(0)} ms`
  say(
    `${streams} open event streams of one Space, from ${addresses} addresses; ${openedPerS.toFixed(0)} opened a second`,
  )
  say(
    `  memory of one   heap ${(heapBytes / 1e3).toFixed(1)} kB   resident ${(residentBytes / 1e3).toFixed(1)} kB`,
  )
  say(`  from a change to its event   at half of them ${times(halfMs)}   at the last one ${times(lastMs)}`)
}
if (isOnlyStreams) {
  await sayStreams(Number(wanted ?? 10_000))
  process.exit()
}

/** Each figure beside its bound and its floor: a page without a script over the same line. Answers whether both bounds are kept. */
async function saySlowLine(demo: DemoProcess, visits: number): Promise<boolean> {
  const { firstBytes, nextFloorMs, nextMs, signInFloorMs, signInMs } = await measureSlowLine(demo, visits)
  const { atMostMs, bitsPerSecond, roundTripMs, slowdown } = slow
  say(
    `The dashboard at ${bitsPerSecond / 1e6} Mbit/s, a round trip of ${roundTripMs} ms and 1/${slowdown} of the processor, ${visits} visits`,
  )
  const times = (ms: readonly number[]) =>
    `p50 ${percentile(ms, 0.5).toFixed(0).padStart(5)} ms   longest ${Math.max(...ms)
      .toFixed(0)
      .padStart(5)} ms`
  const isKept = (ms: readonly number[], atMost: number) => percentile(ms, 0.5) <= atMost
  for (const [name, ms, atMost, floor, floorMs] of [
    [
      'first visit, until somebody can sign in',
      signInMs,
      atMostMs.signIn,
      `${(firstBytes / 1e3).toFixed(0)} kB without a script`,
      signInFloorMs,
    ],
    ['next visit, until the gates are shown', nextMs, atMostMs.next, 'an empty page', nextFloorMs],
  ] as const) {
    say(`  ${name.padEnd(40)} ${times(ms)}   ${isKept(ms, atMost) ? 'within' : 'MISSES'} ${atMost} ms`)
    say(`    ${`floor: ${floor}`.padEnd(38)} ${times(floorMs)}`)
  }
  return isKept(signInMs, atMostMs.signIn) && isKept(nextMs, atMostMs.next)
}
if (isOnlySlowLine) {
  const own = await startDemo()
  const isKept = await saySlowLine(own, Number(wanted ?? 5)).finally(() => own.remove())
  process.exit(isKept ? 0 : 1)
}

say('The longest standstill of the event loop that a request causes: alone, and 20 at once')
say('Milliseconds of the clock, and in brackets of processor time: they differ when the machine is busy')
for (const { alone, bytes, together, what } of await measureStandstill(wanted)) {
  const columns = [alone, together].map(
    ({ clockMs, processorMs }) => `${clockMs.toFixed(1).padStart(7)} (${processorMs.toFixed(1).padStart(5)})`,
  )
  say(`  ${what.padEnd(40)} ${columns.join(' ')}   ${bytes} bytes`)
}
if (isOnlyStandstill) process.exit()

const schedule = measureSchedule(200)
const millions = (perSecond: number) => `${(perSecond / 1e6).toFixed(2)} M/s`
say('Decisions of schedules, on one core')
say(
  `  ours ${millions(schedule.ours)}   a fixed offset by hand ${millions(schedule.floor)}   Intl's wall clock ${millions(schedule.slow)}`,
)

const rest = await measureRest()
const micros = (us: number) => `${us.toFixed(0).padStart(7)} µs`
say('Reading through the REST API, one request after the other')
for (const [name, { answer, processor }] of [
  ['GET /gates, 50 gates', rest.gates.ours],
  ['the same, compressed', rest.gates.zipped],
  ['bare handler, same statements', rest.gates.floor],
] as const)
  say(`  ${name.padEnd(32)} the server's processor ${micros(processor)}   an answer ${micros(answer)}`)
const { floor: bareGates, ours: ourGates, zipped } = rest.gates
say(
  `    throughput as a share of the floor's: ${(bareGates.processor / ourGates.processor).toFixed(2)} by processor time, ${(bareGates.answer / ourGates.answer).toFixed(2)} as one client sees it`,
)
say(
  `    compressed, beside the same answer as it is: ${ratio(zipped.processor, ourGates.processor)} by processor time, ${ratio(zipped.answer, ourGates.answer)} as one client sees it`,
)
for (const { few, many, what } of rest.history)
  say(
    `  GET /openings, ${what.padEnd(20)} at 1,000 rows ${micros(few)}   at 1,000,000 ${micros(many)}   ${ratio(many, few)}`,
  )
say(
  `  GET /members, 1,000 with 5 accesses each ${micros(rest.members.whole)}   50 of them ${micros(rest.members.page)}`,
)

await sayStreams(2_000)

const modem = await measureModem(20)
say('The modem driver, on one core')
for (const [name, { floor, ours }, unit] of [
  ['reads (floor: splits into lines)', modem.bytesPerSecond, 'MB/s'],
  ['judges (floor: copies the facts)', modem.verdictsPerSecond, 'M/s'],
] as const)
  say(
    `  ${name.padEnd(44)} ours ${(ours / 1e6).toFixed(3)} ${unit}   floor ${(floor / 1e6).toFixed(3)} ${unit}`,
  )
const { callCpuMs } = modem
say(
  `  ${'a call’s processor time (floor: no driver)'.padEnd(44)} ours ${callCpuMs.ours.toFixed(2)} ms   floor ${callCpuMs.floor.toFixed(2)} ms   ratio ${ratio(callCpuMs.ours, callCpuMs.floor)}`,
)

const demo = await startDemo()
try {
  say(
    `One opening, ${rounds} times, beside bare libraries with the same hops, commits, fsyncs and one write to a pty`,
  )
  await measureFloor(10)
  const floor = await measureFloor(rounds)
  const ours = await measureOpening(demo, rounds)
  const total = ours.toLine.map((toLine, round) => toLine + (ours.toAnswer[round] ?? Number.NaN))
  const floorTotal = floor.toLine.map((toLine, round) => toLine + (floor.toAnswer[round] ?? Number.NaN))
  for (const [name, mine, bare] of [
    ['POST to ATD on the serial line', ours.toLine, floor.toLine],
    ['the modem’s last line to the HTTP answer', ours.toAnswer, floor.toAnswer],
    ['both', total, floorTotal],
  ] as const) {
    say(line(name, spread(mine)))
    say(line('  floor', spread(bare)))
    say(`    ratio at p50 ${ratio(spread(mine).p50, spread(bare).p50)}`)
  }
  const guest = await measureGuest(demo)
  say('The guest’s page')
  say(`  the whole first answer: ${guest.bytes} bytes compressed, ${guest.plainBytes} as they are`)
  say(line('from the request to its last byte', spread(guest.answerMs)))
  say(line('  floor: the same bytes, compressed', spread(guest.floorMs)))
  say(line('press in the browser to ATD on the serial line', spread(guest.pressMs)))
  await saySlowLine(demo, 5)
  const gateway = await measureGateway(demo, 5)
  say('The gateway, bundled, beside a bare Node')
  say(`  start to MQTT-ready   ${gateway.startMs.toFixed(0)} ms   bare ${gateway.bareStartMs.toFixed(0)} ms`)
  say(`  memory when idle      ${gateway.idleMb.toFixed(1)} MB   bare ${gateway.bareMb.toFixed(1)} MB`)
} finally {
  await demo.remove()
}
