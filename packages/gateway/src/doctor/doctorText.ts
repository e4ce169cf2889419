// What the doctor found as text: one check a line, what to do behind an arrow, and how many of each at the end.

import type { Check, CheckState } from './check.ts'

/** A command, an address or a field is not spelled otherwise at the beginning of a sentence. */
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
