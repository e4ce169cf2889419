// The parts of the benchmarks that open a gate: the path of an opening, the guest's page, and the dashboard over a slow line.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chaosBundles } from '../../processes/chaos/realHouse.ts'
import type { NoteAim } from './aims.ts'
import { startBaseline } from './baseline.ts'
import { measureBrokers } from './brokers.ts'
import { type Leg, line, percentile, spread } from './figures.ts'
import { measureGuest } from './guest.ts'
import { hopLines, readNoted, thirdsOf, writtenPerRound } from './hops.ts'
import { legOf, measureOpening } from './opening.ts'
import { type BenchPart, onDemo, ratio, type Say } from './part.ts'
import { measureSlowLine, slow } from './slowLine.ts'

const legNames = [
  ['POST to ATD on the serial line', ({ toLine }: Leg) => toLine],
  ['the modem’s last line to the HTTP answer', ({ toAnswer }: Leg) => toAnswer],
  ['both', ({ toAnswer, toLine }: Leg) => toLine + toAnswer],
] as const

function sayLegs(say: Say, ours: readonly Leg[], baseline: readonly Leg[]): void {
  for (const [name, of] of legNames) {
    const [mine, bare] = [spread(ours.map(of)), spread(baseline.map(of))]
    say(line(name, mine))
    say(line('  baseline', bare))
    const ratios = ours.map((leg, round) => of(leg) / of(baseline[round] ?? leg))
    const [low, middle, high] = [0.1, 0.5, 0.9].map(share => percentile(ratios, share).toFixed(2))
    say(
      `    ratio at p50 ${ratio(mine.p50, bare.p50)}; of rounds side by side ${middle} × (a tenth below ${low}, a tenth above ${high})`,
    )
  }
}

function noteLegs(note: NoteAim, ours: readonly Leg[], baseline: readonly Leg[]): void {
  for (const [what, of, atMost] of [
    ['POST to ATD, beside its baseline', ({ toLine }: Leg) => toLine, 1.7],
    ['the last word to the answer, beside its baseline', ({ toAnswer }: Leg) => toAnswer, 2],
  ] as const) {
    const rounds = ours.map((leg, round) => of(leg) / of(baseline[round] ?? leg))
    note({ what, unit: '×', rounds, limit: { atMost }, checked: 'median' })
  }
}

async function sayOpening(say: Say, rounds = '40', note: NoteAim = () => {}): Promise<undefined> {
  say(
    `One opening, ${rounds} times in turn with bare libraries that do the same hops, signatures, commits and`,
  )
  say('fsyncs, and one write to a pty; 1 s of rest before each')
  const folder = await mkdtemp(join(tmpdir(), 'callgate-hops-'))
  const file = join(folder, 'hops.jsonl')
  const recorder = new URL('recordHops.ts', import.meta.url).href
  const environment = { BENCH_HOPS: file, NODE_OPTIONS: `--import ${recorder}` }
  const baseline = await startBaseline()
  try {
    const measured = await onDemo(demo => measureOpening(demo, baseline, Number(rounds)), environment)
    sayLegs(say, measured.ours.map(legOf), measured.baseline)
    noteLegs(note, measured.ours.map(legOf), measured.baseline)
    const { baseline: bare, ours: mine } = measured.first
    say(
      `  the first opening after a start: ${mine.toLine.toFixed(1)} ms to ATD and ${mine.toAnswer.toFixed(1)} ms back, the baseline ${bare.toLine.toFixed(1)} and ${bare.toAnswer.toFixed(1)} ms`,
    )
    say('  the hops of ours, medians:')
    const noted = await readNoted(file)
    for (const text of hopLines(noted, measured.ours)) say(text)
    const written = writtenPerRound(noted, measured.ours)
    note({
      what: 'written to disk for an opening, with beats and journal',
      unit: 'KiB',
      rounds: thirdsOf(measured.ours).map(some => writtenPerRound(noted, some) / 1024),
      limit: { atMost: 60 },
      checked: 'median',
    })
    say(
      `  written to disk by cloud and gateway, beats included: ${(written / 1024).toFixed(1)} KiB for each opening`,
    )
  } finally {
    await baseline.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function sayBrokers(say: Say, rounds = '12', note: NoteAim = () => {}): Promise<undefined> {
  const { baseline, ours } = await measureBrokers(await chaosBundles(say), Number(rounds))
  say(`One opening through each broker, ${rounds} times in turn; 1 s of rest before each`)
  const [embedded, apart] = ours
  for (const [name, of] of legNames) {
    say(`  ${name}`)
    for (const { broker, legs } of ours) say(line(`  ${broker}`, spread(legs.map(of))))
    say(line('  baseline: bare libraries, plain', spread(baseline.map(of))))
  }
  const times = (apart?.legs ?? []).map(
    ({ toLine }, round) => toLine / (embedded?.legs[round]?.toLine ?? Number.NaN),
  )
  const what = 'POST to ATD, a broker apart beside the embedded one'
  note({ what, unit: '×', rounds: times, limit: { atMost: 1.3 }, checked: 'median' })
  say(`  of rounds side by side, the broker apart takes ${percentile(times, 0.5).toFixed(2)} × to the ATD`)
}

async function sayGuest(say: Say): Promise<undefined> {
  const guest = await onDemo(measureGuest)
  say('The guest’s page')
  say(`  the whole first answer: ${guest.bytes} bytes compressed, ${guest.plainBytes} as they are`)
  say(line('from the request to its last byte', spread(guest.answerMs)))
  say(line('  baseline: the same bytes, compressed', spread(guest.baselineMs)))
  say(line('press in the browser to ATD on the serial line', spread(guest.pressMs)))
}

/** Each figure beside its limit and its baseline: a page without a script over the same line. */
async function saySlowLine(say: Say, visits = '5'): Promise<boolean> {
  const measured = await onDemo(demo => measureSlowLine(demo, Number(visits)))
  const { firstBytes, nextBaselineMs, nextMs, signInBaselineMs, signInMs } = measured
  const { atMostMs, bitsPerSecond, roundTripMs, slowdown } = slow
  say(
    `The dashboard at ${bitsPerSecond / 1e6} Mbit/s, a round trip of ${roundTripMs} ms and 1/${slowdown} of the processor, ${visits} visits`,
  )
  const column = (ms: number) => ms.toFixed(0).padStart(5)
  const times = (ms: readonly number[]) =>
    `p50 ${column(percentile(ms, 0.5))} ms   longest ${column(Math.max(...ms))} ms`
  const isKept = (ms: readonly number[], atMost: number) => percentile(ms, 0.5) <= atMost
  const bare = `${(firstBytes / 1e3).toFixed(0)} kB without a script`
  for (const [name, ms, atMost, baseline, floorMs] of [
    ['first visit, until somebody can sign in', signInMs, atMostMs.signIn, bare, signInBaselineMs],
    ['next visit, until the gates are shown', nextMs, atMostMs.next, 'an empty page', nextBaselineMs],
  ] as const) {
    say(`  ${name.padEnd(40)} ${times(ms)}   ${isKept(ms, atMost) ? 'within' : 'MISSES'} ${atMost} ms`)
    say(`    ${`baseline: ${baseline}`.padEnd(38)} ${times(floorMs)}`)
  }
  return isKept(signInMs, atMostMs.signIn) && isKept(nextMs, atMostMs.next)
}

export const openingParts = {
  opening: {
    what: 'the way of an opening from the request to the modem and back, with its hops',
    argument: { name: 'rounds', usual: '40', what: 'how often the gate is opened' },
    run: sayOpening,
  },
  brokers: {
    what: 'the same through the embedded broker, and through one apart with TLS (Mosquitto where it is installed)',
    argument: { name: 'rounds', usual: '12', what: 'how often the gate is opened through each' },
    run: sayBrokers,
  },
  guest: { what: 'the page behind a magic link', run: sayGuest },
  'slow-line': {
    what: 'the dashboard at 9 Mbit/s, a round trip of 170 ms and a quarter of the processor',
    argument: { name: 'visits', usual: '5', what: 'how many visits' },
    run: saySlowLine,
  },
} as const satisfies Readonly<Record<string, BenchPart>>
