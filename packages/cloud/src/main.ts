// `callgate`: the operator's command line as a process.

import { operatorProgram } from './cli/program.ts'

/** Resolves at the first signal to stop; a second one ends the process at once. */
function untilSignal(): Promise<string> {
  return new Promise(resolve => {
    const stop = (signal: string) => {
      process.once(signal, () => process.exit(1))
      resolve(signal)
    }
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop(signal))
  })
}

const program = operatorProgram({
  environment: process.env,
  print: text => process.stdout.write(`${text}\n`),
  complain: text => process.stderr.write(`${text}\n`),
  exitWith(code) {
    process.exitCode = code
  },
  untilSignal,
})

await program.parseAsync(process.argv)
