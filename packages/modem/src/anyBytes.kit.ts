// Random bytes into the line parser and a dialogue, with counts of what came out and of what the bytes contained.

import { fakeWorld } from '@callgate/world/fake'
import { ReadlineParser } from '@serialport/parser-readline'
import { type Command, type Dialogue, newDialogue, stepDialogue } from './core/dialogue.ts'
import { createLineGuard } from './lineGuard.ts'

export const mebibyte = 2 ** 20
const chunkLength = 2 ** 16

/** Input that can mislead a parser: whole and broken words of the modem. */
const words = [
  ...['\r\nOK\r\n', '\nO\0K\r\n', '\r\nOK', '\nOK \xff\n', '\r\n+CEER: ', '\r\n+CLCC: 1,0,', '\r\nERROR\r\n'],
  ...['\r\nBUSY\r\n', '\r\n+CME ERROR: ', '\r\nRDY\r\n', '\n'],
].map(word => Buffer.from(word, 'latin1'))

/** Bytes of three kinds: any, those of the modem's alphabet, and those with words of the modem among them. */
function chunkOf(random: () => number): Buffer {
  const chunk = Buffer.alloc(chunkLength)
  const kind = Math.floor(random() * 3)
  for (let at = 0; at < chunkLength; at += 4) chunk.writeUInt32LE(Math.floor(random() * 2 ** 32), at)
  if (kind > 0) for (const [at, byte] of chunk.entries()) chunk[at] = 10 + (byte % 90)
  if (kind > 1)
    for (let at = 0; at < chunkLength - 64; at += 64)
      words[Math.floor(random() * words.length)]?.copy(chunk, at + Math.floor(random() * 32))
  return chunk
}

/** How many lines are an OK by the tokeniser's rules (docs/sim800.md, Lines). */
function countOks(bytes: Buffer): number {
  const lines = bytes.toString('latin1').split('\n').slice(0, -1)
  return lines.filter(
    line =>
      line.length < 4_000 &&
      /^[\x00-\x20\x7f\xa0\xff]*O[\x00-\x1f\x7f\xff]*K[\x00-\x20\x7f\xa0\xff]*$/.test(line),
  ).length
}

/** A command in flight; it is sent again after each answer. */
function alwaysAsking() {
  const command: Command = { text: 'AT+CEER', timeoutMs: 1e9, reply: /^\+CEER: / }
  let state: Dialogue = { ...newDialogue, owed: null }
  let oks = 0
  const ask = () => {
    state = stepDialogue(state, { kind: 'asked', id: 1, command }, 0).state
  }
  ask()
  return {
    oks: () => oks,
    takeLine(raw: string) {
      const step = stepDialogue(state, { kind: 'line', raw }, 0)
      state = step.state
      for (const effect of step.effects) {
        if (effect.kind !== 'answer') continue
        if (effect.answer.result === 'ok') oks += 1
        // After a restart the dialogue would have to get in step first.
        state = { ...state, owed: null }
        ask()
      }
    },
  }
}

export interface Parsed {
  readonly longestLine: number
  /** Commands that were answered OK, and the lines among the bytes that say so. */
  readonly oks: number
  readonly oksSaid: number
}

/** One MiB of random bytes, the same for the same seed. An exception of the parser is passed on. */
export async function parseAnyBytes(seed: number): Promise<Parsed> {
  const world = fakeWorld(seed, 1)
  const guard = createLineGuard()
  const asking = alwaysAsking()
  const lines = guard.stream.pipe(new ReadlineParser({ delimiter: '\n', encoding: 'latin1' }))
  let longestLine = 0
  lines.on('data', (raw: string) => {
    longestLine = Math.max(longestLine, raw.length)
    asking.takeLine(raw)
  })
  const chunks = Array.from({ length: mebibyte / chunkLength }, () => chunkOf(world.random))
  for (const chunk of chunks) {
    guard.stream.write(chunk)
    await world.advance(0)
  }
  return { longestLine, oks: asking.oks(), oksSaid: countOks(Buffer.concat(chunks)) }
}
