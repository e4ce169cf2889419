// What commands of this folder do with their options: read them, print their help, and say what is wrong with them.

import { type ParseArgsConfig, parseArgs } from 'node:util'

type Options = NonNullable<ParseArgsConfig['options']>

/** Ends the process with 1. */
export function fail(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

/** The options' values; ends the process where `--help` is asked for, or something that is none of them. */
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
