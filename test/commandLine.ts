// Reads the options of the commands in this folder, prints their help, and reports wrong options.

import { type ParseArgsConfig, parseArgs } from 'node:util'

type Options = NonNullable<ParseArgsConfig['options']>

/** Prints the message and ends the process with 1. */
export function fail(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

/** Returns the values of the options. Ends the process after `--help`, and at an unknown option. */
export function readOptions<Known extends Options>(help: string, options: Known) {
  try {
    const { values } = parseArgs({ options: { ...options, help: { type: 'boolean' } } })
    if (!('help' in values)) return values
    process.stdout.write(help)
    return process.exit(0)
  } catch (error) {
    return fail(`${error instanceof Error ? error.message : error}\n\n${help}`)
  }
}
