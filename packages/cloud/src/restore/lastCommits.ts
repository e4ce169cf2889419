// The last commits of the clouds on this machine, kept outside the database: they reveal when the data has gone back.

import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '@callgate/world/world'
import { type CommittedEvent, readEvent } from '../database/commits.ts'

/**
 * How many commits are kept. A database loses its last commits, so the very last one would do. But commits that run at once are
 * answered in any order, and a process has 11 connections.
 */
const mostKept = 32
/** Each commit has its own place in the file, so a torn one damages no other. Bytes. */
const placeBytes = 512

export interface LastCommits {
  /** A copy, oldest first: more are added while somebody checks these. */
  all(): readonly CommittedEvent[]
  add(event: CommittedEvent): void
  close(): void
}

/** The commits in the file; empty where there is no file. */
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
    // Several clouds of one machine may write to the file; each overwrites the oldest commits.
    closeSync(openSync(file, 'a', 0o600))
    return openSync(file, 'r+')
  } catch (error) {
    log.warn('the last commits are kept in memory alone', { file, why: String(error) })
    return undefined
  }
}

/**
 * The last commits, in memory and in the data folder. They are written before anybody hears of them, and are not synced: the file
 * survives a kill of the process, but not a power cut.
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
