// The journal's file and its ballast: appended to, and written anew from memory after a failure.

import type { Done, JournalDisk, OpenFile } from './journalDisk.ts'
import { type JournalEntry, writeLine } from './journalLines.ts'

export const journalName = 'journal'
const newName = 'journal.new'
const ballastName = 'ballast'

/** Kept in reserve, so that the result of a call can be written on a full disk. */
export const ballastBytes = 1024 * 1024
/** A file of less is not worth compacting. */
const compactAboveBytes = 64 * 1024

/** Calls come one after the other. */
export interface JournalFile {
  /** Makes file and ballast whole. */
  prepare(): Promise<Done>
  /** Writes one line and syncs it. After a failure nobody knows what stands there: the next call writes it all anew. */
  append(entry: JournalEntry): Promise<Done>
  /** Writes everything anew after a failed `append`; on a full disk in the space of the ballast. */
  rescue(code: string): Promise<Done>
  compactIfWorthwhile(): Promise<void>
  close(): Promise<void>
}

const done = { ok: true, value: undefined } as const

/** Writes a whole file and syncs it; what could be written only in part is removed, since it takes up space. */
async function writeWhole(disk: JournalDisk, name: string, bytes: Uint8Array): Promise<Done<OpenFile>> {
  const opened = await disk.open(name)
  if (!opened.ok) return opened
  const appended = await opened.value.append(bytes)
  const synced = appended.ok ? await opened.value.sync() : appended
  if (synced.ok) return opened
  await opened.value.close()
  await disk.remove(name)
  return synced
}

async function makeBallast(disk: JournalDisk): Promise<Done> {
  const size = await disk.size(ballastName)
  if (!size.ok) return size
  if (size.value === ballastBytes) return done
  const written = await writeWhole(disk, ballastName, new Uint8Array(ballastBytes).fill(0x2e))
  if (!written.ok) return written
  await written.value.close()
  return done
}

/**
 * `wholeContent` is what the file has to say at the moment. It is written anew by each process: one before it may have
 * died between a rename and the sync of the folder, or after a sync that failed, and what can be read is then not
 * what a power cut would leave.
 */
export function journalFile(disk: JournalDisk, wholeContent: () => Uint8Array): JournalFile {
  let isDirty = true
  let hasBallast = false
  let file: OpenFile | undefined
  let bytesInFile = 0

  async function rewrite(): Promise<Done> {
    const bytes = wholeContent()
    const written = await writeWhole(disk, newName, bytes)
    if (!written.ok) return written
    // From here on the open file may be one that has lost its name.
    isDirty = true
    const renamed = await disk.rename(newName, journalName)
    const synced = renamed.ok ? await disk.syncFolder() : renamed
    if (!synced.ok) {
      await written.value.close()
      return synced
    }
    await file?.close()
    file = written.value
    bytesInFile = bytes.byteLength
    isDirty = false
    return done
  }

  async function whole(): Promise<Done<OpenFile>> {
    const rewritten = isDirty || !file ? await rewrite() : done
    if (!rewritten.ok) return rewritten
    return file ? { ok: true, value: file } : { ok: false, code: 'EBADF' }
  }

  return {
    async prepare() {
      const opened = await whole()
      if (!opened.ok || hasBallast) return opened.ok ? done : opened
      const made = await makeBallast(disk)
      hasBallast = made.ok
      return made
    },
    async append(entry) {
      const opened = await whole()
      if (!opened.ok) return opened
      const line = writeLine(entry)
      const appended = await opened.value.append(line)
      const synced = appended.ok ? await opened.value.sync() : appended
      if (synced.ok) bytesInFile += line.byteLength
      else isDirty = true
      return synced
    },
    async rescue(code) {
      if (code === 'ENOSPC' || code === 'EDQUOT') {
        hasBallast = false
        const removed = await disk.remove(ballastName)
        if (!removed.ok) return removed
      }
      return rewrite()
    },
    async compactIfWorthwhile() {
      // A failure leaves the present file as it was, or marks it for the next call.
      if (bytesInFile > compactAboveBytes && wholeContent().byteLength * 2 < bytesInFile) await rewrite()
    },
    async close() {
      await file?.close()
      file = undefined
    },
  }
}
