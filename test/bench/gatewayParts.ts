// The parts of the benchmarks that measure the gateway: the modem's driver, and the program as it is installed.

import { measureDial } from './dial.ts'
import { line, spread } from './figures.ts'
import { measureGateway } from './gatewayProcess.ts'
import { measureModem } from './modem.ts'
import { type BenchPart, onDemo, ratio, type Say } from './part.ts'

async function sayModem(say: Say): Promise<undefined> {
  const modem = await measureModem(20)
  say('The modem driver, on one core')
  for (const [name, { floor, ours }, unit] of [
    ['reads (floor: splits into lines)', modem.bytesPerSecond, 'MB/s'],
    ['judges (floor: copies the facts)', modem.verdictsPerSecond, 'M/s'],
  ] as const)
    say(
      `  ${name.padEnd(44)} ours ${(ours / 1e6).toFixed(3)} ${unit}   floor ${(floor / 1e6).toFixed(3)} ${unit}`,
    )
  const { floor, ours } = modem.callCpuMs
  say(
    `  ${'a call’s processor time (floor: no driver)'.padEnd(44)} ours ${ours.toFixed(2)} ms   floor ${floor.toFixed(2)} ms   ratio ${ratio(ours, floor)}`,
  )
}

/** Ours goes on running, so its daemon pays its start once; gammu starts for each call. */
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

async function sayGateway(say: Say): Promise<undefined> {
  const { bareMb, bareStartMs, idleMb, startMs } = await onDemo(demo => measureGateway(demo, 5))
  say('The gateway, bundled, beside a bare Node')
  say(`  start to MQTT-ready   ${startMs.toFixed(0)} ms   bare ${bareStartMs.toFixed(0)} ms`)
  say(`  memory when idle      ${idleMb.toFixed(1)} MB   bare ${bareMb.toFixed(1)} MB`)
}

export const gatewayParts = {
  modem: { what: 'the modem driver', run: sayModem },
  dial: {
    what: 'a dial over a pseudo terminal, beside gammu where it is installed',
    argument: { name: 'rounds', usual: '8', what: 'how often each dials' },
    run: sayDial,
  },
  gateway: { what: 'the gateway’s start and memory', run: sayGateway },
} as const satisfies Readonly<Record<string, BenchPart>>
