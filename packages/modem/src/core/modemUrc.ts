// What an unsolicited line of the modem does to its state; the running call takes the line separately.

import type { Urc } from './lines.ts'
import { preceded, same, starting, unsettled, warn, whereSetUp } from './modemChange.ts'
import type { ModemStep } from './modemEvents.ts'
import { hasCall, type ModemState, notSetUpOf, restartOf } from './modemState.ts'
import { registrationOf } from './readings.ts'

function onRestarted(state: ModemState): ModemStep {
  const modem = notSetUpOf(state)
  // A weak supply fails under the burst of a call. A restart of our own says nothing about the supply.
  const isBrownedOut = state.isBrownedOut || (hasCall(state) && restartOf(state) !== 'underWay')
  // A restart that is due stays due: this one may have come before the bytes that make it necessary.
  const restart = restartOf(state) === 'owed' ? 'owed' : 'none'
  return preceded(
    modem ? [] : [warn('The modem restarted by itself')],
    unsettled({ ...state, isBrownedOut }, 'restarted', { ...(modem ?? starting), restart }),
  )
}

function onVoltage(state: ModemState, report: string): ModemStep {
  return {
    state: { ...state, isBrownedOut: state.isBrownedOut || report.startsWith('UNDER') },
    effects: [warn('The modem reports its supply voltage', { report })],
  }
}

function onSimState(state: ModemState, simState: string): ModemStep {
  if (simState === 'READY') return same(state)
  return whereSetUp(state, phase =>
    preceded(
      [warn('The SIM card went away', { state: simState })],
      phase.phase === 'calling'
        ? same({ ...state, phase: { ...phase, isSimGone: true } })
        : unsettled(state, 'sim', starting),
    ),
  )
}

/** AT+CLCC's states of a call that comes in, or waits behind another. */
const comingIn: readonly number[] = [4, 5]

/** The change of state by one unsolicited line of the modem. */
export function onUrc(state: ModemState, urc: Urc, nowMs: number): ModemStep {
  const signed = { ...state, otherSignMs: nowMs }
  switch (urc.urc) {
    case 'restarted':
      return onRestarted(state)
    case 'radioOn':
      // +CFUN: 1 also follows RDY. It means a restart only while the modem is set up.
      return whereSetUp(state, () => onRestarted(state))
    case 'poweredDown': {
      const warned = onVoltage(state, urc.text)
      return preceded(
        warned.effects,
        unsettled(warned.state, 'poweredDown', notSetUpOf(warned.state) ?? starting),
      )
    }
    case 'voltage':
      return onVoltage(state, urc.text)
    case 'sim':
      return onSimState(state, urc.state)
    case 'registration':
      return same({ ...state, health: { ...state.health, registration: registrationOf(urc.stat) } })
    case 'ring':
      return { state: signed, effects: [{ type: 'refuseIncoming' }] }
    case 'caller':
      return same(signed)
    case 'call': {
      const isComingIn = !urc.call.outgoing && comingIn.includes(urc.call.state)
      return {
        state: urc.call.outgoing ? state : signed,
        effects: isComingIn ? [{ type: 'refuseIncoming' }] : [],
      }
    }
    default:
      return same(state)
  }
}
