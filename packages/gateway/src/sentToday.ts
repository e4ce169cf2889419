// The messages (SMS) and codes (USSD) that this gateway has sent in a day, kept on disk so that a restart does not reset the
// count.

import { isoTime, type World } from '@callgate/world/world'
import type { JournalDisk } from './journalDisk.ts'
import { readWhole, replaceWhole } from './wholeFile.ts'

/** The file of each count. */
const fileNames = { messages: 'sent-messages', codes: 'sent-codes' } as const
/** A larger file cannot be ours. Bytes. */
const mostBytes = 4_096

/** How many messages, and how many codes, one gateway sends in a day for any request: each can cost its owner money. */
export const mostInDay = 20
const dayMs = 24 * 60 * 60_000

/** A message or code that was sent, or is about to be. */
interface Sent {
  /** The time in monotonic milliseconds, from which it counts for a day. */
  readonly atMs: number
  /** The time by the wall clock, as first known. No earlier time is written to the disk. */
  readonly wallMs: number
}

interface SentTodayParts {
  readonly world: World
  readonly disk: JournalDisk
  readonly of: keyof typeof fileNames
}

/** The times of sending by the wall clock, in milliseconds; undefined where the file does not have our format. */
function timesIn(bytes: Uint8Array): readonly number[] | undefined {
  try {
    const { sentAt } = JSON.parse(Buffer.from(bytes).toString('utf8')) as { readonly sentAt: unknown }
    const times = Array.isArray(sentAt) ? sentAt.map(at => Date.parse(String(at))) : [Number.NaN]
    return times.every(Number.isFinite) ? times : undefined
  } catch {
    return undefined
  }
}

/**
 * While the daemon runs, it counts by a clock that nobody sets. Over a restart it must use the wall clock. A time in the future
 * counts as now. Where the file cannot be read, the whole limit of a day counts as sent now. Such a time stays on the disk as it
 * is, because the clock may be behind and be set later.
 */
export class SentToday {
  readonly #parts: SentTodayParts
  /** Undefined: the file has not been read yet. */
  #sent: readonly Sent[] | undefined

  constructor(parts: SentTodayParts) {
    this.#parts = parts
  }

  /** Records one on the disk before it is sent. `too_many`: the limit is reached. `not_kept`: the disk has failed. */
  async note(): Promise<'noted' | 'too_many' | 'not_kept'> {
    const { world } = this.#parts
    const nowMs = world.monotonicMs()
    const before = (this.#sent ?? (await this.#read())).filter(({ atMs }) => atMs > nowMs - dayMs)
    this.#sent = before
    if (before.length >= mostInDay) return 'too_many'
    const sent = [...before, { atMs: nowMs, wallMs: world.nowMs() }]
    if (!(await this.#write(sent))) return 'not_kept'
    this.#sent = sent
    return 'noted'
  }

  /** Removes the last one, which was not sent. Where the disk fails, it counts again after a restart. */
  async takeBack(): Promise<void> {
    this.#sent = this.#sent?.slice(0, -1)
    await this.#write(this.#sent ?? [])
  }

  async #read(): Promise<readonly Sent[]> {
    const { disk, of, world } = this.#parts
    const fileName = fileNames[of]
    const bytes = await readWhole(disk, fileName, mostBytes)
    if (bytes === 'none') return []
    const [nowMs, wallMs] = [world.monotonicMs(), world.nowMs()]
    const times = bytes === 'damaged' ? undefined : timesIn(bytes)
    if (times) return times.map(atMs => ({ atMs: nowMs - Math.max(0, wallMs - atMs), wallMs: atMs }))
    world.log.error(`the list of the ${of} that were sent cannot be read; none is sent for a day`, {
      file: `${disk.place}/${fileName}`,
    })
    const all = Array.from({ length: mostInDay }, () => ({ atMs: nowMs, wallMs }))
    // Otherwise the day would begin again at each start.
    await this.#write(all)
    return all
  }

  async #write(sent: readonly Sent[]): Promise<boolean> {
    const { disk, of, world } = this.#parts
    const sinceMs = world.nowMs() - world.monotonicMs()
    const sentAt = sent.map(({ atMs, wallMs }) => isoTime(Math.max(wallMs, sinceMs + atMs)))
    const text = `${JSON.stringify({ sentAt })}\n`
    const written = await replaceWhole(disk, fileNames[of], text)
    if (!written.ok)
      world.log.error(`the list of the ${of} that were sent cannot be written`, { problem: written.code })
    return written.ok
  }
}
