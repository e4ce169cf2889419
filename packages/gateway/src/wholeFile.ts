// A small file that is replaced whole: after a power cut it has its old content or its new one.

import type { Done, JournalDisk } from './journalDisk.ts'

/** The content of the file; `damaged` where it cannot be read or has more than `mostBytes`. */
export async function readWhole(
  disk: JournalDisk,
  name: string,
  mostBytes: number,
): Promise<Uint8Array | 'none' | 'damaged'> {
  const size = await disk.size(name)
  if (size.ok && size.value === undefined) return 'none'
  if (!size.ok || (size.value ?? 0) > mostBytes) return 'damaged'
  const bytes = await disk.read(name)
  return bytes.ok ? bytes.value : 'damaged'
}

/** Resolves once the text survives a power cut. After a failure the file may have its old content or its new one. */
export async function replaceWhole(disk: JournalDisk, name: string, text: string): Promise<Done> {
  const newName = `${name}.new`
  const opened = await disk.open(newName)
  if (!opened.ok) return opened
  const appended = await opened.value.append(Buffer.from(text))
  const synced = appended.ok ? await opened.value.sync() : appended
  await opened.value.close()
  if (!synced.ok) {
    await disk.remove(newName)
    return synced
  }
  const renamed = await disk.rename(newName, name)
  return renamed.ok ? disk.syncFolder() : renamed
}
