// Which promise a checker says is broken: a violation begins with the codes of its promises, as `A1, G2: …`.

const promisesOf = (violation: string) => (violation.split(':', 1)[0] ?? '').split(', ')

/** Whether one of the violations is of that very promise: another that breaks as well does not count. */
export const isBroken = (promise: string, violations: readonly string[]) =>
  violations.some(violation => promisesOf(violation).includes(promise))
