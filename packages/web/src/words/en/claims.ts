// English: what the heads of pages claim of the gates of a Space.

export const claims = {
  noneCalled: (gates: number) =>
    gates === 1 ? 'The gate has not been called yet.' : `None of the ${gates} gates has been called yet.`,
  opened: (opened: number, gates: number) => {
    if (gates === 1)
      return opened === 1 ? 'Calls have opened the gate' : 'The gate is not known to have opened'
    if (opened === gates) return `Calls have opened all ${gates} gates`
    if (opened === 0) return `None of ${gates} gates is known to have opened`
    return opened === 1
      ? `Calls have opened one of ${gates} gates`
      : `Calls have opened ${opened} of ${gates} gates`
  },
  probably: (count: number) => (count === 1 ? 'one has probably opened' : `${count} have probably opened`),
  lookAt: ([first = '', ...others]: readonly string[]) =>
    others.length === 0 ? `look at ${first}` : `look at ${others.length + 1}`,
  untried: (count: number) => (count === 1 ? 'one was not called yet' : `${count} were not called yet`),
  unopened: (gate: string, calls: number) =>
    calls === 1
      ? `${gate}: one call, not known to have opened.`
      : `${gate}: ${calls} calls, none known to have opened.`,
  unopenedGates: (gates: number) => `${gates} gates were called and are not known to have opened.`,
  notYet: (gates: string) => `Not opened yet, as far as is known: ${gates}.`,
  more: (count: number) => (count === 1 ? 'one more' : `${count} more`),
}
