// How the commands of this folder read their arguments.

import { type ParseArgsConfig, parseArgs } from 'node:util'

type Options = NonNullable<ParseArgsConfig['options']>

/** The words and options of the command line. `--help` and an unknown option show the usage and end the program. */
export function commandLine<O extends Options>(options: O, usage: string) {
  try {
    const read = parseArgs({ allowPositionals: true, options: { ...options, help: { type: 'boolean' } } })
    if (!process.argv.includes('--help')) return read
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n\n${usage}`)
    process.exit(1)
  }
  process.stdout.write(usage)
  process.exit(0)
}
