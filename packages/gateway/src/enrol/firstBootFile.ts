// The file callgate-gateway.yaml on the boot partition of a card: its format for people, and how its secrets are overwritten.

import { closed } from '@callgate/contract/text'
import { type Checked, faultFinder } from '@callgate/contract/validate'
import Type, { type Static } from 'typebox'
import { readYaml } from '../yamlFile.ts'
import { type NetworkFault, networkFaults } from './networkFields.ts'

const ipv4 = (description: string, example: string) =>
  Type.String({ pattern: '^[0-9.]{7,15}$', examples: [example], description })

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
  wifi: Type.Optional(
    Type.String({ pattern: '^\\P{Cc}+$', examples: ['At home'], description: 'the name of the Wi-Fi' }),
  ),
  wifiPassword: Type.Optional(
    Type.String({
      pattern: '^(\\P{Cc}{4,63}|[0-9A-Fa-f]{64})$',
      examples: ['correct horse'],
      description: '8 to 63 characters, or 64 hexadecimal digits',
    }),
  ),
  wifiCountry: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z]{2}$',
      examples: ['RO'],
      description: 'the country in which the gateway is, in two letters',
    }),
  ),
  address: Type.Optional(
    Type.String({
      pattern: '^[0-9.]{7,15}/[0-9]{1,2}$',
      examples: ['192.168.1.20/24'],
      description: 'the address of the gateway and the length of its network',
    }),
  ),
  router: Type.Optional(ipv4('the address of the router', '192.168.1.1')),
  nameServers: Type.Optional(
    Type.String({
      pattern: '^[0-9.]{7,15}([ ,]+[0-9.]{7,15})*$',
      examples: ['192.168.1.1, 9.9.9.9'],
      description: 'addresses, with a comma between them',
    }),
  ),
})
export type FirstBootFile = Static<typeof FirstBootFile>

const findFaults = faultFinder(FirstBootFile, 'the file')

/** The fields that are overwritten once the gateway has taken them over, with the comments that take their places. */
const comments = {
  code: '# The code was deleted.',
  simPin: '# PIN taken.',
  wifiPassword: '# Password taken over.',
} as const
type Secret = keyof typeof comments
const secrets = Object.keys(comments) as readonly Secret[]

/** The position of the line of a secret, in bytes. */
export interface SecretPlace {
  readonly at: number
  readonly bytes: number
  readonly secret: Secret
}

export interface ReadFile {
  readonly asked: FirstBootFile
  /** Those that the file has. */
  readonly places: Readonly<Partial<Record<Secret, SecretPlace>>>
  /** The line of a field that the file has. */
  lineOf(field: string): number | undefined
}

/** The line that begins with the name of a field, without a byte order mark. */
function textLineOf(text: string, name: string) {
  const found = new RegExp(`^\\uFEFF?(${name}[ \\t]*:[^\\r\\n]*)`, 'm').exec(text)
  const line = found?.[1]
  return found && line !== undefined
    ? { line, before: text.slice(0, found.index + found[0].length - line.length) }
    : undefined
}

/** The line of a secret. Undefined where the value is not whole on one line: what cannot be deleted later is not used. */
function placeOf(text: string, secret: Secret, value: string): SecretPlace | undefined {
  const found = textLineOf(text, secret)
  const alone = found && readYaml(found.line)
  const isWhole = alone?.ok === true && (alone.value as Record<string, unknown>)[secret] === value
  if (!found || !isWhole) return undefined
  return { at: Buffer.byteLength(found.before), bytes: Buffer.byteLength(found.line), secret }
}

/** What YAML would read in another way than a person means it, in a text that a person types freely. */
function freeTextFaults(text: string): readonly NetworkFault[] {
  return (['wifi', 'wifiPassword'] as const).flatMap(field => {
    const value = textLineOf(text, field)?.line.replace(/^\w+[ \t]*:[ \t]*/, '') ?? ''
    if (/^[“”„‘’«»]/.test(value))
      return [{ field, sentence: `${field} begins with a curly quote: use the straight ones, " or '` }]
    const isCut = !/^["']/.test(value) && /[ \t]#/.test(value)
    return isCut
      ? [{ field, sentence: `${field} holds " #", where a comment begins: put the value in quotes` }]
      : []
  })
}

/** Reads the text of the file. A refusal names each mistake with its line, and shows no value. */
export function readFirstBoot(text: string): Checked<ReadFile> {
  const read = readYaml(text)
  if (!read.ok) return refusal(read.mistakes)
  const inText = ({ field, sentence }: NetworkFault) => ({ line: read.lineOf([field]), sentence })
  const wrong = findFaults(read.value)
  if (wrong.length > 0)
    return refusal(wrong.map(({ sentence, steps }) => ({ line: read.lineOf(steps), sentence })))
  const asked = read.value as FirstBootFile
  const faults = [...freeTextFaults(text), ...networkFaults(asked)]
  const places: Partial<Record<Secret, SecretPlace>> = {}
  for (const secret of secrets) {
    const value = asked[secret]
    if (value === undefined) continue
    const place = placeOf(text, secret, value)
    if (place) places[secret] = place
    else faults.push({ field: secret, sentence: ownLine[secret] })
  }
  return faults.length > 0
    ? refusal(faults.map(inText))
    : { ok: true, value: { asked, places, lineOf: field => read.lineOf([field]) } }
}

const ownLine: Readonly<Record<Secret, string>> = {
  code: 'The code must stand in a line of its own, such as code: 7H2KQM-3XW9TB-R4VN80',
  simPin: 'The PIN must stand in a line of its own, such as simPin: "1234"',
  wifiPassword: 'The password must stand in a line of its own, such as wifiPassword: "correct horse"',
}

function refusal(mistakes: readonly { readonly line: number | undefined; readonly sentence: string }[]) {
  const lines = mistakes.map(({ line, sentence }) =>
    line === undefined ? sentence : `line ${line}: ${sentence}`,
  )
  return { ok: false, message: lines.join('\n') } as const
}

/**
 * The bytes that overwrite the line of a secret: a comment of the same length. So nothing else in the file system changes, and
 * after a power cut the line holds the secret, a part of it behind a #, or none of it.
 */
export function blankFor({ bytes, secret }: SecretPlace): string {
  return comments[secret].slice(0, bytes).padEnd(bytes)
}
