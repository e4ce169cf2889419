// English: what the heads of pages claim of the gates of a Space.

export const claims = {
  noneCalled: (gates: number) =>
    gates === 1 ? 'The gate has not been called yet.' : `None of the ${gates} gates has been called yet.`,
  opened: (opened: number, gates: number) => {
    if (gates === 1)
      return opened === 1 ? 'Calls have opened the gate.' : 'The gate is not known to have opened.'
    if (opened === gates) return `Calls have opened all ${gates} gates.`
    if (opened === 0) return `None of ${gates} gates is known to have opened.`
    return `Calls have opened ${opened === 1 ? 'one' : opened} of ${gates} gates.`
  },
  probably: (count: number) => (count === 1 ? 'One has probably opened.' : `${count} have probably opened.`),
  silent: (gate: string) => `${gate} does not react.`,
  toLookAt: (gate: string) => `${gate} needs attention.`,
  manyToLookAt: (count: number) => `${count} gates need attention.`,
  untried: (count: number) =>
    count === 1 ? 'One has not been called yet.' : `${count} have not been called yet.`,
  unopened: (gate: string, calls: number) =>
    calls === 1
      ? `${gate}: one call, not known to have opened.`
      : `${gate}: ${calls} calls, none known to have opened.`,
  unopenedGates: (gates: number) => `${gates} gates were called and are not known to have opened.`,
  notYet: (gates: string) => `No call is known to have opened ${gates}.`,
  more: (count: number) => (count === 1 ? 'one more' : `${count} more`),
}
