// The state of the simulator as a test, a person or a log sees it.

import type { CallRecord } from './callLog.ts'
import type { NetworkName } from './core/latency.ts'
import type { ModelName } from './core/model.ts'
import type { Registration, Sim800 } from './core/modemState.ts'
import type { IncomingRecord } from './incomingLog.ts'
import type { SimulatorParts, Violation } from './parts.ts'
import type { FarEndName, ModemFaultName } from './presets.ts'
import type { GateState } from './simulatedGates.ts'
import type { Socket } from './socket.ts'

export interface SimulatorState {
  readonly seed: number
  readonly network: NetworkName
  readonly model: ModelName
  readonly plugged: boolean
  /** The name of the port; another one each time it comes back. */
  readonly portName: string
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
    readonly faults: readonly ModemFaultName[]
    /** On the SIM. */
    readonly messages: number
    readonly settings: Readonly<Record<string, string>>
  }
  /** Every ATD, the refused ones too, oldest first. */
  readonly calls: readonly CallRecord[]
  /** Every call to the modem, oldest first. */
  readonly incoming: readonly IncomingRecord[]
  readonly gates: readonly GateState[]
  /** Every message that the network took from the modem, oldest first. */
  readonly sent: readonly { readonly to: string; readonly text: string }[]
  /** The far end of a number that is no gate; null: nobody. */
  readonly unlistedFarEnd: FarEndName | null
  /** How often the driver did something that is never allowed. */
  readonly violations: number
  /** The latest of them. */
  readonly violationLog: readonly Violation[]
}

function modemState(modem: Sim800, faults: readonly ModemFaultName[]): SimulatorState['modem'] {
  return {
    number: modem.number,
    imei: modem.imei,
    power: modem.power,
    sim: modem.sim,
    registered: modem.registration === 1,
    registration: modem.registration,
    calling: modem.calls.size > 0 || modem.running?.dial !== undefined,
    hung: modem.hung,
    faults,
    messages: modem.messages.SM.size + modem.messages.ME.size,
    settings: Object.fromEntries(modem.settings.current),
  }
}

/** The current state; `given` are the options of the simulator. */
export function stateOf(
  given: Pick<SimulatorState, 'seed' | 'network' | 'model'>,
  parts: SimulatorParts,
  socket: Socket,
  faults: readonly ModemFaultName[],
): SimulatorState {
  const { model, network, seed } = given
  return {
    seed,
    network,
    model,
    plugged: socket.isPlugged(),
    portName: socket.portName(),
    modem: modemState(parts.modem, faults),
    calls: parts.calls.records(),
    incoming: parts.incoming.records(),
    gates: parts.gates.states(),
    sent: [...parts.messagesOut],
    unlistedFarEnd: parts.unlistedFarEnd,
    violations: parts.violationCount,
    violationLog: [...parts.violations],
  }
}
