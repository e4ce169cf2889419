// A disk in memory, for tests: it can be full, fail at any operation, and lose in a crash what was not synced.

import type { Done, JournalDisk, OpenFile } from './journalDisk.ts'

export type DiskOperation = 'size' | 'read' | 'open' | 'append' | 'sync' | 'rename' | 'remove' | 'syncFolder'

export interface MemoryDisk extends JournalDisk {
  /** Asked before each operation: the system's code of its failure, or nothing. */
  fault: (operation: DiskOperation, name: string) => string | undefined
  /** All files together hold no more. */
  capacityBytes: number
  usedBytes(): number
  /** What stands in a file at the moment. */
  content(name: string): Buffer | undefined
  /** What of it would outlive a crash. */
  syncedContent(name: string): Buffer | undefined
  write(name: string, bytes: Uint8Array): void
  /** The power fails: only what was synced is left, and `tornBytes` of what was appended after that. */
  crash(tornBytes?: number): void
}

interface Inode {
  bytes: Buffer
  syncedBytes: number
}

const done = { ok: true, value: undefined } as const

export function memoryDisk(): MemoryDisk {
  let names = new Map<string, Inode>()
  let durable = new Map<string, Inode>()

  const used = () => [...names.values()].reduce((sum, { bytes }) => sum + bytes.byteLength, 0)

  /** The operation, unless it has to fail. */
  async function run<T>(operation: DiskOperation, name: string, work: () => Done<T>): Promise<Done<T>> {
    const code = disk.fault(operation, name)
    return code === undefined ? work() : { ok: false, code }
  }

  function opened(name: string, inode: Inode): OpenFile {
    return {
      append: bytes =>
        run('append', name, () => {
          const free = Math.max(0, disk.capacityBytes - used())
          inode.bytes = Buffer.concat([inode.bytes, bytes.subarray(0, free)])
          return free < bytes.byteLength ? { ok: false, code: 'ENOSPC' } : done
        }),
      sync: () =>
        run('sync', name, () => {
          inode.syncedBytes = inode.bytes.byteLength
          return done
        }),
      async close() {},
    }
  }

  const disk: MemoryDisk = {
    place: 'memory',
    fault: () => undefined,
    capacityBytes: 64 * 1024 * 1024,
    usedBytes: used,
    content: name => names.get(name)?.bytes,
    syncedContent(name) {
      const inode = durable.get(name)
      return inode?.bytes.subarray(0, inode.syncedBytes)
    },
    write(name, bytes) {
      const inode = { bytes: Buffer.from(bytes), syncedBytes: bytes.byteLength }
      names.set(name, inode)
      durable.set(name, inode)
    },
    crash(tornBytes = 0) {
      names = new Map(durable)
      for (const inode of names.values()) {
        inode.bytes = inode.bytes.subarray(0, inode.syncedBytes + tornBytes)
        inode.syncedBytes = inode.bytes.byteLength
      }
    },
    size: name => run('size', name, () => ({ ok: true, value: names.get(name)?.bytes.byteLength })),
    read: name =>
      run('read', name, () => {
        const inode = names.get(name)
        return inode ? { ok: true, value: inode.bytes } : { ok: false, code: 'ENOENT' }
      }),
    open: name =>
      run('open', name, () => {
        const inode = { bytes: Buffer.alloc(0), syncedBytes: 0 }
        names.set(name, inode)
        return { ok: true, value: opened(name, inode) }
      }),
    rename: (from, to) =>
      run('rename', from, () => {
        const inode = names.get(from)
        if (!inode) return { ok: false, code: 'ENOENT' }
        names.delete(from)
        names.set(to, inode)
        return done
      }),
    remove: name =>
      run('remove', name, () => {
        names.delete(name)
        return done
      }),
    syncFolder: () =>
      run('syncFolder', '', () => {
        durable = new Map(names)
        return done
      }),
  }
  return disk
}
