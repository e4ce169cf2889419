// Conclusions of a call that its own modem has ended: it refused the call, lost the network, or went away.

import type { CallTrace } from './callTracker.ts'
import { type Conclusion, has, notOpened, soonestReactionMs, unknown } from './conclusion.ts'
import type { ModemError } from './lines.ts'

/**
 * Rows 1 to 3: the modem itself refused ATD, so nothing was dialled (codes: SIM800 AT manual V1.09 19.1). A plain ERROR
 * means a SIM error (row 1); a text that is not in the manual does not.
 */
export function concludeRefusal({ code, text }: ModemError): Conclusion {
  if ((code === null && text === 'ERROR') || has([10, 11, 12, 13, 14, 15, 16, 772], code))
    return notOpened('failed', 'sim_error', 'certain')
  if (has([30, 31, 32, 797], code)) return notOpened('failed', 'no_network', 'certain', true)
  if (code === 771) return notOpened('failed', 'line_in_use', 'certain', true)
  if (has([26, 27], code)) return notOpened('failed', 'bad_number', 'certain')
  // Models give these errors different numbers (S62 in docs/sim800.md), so only their words are read.
  if (/\bACM|\bcredit\b/i.test(text)) return notOpened('failed', 'no_credit', 'certain')
  if (/\bbarr(?:ed|ing)\b/i.test(text)) return notOpened('failed', 'calls_barred', 'certain')
  return notOpened('failed', 'network_rejected', 'certain')
}

/** Row 2 where the token came in the place of ATD's OK. After the OK it means that the network went away during a call. */
export function concludeNoDialtone(trace: CallTrace): Conclusion {
  const { acceptedMs, activeMs, alertedMs, diallingMs, endMs } = trace
  const wasPlaced = [acceptedMs, diallingMs, alertedMs, activeMs].some(ms => ms !== null)
  if (!wasPlaced) return notOpened('failed', 'no_network', 'certain', true)
  // Not tested: a call without an end; its token ended it.
  const isSoon = (endMs ?? 0) < soonestReactionMs && alertedMs === null && activeMs === null
  return isSoon ? notOpened('failed', 'no_network', 'likely', true) : unknown('outcome_unknown')
}

/**
 * Rows 19 to 21: the modem or its port went away. A lost port says nothing about the modem behind it: with a supply of its own
 * the modem may still carry out the ATD whose OK was never heard. Only a modem that reports a restart, too soon for a gate to
 * react, is believed to have opened nothing.
 */
export function concludeLoss(trace: CallTrace, lostMs: number): Conclusion {
  if (trace.alertedMs !== null || trace.activeMs !== null) return unknown('modem_lost_after_ring')
  const hasRestartedSoon = trace.lostWhy === 'restarted' && lostMs < soonestReactionMs
  return trace.dial === 'waiting' && hasRestartedSoon
    ? notOpened('failed', 'modem_lost', 'likely', true)
    : unknown('modem_lost')
}
