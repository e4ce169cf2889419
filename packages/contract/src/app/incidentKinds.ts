// The kinds of incidents, and the limits from which a figure of a gateway counts as bad. Without schemas, for the browser.

export const incidentKinds = [
  'gateway_offline',
  'gate_not_reacting',
  'gate_drifted',
  'signal_low',
  'supply_low',
  'sim_card',
  'mail_failing',
  'webhook_stopped',
] as const
export type IncidentKind = (typeof incidentKinds)[number]

/** What prevents openings is as bad as a failed call; the others may become one. */
const shutting: readonly IncidentKind[] = ['gateway_offline', 'gate_not_reacting']

/** The colour of an incident that goes on. */
export const incidentTone = (kind: IncidentKind): 'shut' | 'look' =>
  shutting.includes(kind) ? 'shut' : 'look'

/** Below this calls may not get through. dBm; `+CSQ: 10` (3GPP TS 27.007, 8.5), of a scale that begins at −113. */
export const weakDbm = -93
/** From this value on, a weak signal counts as good again. dBm. */
export const wellDbm = -89
/** Below this the modem may stop in the middle of a call. mV; it needs 3.4 V (SIM800L and SIM800H Hardware Design). */
export const givesWayMv = 3_500
/** From this value on, a low supply counts as good again. mV. */
export const wellMv = 3_600
