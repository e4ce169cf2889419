// The environment of the operator's command line, as its commands see it.

import type { OperatorFiles } from '../backup/operatorFiles.ts'

/** The outputs and the inputs of the command line. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly files: OperatorFiles
  print(text: string): void
  complain(text: string): void
  /** The exit code of the process; 0 unless it is set. */
  exitWith(code: number): void
  /** Ends the process now. A connection that was given up at a stop would keep it alive. */
  end(code: number): void
  /** Does something when the process ends, also by Ctrl-C or another signal to stop. Returns what forgets it. */
  atExit(work: () => void): () => void
  /** Resolves with the name of the first signal to stop. */
  untilSignal(): Promise<string>
  /** Asks a person, or reads the next line of the standard input; undefined at its end. A secret is not shown. */
  ask(question: string, isSecret?: boolean): Promise<string | undefined>
  /**
   * Asks a person for a secret, twice and without showing it, or reads the first line of the standard input. Undefined where
   * there is none, or the two differ.
   */
  readSecret(question: string): Promise<string | undefined>
}
