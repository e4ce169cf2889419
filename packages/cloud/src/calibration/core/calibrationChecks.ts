// Checks before a test call what the gateway that would make it has reported. A warning forbids nothing.

import type { CalibrationChecks } from '@callgate/contract/app/calibration'
import { givesWayMv, weakDbm } from '@callgate/contract/app/incidentKinds'
import type { CalibrationWarning } from '@callgate/contract/call/calibrationWords'
import type { GateCallers } from '@callgate/contract/call/gateCallers'
import type { GatewayView } from '@callgate/contract/rest/gatewayView'
import { inCallingOrder } from '../../core/gateCallers.ts'

type Modem = NonNullable<GatewayView['now']['modem']>

const isReady = ({ state, trouble }: Modem) =>
  (state === 'ready' || state === 'calling') && (trouble === null || trouble.word === 'caller_id_hidden')

const isRegistered = ({ registration }: Modem) => registration === 'home' || registration === 'roaming'

function numberWarnings({ lacks, trouble }: Modem): readonly CalibrationWarning[] {
  if (trouble?.word === 'caller_id_hidden') return ['number_hidden']
  return lacks.some(({ word }) => word === 'caller_id') ? ['number_not_told'] : []
}

function signalWarnings({ signalDbm }: Modem): readonly CalibrationWarning[] {
  if (signalDbm === null) return ['signal_unknown']
  return signalDbm < weakDbm ? ['signal_weak'] : []
}

function warningsOf(modem: Modem): readonly CalibrationWarning[] {
  const { state, supplyMv } = modem
  const isIn = isRegistered(modem)
  // A modem that waits for the network works itself.
  const isWell = isReady(modem) || state === 'no_network'
  return [
    ...(isWell ? [] : (['modem_not_ready'] as const)),
    ...(isIn ? [] : (['not_registered'] as const)),
    ...numberWarnings(modem),
    // Without a network the signal has no meaning.
    ...(isIn ? signalWarnings(modem) : []),
    ...(supplyMv !== null && supplyMv < givesWayMv ? (['supply_low'] as const) : []),
  ]
}

/** The checks of the gateway that a press would ask first. */
export function calibrationChecks(gateways: readonly GatewayView[], callers: GateCallers): CalibrationChecks {
  const online = gateways.filter(({ now }) => now.state === 'online')
  const [first] = inCallingOrder(
    online.map(({ id }) => id),
    callers,
  )
  const gateway = online.find(({ id }) => id === first)
  if (!gateway) return { gateway: null, warnings: ['no_gateway'] }
  const { id, name, now } = gateway
  return { gateway: { id, name }, warnings: now.modem ? [...warningsOf(now.modem)] : ['modem_not_ready'] }
}
