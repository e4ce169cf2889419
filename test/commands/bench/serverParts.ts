// The parts of the benchmarks that need only the cloud: stalls, schedules, lists, event streams.

import type { NoteAim } from './aims.ts'
import { besideDisk } from './diskProbe.ts'
import { line, percentile, spread } from './figures.ts'
import { measureGateList, shares } from './gateList.ts'
import type { ClockFigures } from './gateListClock.ts'
import { type BenchPart, ratio, type Say } from './part.ts'
import { measureRest } from './rest.ts'
import { measureSchedule } from './schedule.ts'
import { type GrowingName, growing, measurePresses, measureSizedLists, type SizedPresses } from './sizes.ts'
import { measureStalls } from './stalls.ts'
import { few, measureStreams, streamsOfAddress } from './streams.ts'
import { measureWebhooks, rates, tarpits, type WebhookRound } from './webhooks.ts'

async function sayStalls(say: Say, wanted: string | undefined, note: NoteAim): Promise<undefined> {
  say('The longest stall of the event loop that a request causes: alone, and 20 at once')
  say('Milliseconds of the clock, and in brackets of processor time: they differ when the machine is busy')
  const figures = await measureStalls(wanted)
  for (const { alone, bytes, together, what } of figures) {
    const columns = [alone, together].map(
      ({ clockMs, processorMs }) =>
        `${clockMs.toFixed(1).padStart(7)} (${processorMs.toFixed(1).padStart(5)})`,
    )
    say(`  ${what.padEnd(40)} ${columns.join(' ')}   ${bytes} bytes`)
  }
  const reads = figures.filter(({ what }) => what.startsWith('GET'))
  note({
    what: 'longest stall by a read, one or 20 at once',
    unit: 'ms',
    rounds: reads.flatMap(({ alone, together }) => [alone.processorMs, together.processorMs]),
    limit: { atMost: 50 },
    checked: 'each',
  })
}

async function saySchedule(say: Say): Promise<undefined> {
  const { baseline, ours, slow } = measureSchedule(200)
  const millions = (perSecond: number) => `${(perSecond / 1e6).toFixed(2)} M/s`
  say('Decisions of schedules, on one core')
  say(
    `  ours ${millions(ours)}   a fixed offset by hand ${millions(baseline)}   Intl's wall clock ${millions(slow)}`,
  )
}

const floorText = [
  'The same by the clock over 16 connections, 36 keys in turn: requests a second, and their share of the floor in the same round',
  'The floor is node:http that hashes the key, looks it up in a map, counts it in a limiter, and sends the same bytes out of its',
  'memory, compressed once. Just started: the first 4,320 requests of a new process with keys that nobody has used, which is what',
  'the rate limit allows in a minute, for both sides. Warm: both sides have answered 60,000. Rows change: 50 writes a second',
  "Node's own client takes longer than the floor, so the shares of the light client over raw sockets are smaller",
]
const clockAims: Readonly<Record<string, number>> = {
  "just started, plain, node's client": 0.8,
  "just started, gzip, node's client": 0.7,
}

function sayByClock(say: Say, figures: readonly ClockFigures[], note: NoteAim): void {
  for (const text of floorText) say(text)
  const perSecond = (rates: readonly number[]) => percentile(rates, 0.5).toFixed(0).padStart(6)
  for (const { floor, ours, shares: rounds, what } of figures) {
    const atLeast = clockAims[what]
    if (atLeast !== undefined)
      note({ what: `GET /gates ${what}`, unit: '×', rounds, limit: { atLeast }, checked: 'median' })
    say(`  ${what.padEnd(36)} ours ${perSecond(ours)}   floor ${perSecond(floor)}   ${shares(rounds)}`)
  }
}

async function sayRest(say: Say, _none: string | undefined, note: NoteAim): Promise<undefined> {
  const micros = (us: number) => `${us.toFixed(0).padStart(7)} µs`
  say(
    'GET /gates over 16 connections, in interleaved rounds: medians, and requests a second as a share of the baseline',
  )
  const { clock, processor: sides } = await measureGateList()
  const rounds = sides[0]?.ofBaseline ?? []
  const listed = 'GET /gates, 50 gates, beside bare node:http'
  note({ what: listed, unit: '×', rounds, limit: { atLeast: 1 }, checked: 'median' })
  for (const { clockUs, ofBaseline, processorUs, what } of sides) {
    const [processor, clock] = [processorUs, clockUs].map(us => percentile(us, 0.5))
    say(
      `  ${what.padEnd(32)} the server's processor ${micros(processor ?? Number.NaN)}   a second ${(1e6 / (clock ?? Number.NaN)).toFixed(0).padStart(6)}   by processor time ${shares(ofBaseline)}`,
    )
  }
  sayByClock(say, clock, note)
  const rest = await measureRest()
  say('Reading through the REST API, one request after the other')
  for (const { few, many, what } of rest.history) {
    const atMost = what === 'first page' ? 1.1 : what === 'the deepest offset' ? 5 : undefined
    const beside = `${what} of openings, 1,000,000 rows beside 1,000`
    if (atMost !== undefined)
      note({ what: beside, unit: '×', rounds: [many / few], limit: { atMost }, checked: 'median' })
    say(
      `  GET /openings, ${what.padEnd(20)} at 1,000 rows ${micros(few)}   at 1,000,000 ${micros(many)}   ${ratio(many, few)}`,
    )
  }
  say(
    `  the deepest offset for the first time after a start, at 1,000,000 rows ${micros(rest.deepAfterStart)}`,
  )
  say(
    `  GET /members, 1,000 with 5 accesses each ${micros(rest.members.whole)}   50 of them ${micros(rest.members.page)}`,
  )
}

async function sayGrowing(say: Say, name: GrowingName, most: number, note: NoteAim): Promise<void> {
  const pressed = await measurePresses(name, most)
  const [smallest, largest] = [pressed[0], pressed.at(-1)]
  const beside = ({ pressMs }: SizedPresses) =>
    pressMs.map((ms, round) => ms / (smallest?.pressMs[round] ?? Number.NaN))
  for (const presses of pressed)
    say(
      `  a press, ${presses.size.toLocaleString('en').padStart(9)} ${name}   ${percentile(presses.pressMs, 0.5).toFixed(1)} ms, of rounds side by side ${percentile(beside(presses), 0.5).toFixed(2)} × that at ${smallest?.size}`,
    )
  if (largest) {
    const what = `a press at ${largest.size} ${name}, beside one at ${smallest?.size}`
    note({ what, unit: '×', rounds: beside(largest), limit: { atMost: 1.3 }, checked: 'median' })
  }
  await measureSizedLists(name, most, (size, path, { floor, ours, shares: rounds, what }) => {
    const us = (rates: readonly number[]) => (1e6 / percentile(rates, 0.5)).toFixed(0).padStart(6)
    say(
      `  GET ${path.replace('/api/v1', '')}, ${size.toLocaleString('en').padStart(9)} ${name}, ${what}   ours ${us(ours)} µs   floor ${us(floor)} µs   ${shares(rounds)}`,
    )
  })
}

async function saySizes(say: Say, most = '10000', note: NoteAim = () => {}): Promise<undefined> {
  say(
    'A press at growing sizes, in turn, each at a cloud of its own whose gateway reports at once; and lists of',
  )
  say('these sizes, by the light client and beside the floor of the same bytes, both warm')
  for (const name of Object.keys(growing) as GrowingName[]) await sayGrowing(say, name, Number(most), note)
}

/** The most heap that a stream may take, in kB. */
const heapOfStream = 20

async function sayStreams(say: Say, count = '12000', note: NoteAim = () => {}): Promise<undefined> {
  const { bare, ours } = await measureStreams(Number(count))
  say(
    `${count} open event streams of one Space, from ${Math.ceil(Number(count) / streamsOfAddress)} addresses`,
  )
  const sides = [['ours', ours] as const, ['bare node:http', bare] as const]
  const times = (ms: readonly number[]) =>
    `p50 ${percentile(ms, 0.5).toFixed(0)} ms, longest ${Math.max(...ms).toFixed(0)} ms`
  const kilobytes = (bytes: number) => `${(bytes / 1e3).toFixed(1).padStart(6)} kB`
  for (const [side, { halfMs, lastMs, memory, openedPerS }] of sides) {
    say(`  ${side}: ${openedPerS.toFixed(0)} opened a second`)
    for (const { heapBytes, residentBytes, streams } of memory)
      say(
        `    memory of one, at ${String(streams).padStart(6)}   heap ${kilobytes(heapBytes)}${streams === few ? '' : `   resident ${kilobytes(residentBytes)}`}`,
      )
    say(
      `    from a change to its event   at half of them ${times(halfMs)}   at the last one ${times(lastMs)}`,
    )
  }
  for (const { heapBytes, streams } of ours.memory) {
    const what = `the heap of one of ${streams} event streams`
    note({ what, unit: 'kB', rounds: [heapBytes / 1e3], limit: { atMost: heapOfStream }, checked: 'median' })
  }
}

function noteWebhookAims(note: NoteAim, rounds: readonly WebhookRound[]): void {
  const sent = rounds.map(({ webhooks }) => webhooks)
  const ofEach = (share: number, of: (typeof sent)[number]['attemptMs'][]) =>
    of.map(times => percentile(times, share))
  const attempts = sent.map(({ attemptMs }) => attemptMs)
  const later = rounds.map(
    ({ webhooks, written }) => percentile(webhooks.pressMs, 0.99) - percentile(written.pressMs, 0.99),
  )
  const checked = 'median'
  note({
    what: 'the p99 of a press, later by webhooks',
    unit: 'ms',
    rounds: later,
    limit: { atMost: 5 },
    checked,
  })
  const commit = 'commit to the first attempt'
  note({ what: `${commit}, p50`, unit: 'ms', rounds: ofEach(0.5, attempts), limit: { atMost: 100 }, checked })
  note({
    what: `${commit}, p99`,
    unit: 'ms',
    rounds: ofEach(0.99, attempts),
    limit: { atMost: 1_000 },
    checked,
  })
  note({
    what: 'the slowest delivery of another Space',
    unit: 'ms',
    rounds: sent.map(({ missing, otherMs }) => (missing > 0 ? Number.NaN : Math.max(...otherMs))),
    limit: { atMost: 1_000 },
    checked: 'each',
  })
}

async function sayWebhooks(say: Say, count = '3', note: NoteAim = () => {}): Promise<undefined> {
  say(
    `${rates.deliveries} deliveries a second to receivers that answer, beside ${tarpits} that never do, ${count} times in turn with the same`,
  )
  say('events alone, and with a bare POST of node:https right after each commit, which keeps nothing')
  const { done: rounds, syncMs } = await besideDisk(() => measureWebhooks(Number(count)))
  const all = (of: (round: WebhookRound) => readonly number[]) => spread(rounds.flatMap(of))
  say(
    line(
      'a press beside the events alone',
      all(({ written }) => written.pressMs),
    ),
  )
  say(
    line(
      'a press beside the bare POSTs',
      all(({ bare }) => bare.pressMs),
    ),
  )
  say(
    line(
      'a press beside webhooks',
      all(({ webhooks }) => webhooks.pressMs),
    ),
  )
  say(
    line(
      'from the commit to the first attempt',
      all(({ webhooks }) => webhooks.attemptMs),
    ),
  )
  const [ours, bare] = [all(({ webhooks }) => webhooks.answerMs), all(round => round.bare.answerMs)]
  say(line('from the commit to the answer', ours))
  say(line('  baseline: a bare POST', bare))
  say(`    ratio at p50 ${ratio(ours.p50, bare.p50)}, at p99 ${ratio(ours.p99, bare.p99)}`)
  say(
    line(
      'the same, of a Space with few events',
      all(({ webhooks }) => webhooks.otherMs),
    ),
  )
  say(line('the disk meanwhile, a bare synced write', spread(syncMs)))
  const missing = rounds.reduce((sum, { webhooks }) => sum + webhooks.missing, 0)
  if (missing > 0) say(`    NOT DELIVERED in time: ${missing}`)
  noteWebhookAims(note, rounds)
}

export const serverParts = {
  stalls: {
    what: 'how long one request blocks the event loop of the cloud',
    argument: { name: 'text', usual: undefined, what: 'only requests whose name contains it, such as PATCH' },
    run: sayStalls,
  },
  schedule: { what: 'decisions of schedules', run: saySchedule },
  rest: { what: 'lists of the REST API', run: sayRest },
  sizes: {
    what: 'a press, and the lists, at 1, 100, 10,000 … openings and at 10 to 5,000 members',
    argument: {
      name: 'most',
      usual: '10000',
      what: 'the largest size; 1,000,000 openings take a minute more',
    },
    run: saySizes,
  },
  streams: {
    what: 'open event streams, and their heap at 100 and at the most; each takes a file of two processes (ulimit -n)',
    argument: { name: 'count', usual: '12000', what: 'the most; a cloud takes 12,000' },
    run: sayStreams,
  },
  webhooks: {
    what: 'deliveries to webhooks beside receivers that never answer, and a press beside them',
    argument: { name: 'rounds', usual: '3', what: 'how many rounds of half a minute' },
    run: sayWebhooks,
  },
} as const satisfies Readonly<Record<string, BenchPart>>
