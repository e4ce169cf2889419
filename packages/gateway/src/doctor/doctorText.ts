// The doctor's findings as text: one check a line, the advice after an arrow, and the count of each state at the end.

import type { Check, CheckState } from './check.ts'

/** The first letter stays as it is: the sentence may begin with a command, an address or a field. */
const ended = (sentence: string) => (/[.!?]$/.test(sentence) ? sentence : `${sentence}.`)

function lineOf({ advice, name, says, state }: Check): string {
  const told = advice === undefined ? ended(says) : `${ended(says)} → ${ended(advice)}`
  return `${state.padEnd(8)} ${name.padEnd(14)} ${told}`
}

export function doctorText(checks: readonly Check[]): string {
  const count = (state: CheckState) => checks.filter(check => check.state === state).length
  const wrong = count('fail') === 0 ? 'Nothing is wrong' : `${count('fail')} wrong`
  return [
    ...checks.map(lineOf),
    '',
    `${wrong}; ${count('warn')} to look at, ${count('unknown')} unknown.`,
  ].join('\n')
}
