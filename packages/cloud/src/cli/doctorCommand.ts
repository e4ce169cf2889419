// `callgate doctor`: prints the checks of the doctor, one a line.

import { realWorld } from '@callgate/world/real'
import { nodeVersion, readConfig } from '../config.ts'
import type { Check, CheckState } from '../doctor/check.ts'
import { examine } from '../doctor/doctor.ts'
import type { Options } from './commandWork.ts'
import type { Terminal } from './terminal.ts'

const words: Readonly<Record<CheckState, string>> = {
  ok: 'ok',
  warning: 'warning',
  wrong: 'WRONG',
  unknown: 'unknown',
}

/** A command is printed as it is typed. */
const isCommand = (text: string) => /^(chmod|chown) /.test(text)
const ended = (sentence: string) => (/[.!?]$/.test(sentence) ? sentence : `${sentence}.`)
const capital = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
const adviceText = (text: string) => (isCommand(text) ? text : ended(capital(text)))

/** One check as a line. */
export function lineOf({ advice, name, says, state }: Check): string {
  const told = advice === undefined ? ended(says) : `${ended(says)} → ${adviceText(advice)}`
  return `${words[state].padEnd(8)} ${name.padEnd(15)} ${told}`
}

function summary(checks: readonly Check[]): string {
  const count = (state: CheckState) => checks.filter(check => check.state === state).length
  const [bad, odd] = [count('wrong'), count('warning')]
  return `${bad === 0 ? 'Nothing is wrong' : `${bad} wrong`}; ${odd} to look at, ${count('unknown')} unknown.`
}

/** Exit code 1 where something is wrong, otherwise 0. */
export async function doctor(terminal: Terminal, { backups, json }: Options): Promise<void> {
  const read = readConfig(terminal.environment)
  const checks = read.ok
    ? await examine({
        world: realWorld({ logLevel: 'silent' }),
        config: read.config,
        nodeVersion,
        backups,
        files: terminal.files,
      })
    : [
        {
          name: 'configuration',
          state: 'wrong',
          says: read.message,
          advice: '"callgate serve --help" lists the variables. Nothing else was looked at.',
        } as const,
      ]
  const isFine = checks.every(({ state }) => state !== 'wrong')
  terminal.print(
    json ? JSON.stringify({ ok: isFine, checks }) : [...checks.map(lineOf), '', summary(checks)].join('\n'),
  )
  if (!isFine) terminal.exitWith(1)
}
