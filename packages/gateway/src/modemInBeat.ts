// The modem's status as a beat tells it.

import type { Beat } from '@callgate/contract/wire/messages'
import type { ModemStatus } from '@callgate/modem/modem'

/** What a beat says of the modem, within the bounds of the contract. */
export function modemInBeat(status: ModemStatus): Beat['modem'] {
  const { firmware, lacks, model, operator, registration, signalDbm, state, trouble, voltageMv } = status
  return {
    state,
    // What says nothing is left out: a SIM card's data plan pays for each beat.
    ...(trouble !== null && { trouble }),
    registration,
    model: model?.slice(0, 64) ?? null,
    firmware: firmware?.slice(0, 64) ?? null,
    ...(lacks.length > 0 && { lacks: [...lacks] }),
    operator: operator?.slice(0, 64) ?? null,
    signalDbm: signalDbm === null ? null : Math.max(-150, Math.min(0, Math.round(signalDbm))),
    voltageMv: voltageMv === null ? null : Math.max(0, Math.min(20_000, Math.round(voltageMv))),
  }
}
