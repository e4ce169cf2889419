// A small file that is replaced as a whole, so that after a power cut there is the former one or the new one.

import type { Done, JournalDisk } from './journalDisk.ts'

/** What lies under this name; `damaged` where it cannot be read or is longer than ours ever are, in bytes. */
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

/** Resolves once the text survives a power cut. Where that fails, the former file may be there, or the new one. */
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
