// English: what the heads of the gateways and of the calibration claim. They arrive with their pages.

export const lateClaims = {
  pretend: 'A pretend gateway',
  pretendWhy: 'It has no modem and no SIM card, so it has nothing to measure. It calls pretend gates alone.',
  /** A sentence for each gateway, or one for all of them. */
  none: 'None yet. A gateway is a small box with a SIM card, which calls the gates.',
  isOnline: (name: string) => `${name} is online.`,
  isOnlineBut: (name: string, things: number) =>
    things === 1
      ? `${name} is online, with one thing to see to.`
      : `${name} is online, with ${things} things to see to.`,
  notReady: 'Its modem is not ready.',
  isOffline: (name: string) => `${name} is offline.`,
  isNew: (name: string) => `${name} has never been online.`,
  /** The name of what is folded: for whoever knows more. */
  details: 'Details',
  isTooOld: (name: string, version: string | null) =>
    `The program of ${name} is too old${version === null ? '' : `: ${version}`}.`,
  isCutOff: (name: string) => `${name} is cut off for an hour.`,
  isShutOut: (name: string) => `${name} is shut out.`,
  manyOnline: (online: number, all: number) =>
    online === 0 ? `None of ${all} is online: no gate can be called.` : `${online} of ${all} are online.`,
  allShutOut: 'All of them are shut out: no gate can be called.',
  /** The gates whose last call was by this gateway. */
  lastCalls: (opened: number, gates: number) => {
    if (opened === gates) return `Its last calls opened all ${gates} gates.`
    if (opened === 0) return `None of ${gates} gates is known to have opened at its last call.`
    return opened === 1
      ? `Its last calls opened one of ${gates} gates.`
      : `Its last calls opened ${opened} of ${gates} gates.`
  },
  lastCall: {
    opened: (gate: string) => `Its last call opened ${gate}.`,
    probably: (gate: string) => `Its last call has probably opened ${gate}.`,
    didNot: (gate: string) => `Its last call did not open ${gate}.`,
    unknown: (gate: string) => `Its last call is not known to have opened ${gate}.`,
  },
  /** The calls of one gate. */
  called: {
    never: (gate: string) => `${gate} has not been called yet.`,
    opened: (gate: string) => `${gate} opened at its last call.`,
    probably: (gate: string) => `${gate} has probably opened at its last call.`,
    didNot: (gate: string) => `${gate} did not open at its last call.`,
    unknown: (gate: string) => `It is not known whether ${gate} opened at its last call.`,
  },
}
