// The journal's file and its ballast: appends lines; after a failure rewrites the whole file from memory.

import type { Done, JournalDisk, OpenFile } from './journalDisk.ts'
import { type JournalEntry, writeLine } from './journalLines.ts'

export const journalName = 'journal'
const newName = 'journal.new'
const ballastName = 'ballast'

/** The ballast is a reserve: it is deleted to make room for the result of a call on a full disk. */
export const ballastBytes = 1024 * 1024
/** A smaller file is not compacted. */
const compactAboveBytes = 64 * 1024

/** Only one call may run at a time: the next one comes after the previous one has resolved. */
export interface JournalFile {
  /** Makes sure that the file and the ballast are complete. */
  prepare(): Promise<Done>
  /** Appends one line and syncs it. After a failure the file's content is unknown, and the next call rewrites all of it. */
  append(entry: JournalEntry): Promise<Done>
  /** Rewrites everything after a failed `append`. On a full disk it uses the space of the ballast. */
  rescue(code: string): Promise<Done>
  compactIfWorthwhile(): Promise<void>
  close(): Promise<void>
}

const done = { ok: true, value: undefined } as const

/** Writes a whole file and syncs it. A partly written file is removed, because it takes up space. */
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
 * `wholeContent` is the content that the file must have at the moment. Each process rewrites all of it once: an earlier process
 * may have died between a rename and the sync of the folder, or after a failed sync. In that case a power cut would leave other
 * content than can be read now.
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
    // From here on, the open file may be the old one, which the rename has replaced.
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
    // Not tested: there is always a file, because `rewrite` opened one or failed.
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
      // A failure leaves the file as it is, or marks it for a rewrite by the next call.
      if (bytesInFile > compactAboveBytes && wholeContent().byteLength * 2 < bytesInFile) await rewrite()
    },
    async close() {
      await file?.close()
      file = undefined
    },
  }
}
