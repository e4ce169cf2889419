// The faults of each model of modem, in addition to those that any modem can have.

import type { ModelName } from './core/model.ts'
import type { ModemFaultName } from './presets.ts'

const ofUart = ['ath_slow_19s', 'silent_alerting'] as const
const ofUsb = ['ath_ignored', 'urc_before_response', 'csfb_slow', 'early_no_carrier_csfb'] as const
const ofA76xx = [...ofUsb, 'false_active_csfb', 'reject_unseen', 'volte_alone'] as const

/** Seen in the field or described in packages/modem/docs/families.md. */
export const modelFaults: Readonly<Record<ModelName, readonly ModemFaultName[]>> = {
  sim800: ofUart,
  sim800c: ofUart,
  sim868: ofUart,
  sim900: ofUart,
  sim7600: [...ofUsb, 'silent_alerting', 'volte_alone', 'no_clcc6_only_token', 'clcc6_without_token'],
  sim7500: ofUsb,
  a7670: ofA76xx,
  a7672: ofA76xx,
  a7680: ofA76xx,
  ec25: ofUsb,
  ec21: ofUsb,
  eg25: ofUsb,
  eg95: ofUsb,
  standard: [...ofUsb, 'false_active_csfb', 'reject_unseen', 'volte_alone'],
  listless: [],
}
