// The simulator: a pretend SIM800 on a serial line in memory or on a port, with the network and the gates behind it.

import { seededRandom } from '@callgate/world/random'
import type { World } from '@callgate/world/world'
import { createCallLog } from './callLog.ts'
import { latencies, type NetworkName } from './core/latency.ts'
import { type ModelName, models } from './core/model.ts'
import { newSim800 } from './core/modemState.ts'
import { newNetwork } from './core/network.ts'
import { createIncomingLog } from './incomingLog.ts'
import type { LogEntry } from './logFile.ts'
import type { MemoryLine } from './memoryLine.ts'
import { createOutput } from './output.ts'
import { callIn, type SimulatorParts, sendMessage, stopTimers, tellModem } from './parts.ts'
import { combinedFault, isFarEndName, type ModemFaultName, type PresetName } from './presets.ts'
import { createGates, maxGates, type SimulatedGate } from './simulatedGates.ts'
import { type SimulatorState, stateOf } from './simulatorState.ts'
import { createSocket, type Socket } from './socket.ts'
import type { WireLine } from './wireLog.ts'

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
  /** Called when the modem's port disappears and comes back. */
  onPlug(listener: (plugged: boolean) => void): void
  /** Called for every ATD, with its number in the sequence: 1 for the first. */
  onDial(listener: (callId: number) => void): void
  state(): SimulatorState
  wireLog(): readonly WireLine[]
  /** Sets a far end for one gate, or without a number for all gates and all other numbers; or a fault of the modem. */
  setPreset(preset: PresetName, phoneNumber?: string): Result
  /** Replaces the faults; none: healthy. Where two conflict, the later one counts. */
  setFaults(faults: readonly ModemFaultName[]): void
  /** Replaces a gate of the same number, with its counters. */
  addGate(gate: SimulatedGate): Result
  /** Calls the modem; the caller waits `patienceMs` (of a normal network; absent: 25 s). An empty number is hidden. */
  callIn(callerNumber?: string, patienceMs?: number): void
  /** Sends a message (SMS) to the modem; it is delivered when the modem is on the network. */
  sendMessage(from: string, text: string): void
  /** Restarts the modem without a warning, as its RESET pin does. */
  restart(): void
  /** The cable is unplugged: the port disappears and the modem is without power. */
  unplug(): void
  plug(): void
  /** Ends everything; nothing happens afterwards. */
  stop(): void
}

export interface SimulatorOptions {
  readonly world: World
  /** The source of everything random. */
  readonly seed: number
  readonly network: NetworkName
  /** Absent: a SIM800. */
  readonly model?: ModelName
  /** On the network at once, as after hours of service; otherwise the modem begins to boot. */
  readonly registered: boolean
  /** The number of the modem's own SIM. */
  readonly number: string
  readonly gates: readonly SimulatedGate[]
  /** A far end for every number, or a fault. */
  readonly preset?: PresetName
  readonly faults?: readonly ModemFaultName[]
  /** Paces the modem's output; absent: no pacing. */
  readonly baudRate?: number
  /** The modem's output arrives in pieces of random length. */
  readonly splits?: boolean
  /** A dialled number's last three digits choose a preset (`presetOfCode`). */
  readonly codes?: boolean
  /** Called for every line on the wire, each change of a call, and every violation, when it happens. */
  readonly onLog?: (entry: LogEntry) => void
}

const longestPiece = 8

function newParts(
  options: SimulatorOptions,
  socket: Socket,
  told: Pick<SimulatorParts, 'reenumerate' | 'setFaults' | 'dialled'>,
): SimulatorParts {
  const { world, seed, network, number, baudRate, splits } = options
  const delays = latencies[network]
  const splitRandom = seededRandom(seed, 'splits')
  const modem = newSim800({
    number,
    seed,
    random: seededRandom(seed, 'modem'),
    latencies: delays,
    model: models[options.model ?? 'sim800'],
    fault: combinedFault([]),
  })
  function pieceLength(): number {
    if (modem.fault.writesBytes) return 1
    return splits ? 1 + Math.floor(splitRandom() * longestPiece) : Number.POSITIVE_INFINITY
  }
  const parts: SimulatorParts = {
    world,
    modem,
    network: newNetwork(seededRandom(seed, 'network'), delays),
    gates: createGates(seed, delays),
    calls: createCallLog(world, call => options.onLog?.({ kind: 'call', call })),
    incoming: createIncomingLog(world),
    output: createOutput({
      world,
      baudRate,
      pieceLength,
      deliver: text => {
        if (!parts.stopped) socket.send(text)
      },
    }),
    timers: new Map(),
    heedsCodes: options.codes ?? false,
    ...told,
    messagesIn: 0,
    messagesOut: [],
    unlistedFarEnd: null,
    violationCount: 0,
    violations: [],
    violated: violation => options.onLog?.({ kind: 'violation', violation }),
    stopped: false,
  }
  return parts
}

/** The actions; `faults` is kept so that the state can show it. */
function leversOf(parts: SimulatorParts, setFaults: (faults: readonly ModemFaultName[]) => void) {
  function setPreset(preset: PresetName, phoneNumber?: string): Result {
    if (!isFarEndName(preset)) {
      const message = `${preset} is a preset of the modem and takes no phone number`
      if (phoneNumber !== undefined) return { ok: false, code: 'preset_takes_no_number', message }
      setFaults([preset])
      return { ok: true }
    }
    if (!parts.gates.change(preset, phoneNumber))
      return { ok: false, code: 'gate_unknown', message: `no gate has the number ${phoneNumber}` }
    if (phoneNumber === undefined) parts.unlistedFarEnd = preset
    return { ok: true }
  }

  function addGate(gate: SimulatedGate): Result {
    if (parts.gates.put(gate)) return { ok: true }
    return { ok: false, code: 'too_many_gates', message: `there are ${maxGates} gates already` }
  }

  return { setPreset, setFaults, addGate }
}

/** A simulator that runs on `world` until it is stopped. */
export function createSimulator(options: SimulatorOptions): Simulator {
  const { world, seed, network, model = 'sim800' } = options
  let faults: readonly ModemFaultName[] = []
  const dialListeners: ((callId: number) => void)[] = []
  const socket = createSocket(
    world,
    text => tellModem(parts, { kind: 'bytes', text }),
    line => options.onLog?.({ kind: 'wire', line }),
  )

  function setFaults(next: readonly ModemFaultName[]): void {
    faults = next.filter(name => name !== 'healthy')
    tellModem(parts, { kind: 'fault', fault: combinedFault(faults) })
  }

  function setPlugged(present: boolean): void {
    if (parts.stopped || !socket.setPlugged(present)) return
    if (!present) parts.output.discard()
    tellModem(parts, { kind: present ? 'powerOn' : 'powerOff' })
  }

  const parts = newParts(options, socket, {
    reenumerate(outForMs) {
      setPlugged(false)
      parts.timers.set(
        'cable/back',
        world.after(outForMs, () => setPlugged(true)),
      )
    },
    setFaults,
    dialled(callId) {
      for (const listener of dialListeners) listener(callId)
    },
  })
  const levers = leversOf(parts, setFaults)

  for (const gate of options.gates) levers.addGate(gate)
  if (options.preset) levers.setPreset(options.preset)
  if (options.faults && options.faults.length > 0) levers.setFaults(options.faults)
  tellModem(parts, { kind: 'start', registered: options.registered })

  return {
    ...levers,
    connect: () => (parts.stopped ? undefined : socket.connect()),
    receive: socket.receive,
    onSend: socket.onSend,
    onPlug: socket.onPlug,
    onDial: listener => void dialListeners.push(listener),
    state: () => stateOf({ seed, network, model }, parts, socket, faults),
    wireLog: socket.wire.lines,
    callIn: (callerNumber, patienceMs) => callIn(parts, callerNumber, patienceMs),
    sendMessage: (from, text) => sendMessage(parts, from, text),
    restart() {
      if (socket.isPlugged()) tellModem(parts, { kind: 'restart' })
    },
    unplug: () => setPlugged(false),
    plug: () => setPlugged(true),
    stop() {
      stopTimers(parts, '')
      parts.stopped = true
      parts.output.discard()
      socket.lose('the simulator stopped')
    },
  }
}
