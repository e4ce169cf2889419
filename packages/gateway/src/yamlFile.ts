// Reads YAML that people write, and names the line of each mistake. The only file that imports yaml.

import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  type YAMLParseError,
} from 'yaml'

/** A mistake in the text. Lines are counted from 1. */
export interface Mistake {
  readonly line: number | undefined
  readonly sentence: string
}

export type YamlRead =
  | {
      readonly ok: true
      /** Texts, lists and objects: a value becomes a number only by the reader's schema. */
      readonly value: unknown
      /** The line of a field, or of the nearest field above it; undefined where it is not in the text. */
      lineOf(steps: readonly string[]): number | undefined
    }
  | { readonly ok: false; readonly mistakes: readonly Mistake[] }

/** A longer text is not a configuration. Characters. */
const maxLength = 100_000

/**
 * Sentences by the library's error codes (https://eemeli.org/yaml/#errors). Its own messages can contain a part of the file, such
 * as a password.
 */
const sentences: Readonly<Record<string, string>> = {
  BAD_DQ_ESCAPE: 'a text in double quotes has an unknown escape: use single quotes around a text with \\',
  BAD_INDENT: 'the line does not begin in the same column as those that it belongs to',
  BAD_SCALAR_START: 'a value begins with a character that has a meaning in YAML: put the value in quotes',
  BLOCK_AS_IMPLICIT_KEY: 'a value that holds ": " must be in quotes; otherwise begin a new line',
  BLOCK_IN_FLOW: 'close the bracket before the next field begins',
  MISSING_CHAR: 'a colon, a comma, a quote or a closing bracket is missing',
  MULTILINE_IMPLICIT_KEY: 'a colon is missing: a field is written as name: value',
  MULTIPLE_DOCS: 'there must be one document: remove what follows ---',
  TAB_AS_INDENT: 'the line begins with a tab: use spaces',
}

const noSpecials = 'a value that begins with & * or ! must be in quotes'

function sayError({ code, message }: YAMLParseError): string {
  if (code === 'DUPLICATE_KEY') return 'this field is written twice: keep one of the two'
  if (/ALIAS|ANCHOR|TAG/.test(code) || /anchor|tag/i.test(message)) return sentences[code] ?? noSpecials
  return sentences[code] ?? 'this is not YAML: a field is written as name: value'
}

interface Reading {
  readonly lines: Map<string, number>
  readonly mistakes: Mistake[]
  lineAt(node: Node | null | undefined): number | undefined
}

const placeOf = (steps: readonly string[]) => JSON.stringify(steps)

function readPair({ key, value }: Pair, steps: readonly string[], reading: Reading): [string, unknown][] {
  const keyNode = key as Node | null
  const line = reading.lineAt(keyNode)
  if (!isScalar(keyNode) || typeof keyNode.value !== 'string') {
    reading.mistakes.push({ line, sentence: 'the name of a field must be a word' })
    return []
  }
  const own = [...steps, keyNode.value]
  if (line !== undefined) reading.lines.set(placeOf(own), line)
  return [[keyNode.value, readNode(value as Node | null, own, reading)]]
}

function readNode(node: Node | null, steps: readonly string[], reading: Reading): unknown {
  const line = reading.lineAt(node)
  if (isAlias(node) || node?.tag !== undefined || (node && 'anchor' in node && node.anchor !== undefined)) {
    reading.mistakes.push({ line, sentence: noSpecials })
    return ''
  }
  if (line !== undefined && !reading.lines.has(placeOf(steps))) reading.lines.set(placeOf(steps), line)
  if (isMap(node)) return Object.fromEntries(node.items.flatMap(pair => readPair(pair, steps, reading)))
  if (isSeq(node))
    return node.items.map((item, place) => readNode(item as Node | null, [...steps, String(place)], reading))
  return isScalar(node) ? (node.value ?? '') : ''
}

/**
 * Reads one YAML document (YAML 1.2, failsafe schema). Every value is read as text, so that a PIN keeps its leading zeros.
 * Rejects a field that is written twice, aliases, anchors, tags and further documents.
 */
export function readYaml(text: string): YamlRead {
  if (text.length > maxLength)
    return {
      ok: false,
      mistakes: [{ line: undefined, sentence: 'the file is too long to be a configuration' }],
    }
  const counter = new LineCounter()
  const document = parseDocument(text, {
    lineCounter: counter,
    prettyErrors: false,
    schema: 'failsafe',
    version: '1.2',
  })
  const lineOfOffset = (offset: number) => counter.linePos(offset).line
  const mistakes: Mistake[] = [...document.errors, ...document.warnings].map(error => ({
    line: lineOfOffset(error.pos[0]),
    sentence: sayError(error),
  }))
  const reading: Reading = {
    lines: new Map(),
    mistakes,
    lineAt: node => (node?.range ? lineOfOffset(node.range[0]) : undefined),
  }
  const value = readNode(document.contents, [], reading)
  if (mistakes.length > 0) return { ok: false, mistakes }
  return {
    ok: true,
    value,
    lineOf(steps) {
      for (let length = steps.length; length > 0; length--) {
        const line = reading.lines.get(placeOf(steps.slice(0, length)))
        if (line !== undefined) return line
      }
      return undefined
    },
  }
}
