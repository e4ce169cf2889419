// The promise that a checker reports as broken: a violation begins with the codes of its promises, as `A1, G2: …`.

const promisesOf = (violation: string) => (violation.split(':', 1)[0] ?? '').split(', ')

/** Whether one of the violations is of exactly this promise: another broken promise does not count. */
export const isBroken = (promise: string, violations: readonly string[]) =>
  violations.some(violation => promisesOf(violation).includes(promise))
