// The parts of the benchmarks with a fleet of gateways: the number of gateways and of openings that one cloud can handle.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { keptWithinMs } from '@callgate/cloud/gateway/gatewayRows'
import type { NoteAim } from './aims.ts'
import { besideDisk } from './diskProbe.ts'
import { percentile } from './figures.ts'
import { type Fleet, type Openings, openAtRate, openInLoop, startFleet } from './fleet.ts'
import type { HeapFigures } from './heapProcess.ts'
import type { BenchPart, Say } from './part.ts'

/** Gates and Spaces; the gateways are shared among them. */
const spaces = 200

async function onFleet<T>(gateways: number, work: (fleet: Fleet) => Promise<T>): Promise<T> {
  const fleet = await startFleet(gateways, spaces)
  try {
    return await work(fleet)
  } finally {
    await fleet.remove()
  }
}

const timesOf = (ms: readonly number[]) =>
  `p50 ${percentile(ms, 0.5).toFixed(1)}   p99 ${percentile(ms, 0.99).toFixed(1)} ms`

function sayOpenings(say: Say, what: string, { answerMs, grantMs, perSecond, refused }: Openings): void {
  say(`  ${what}: ${perSecond.toFixed(0)} a second`)
  say(`    from the request to the grant at the gateway   ${timesOf(grantMs)}`)
  say(`    from the request to the answer                 ${timesOf(answerMs)}`)
  const others = Object.entries(refused).map(([status, count]) => `${count} × ${status}`)
  if (others.length > 0) say(`    OTHER ANSWERS than 200: ${others.join(', ')}`)
}

/** What the cloud uses of the machine during `work`. */
async function useDuring<T>(fleet: Fleet, work: () => Promise<T>) {
  const before = await fleet.cloud('use')
  const done = await work()
  const after = await fleet.cloud('use')
  const used = (name: 'processorMs' | 'writtenBytes') => (after[name] ?? 0) - (before[name] ?? 0)
  return { done, processorMs: used('processorMs'), writtenBytes: used('writtenBytes') }
}

/** What the cloud uses while only beats arrive, for the given seconds; returns milliseconds of the processor for each beat. */
async function sayBeats(say: Say, fleet: Fleet, seconds: number): Promise<number> {
  const { done: beats, processorMs } = await useDuring(fleet, async () => {
    const sent = await fleet.report()
    await pause(seconds * 1_000)
    return (await fleet.report()).beats - sent.beats
  })
  say(
    `  beats for ${seconds} s: ${(processorMs / beats).toFixed(2)} ms of the processor for each, ${(processorMs / seconds / 10).toFixed(0)} % of a core in all`,
  )
  return processorMs / beats
}

/** What idle gateways let the cloud write; returns GB a day. Each row is written once in five minutes. */
async function sayWritten(say: Say, fleet: Fleet): Promise<number> {
  const { writtenBytes } = await useDuring(fleet, () => pause(keptWithinMs))
  const gbOfDay = ((writtenBytes / 1e9) * 86_400_000) / keptWithinMs
  say(`  written while only beats arrive: ${gbOfDay.toFixed(1)} GB a day`)
  return gbOfDay
}

/** The seconds until all are connected again, and the cloud has accepted a beat of each. */
async function sayReturn(say: Say, fleet: Fleet, gateways: number): Promise<number> {
  const { servingMs, stoppedMs } = await fleet.restart()
  for (;;) {
    const { sinceMs } = await fleet.report()
    const back = sinceMs.filter(ms => ms > stoppedMs)
    if (back.length < gateways) {
      await pause(200)
      continue
    }
    const after = (share: number) => ((percentile(back, share) - servingMs) / 1_000).toFixed(1)
    say(
      `  after a restart, from when the cloud serves again: half are back after ${after(0.5)} s, all after ${after(1)} s (it was away for ${((servingMs - stoppedMs) / 1_000).toFixed(1)} s)`,
    )
    return Number(after(1))
  }
}

async function sayScale(say: Say, count = '1000', note: NoteAim = () => {}): Promise<undefined> {
  const gateways = Number(count)
  await onFleet(gateways, async fleet => {
    say(`${gateways} gateways on one process, with signed beats over real connections from many addresses`)
    const warm = Math.floor(gateways / 5)
    await fleet.connect(warm)
    const before = await fleet.cloud('memory')
    await fleet.connect(gateways)
    // Each has sent a few beats, so that the stored data about its clock exist.
    await pause(30_000)
    const after = await fleet.cloud('memory')
    const each = (name: 'residentBytes' | 'heapBytes') =>
      (((after[name] ?? 0) - (before[name] ?? 0)) / (gateways - warm) / 1e3).toFixed(1)
    say(
      `  memory of one: heap ${each('heapBytes')} kB, resident ${each('residentBytes')} kB; of the process: ${((after.residentBytes ?? 0) / 1e6).toFixed(0)} MB`,
    )
    const beats: number[] = []
    const returns: number[] = []
    for (let round = 0; round < 3; round++) {
      beats.push(await sayBeats(say, fleet, 40))
      returns.push(await sayReturn(say, fleet, gateways))
      await pause(20_000)
    }
    const [beat, back] = [`the processor for a beat, ${count} gateways`, `all ${count} back after a restart`]
    note({ what: beat, unit: 'ms', rounds: beats, limit: { atMost: 0.5 }, checked: 'median' })
    const atMost = gateways > 2_000 ? 30 : 5
    if (gateways >= 10_000) {
      const what = 'gateways on one process'
      note({ what, unit: '', rounds: [gateways], limit: { atLeast: 10_000 }, checked: 'median' })
    }
    note({ what: back, unit: 's', rounds: returns, limit: { atMost }, checked: 'median' })
    const written = `written for beats in a day, ${count} gateways`
    const rounds = [await sayWritten(say, fleet)]
    note({
      what: written,
      unit: 'GB',
      rounds,
      limit: { atMost: (30 * gateways) / 10_000 },
      checked: 'median',
    })
    await pause(10_000)
    sayOpenings(say, '50 openings a second for 20 s', await openAtRate(fleet, 50, 20))
  })
}

async function sayThroughput(say: Say, _none: string | undefined, note: NoteAim): Promise<undefined> {
  await onFleet(spaces, async fleet => {
    say(`Openings of one process with ${spaces} gateways, which report a verdict at once`)
    await fleet.connect(spaces)
    await openAtRate(fleet, 50, 4)
    await pause(60_000)
    const kibOf = (bytes: number, openings: Openings) => bytes / 1_024 / openings.answerMs.length
    const { done: alone, writtenBytes } = await useDuring(fleet, () => openAtRate(fleet, 2, 20))
    sayOpenings(say, 'one at a time', alone)
    say(`    written for one, with the beats meanwhile: ${kibOf(writtenBytes, alone).toFixed(0)} KiB`)
    const [addedMs, perSecond, writtenKib]: [number[], number[], number[]] = [[], [], []]
    for (let round = 0; round < 3; round++) {
      const { done: many, syncMs } = await besideDisk(() => openAtRate(fleet, 50, 10))
      sayOpenings(say, '50 a second for 10 s', many)
      say(`    a bare synced write on the same disk meanwhile ${timesOf(syncMs)}`)
      const added = percentile(many.grantMs, 0.99) - percentile(alone.grantMs, 0.5)
      say(`    added at p99, to the median of one at a time: ${added.toFixed(1)} ms`)
      addedMs.push(added)
      const { done: loop, ...used } = await useDuring(fleet, () => openInLoop(fleet, 32, 5))
      sayOpenings(say, 'as many as go, 32 at once for 5 s', loop)
      const writtenOfOne = kibOf(used.writtenBytes, loop)
      say(
        `    for one: ${(used.processorMs / loop.answerMs.length).toFixed(2)} ms of the cloud's processor, ${writtenOfOne.toFixed(0)} KiB written`,
      )
      perSecond.push(loop.perSecond)
      writtenKib.push(writtenOfOne)
    }
    const [added, most] = ['added at p99 by 50 openings a second', 'openings a second of one process']
    note({ what: added, unit: 'ms', rounds: addedMs, limit: { atMost: 50 }, checked: 'median' })
    note({ what: most, unit: 'a second', rounds: perSecond, limit: { atLeast: 200 }, checked: 'median' })
    const written = 'written for an opening, 32 at once'
    note({ what: written, unit: 'KiB', rounds: writtenKib, limit: { atMost: 60 }, checked: 'median' })
  })
}

/** The allowed increase of memory: compiled code, and tables that have grown to their size. */
const mostGrowth = 1.05

async function sayHeap(say: Say, openings = '10000', note: NoteAim = () => {}): Promise<boolean> {
  const child = fork(new URL('heapProcess.ts', import.meta.url), [openings], { execArgv: ['--expose-gc'] })
  const [figures] = (await once(child, 'message')) as [HeapFigures]
  const { afterBytes, beats, beforeBytes } = figures
  const growth = afterBytes / beforeBytes
  const isKept = growth <= mostGrowth
  const what = `the heap after ${openings} openings and an hour of beats`
  note({ what, unit: '×', rounds: [growth], limit: { atMost: mostGrowth }, checked: 'median' })
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(2)} MB`
  say(`The heap after a collection, before and after ${openings} openings and an hour of beats (${beats})`)
  say(
    `  ${megabytes(beforeBytes)}, then ${megabytes(afterBytes)}: ${growth.toFixed(3)} ×, ${isKept ? 'within' : 'MISSES'} ${mostGrowth} ×`,
  )
  return isKept
}

export const fleetParts = {
  scale: {
    what: 'many gateways on one process: memory, beats, return after a restart, openings',
    argument: { name: 'gateways', usual: '1000', what: 'how many; each takes two files (ulimit -n)' },
    run: sayScale,
  },
  heap: {
    what: 'whether openings and beats on the fake clock leave the heap where it was',
    argument: { name: 'openings', usual: '10000', what: 'how many' },
    run: sayHeap,
  },
  throughput: { what: 'openings a second of one process with 200 gateways', run: sayThroughput },
} as const satisfies Readonly<Record<string, BenchPart>>
