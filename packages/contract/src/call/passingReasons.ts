// The reasons that pass by themselves: only after these can another press of a gate go better than the one before.

import type { ReasonWord } from './reason.ts'

/**
 * Where `safeToRetry` is true as well, another call within a minute is worth it. After any other reason it would end in
 * the same way until somebody changes something, or could reverse a moving gate.
 */
export const passingReasons: readonly ReasonWord[] = [
  'gateway_offline',
  'modem_busy',
  'modem_not_ready',
  'no_network',
  'not_dialled',
  'interrupted',
  'number_changed',
  'line_in_use',
  'busy',
  'congestion',
  'modem_lost',
]
