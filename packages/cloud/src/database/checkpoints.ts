// Checkpoints of SQLite's WAL in a thread of their own, so that no commit has to make them.

import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import type { Connection } from './sqliteConnection.ts'
import { totalChangesOf } from './sqliteVersion.ts'

/**
 * How many rows are changed between two checkpoints: the WAL grows to about 16 MB. The larger it is, the more often a page has
 * changed before it is written once: with 4 MB an opening writes twice as much to the disk.
 */
const everyChanges = 4_000

/**
 * The program of the thread, as text, because a bundle has no file for it. A checkpoint that fails loses nothing: the WAL keeps
 * its pages, and the next one tries again. PASSIVE waits for no reader and no writer, and none waits for it
 * (https://sqlite.org/pragma.html#pragma_wal_checkpoint).
 */
const program = `
const { parentPort, workerData } = require('node:worker_threads')
const connection = new (require(workerData.library))(workerData.file)
connection.pragma('synchronous = FULL')
parentPort.on('message', order => {
  if (order === 'close') {
    connection.close()
    parentPort.close()
    return
  }
  try {
    connection.pragma('wal_checkpoint(PASSIVE)')
  } catch {}
  parentPort.postMessage('done')
})`

function startThread(file: string): Worker {
  const library = createRequire(import.meta.url).resolve('better-sqlite3')
  const thread = new Worker(program, { eval: true, execArgv: [], workerData: { library, file } })
  // The thread alone keeps no process alive.
  thread.unref()
  return thread
}

export interface Checkpoints {
  /** Call it after each commit: it starts a checkpoint when enough was written since the last one. */
  committed(connection: Connection): void
  /** Ends the thread, after a running checkpoint. Close the other connection later: the last one to close removes the WAL. */
  stop(): Promise<void>
}

/** The checkpoints of a file. The thread starts with the first one, so that a command that writes little has none. */
export function checkpointsOf(file: string): Checkpoints {
  let thread: Worker | undefined
  let isRunning = false
  let hasFailed = false
  let changesBefore = 0
  const start = () => {
    const started = startThread(file)
    started.on('message', () => {
      isRunning = false
    })
    // Without its thread SQLite makes the checkpoints itself, when the WAL has reached its limit.
    started.on('error', () => {
      hasFailed = true
    })
    return started
  }
  return {
    committed(connection) {
      const changes = totalChangesOf(connection)
      // A new connection counts from 0.
      if (changes < changesBefore) changesBefore = 0
      if (hasFailed || isRunning || changes - changesBefore < everyChanges) return
      changesBefore = changes
      isRunning = true
      try {
        thread ??= start()
        thread.postMessage('checkpoint')
      } catch {
        hasFailed = true
      }
    },
    async stop() {
      const stopped = thread
      thread = undefined
      isRunning = false
      if (!stopped || hasFailed) return
      stopped.ref()
      await new Promise(resolve => {
        stopped.once('exit', resolve)
        stopped.postMessage('close')
      })
    },
  }
}
