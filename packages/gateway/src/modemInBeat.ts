// The modem's status in a beat.

import type { Beat } from '@callgate/contract/wire/messages'
import type { ModemStatus } from '@callgate/modem/modem'

type InBeat = Beat['modem']

/** The modem's fields of every beat, within the limits of the contract. */
export function modemInBeat(status: ModemStatus): InBeat {
  const { model, operator, registration, signalDbm, state, trouble, voltageMv } = status
  return {
    state,
    // Empty fields are left out, because a SIM card's data plan pays for each beat.
    ...(trouble !== null && { trouble }),
    registration,
    model: model?.slice(0, 64) ?? null,
    operator: operator?.slice(0, 64) ?? null,
    signalDbm: signalDbm === null ? null : Math.max(-150, Math.min(0, Math.round(signalDbm))),
    voltageMv: voltageMv === null ? null : Math.max(0, Math.min(20_000, Math.round(voltageMv))),
  }
}

/** The facts of a modem that do not change while it runs. */
export function modemFactsInBeat({ firmware, lacks }: ModemStatus): Pick<InBeat, 'firmware' | 'lacks'> {
  return {
    ...(firmware !== null && { firmware: firmware.slice(0, 64) }),
    ...(lacks.length > 0 && { lacks: [...lacks] }),
  }
}
