// The modem's chip as the gateway sees it: its serial port may lose bytes in either direction, or sleep and catch up later.

import type { MemoryLine } from '@callgate/simulator/memoryLine'
import type { ModemFaultName } from '@callgate/simulator/presets'
import type { Simulator } from '@callgate/simulator/simulator'
import type { SimulatorState } from '@callgate/simulator/simulatorState'
import type { FakeWorld } from '@callgate/world/fake'
import { createFaultLog, type FaultLog } from './faultLog.ts'
import { createSimCard, type SimCard } from './simCard.ts'

/** Faults of the serial port. `sleeps` begins with the next ATD. */
const portFaults = ['loses commands', 'loses replies', 'sleeps'] as const
/** Faults of the module behind the port. */
const moduleFaults = [
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
export const chipFaults = [...portFaults, ...moduleFaults] as const
/** Faults that only some models have; `modelFaults` of the simulator says which. A route may cease to report ringing at any time. */
export const familyFaults = [
  'ath_ignored',
  'urc_before_response',
  'csfb_slow',
  'early_no_carrier_csfb',
  'false_active_csfb',
  'reject_unseen',
  'volte_alone',
  'no_clcc6_only_token',
  'clcc6_without_token',
  'silent_alerting',
] as const satisfies readonly ModemFaultName[]
type ModuleFault = (typeof moduleFaults)[number] | (typeof familyFaults)[number]
export type ChipFault = (typeof portFaults)[number] | ModuleFault

const isOfModule = (fault: ChipFault | undefined): fault is ModuleFault =>
  fault !== undefined && !portFaults.some(one => one === fault)

/** An ATD as the gateway wrote it. The modem may read it much later. */
export interface WrittenDial {
  readonly atMs: number
  readonly phoneNumber: string
  /** The chip was asleep, or fell asleep with this ATD, and reads it only when it wakes. */
  readonly isSleptOver: boolean
  /** The openings whose INTENT was synced to the gateway's disk at that moment. */
  readonly intents: ReadonlySet<string>
}

export interface Chip {
  readonly dials: readonly WrittenDial[]
  /** When the line lost what the modem said. */
  readonly lostReplies: readonly number[]
  connect(): MemoryLine | undefined
  /** From now on the chip has this fault. Undefined: it has none, and what waited during its sleep happens now. */
  setFault(fault: ChipFault | undefined): void
  /** The SIM card and the supply of the modem. */
  readonly card: SimCard
}

/** The observable facts of a faulty module at some moment. */
interface ChipState {
  readonly modem: SimulatorState['modem']
  readonly isPlugged: boolean
  /** Since the fault began. */
  readonly calls: SimulatorState['calls']
  readonly atMs: number
  /** What the gateway has just written, and what the modem has just sent. */
  readonly written: string
  readonly said: string
}

const isPlaced = ({ outcome }: ChipState['calls'][number]) => outcome !== 'dialling' && outcome !== 'refused'
const endedByItself: readonly string[] = ['rejected', 'released', 'network_ended']

/** Whether the module's fault has an effect at this moment. */
const hasEffect: { readonly [Fault in ModuleFault]: (seen: ChipState) => boolean } = {
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
  ath_ignored: ({ modem, written }) => modem.calling && /^ATH/.test(written),
  urc_before_response: ({ written }) => written !== '',
  volte_alone: ({ written }) => written !== '',
  csfb_slow: ({ calls }) => calls.some(isPlaced),
  early_no_carrier_csfb: ({ calls }) => calls.some(isPlaced),
  false_active_csfb: ({ calls }) => calls.some(isPlaced),
  reject_unseen: ({ calls }) => calls.some(isPlaced),
  no_clcc6_only_token: ({ calls }) => calls.some(isPlaced),
  clcc6_without_token: ({ calls }) => calls.some(isPlaced),
  silent_alerting: ({ calls }) => calls.some(isPlaced),
}

/** The output of a module whose fault has an effect. Other effects show when something is written to the module. */
const news = /UNDER-VOLTAGE|\+CREG/

/** The number of bytes that a sleeping chip keeps: the buffer of the SIM800's UART. */
const keptBytes = 1024
const lossProbability = 0.5

/** Bytes that wait, in either direction, until the chip wakes. */
function createSleep(simulator: Simulator) {
  let isAsleep = false
  let waiting: (() => void)[] = []
  let kept = 0
  return {
    isAsleep: () => isAsleep,
    begin() {
      isAsleep = true
    },
    keepForModem(bytes: Uint8Array) {
      kept += bytes.byteLength
      if (kept <= keptBytes) waiting.push(() => simulator.receive(bytes))
    },
    keepForGateway: (deliver: () => void) => void waiting.push(deliver),
    /** Wakes the chip; returns the waiting actions, which are due now. */
    end() {
      const happened = waiting
      isAsleep = false
      waiting = []
      kept = 0
      return () => {
        for (const happen of happened) happen()
      }
    },
  }
}

/** Notes when a fault of the module has its first effect. */
function createModuleWatch(world: FakeWorld, simulator: Simulator, faultLog: FaultLog) {
  let fault: ModuleFault | undefined
  let sinceMs = 0
  return {
    begin(next: ModuleFault | undefined) {
      fault = next
      sinceMs = world.monotonicMs()
    },
    /** Checks for an effect, until there is one. */
    check({ said = '', written = '' }: { readonly said?: string; readonly written?: string } = {}) {
      if (!fault || faultLog.hasShown()) return
      const { calls, modem, plugged: isPlugged } = simulator.state()
      const sinceFault = calls.filter(({ atMs }) => atMs >= sinceMs)
      const seen = { modem, isPlugged, calls: sinceFault, atMs: world.monotonicMs(), written, said }
      if (hasEffect[fault](seen)) faultLog.show(`chip: ${fault} shows`)
    },
  }
}

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1')

type ToModem = (bytes: Uint8Array, write: () => WriteResult) => WriteResult
type WriteResult = ReturnType<MemoryLine['writeNow']>

/** The line, with everything on it passed through the chip. */
function lineThrough(
  line: MemoryLine,
  toModem: ToModem,
  fromModem: (bytes: Uint8Array, deliver: () => void) => void,
): MemoryLine {
  return {
    ...line,
    write(bytes) {
      toModem(bytes, () => {
        line.write(bytes)
        return 'written'
      })
    },
    writeNow: bytes => toModem(bytes, () => line.writeNow(bytes)),
    onBytes: listener => line.onBytes(bytes => fromModem(bytes, () => listener(bytes))),
  }
}

function createDialLog(
  world: FakeWorld,
  sleep: ReturnType<typeof createSleep>,
  intents: () => ReadonlySet<string>,
) {
  const dials: WrittenDial[] = []
  return {
    dials,
    /** Records an ATD, where these bytes are one; true: the chip falls asleep with it. */
    noteDial(written: string, sleepsAtDial: boolean): boolean {
      const [, phoneNumber] = /^ATD(\+\d+)[iI]?;\r/.exec(written) ?? []
      if (!phoneNumber) return false
      const fallsAsleep = sleepsAtDial && !sleep.isAsleep()
      if (fallsAsleep) sleep.begin()
      const isSleptOver = sleep.isAsleep()
      dials.push({ atMs: world.monotonicMs(), phoneNumber, isSleptOver, intents: intents() })
      return fallsAsleep
    },
  }
}

/** `intents` returns the openings whose INTENT the gateway's disk holds now. */
export function createChip(
  world: FakeWorld,
  who: string,
  simulator: Simulator,
  intents: () => ReadonlySet<string>,
): Chip {
  const faultLog = createFaultLog(world, who, 'chip')
  const watch = createModuleWatch(world, simulator, faultLog)
  const sleep = createSleep(simulator)
  const { dials, noteDial } = createDialLog(world, sleep, intents)
  const lostReplies: number[] = []
  let fault: ChipFault | undefined

  const isLost = () => world.random() < lossProbability

  /** Passes the gateway's bytes on as the fault allows; returns what the gateway's write returns. */
  const toModem: ToModem = (bytes, write) => {
    const written = text(bytes)
    const fallsAsleep = noteDial(written, fault === 'sleeps')
    watch.check({ written })
    card.check(written)
    if (fault === 'loses commands' && isLost()) {
      faultLog.show('a command is lost', { written })
      return 'written'
    }
    if (fallsAsleep) faultLog.show('the chip falls asleep')
    if (!sleep.isAsleep()) return write()
    sleep.keepForModem(bytes)
    return 'written'
  }

  function fromModem(bytes: Uint8Array, deliver: () => void) {
    if (sleep.isAsleep()) return sleep.keepForGateway(deliver)
    if (fault === 'loses replies' && isLost()) {
      lostReplies.push(world.monotonicMs())
      return faultLog.show('a reply is lost', { said: text(bytes) })
    }
    const said = fault ? text(bytes) : ''
    if (news.test(said)) watch.check({ said })
    deliver()
  }

  const tellSimulator = () => simulator.setFaults([...(isOfModule(fault) ? [fault] : []), ...card.faults()])
  const card: SimCard = createSimCard(world, who, simulator, tellSimulator)

  return {
    dials,
    lostReplies,
    card,
    connect() {
      watch.check()
      const line = simulator.connect()
      return line && lineThrough(line, toModem, fromModem)
    },
    setFault(next) {
      watch.check()
      faultLog.begin(next)
      fault = next
      watch.begin(isOfModule(next) ? next : undefined)
      const catchUp = sleep.end()
      tellSimulator()
      catchUp()
    },
  }
}
