// The journal's lines: each is a checksum, a space and one entry as JSON.

import { crc32 } from 'node:zlib'

/** A signed report as it was first sent, kept until the cloud has acknowledged it. */
export interface KeptReport {
  readonly openingId: string
  readonly bootId: string
  readonly seq: number
  /** Whether this is the last report of its opening. */
  readonly isFinal: boolean
  readonly payload: string
}

/** The version of this format. A change that older daemons cannot read increases it: see docs/updates.md. */
export const journalVersion = 1

export type JournalEntry =
  | { readonly kind: 'journal'; readonly version: typeof journalVersion; readonly journalId: string }
  | { readonly kind: 'intent'; readonly openingId: string }
  | ({ readonly kind: 'report' } & KeptReport)
  | { readonly kind: 'acknowledged'; readonly bootId: string; readonly seq: number }

/** The unreported openings and reports, by the entries. */
export interface JournalContent {
  /** Openings with an INTENT and no final report. */
  readonly intents: Set<string>
  /** Reports that the cloud has not acknowledged, by `reportKey`. */
  readonly reports: Map<string, KeptReport>
}

export function reportKey(report: { readonly bootId: string; readonly seq: number }): string {
  return `${report.bootId}/${report.seq}`
}

export function applyEntry(content: JournalContent, entry: JournalEntry): void {
  if (entry.kind === 'intent') content.intents.add(entry.openingId)
  if (entry.kind === 'acknowledged') content.reports.delete(reportKey(entry))
  if (entry.kind !== 'report') return
  const { kind: _, ...report } = entry
  content.reports.set(reportKey(report), report)
  if (report.isFinal) content.intents.delete(report.openingId)
}

/** The shortest list of entries with this content. */
export function entriesOf(journalId: string, content: JournalContent): JournalEntry[] {
  return [
    { kind: 'journal', version: journalVersion, journalId },
    ...[...content.intents].map(openingId => ({ kind: 'intent', openingId }) as const),
    ...[...content.reports.values()].map(report => ({ kind: 'report', ...report }) as const),
  ]
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0')
}

export function writeLine(entry: JournalEntry): Buffer {
  const text = JSON.stringify(entry)
  return Buffer.from(`${checksum(text)} ${text}\n`, 'utf8')
}

type Fields = Readonly<Record<string, unknown>>

const readers: Readonly<Record<string, (fields: Fields) => JournalEntry | undefined>> = {
  journal: ({ journalId, version }) =>
    version === journalVersion && typeof journalId === 'string'
      ? { kind: 'journal', version, journalId }
      : undefined,
  intent: ({ openingId }) => (typeof openingId === 'string' ? { kind: 'intent', openingId } : undefined),
  report: ({ bootId, isFinal, openingId, payload, seq }) =>
    typeof openingId === 'string' &&
    typeof bootId === 'string' &&
    typeof seq === 'number' &&
    typeof isFinal === 'boolean' &&
    typeof payload === 'string'
      ? { kind: 'report', openingId, bootId, seq, isFinal, payload }
      : undefined,
  acknowledged: ({ bootId, seq }) =>
    typeof bootId === 'string' && typeof seq === 'number' ? { kind: 'acknowledged', bootId, seq } : undefined,
}

function readFields(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}

/** The fields of a line; undefined where its checksum is wrong. */
function fieldsOf(line: string): Fields | undefined {
  const text = line.slice(9)
  return line[8] === ' ' && line.slice(0, 8) === checksum(text) ? readFields(text) : undefined
}

/** Reads a line; undefined where its checksum is wrong, or where this version does not know its kind. */
function readLine(line: string): JournalEntry | undefined {
  const fields = fieldsOf(line)
  const kind = fields?.['kind']
  return fields && typeof kind === 'string' && Object.hasOwn(readers, kind)
    ? readers[kind]?.(fields)
    : undefined
}

export type JournalRead =
  | {
      readonly ok: true
      readonly journalId: string
      readonly content: JournalContent
      /** Whether a crash cut off the last line, which is ignored. */
      readonly isTorn: boolean
    }
  | { readonly ok: false; readonly badLine: number }
  /** A newer version of the daemon has written it. */
  | { readonly ok: false; readonly newerVersion: number }

/** Reads a journal's bytes. Only the last line may be broken, because each line is synced before the next one is written. */
export function readJournal(bytes: Uint8Array): JournalRead {
  const lines = Buffer.from(bytes).toString('utf8').split('\n')
  // Not tested: `split` always returns at least one line.
  const rest = lines.pop() ?? ''
  const { kind, version } = fieldsOf(lines[0] ?? '') ?? {}
  if (kind === 'journal' && typeof version === 'number' && version > journalVersion)
    return { ok: false, newerVersion: version }
  const entries = lines.map(readLine)
  const isLastBad = entries.length > 0 && rest === '' && entries.at(-1) === undefined
  if (isLastBad) entries.pop()
  const badLine = entries.indexOf(undefined)
  const [first, ...others] = entries
  if (badLine >= 0 || first?.kind !== 'journal') return { ok: false, badLine: Math.max(0, badLine) + 1 }
  const content: JournalContent = { intents: new Set(), reports: new Map() }
  // Not tested: this function has returned already where there is a bad line.
  for (const entry of others) if (entry) applyEntry(content, entry)
  return { ok: true, journalId: first.journalId, content, isTorn: isLastBad || rest !== '' }
}
