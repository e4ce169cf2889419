// The note of a clean stop: since when no cloud has served the data. It holds no wall clock, because a wall clock may be set.

import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { leastAgeMs, type Moment, moment, type World } from '@callgate/world/world'
import { fileOf } from './database.ts'
import { isServer } from './databaseAddress.ts'

const noteOf = (url: string): string => `${fileOf(url)}-stopped`

/** Another machine may have served data on a server in the meantime, so a note of this machine proves nothing there. */
const hasNote = (url: string): boolean => !isServer(url) && fileOf(url) !== ':memory:'

/** The id of this boot of the machine (proc_sys_kernel(5)), to which both clocks of a moment belong; '' where there is no id. */
function machineBoot(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return ''
  }
}

/**
 * Writes a note that the cloud stops now. Throws where the file cannot be written; the next cloud then counts from its own start.
 */
export function noteStop(url: string, world: World): void {
  if (!hasNote(url)) return
  writeFileSync(noteOf(url), JSON.stringify({ machineBoot: machineBoot(), ...moment(world) }), {
    mode: 0o600,
  })
}

/** Reads the note and removes it: after a crash, an old note would name an earlier stop. */
function takeNote(url: string): string | undefined {
  try {
    const note = readFileSync(noteOf(url), 'utf8')
    rmSync(noteOf(url))
    return note
  } catch {
    return undefined
  }
}

/** Removes the note: it says nothing of data that another database has served since. */
export function forgetStop(url: string): void {
  if (hasNote(url)) rmSync(noteOf(url), { force: true })
}

/**
 * When the last cloud on this data stopped; also removes the note. Undefined where the time is unknown: after a crash, on another
 * machine, or after a reboot.
 */
export function takeStop(url: string, world: World): Moment | undefined {
  const note = hasNote(url) ? takeNote(url) : undefined
  if (note === undefined) return undefined
  try {
    const { machineBoot: boot, monotonicMs, sinceBootMs } = JSON.parse(note) as Record<string, unknown>
    if (boot === '' || boot !== machineBoot()) return undefined
    if (typeof monotonicMs !== 'number' || typeof sinceBootMs !== 'number') return undefined
    const stopped = { monotonicMs, sinceBootMs }
    // A container may have clocks that begin with its own start. The two times are then not comparable.
    return leastAgeMs(world, stopped) >= 0 ? stopped : undefined
  } catch {
    return undefined
  }
}
