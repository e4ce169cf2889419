// The modem's status as a beat tells it.

import type { Beat } from '@callgate/contract/wire/messages'
import type { ModemStatus } from '@callgate/modem/modem'

type InBeat = Beat['modem']

/** What every beat says of the modem, within the bounds of the contract. */
export function modemInBeat(status: ModemStatus): InBeat {
  const { model, operator, registration, signalDbm, state, trouble, voltageMv } = status
  return {
    state,
    // What says nothing is left out: a SIM card's data plan pays for each beat.
    ...(trouble !== null && { trouble }),
    registration,
    model: model?.slice(0, 64) ?? null,
    operator: operator?.slice(0, 64) ?? null,
    signalDbm: signalDbm === null ? null : Math.max(-150, Math.min(0, Math.round(signalDbm))),
    voltageMv: voltageMv === null ? null : Math.max(0, Math.min(20_000, Math.round(voltageMv))),
  }
}

/** What a modem does not change while it runs. */
export function modemFactsInBeat({ firmware, lacks }: ModemStatus): Pick<InBeat, 'firmware' | 'lacks'> {
  return {
    ...(firmware !== null && { firmware: firmware.slice(0, 64) }),
    ...(lacks.length > 0 && { lacks: [...lacks] }),
  }
}
