// A person at a terminal, for tests: types lines at a simulated modem in a fake world and reads the output.

import { type FakeWorld, fakeWorld } from '@callgate/world/fake'
import type { MemoryLine } from './memoryLine.ts'
import type { Simulator, SimulatorOptions } from './simulator.ts'
import { usualSimulator } from './usual.kit.ts'

export interface Terminal {
  readonly world: FakeWorld
  readonly simulator: Simulator
  readonly line: MemoryLine
  /** The whole output, raw. */
  raw(): string
  /** The lines since the last call, without echoes of the input. */
  heard(): readonly string[]
  /** Types without a line end. */
  type(text: string): void
  /** Types a line and lets `forMs` pass. */
  say(text: string, forMs?: number): Promise<readonly string[]>
}

/** Opens a terminal: by default registered, on the fast network, echo off, with the URCs that a driver switches on. */
export async function openTerminal(
  options: Partial<SimulatorOptions> = {},
  firstLines: readonly string[] = ['ATE0', 'AT+CLCC=1;+MORING=1;+CEER=1;+CMEE=1'],
): Promise<Terminal> {
  const world = fakeWorld(options.seed ?? 1)
  const simulator = usualSimulator({ world, gates: [], ...options })
  const line = simulator.connect()
  if (!line) throw new Error('not plugged')
  let received = ''
  let read = 0
  line.onBytes(bytes => {
    received += Buffer.from(bytes).toString('latin1')
  })
  const terminal: Terminal = {
    world,
    simulator,
    line,
    raw: () => received,
    heard() {
      const fresh = received.slice(read)
      read = received.length
      return fresh.split(/[\r\n]+/).filter(text => text !== '')
    },
    type: text => line.write(Buffer.from(text, 'latin1')),
    async say(text, forMs = 20) {
      terminal.type(`${text}\r`)
      await world.advance(forMs)
      return terminal.heard()
    },
  }
  for (const first of firstLines) await terminal.say(first)
  return terminal
}
