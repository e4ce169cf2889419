// The operator's command line for tests: runs one command, and keeps its output.

import { operatorFiles } from '../backup/operatorFiles.ts'
import { runOperator } from './program.ts'

/** The output of a command, without its line breaks at the end, and its exit code. */
export interface Ran {
  readonly out: string
  readonly err: string
  readonly code: number
}

/** Runs one command. `atComplaint` is called each time that it complains. */
export async function runCommand(
  environment: Readonly<Record<string, string>>,
  args: readonly string[],
  atComplaint = () => {},
  /** The text that a person types when a secret is requested. */
  secret?: string,
  /** The lines that a person types when other questions are asked. */
  answers: readonly string[] = [],
): Promise<Ran> {
  const left = [...answers]
  const said = { out: '', err: '', code: 0 }
  const terminal = {
    environment: { ...environment, LOG_LEVEL: 'silent' },
    files: operatorFiles(undefined),
    print(text: string) {
      said.out += text
    },
    complain(text: string) {
      said.err += text
      atComplaint()
    },
    readSecret: async () => secret,
    ask: async () => left.shift(),
    atExit: () => () => {},
    untilSignal: async () => 'SIGTERM',
    exitWith(code: number) {
      said.code = code
    },
    end(code: number) {
      said.code = code
    },
  }
  await runOperator(terminal, args)
  return said
}
