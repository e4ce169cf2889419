// The command `pnpm parser`: fuzzes the modem's line parser with any number of bytes.

import { mebibyte, parseAnyBytes } from '@callgate/modem/anyBytes.kit'
import { maxLineLength } from '@callgate/modem/core/lines'
import { fail, readOptions } from '../../commandLine.ts'

const help = `Usage: pnpm parser [--bytes <number>] [--seed <number>]

Fuzzing: feeds random bytes to the line parser of the modem driver. The parser must not throw, must not make a line of more
than 4 KiB, and must find exactly the OKs that were sent.

  --bytes <number>  how many bytes, at least (1e9: some 2 minutes); each MiB has its own seed
  --seed <number>   the first seed (1)
  --help            prints this

Exit codes: 0 no fault found; 1 a fault was found (its seed is printed), or the command line is wrong.
`
const sayEvery = 100

/** The error with the bytes of that seed; null: none. */
async function broken(seed: number): Promise<string | null> {
  try {
    const { longestLine, oks, oksSaid } = await parseAnyBytes(seed)
    heardOks += oks
    if (longestLine > maxLineLength) return `a line of ${longestLine} bytes`
    return oks === oksSaid ? null : `${oks} OK where ${oksSaid} were said`
  } catch (error) {
    return `it threw ${error instanceof Error ? error.stack : error}`
  }
}

const options = readOptions(help, {
  bytes: { type: 'string', default: '1e9' },
  seed: { type: 'string', default: '1' },
})
const bytes = Number(options.bytes)
const first = Number(options.seed)
if (!Number.isFinite(bytes) || bytes < 1 || bytes > 1e13) fail('--bytes must be a number from 1 to 1e13.')
if (!Number.isSafeInteger(first) || first < 0) fail('--seed must be a whole number from 0.')
const pieces = Math.ceil(bytes / mebibyte)
let heardOks = 0
for (let piece = 0; piece < pieces; piece++) {
  const what = await broken(first + piece)
  if (what !== null) fail(`seed ${first + piece}: ${what}`)
  if ((piece + 1) % sayEvery === 0) process.stdout.write(`${piece + 1} of ${pieces} MiB\n`)
}
process.stdout.write(`${pieces * mebibyte} bytes, ${heardOks} OK parsed and said, nothing broken\n`)
