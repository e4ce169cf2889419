// A recording as text: one event a line, the bytes in visible characters. Written by the daemon, read by the report and the replay.

import type { CallProfile } from '@callgate/contract/call/callProfile'
import type { CallVerdict, Evidence } from '@callgate/contract/call/verdict'
import {
  type RecordedCall,
  type RecordedSetUp,
  type Recording,
  type WireEvent,
  type WireEventKind,
  wireEventKinds,
} from './recording.ts'

const named: Readonly<Record<string, string>> = { '\r': '\\r', '\n': '\\n', '\\': '\\\\' }
const hexOf = (character: string) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`

/** Every byte in visible characters, so that a mail program or an editor can change none. */
export function visible(text: string): string {
  return text
    .replace(/[^\x20-\x5b\x5d-\x7e]/g, character => named[character] ?? hexOf(character))
    .replace(/ $/, '\\x20')
}

/** The bytes of a visible text; undefined where it is none. */
export function invisible(shown: string): string | undefined {
  if (!/^(?:[\x20-\x5b\x5d-\x7e]|\\[rn\\]|\\x[0-9a-f]{2})*$/.test(shown)) return undefined
  const names: Readonly<Record<string, string>> = { r: '\r', n: '\n', '\\': '\\' }
  return shown.replace(/\\(x..|.)/g, (_, code: string) =>
    code.startsWith('x') ? String.fromCharCode(Number.parseInt(code.slice(1), 16)) : (names[code] ?? ''),
  )
}

const signs: Readonly<Record<WireEventKind, string>> = {
  to: '>',
  from: '<',
  short: '! short',
  refused: '! refused',
  opened: '! opened',
  failed: '! failed',
  gone: '! gone',
  closed: '! closed',
}
const kindOf = new Map(wireEventKinds.map(kind => [signs[kind], kind]))

/** One event as a line. */
export function eventLine({ atMs, kind, text }: WireEvent): string {
  return text === '' ? `${atMs} ${signs[kind]}` : `${atMs} ${signs[kind]} ${visible(text)}`
}

const eventForm = /^(-?\d{1,9}) ([<>]|! [a-z]+)(?: (.*))?$/

function readEvent(shown: string, line: number): WireEvent | undefined {
  const [, atMs, sign = '', rest = ''] = eventForm.exec(shown) ?? []
  const kind = kindOf.get(sign)
  const text = invisible(rest)
  return atMs === undefined || !kind || text === undefined
    ? undefined
    : { atMs: Number(atMs), kind, text, line }
}

const cutLine = 'cut: what came later had no room'

function setUpLines({ events, isCut }: RecordedSetUp, title: string): string[] {
  return [`== ${title} ==`, ...events.map(eventLine), ...(isCut ? [cutLine] : [])]
}

/** The recording in lines. A set-up that several calls share comes once, before the first of them. */
export function recordingLines({ calls, failedSetUp, setUp }: Recording): string[] {
  const known = [...new Set([...calls.map(call => call.setUp), setUp])].filter(one => one !== null)
  const lines = known.flatMap((one, place) => setUpLines(one, `Set-up ${place + 1}`))
  if (failedSetUp) lines.push(...setUpLines(failedSetUp, 'Set-up that failed'))
  for (const [place, call] of calls.entries())
    lines.push(
      `== Call ${place + 1} ==`,
      `at ${new Date(call.nowMs).toISOString()}`,
      `number ${call.phoneNumber}`,
      ...(call.setUp ? [`set-up ${known.indexOf(call.setUp) + 1}`] : []),
      ...(call.hasMoved === undefined ? [] : [`moved ${call.hasMoved ? 'yes' : 'no'}`]),
      `profile ${JSON.stringify(call.profile)}`,
      `verdict ${JSON.stringify(call.verdict)}`,
      `evidence ${JSON.stringify(call.evidence)}`,
      ...[...call.before, ...call.events].map(eventLine),
      ...(call.isCut ? [cutLine] : []),
    )
  return lines
}

/** A part of a text, from its title to the next one. */
interface Part {
  readonly title: string
  readonly lines: readonly { readonly number: number; readonly text: string }[]
}

const titleForm = /^== (.+) ==$/

function partsOf(lines: readonly string[]): readonly Part[] {
  const parts: { title: string; lines: { number: number; text: string }[] }[] = []
  for (const [place, text] of lines.entries()) {
    const title = titleForm.exec(text)?.[1]
    if (title !== undefined) parts.push({ title, lines: [] })
    else if (text !== '') parts.at(-1)?.lines.push({ number: place + 1, text })
  }
  return parts
}

export type RecordingRead =
  | { readonly ok: true; readonly recording: Recording }
  /** `message` is a sentence for a person. */
  | { readonly ok: false; readonly message: string }

/** Notes in `faults` which lines cannot be read, as sentences. */
function readSetUp({ lines }: Part, faults: string[]): RecordedSetUp {
  const events = lines
    .filter(({ text }) => text !== cutLine)
    .flatMap(({ number, text }) => {
      const event = readEvent(text, number)
      if (!event) faults.push(`Line ${number} is no line of a modem: "${text.slice(0, 60)}"`)
      return event ?? []
    })
  return { events, isCut: lines.some(({ text }) => text === cutLine) }
}

/** What the checks of `jsonField` allow; a program that knows the schemas checks the rest. */
interface CallJson {
  readonly profile: CallProfile
  readonly verdict: CallVerdict
  readonly evidence: Evidence
}

type Fields = ReadonlyMap<string, { readonly number: number; readonly text: string }>

function jsonField<Name extends keyof CallJson>(
  fields: Fields,
  name: Name,
  faults: string[],
): CallJson[Name] | undefined {
  const field = fields.get(name)
  try {
    const value: unknown = JSON.parse(field?.text ?? '')
    if (typeof value === 'object' && value !== null) return value as CallJson[Name]
  } catch {
    // Said below.
  }
  faults.push(
    field
      ? `Line ${field.number} is no ${name}: it is cut off or was changed`
      : `A call has no line "${name}"`,
  )
  return undefined
}

const fieldForm = /^(at|number|set-up|moved|profile|verdict|evidence) (.+)$/

function readCall(
  { lines, title }: Part,
  setUps: ReadonlyMap<string, RecordedSetUp>,
  faults: string[],
): RecordedCall | undefined {
  const fields = new Map<string, { number: number; text: string }>()
  const rest: Part['lines'][number][] = []
  for (const line of lines) {
    const [, name, text] = fieldForm.exec(line.text) ?? []
    if (name !== undefined && text !== undefined) fields.set(name, { number: line.number, text })
    else rest.push(line)
  }
  const { events, isCut } = readSetUp({ title, lines: rest }, faults)
  // The seconds before it may hold the ATD of another call.
  const begins = events.findIndex(({ atMs, kind, text }) => atMs >= 0 && kind !== 'from' && /^ATD/.test(text))
  if (begins < 0) faults.push(`${title} has no ATD`)
  const profile = jsonField(fields, 'profile', faults)
  const verdict = jsonField(fields, 'verdict', faults)
  const evidence = jsonField(fields, 'evidence', faults)
  if (begins < 0 || !profile || !verdict || !evidence) return undefined
  const moved = fields.get('moved')?.text
  return {
    nowMs: Date.parse(fields.get('at')?.text ?? '') || 0,
    phoneNumber: fields.get('number')?.text ?? '',
    profile,
    verdict,
    evidence,
    setUp: setUps.get(`Set-up ${fields.get('set-up')?.text}`) ?? null,
    before: events.slice(0, begins),
    events: events.slice(begins),
    isCut,
    ...(moved === undefined ? {} : { hasMoved: moved === 'yes' }),
  }
}

/** Reads the parts of a recording among the lines of a text, and passes over all other parts. */
export function readRecording(lines: readonly string[]): RecordingRead {
  const parts = partsOf(lines)
  const faults: string[] = []
  const setUps = new Map(
    parts
      .filter(({ title }) => /^Set-up \d+$/.test(title))
      .map(part => [part.title, readSetUp(part, faults)]),
  )
  const failed = parts.find(({ title }) => title === 'Set-up that failed')
  const failedSetUp = failed ? readSetUp(failed, faults) : null
  const calls = parts
    .filter(({ title }) => /^Call \d+$/.test(title))
    .flatMap(part => readCall(part, setUps, faults) ?? [])
  const [fault] = faults
  const setUp = [...setUps.values()].at(-1) ?? null
  return fault === undefined
    ? { ok: true, recording: { setUp, failedSetUp, calls } }
    : { ok: false, message: fault }
}
