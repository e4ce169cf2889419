// The file callgate-gateway.yaml on the boot partition of a card: its format for people, and how its code is deleted.

import { closed } from '@callgate/contract/text'
import { type Checked, faultFinder } from '@callgate/contract/validate'
import Type, { type Static } from 'typebox'
import { readYaml } from '../yamlFile.ts'

const FirstBootFile = closed({
  cloud: Type.String({
    pattern: '^https?://[^ ]+$',
    examples: ['https://gates.example.com'],
    description: 'the address of the cloud',
  }),
  code: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  cloudKey: Type.Optional(
    Type.String({ pattern: '^[\\w-]{43}$', description: 'the key of the cloud that came with the code' }),
  ),
  serialPort: Type.Optional(
    Type.String({
      pattern: '^/dev/[\\w/.*-]+$',
      examples: ['/dev/serial0'],
      description: 'the port of the modem',
    }),
  ),
  simPin: Type.Optional(
    Type.String({ pattern: '^[0-9]{4,8}$', examples: ['1234'], description: '4 to 8 digits' }),
  ),
  ca: Type.Optional(
    Type.String({
      pattern: '^-----BEGIN CERTIFICATE-----\\n',
      description: 'the PEM of an authority, after "ca: |" and indented',
    }),
  ),
  replace: Type.Optional(
    Type.String({ pattern: '^(true|false)$', examples: ['true'], description: 'true or false' }),
  ),
})
export type FirstBootFile = Static<typeof FirstBootFile>

const findFaults = faultFinder(FirstBootFile, 'the file')

/** The position of the code, in bytes. */
export interface CodePlace {
  readonly at: number
  readonly bytes: number
}

export interface ReadFile {
  readonly asked: FirstBootFile
  /** Absent without a code. */
  readonly place?: CodePlace
}

/** The line of the code. Undefined where the code is not whole on one line: a code that cannot be deleted later is not used. */
function placeOf(text: string, code: string): CodePlace | undefined {
  const found = /^\uFEFF?(code[ \t]*:[^\r\n]*)/m.exec(text)
  const line = found?.[1]
  if (!found || !line?.includes(code)) return undefined
  const before = text.slice(0, found.index + found[0].length - line.length)
  return { at: Buffer.byteLength(before), bytes: Buffer.byteLength(line) }
}

/** Reads the text of the file. A refusal names each mistake with its line, and shows no value. */
export function readFirstBoot(text: string): Checked<ReadFile> {
  const read = readYaml(text)
  const mistakes = read.ok
    ? findFaults(read.value).map(({ sentence, steps }) => ({ line: read.lineOf(steps), sentence }))
    : read.mistakes
  if (!read.ok || mistakes.length > 0) {
    const lines = mistakes.map(({ line, sentence }) =>
      line === undefined ? sentence : `line ${line}: ${sentence}`,
    )
    return { ok: false, message: lines.join('\n') }
  }
  const asked = read.value as FirstBootFile
  if (asked.code === undefined) return { ok: true, value: { asked } }
  const place = placeOf(text, asked.code)
  return place
    ? { ok: true, value: { asked, place } }
    : { ok: false, message: 'The code must stand in a line of its own, such as code: 7H2KQM-3XW9TB-R4VN80' }
}

/**
 * The bytes that overwrite the line of a code: a comment of the same length. So nothing else in the file system changes, and
 * after a power cut the line holds the code, a part of it behind a #, or none of it.
 */
export function blankFor({ bytes }: CodePlace): string {
  return '# The code was deleted.'.slice(0, bytes).padEnd(bytes)
}
