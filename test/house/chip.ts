// The modem's chip as a gateway meets it: its serial port may lose what is said, either way, or sleep and catch up later.

import type { MemoryLine } from '@callgate/simulator/memoryLine'
import type { ModemFaultName } from '@callgate/simulator/presets'
import type { Simulator } from '@callgate/simulator/simulator'
import type { FakeWorld } from '@callgate/world/fake'

/** What is wrong with the port; the rest is wrong with the module behind it. `sleeps`: from the next ATD on. */
const portTroubles = ['loses commands', 'loses replies', 'sleeps'] as const
export const chipTroubles = [
  ...portTroubles,
  'hang_after_n',
  'brownout_on_tx',
  'late_ok',
  'shifted_replies',
  'ath_slow_19s',
  'lost_all_end_urcs',
  'reg_lost_mid_call',
  'usb_unplug_reenumerate',
  'wrong_baud_garbage',
] as const satisfies readonly (ModemFaultName | (typeof portTroubles)[number])[]
export type ChipTrouble = (typeof chipTroubles)[number]

/** An ATD as the gateway wrote it, whole, which may be long before the modem reads it. */
export interface WrittenDial {
  readonly atMs: number
  readonly phoneNumber: string
  /** The chip fell asleep over it, or slept already: it reads it when it wakes, however late. */
  readonly isSleptOver: boolean
  /** Whether what was needed to dial, by the gateway's own disk, stood there: its openings with a synced INTENT. */
  readonly intents: ReadonlySet<string>
}

export interface Chip {
  readonly dials: readonly WrittenDial[]
  connect(): MemoryLine | undefined
  /** From now on this is wrong with it; undefined: nothing, and what it slept through happens now. */
  suffer(trouble: ChipTrouble | undefined): void
}

/** What a sleeping chip keeps of what it is sent (SIM800: its UART's buffer). */
const keptBytes = 1024
const lossChance = 0.5

/** `intents`: what stands synced in the gateway's journal at this moment. */
export function chipOf(world: FakeWorld, simulator: Simulator, intents: () => ReadonlySet<string>): Chip {
  const dials: WrittenDial[] = []
  let trouble: ChipTrouble | undefined
  let isAsleep = false
  let sleptThrough: (() => void)[] = []
  let kept = 0

  const isLost = () => world.random() < lossChance

  /** What becomes of the gateway's bytes on their way; the answer is what its own write is told. */
  function toModem(bytes: Uint8Array, write: () => ReturnType<MemoryLine['writeNow']>) {
    const [, phoneNumber] = /^ATD(\+\d+)[iI]?;\r/.exec(Buffer.from(bytes).toString('latin1')) ?? []
    if (trouble === 'sleeps' && phoneNumber) isAsleep = true
    if (phoneNumber)
      dials.push({ atMs: world.monotonicMs(), phoneNumber, isSleptOver: isAsleep, intents: intents() })
    if (trouble === 'loses commands' && isLost()) return 'written'
    if (!isAsleep) return write()
    kept += bytes.byteLength
    if (kept <= keptBytes) sleptThrough.push(() => simulator.receive(bytes))
    return 'written'
  }

  function fromModem(deliver: () => void) {
    if (isAsleep) sleptThrough.push(deliver)
    else if (trouble !== 'loses replies' || !isLost()) deliver()
  }

  return {
    dials,
    connect() {
      const line = simulator.connect()
      return (
        line && {
          ...line,
          write: bytes =>
            void toModem(bytes, () => {
              line.write(bytes)
              return 'written'
            }),
          writeNow: bytes => toModem(bytes, () => line.writeNow(bytes)),
          onBytes: listener => line.onBytes(bytes => fromModem(() => listener(bytes))),
        }
      )
    },
    suffer(next) {
      trouble = next
      isAsleep = false
      const isModules = next !== undefined && !portTroubles.some(one => one === next)
      simulator.setFaults(isModules ? [next as ModemFaultName] : [])
      // A module that hangs for good comes back with its supply.
      if (next === undefined && simulator.state().modem.hung) simulator.restart()
      const caughtUp = sleptThrough
      sleptThrough = []
      kept = 0
      for (const happen of caughtUp) happen()
    },
  }
}
