// The note of a clean stop: since when no cloud has served the data. No wall clock is in it, since that may be set.

import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { leastAgeMs, type Moment, moment, type World } from '@callgate/world/world'
import { fileOf } from './database.ts'
import { isServer } from './databaseAddress.ts'

const noteOf = (url: string): string => `${fileOf(url)}-stopped`

/** Data on a server may have been served by another machine meanwhile, so a note of this one proves nothing. */
const hasNote = (url: string): boolean => !isServer(url) && fileOf(url) !== ':memory:'

/** Names this start of the machine (proc_sys_kernel(5)), from which both clocks of a moment count; '' where nothing does. */
function machineBoot(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return ''
  }
}

/** Notes that the cloud stops now. Throws where the file cannot be written; the next cloud then counts from its own start. */
export function noteStop(url: string, world: World): void {
  if (!hasNote(url)) return
  writeFileSync(noteOf(url), JSON.stringify({ machineBoot: machineBoot(), ...moment(world) }), {
    mode: 0o600,
  })
}

/** The text of the note, which is removed: after a crash it would name a stop before the last one. */
function takeNote(url: string): string | undefined {
  try {
    const note = readFileSync(noteOf(url), 'utf8')
    rmSync(noteOf(url))
    return note
  } catch {
    return undefined
  }
}

/**
 * When the last cloud on this data stopped, and removes the note of it. Undefined where nothing proves it: after a crash, on
 * another machine, or after a start of this one.
 */
export function takeStop(url: string, world: World): Moment | undefined {
  const note = hasNote(url) ? takeNote(url) : undefined
  if (note === undefined) return undefined
  try {
    const { machineBoot: boot, monotonicMs, sinceBootMs } = JSON.parse(note) as Record<string, unknown>
    if (boot === '' || boot !== machineBoot()) return undefined
    if (typeof monotonicMs !== 'number' || typeof sinceBootMs !== 'number') return undefined
    const stopped = { monotonicMs, sinceBootMs }
    // A container may count from its own start: then the clocks of the two do not go together.
    return leastAgeMs(world, stopped) >= 0 ? stopped : undefined
  } catch {
    return undefined
  }
}
