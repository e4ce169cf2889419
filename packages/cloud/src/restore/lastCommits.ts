// The last commits of the clouds on this machine, kept outside the database: by them it shows when the data has gone back.

import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '@callgate/world/world'
import { type CommittedEvent, readEvent } from '../database/commits.ts'

/**
 * How many are kept. A database loses the last commits, so the last one would do. But commits that run at once are answered
 * in any order, and a process has 11 connections.
 */
const mostKept = 32
/** Each has a place of its own in the file: what is torn spoils no other. */
const placeBytes = 512

export interface LastCommits {
  /** Oldest first, as they are now: more are added while somebody looks for these. */
  all(): readonly CommittedEvent[]
  add(event: CommittedEvent): void
  close(): void
}

/** What stands in the file; nothing where there is none. */
function read(file: string): CommittedEvent[] {
  let bytes: Buffer
  try {
    bytes = readFileSync(file)
  } catch {
    return []
  }
  const places = Array.from({ length: mostKept }, (_, place) =>
    readEvent(bytes.toString('utf8', place * placeBytes, (place + 1) * placeBytes)),
  )
  return places.filter(event => event !== undefined).sort((a, b) => (a.at < b.at ? -1 : 1))
}

function open(file: string, log: Pick<Log, 'warn'>): number | undefined {
  try {
    // Several clouds of one machine may write to it: whatever is written over is older.
    closeSync(openSync(file, 'a', 0o600))
    return openSync(file, 'r+')
  } catch (error) {
    log.warn('the last commits are kept in memory alone', { file, why: String(error) })
    return undefined
  }
}

/**
 * The last commits, in memory and in the data folder. They are written before anything is told of them, and not synced: the
 * file survives a kill of the process, and not a power cut.
 */
export function lastCommits(folder: string, log: Pick<Log, 'warn'>): LastCommits {
  const file = join(folder, 'last-commits')
  const kept = read(file)
  let written = 0
  let descriptor = open(file, log)

  function write(event: CommittedEvent): void {
    const line = Buffer.alloc(placeBytes, ' ')
    line.write(`${JSON.stringify(event)}\n`)
    if (descriptor === undefined) return
    try {
      writeSync(descriptor, line, 0, placeBytes, (written % mostKept) * placeBytes)
    } catch (error) {
      log.warn('the last commits are kept in memory alone', { file, why: String(error) })
      closeSync(descriptor)
      descriptor = undefined
    }
    written += 1
  }

  return {
    all: () => [...kept],
    add(event) {
      write(event)
      kept.push(event)
      kept.splice(0, kept.length - mostKept)
    },
    close() {
      if (descriptor !== undefined) closeSync(descriptor)
      descriptor = undefined
    },
  }
}
