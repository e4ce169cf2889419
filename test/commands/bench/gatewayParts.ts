// The parts of the benchmarks that measure the gateway: the modem's driver, and the installed program.

import type { NoteAim } from './aims.ts'
import { measureDial } from './dial.ts'
import { line, percentile, spread } from './figures.ts'
import { bytesADay, measureGateway } from './gatewayProcess.ts'
import { measureModem } from './modem.ts'
import { type BenchPart, onDemo, ratio, type Say } from './part.ts'

async function sayModem(say: Say): Promise<undefined> {
  const modem = await measureModem(20)
  say('The modem driver, on one core')
  for (const [name, { baseline, ours }, unit] of [
    ['reads (baseline: splits into lines)', modem.bytesPerSecond, 'MB/s'],
    ['judges (baseline: copies the facts)', modem.verdictsPerSecond, 'M/s'],
  ] as const)
    say(
      `  ${name.padEnd(44)} ours ${(ours / 1e6).toFixed(3)} ${unit}   baseline ${(baseline / 1e6).toFixed(3)} ${unit}`,
    )
  const { baseline, ours } = modem.callCpuMs
  say(
    `  ${'a call’s processor time (baseline: no driver)'.padEnd(44)} ours ${ours.toFixed(2)} ms   baseline ${baseline.toFixed(2)} ms   ratio ${ratio(ours, baseline)}`,
  )
}

/** Our daemon keeps running, so it pays for its start once; gammu starts for each call. */
async function sayDial(say: Say, rounds = '8'): Promise<undefined> {
  const { fromStartMs, gammuMs, readyMs } = await measureDial(Number(rounds))
  say(
    `A dial over a pseudo terminal to the same simulated modem, ${rounds} times in turn: until the ATD is there`,
  )
  say(line('the driver, from the reservation', spread(readyMs)))
  say(line('the driver, from its start', spread(fromStartMs)))
  if (gammuMs) say(line('gammu dialvoice, from its start', spread(gammuMs)))
  else say('  gammu is not installed on this machine: nothing stands beside the driver')
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(2)} MB`
const kilobytes = (bytes: number) => `${(bytes / 1024).toFixed(0)} KiB`
const percent = (share: number) => `${(share * 100).toFixed(2)} %`

async function sayGateway(say: Say, minutes = '3', note: NoteAim): Promise<undefined> {
  const idleMs = Number(minutes) * 60_000
  const { bareMb, bareStartMs, call, idle, opening, startMs } = await onDemo(demo =>
    measureGateway(demo, { rounds: 5, idleMs }),
  )
  const { onSocket, withHeaders } = bytesADay(idle)
  const [median = Number.NaN] = [percentile(startMs, 0.5)]
  say(`The gateway, bundled, over TLS, beside a bare Node; idle for ${minutes} minutes`)
  say(`  start to MQTT-ready   ${median.toFixed(0)} ms   bare ${bareStartMs.toFixed(0)} ms`)
  say(`  memory when idle      ${idle.residentMb.toFixed(1)} MB   bare ${bareMb.toFixed(1)} MB`)
  say(`  memory after calls    ${opening.residentMb.toFixed(1)} MB`)
  say(`  processor when idle   ${percent(idle.processorShare)} of one core`)
  say(
    `  processor in a call   ${percent(call.processorShare)} of one core, while a gate rings for ${(call.tookMs / 1000).toFixed(0)} s`,
  )
  say(
    `  an opening            ${opening.processorMs.toFixed(0)} ms of processor, ${kilobytes(opening.writtenBytes)} to the card`,
  )
  say(`  over MQTT a day, idle ${megabytes(onSocket)} on the TCP socket with TLS`)
  say(`                        ${megabytes(withHeaders)} with estimated headers of TCP and IP`)
  const writtenADay = (idle.writtenBytes * 24 * 60 * 60_000) / idle.tookMs
  say(`  to the card a day     ${kilobytes(writtenADay)} when idle, without the log`)
  const aims = [
    ['the gateway over MQTT a day, idle, with TLS', 'MB', onSocket / 1e6, 8],
    ['the same with estimated headers of TCP and IP', 'MB', withHeaders / 1e6, 8],
    ['the gateway’s memory when idle', 'MB', idle.residentMb, 120],
    ['the gateway’s processor when idle', '%', idle.processorShare * 100, 1],
    ['the gateway’s writes to the card a day, idle', 'MB', writtenADay / 1e6, 1],
  ] as const
  for (const [what, unit, value, atMost] of aims)
    note({ what, unit, rounds: [value], limit: { atMost }, checked: 'each' })
}

export const gatewayParts = {
  modem: { what: 'the modem driver', run: sayModem },
  dial: {
    what: 'a dial over a pseudo terminal, beside gammu where it is installed',
    argument: { name: 'rounds', usual: '8', what: 'how often each dials' },
    run: sayDial,
  },
  gateway: {
    what: 'the gateway: start, memory, processor, data plan, card',
    argument: { name: 'minutes', usual: '3', what: 'how long it is watched when idle' },
    run: sayGateway,
  },
} as const satisfies Readonly<Record<string, BenchPart>>
