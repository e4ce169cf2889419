// The simulator: a pretend SIM800 on a serial line in memory or on a port, and what truly happens behind it.

import type { World } from '@callgate/world/world'
import { type CallRecord, createCallLog } from './callLog.ts'
import type { RelayMode } from './core/gateModule.ts'
import { latencies, type NetworkName } from './core/latency.ts'
import { newSim800, type Registration, type Sim800 } from './core/modemState.ts'
import { newNetwork } from './core/network.ts'
import { seededRandom } from './core/random.ts'
import { createMemoryLine, type MemoryLine, type MemoryLineEnd } from './memoryLine.ts'
import { createOutput } from './output.ts'
import {
  changeFarEnd,
  maxGates,
  type Parts,
  putGate,
  type SimulatedGate,
  stopTimers,
  tellModem,
  type Violation,
} from './parts.ts'
import {
  type FarEndName,
  isFarEndName,
  type ModemFaultName,
  modemFaults,
  type PresetName,
} from './presets.ts'
import { createWireLog, type WireLine } from './wireLog.ts'

export type { SimulatedGate } from './parts.ts'

export interface GateState {
  readonly phoneNumber: string
  readonly farEnd: FarEndName
  readonly callers: readonly string[] | null
  readonly relay: RelayMode
  readonly relayOn: boolean
  /** How often the relay was operated: the truth that a verdict is measured by. */
  readonly relayCount: number
  readonly callsSeen: number
}

export interface SimulatorState {
  readonly seed: number
  readonly network: NetworkName
  readonly plugged: boolean
  readonly modem: {
    readonly number: string
    readonly imei: string
    readonly power: Sim800['power']
    readonly sim: Sim800['sim']
    readonly registered: boolean
    readonly registration: Registration
    /** A call exists or an ATD is being carried out. */
    readonly calling: boolean
    readonly hung: boolean
    readonly preset: ModemFaultName
    readonly settings: Readonly<Record<string, string>>
  }
  /** Every ATD, the refused ones too, oldest first. */
  readonly calls: readonly CallRecord[]
  readonly gates: readonly GateState[]
  /** What answers a number that is no gate; null: nobody. */
  readonly unlistedFarEnd: FarEndName | null
  /** How often the driver did what it must never do. */
  readonly violations: number
  /** The latest of them. */
  readonly violationLog: readonly Violation[]
}

export type Result =
  | { readonly ok: true }
  | {
      readonly ok: false
      readonly code: 'gate_unknown' | 'preset_takes_no_number' | 'too_many_gates'
      readonly message: string
    }

export interface Simulator {
  /** The serial line, in memory. A second one replaces the first. Undefined while unplugged. */
  connect(): MemoryLine | undefined
  /** Bytes that arrived at the modem over a real port. */
  receive(bytes: Uint8Array): void
  /** Bytes that the modem sends, paced by the baud rate. */
  onSend(listener: (bytes: Uint8Array) => void): void
  /** Told when the modem's port disappears and comes back. */
  onPlug(listener: (plugged: boolean) => void): void
  state(): SimulatorState
  wireLog(): readonly WireLine[]
  /** A far end goes to one gate, or without a number to all gates and to every other number; a fault to the modem. */
  setPreset(preset: PresetName, phoneNumber?: string): Result
  /** A gate that is there already is replaced, its counters with it. */
  addGate(gate: SimulatedGate): Result
  /** The cable is pulled: the port disappears and the modem is without power. */
  unplug(): void
  plug(): void
  /** Ends everything; nothing happens afterwards. */
  stop(): void
}

export interface SimulatorOptions {
  readonly world: World
  /** Everything that is random follows from it. */
  readonly seed: number
  readonly network: NetworkName
  /** On the network at once, as if the modem had been on for hours; else it begins to boot. */
  readonly registered: boolean
  /** The number of the modem's own SIM. */
  readonly number: string
  readonly gates: readonly SimulatedGate[]
  readonly preset?: PresetName
  /** Paces what the modem sends; absent: no pacing. */
  readonly baudRate?: number
}

function stateOf(parts: Parts): Pick<SimulatorState, 'calls' | 'gates' | 'unlistedFarEnd'> {
  const gates = [...parts.gates.values()].map(({ farEnd, module }) => ({
    phoneNumber: module.phoneNumber,
    farEnd,
    callers: module.callers,
    relay: module.relay,
    relayOn: module.relayOn,
    relayCount: module.relayCount,
    callsSeen: module.callsSeen,
  }))
  return { calls: parts.calls.records(), gates, unlistedFarEnd: parts.unlistedFarEnd }
}

function modemState(modem: Sim800, preset: ModemFaultName): SimulatorState['modem'] {
  return {
    number: modem.number,
    imei: modem.imei,
    power: modem.power,
    sim: modem.sim,
    registered: modem.registration === 1,
    registration: modem.registration,
    calling: modem.calls.size > 0 || modem.running?.dial !== undefined,
    hung: modem.hung,
    preset,
    settings: Object.fromEntries(modem.settings.current),
  }
}

function newParts(
  { world, seed, network, number, baudRate }: SimulatorOptions,
  deliver: (text: string) => void,
): Parts {
  const delays = latencies[network]
  const modemRandom = seededRandom(seed, 'modem')
  return {
    world,
    seed,
    latencies: delays,
    modem: newSim800({ number, seed, random: modemRandom, latencies: delays, fault: modemFaults.healthy }),
    network: newNetwork(seededRandom(seed, 'network'), delays),
    gates: new Map(),
    calls: createCallLog(world),
    output: createOutput(world, baudRate, deliver),
    timers: new Map(),
    unlistedFarEnd: null,
    violationCount: 0,
    violations: [],
    stopped: false,
  }
}

function changePreset(parts: Parts, preset: PresetName, phoneNumber: string | undefined): Result {
  if (!isFarEndName(preset)) {
    if (phoneNumber !== undefined)
      return {
        ok: false,
        code: 'preset_takes_no_number',
        message: `${preset} is a preset of the modem and takes no phone number`,
      }
    tellModem(parts, { kind: 'fault', fault: modemFaults[preset] })
    return { ok: true }
  }
  if (phoneNumber === undefined) {
    parts.unlistedFarEnd = preset
    for (const gate of parts.gates.values()) changeFarEnd(gate, preset)
    return { ok: true }
  }
  const gate = parts.gates.get(phoneNumber)
  if (!gate) return { ok: false, code: 'gate_unknown', message: `no gate has the number ${phoneNumber}` }
  changeFarEnd(gate, preset)
  return { ok: true }
}

/** The serial line as a socket that one cable fits in: in memory, or a port outside that listens. */
function createSocket(options: SimulatorOptions) {
  const { world } = options
  const wire = createWireLog(world)
  const listeners: ((bytes: Uint8Array) => void)[] = []
  let memoryLine: MemoryLineEnd | undefined
  let plugged = true

  const parts = newParts(options, text => {
    if (!plugged || parts.stopped) return
    wire.add('fromModem', text)
    const bytes = Buffer.from(text, 'latin1')
    memoryLine?.deliver(bytes)
    for (const listener of listeners) listener(bytes)
  })

  function receive(bytes: Uint8Array): void {
    if (!plugged || parts.stopped) return
    const text = Buffer.from(bytes).toString('latin1')
    wire.add('toModem', text)
    tellModem(parts, { kind: 'bytes', text })
  }

  function loseLine(reason: string): void {
    const lost = memoryLine
    memoryLine = undefined
    parts.output.discard()
    lost?.lose(reason)
  }

  return {
    parts,
    wire,
    receive,
    loseLine,
    listen: (listener: (bytes: Uint8Array) => void) => void listeners.push(listener),
    connect(): MemoryLine | undefined {
      if (!plugged || parts.stopped) return undefined
      loseLine('replaced by another connection')
      memoryLine = createMemoryLine(world, receive)
      return memoryLine.line
    },
    isPlugged: () => plugged,
    setPlugged(present: boolean): void {
      plugged = present
      if (!present) loseLine('unplugged')
      tellModem(parts, { kind: present ? 'powerOn' : 'powerOff' })
    },
  }
}

/** A simulator that runs on `world` until it is stopped. */
export function createSimulator(options: SimulatorOptions): Simulator {
  const { seed, network } = options
  const socket = createSocket(options)
  const { parts } = socket
  const plugListeners: ((plugged: boolean) => void)[] = []
  let fault: ModemFaultName = 'healthy'

  function setPreset(preset: PresetName, phoneNumber?: string): Result {
    const result = changePreset(parts, preset, phoneNumber)
    if (result.ok && !isFarEndName(preset)) fault = preset
    return result
  }

  function setPlugged(present: boolean): void {
    if (socket.isPlugged() === present || parts.stopped) return
    socket.setPlugged(present)
    for (const listener of plugListeners) listener(present)
  }

  for (const gate of options.gates) putGate(parts, gate)
  if (options.preset) setPreset(options.preset)
  tellModem(parts, { kind: options.registered ? 'startRegistered' : 'powerOn' })

  return {
    connect: socket.connect,
    receive: socket.receive,
    onSend: socket.listen,
    onPlug: listener => void plugListeners.push(listener),
    state: () => ({
      seed,
      network,
      plugged: socket.isPlugged(),
      modem: modemState(parts.modem, fault),
      ...stateOf(parts),
      violations: parts.violationCount,
      violationLog: [...parts.violations],
    }),
    wireLog: socket.wire.lines,
    setPreset,
    addGate: gate =>
      putGate(parts, gate)
        ? { ok: true }
        : { ok: false, code: 'too_many_gates', message: `there are ${maxGates} gates already` },
    unplug: () => setPlugged(false),
    plug: () => setPlugged(true),
    stop() {
      stopTimers(parts, '')
      parts.stopped = true
      socket.loseLine('the simulator stopped')
    },
  }
}
