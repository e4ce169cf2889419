// The modem's chip as a gateway meets it: its serial port may lose what is said, either way, or sleep and catch up later.

import type { MemoryLine } from '@callgate/simulator/memoryLine'
import type { ModemFaultName } from '@callgate/simulator/presets'
import type { Simulator, SimulatorState } from '@callgate/simulator/simulator'
import type { FakeWorld } from '@callgate/world/fake'
import { troubleOf } from './trouble.ts'

/** What is wrong with the port; the rest is wrong with the module behind it. `sleeps`: from the next ATD on. */
const portTroubles = ['loses commands', 'loses replies', 'sleeps'] as const
const moduleTroubles = [
  'hang_after_n',
  'brownout_on_tx',
  'late_ok',
  'shifted_replies',
  'ath_slow_19s',
  'lost_all_end_urcs',
  'reg_lost_mid_call',
  'usb_unplug_reenumerate',
  'wrong_baud_garbage',
  'clcc_always_empty',
  'clcc_unanswered_once',
] as const satisfies readonly ModemFaultName[]
export const chipTroubles = [...portTroubles, ...moduleTroubles] as const
type ModuleTrouble = (typeof moduleTroubles)[number]
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

/** What is seen of a module in trouble at some moment. */
interface Seen {
  readonly modem: SimulatorState['modem']
  readonly isPlugged: boolean
  /** Since the trouble began. */
  readonly calls: SimulatorState['calls']
  readonly atMs: number
  /** By the gateway just now, or by the modem. */
  readonly written: string
  readonly said: string
}

const isPlaced = ({ outcome }: Seen['calls'][number]) => outcome !== 'dialling' && outcome !== 'refused'
const endedByItself: readonly string[] = ['rejected', 'released', 'network_ended']

/** Whether the module's trouble makes a difference just now. */
const shows: { readonly [Trouble in ModuleTrouble]: (seen: Seen) => boolean } = {
  hang_after_n: ({ modem }) => modem.hung,
  brownout_on_tx: ({ said }) => said.includes('UNDER-VOLTAGE'),
  late_ok: ({ calls }) => calls.some(isPlaced),
  shifted_replies: ({ written }) => written !== '',
  ath_slow_19s: ({ modem, written }) => modem.calling && /^AT(H|\+CHUP)/.test(written),
  lost_all_end_urcs: ({ calls }) => calls.some(({ outcome }) => endedByItself.includes(outcome)),
  reg_lost_mid_call: ({ atMs, calls, modem }) =>
    !modem.registered && calls.some(call => isPlaced(call) && atMs >= call.atMs + 6_000),
  usb_unplug_reenumerate: ({ isPlugged }) => !isPlugged,
  wrong_baud_garbage: ({ written }) => written !== '',
  clcc_always_empty: ({ modem, written }) => modem.calling && /^AT\+CLCC/.test(written),
  clcc_unanswered_once: ({ modem, written }) => modem.calling && /^AT\+CLCC/.test(written),
}

/** What a module says when its trouble shows; the rest is seen when something is written to it. */
const news = /UNDER-VOLTAGE|\+CREG/

/** What a sleeping chip keeps of what it is sent (SIM800: its UART's buffer). */
const keptBytes = 1024
const lossChance = 0.5

/** `intents`: what stands synced in the gateway's journal at this moment. */
export function chipOf(
  world: FakeWorld,
  who: string,
  simulator: Simulator,
  intents: () => ReadonlySet<string>,
): Chip {
  const told = troubleOf(world, who, 'chip')
  const dials: WrittenDial[] = []
  let trouble: ChipTrouble | undefined
  let sinceMs = 0
  let isAsleep = false
  let sleptThrough: (() => void)[] = []
  let kept = 0

  const isLost = () => world.random() < lossChance
  const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1')

  /** Looks whether the module's trouble shows, until it does. */
  function look({ said = '', written = '' }: { readonly said?: string; readonly written?: string } = {}) {
    const module = moduleTroubles.find(one => one === trouble)
    if (!module || told.hasShown()) return
    const { calls, modem, plugged: isPlugged } = simulator.state()
    const ofTrouble = calls.filter(({ atMs }) => atMs >= sinceMs)
    const seen = { modem, isPlugged, calls: ofTrouble, atMs: world.monotonicMs(), written, said }
    if (shows[module](seen)) told.shows(`chip: ${module} shows`)
  }

  /** What becomes of the gateway's bytes on their way; the answer is what its own write is told. */
  function toModem(bytes: Uint8Array, write: () => ReturnType<MemoryLine['writeNow']>) {
    const written = text(bytes)
    const [, phoneNumber] = /^ATD(\+\d+)[iI]?;\r/.exec(written) ?? []
    const fallsAsleep = trouble === 'sleeps' && phoneNumber !== undefined && !isAsleep
    if (fallsAsleep) isAsleep = true
    if (phoneNumber)
      dials.push({ atMs: world.monotonicMs(), phoneNumber, isSleptOver: isAsleep, intents: intents() })
    look({ written })
    if (trouble === 'loses commands' && isLost()) {
      told.shows('a command is lost', { written })
      return 'written'
    }
    if (fallsAsleep) told.shows('the chip falls asleep')
    if (!isAsleep) return write()
    kept += bytes.byteLength
    if (kept <= keptBytes) sleptThrough.push(() => simulator.receive(bytes))
    return 'written'
  }

  function fromModem(bytes: Uint8Array, deliver: () => void) {
    if (isAsleep) return void sleptThrough.push(deliver)
    if (trouble === 'loses replies' && isLost()) return told.shows('a reply is lost', { said: text(bytes) })
    const said = trouble ? text(bytes) : ''
    if (news.test(said)) look({ said })
    deliver()
  }

  return {
    dials,
    connect() {
      look()
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
          onBytes: listener => line.onBytes(bytes => fromModem(bytes, () => listener(bytes))),
        }
      )
    },
    suffer(next) {
      look()
      told.begins(next)
      trouble = next
      sinceMs = world.monotonicMs()
      isAsleep = false
      simulator.setFaults(moduleTroubles.filter(one => one === next))
      const caughtUp = sleptThrough
      sleptThrough = []
      kept = 0
      for (const happen of caughtUp) happen()
    },
  }
}
