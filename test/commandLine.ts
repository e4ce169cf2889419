// Reads the options of the commands in this folder, prints their help, and reports wrong options.

import { type ParseArgsConfig, parseArgs } from 'node:util'

type Options = NonNullable<ParseArgsConfig['options']>

/** Prints the message and ends the process, with 1 or the given code. */
export function fail(message: string, code = 1): never {
  process.stderr.write(`${message}\n`)
  process.exit(code)
}

/** Returns the values of the options. Ends the process after `--help`, and at an unknown option. */
export function readOptions<Known extends Options>(help: string, options: Known) {
  return read(help, options, false).values
}

/** Returns the options as well as the words that are none. A wrong option ends the process with 2. */
export function readWords<Known extends Options>(help: string, options: Known) {
  const { positionals: words, values } = read(help, options, true)
  return { options: values, words }
}

function read<Known extends Options>(help: string, options: Known, allowPositionals: boolean) {
  try {
    const { positionals, values } = parseArgs({
      options: { ...options, help: { type: 'boolean' } },
      allowPositionals,
    })
    if (!('help' in values)) return { values, positionals }
    process.stdout.write(help)
    return process.exit(0)
  } catch (error) {
    return fail(`${error instanceof Error ? error.message : error}\n\n${help}`, allowPositionals ? 2 : 1)
  }
}
