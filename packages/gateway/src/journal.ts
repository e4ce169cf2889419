// The journal: keeps the data that must survive a power cut between a grant and the cloud's acknowledgement.

import type { World } from '@callgate/world/world'
import type { Done, JournalDisk } from './journalDisk.ts'
import { type JournalFile, journalFile, journalName } from './journalFile.ts'
import {
  applyEntry,
  entriesOf,
  type JournalContent,
  type JournalRead,
  type KeptReport,
  readJournal,
  reportKey,
  writeLine,
} from './journalLines.ts'

const badName = 'journal.bad'
/** A larger file cannot be our journal. Bytes. */
const mostBytes = 16 * 1024 * 1024
/** How many openings the journal keeps at most; a beat has room for as many. */
const mostOpenings = 256

export type Kept =
  | { readonly ok: true }
  | { readonly ok: false; readonly code: 'known' | 'journal_full' | 'disk'; readonly message: string }

export interface Journal {
  /** A journal that replaces a damaged one has another id. */
  readonly journalId: string
  /** Openings with an INTENT and no final report, oldest first. */
  unfinished(): readonly string[]
  /** Reports that the cloud has not acknowledged, oldest first. */
  unacknowledged(): readonly KeptReport[]
  /** The openings of both. */
  openings(): readonly string[]
  /** Appends INTENT and syncs it. Where the result is not ok, the opening must not be dialled. */
  intend(openingId: string): Promise<Kept>
  /** Keeps a report: in memory at once, on the disk once this resolves. A full journal rejects it. */
  keep(report: KeptReport): Promise<Kept>
  /** Rewrites entries that a failing disk has not kept; does nothing where there are none. */
  mend(): Promise<void>
  /** Drops a report. */
  acknowledge(report: { readonly bootId: string; readonly seq: number }): Promise<Kept>
  close(): Promise<void>
}

const remedies: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full: free some space',
  EDQUOT: 'the disk quota is used up: free some space',
  EROFS: 'the disk can only be read: mount it for writing, or replace a worn-out SD card',
  EACCES: 'the permissions of the folder do not allow it: give it to the user of the daemon',
  EIO: 'the disk has failed: replace it',
}

function sentence(what: string, place: string, code: string): string {
  return `cannot ${what} in ${place}; ${remedies[code] ?? `the system says ${code}`}`
}

/** Reads the journal, or begins one. A damaged journal is put aside, and a new one begins with another `journalId`. */
async function load(
  world: World,
  disk: JournalDisk,
): Promise<
  | Done<{ readonly journalId: string; readonly content: JournalContent }>
  | { readonly ok: false; readonly newerVersion: number }
> {
  const fresh = () => ({
    journalId: Buffer.from(world.randomBytes(16)).toString('base64url'),
    content: { intents: new Set<string>(), reports: new Map<string, KeptReport>() },
  })
  const size = await disk.size(journalName)
  if (!size.ok) return size
  if (size.value === undefined) return { ok: true, value: fresh() }
  const bytes = size.value > mostBytes ? undefined : await disk.read(journalName)
  if (bytes && !bytes.ok) return bytes
  const read: JournalRead = bytes ? readJournal(bytes.value) : { ok: false, badLine: 1 }
  if (read.ok) {
    if (read.isTorn) world.log.warn('the last line of the journal was torn and is dropped')
    return { ok: true, value: read }
  }
  // Its content is unknown to this version, so no dial is allowed. It stays for a version that can read it.
  if ('newerVersion' in read) return read
  world.log.error('the journal is damaged and put aside; the daemon goes on with a new one', {
    file: `${disk.place}/${badName}`,
    line: read.badLine,
  })
  const moved = await disk.rename(journalName, badName)
  return moved.ok ? { ok: true, value: fresh() } : moved
}

/** Opens the journal of `disk`. Fails when the journal can neither be read nor put aside, or when a newer version has written it. */
export async function openJournal(parts: {
  readonly world: World
  readonly disk: JournalDisk
}): Promise<
  { readonly ok: true; readonly journal: Journal } | { readonly ok: false; readonly message: string }
> {
  const { disk, world } = parts
  const loaded = await load(world, disk)
  if (!loaded.ok && 'newerVersion' in loaded) {
    const message = `the journal in ${disk.place} is of a newer version of the daemon (${loaded.newerVersion}): install that one again; until then nothing is dialled`
    return { ok: false, message }
  }
  if (!loaded.ok) return { ok: false, message: sentence('read the journal', disk.place, loaded.code) }
  const { content, journalId } = loaded.value
  const file = journalFile(disk, () => Buffer.concat(entriesOf(journalId, content).map(writeLine)))
  const journal = new KeptJournal(journalId, content, file, disk.place)
  const ready = await file.prepare()
  if (!ready.ok)
    world.log.error(`${sentence('write the journal', disk.place, ready.code)}; until then nothing is dialled`)
  return { ok: true, journal }
}

class KeptJournal implements Journal {
  readonly journalId: string
  readonly #content: JournalContent
  readonly #file: JournalFile
  readonly #place: string
  /** INTENTs that are being written. An opening may end before its INTENT is on the disk. */
  readonly #onTheWay = new Set<string>()
  #tail: Promise<unknown> = Promise.resolve()

  constructor(journalId: string, content: JournalContent, file: JournalFile, place: string) {
    this.journalId = journalId
    this.#content = content
    this.#file = file
    this.#place = place
  }

  unfinished(): readonly string[] {
    return [...this.#content.intents]
  }

  unacknowledged(): readonly KeptReport[] {
    return [...this.#content.reports.values()]
  }

  openings(): readonly string[] {
    return [...new Set([...this.unfinished(), ...this.unacknowledged().map(report => report.openingId)])]
  }

  async intend(openingId: string): Promise<Kept> {
    const known = this.openings()
    if (known.includes(openingId) || this.#onTheWay.has(openingId))
      return { ok: false, code: 'known', message: 'the journal has this opening already' }
    if (known.length + this.#onTheWay.size >= mostOpenings) {
      const message = `the journal is full: ${mostOpenings} openings are still to be reported`
      return { ok: false, code: 'journal_full', message }
    }
    const entry = { kind: 'intent', openingId } as const
    this.#onTheWay.add(openingId)
    return this.#inTurn(async () => {
      const ready = await this.#file.prepare()
      const written = ready.ok ? await this.#file.append(entry) : ready
      if (this.#onTheWay.delete(openingId) && written.ok) applyEntry(this.#content, entry)
      return this.#outcome(written)
    })
  }

  async keep(report: KeptReport): Promise<Kept> {
    const known = this.openings()
    if (known.length >= mostOpenings && !known.includes(report.openingId))
      return { ok: false, code: 'journal_full', message: 'the journal is full' }
    const entry = { kind: 'report', ...report } as const
    applyEntry(this.#content, entry)
    if (report.isFinal) this.#onTheWay.delete(report.openingId)
    return this.#inTurn(async () => {
      const written = await this.#file.append(entry)
      return this.#outcome(written.ok ? written : await this.#file.rescue(written.code))
    })
  }

  async acknowledge({ bootId, seq }: { readonly bootId: string; readonly seq: number }): Promise<Kept> {
    const { intents, reports } = this.#content
    if (!reports.delete(reportKey({ bootId, seq }))) return { ok: true }
    return this.#inTurn(async () => {
      const written = await this.#file.append({ kind: 'acknowledged', bootId, seq })
      if (intents.size === 0) await this.#file.compactIfWorthwhile()
      return this.#outcome(written)
    })
  }

  mend(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#file.prepare()
    })
  }

  close(): Promise<void> {
    return this.#inTurn(() => this.#file.close())
  }

  /** Writes one line after the other, so that only the last one can be torn. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#tail.then(work)
    this.#tail = done.catch(() => {})
    return done
  }

  #outcome(done: Done): Kept {
    if (done.ok) return { ok: true }
    return { ok: false, code: 'disk', message: sentence('write the journal', this.#place, done.code) }
  }
}
