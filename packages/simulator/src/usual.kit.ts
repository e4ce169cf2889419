// The usual simulator of tests: on the fast network at once, with one gate that rejects the call and opens.

import { createSimulator, type Simulator, type SimulatorOptions } from './simulator.ts'

/** The number of the usual gate. */
export const phoneNumber = '+40722000001'

/** The usual simulator, changed by the options. */
export function usualSimulator(
  options: Partial<SimulatorOptions> & Pick<SimulatorOptions, 'world'>,
): Simulator {
  return createSimulator({
    seed: 1,
    network: 'fast',
    registered: true,
    number: '+40711111111',
    gates: [{ phoneNumber: phoneNumber, farEnd: 'reject_busy' }],
    ...options,
  })
}

/** Opens the simulator's line for a modem driver; fails while it is unplugged. */
export function lineTo(simulator: Simulator) {
  return async () => {
    const line = simulator.connect()
    return line
      ? ({ ok: true, line } as const)
      : ({ ok: false, code: 'port_missing', message: 'unplugged' } as const)
  }
}
