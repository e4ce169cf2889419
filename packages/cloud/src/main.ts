// `callgate`: the operator's command line as a process.

import { operatorProgram } from './cli/program.ts'

const program = operatorProgram({
  environment: process.env,
  print: text => process.stdout.write(`${text}\n`),
  complain: text => process.stderr.write(`${text}\n`),
  exitWith(code) {
    process.exitCode = code
  },
})

await program.parseAsync(process.argv)
