// A disk in memory, for tests: it can be full, any operation can fail, and a crash loses unsynced data.

import type { Done, JournalDisk, OpenFile } from './journalDisk.ts'

export type DiskOperation = 'size' | 'read' | 'open' | 'append' | 'sync' | 'rename' | 'remove' | 'syncFolder'

export interface MemoryDisk extends JournalDisk {
  /** Called before each operation; returns the system's code where the operation must fail. */
  fault: (operation: DiskOperation, name: string) => string | undefined
  /** The most bytes of all files together. */
  capacityBytes: number
  usedBytes(): number
  /** The present content of a file. */
  content(name: string): Buffer | undefined
  /** The content that would survive a crash. */
  syncedContent(name: string): Buffer | undefined
  write(name: string, bytes: Uint8Array): void
  /** A power cut: synced data stays, and so do `tornBytes` of the data that was appended after it. */
  crash(tornBytes?: number): void
}

interface Inode {
  bytes: Buffer
  syncedBytes: number
}

const done = { ok: true, value: undefined } as const

/** Files by name: those that can be read now, and those that would survive a crash. */
class MemoryFiles {
  #names = new Map<string, Inode>()
  #durable = new Map<string, Inode>()

  usedBytes(): number {
    return [...this.#names.values()].reduce((sum, { bytes }) => sum + bytes.byteLength, 0)
  }

  find(name: string): Inode | undefined {
    return this.#names.get(name)
  }

  syncedContent(name: string): Buffer | undefined {
    const inode = this.#durable.get(name)
    return inode?.bytes.subarray(0, inode.syncedBytes)
  }

  create(name: string): Inode {
    const inode = { bytes: Buffer.alloc(0), syncedBytes: 0 }
    this.#names.set(name, inode)
    return inode
  }

  write(name: string, bytes: Uint8Array): void {
    const inode = { bytes: Buffer.from(bytes), syncedBytes: bytes.byteLength }
    this.#names.set(name, inode)
    this.#durable.set(name, inode)
  }

  rename(from: string, to: string): boolean {
    const inode = this.#names.get(from)
    if (!inode) return false
    this.#names.delete(from)
    this.#names.set(to, inode)
    return true
  }

  remove(name: string): void {
    this.#names.delete(name)
  }

  sync(): void {
    this.#durable = new Map(this.#names)
  }

  crash(tornBytes = 0): void {
    this.#names = new Map(this.#durable)
    for (const inode of this.#names.values()) {
      inode.bytes = inode.bytes.subarray(0, inode.syncedBytes + tornBytes)
      inode.syncedBytes = inode.bytes.byteLength
    }
  }
}

export function memoryDisk(): MemoryDisk {
  const files = new MemoryFiles()

  /** Runs the operation, unless it must fail. */
  async function run<T>(operation: DiskOperation, name: string, work: () => Done<T>): Promise<Done<T>> {
    const code = disk.fault(operation, name)
    return code === undefined ? work() : { ok: false, code }
  }

  function succeed(operation: DiskOperation, name: string, work: () => void): Promise<Done> {
    return run(operation, name, () => {
      work()
      return done
    })
  }

  function opened(name: string, inode: Inode): OpenFile {
    return {
      append: bytes =>
        run('append', name, () => {
          const free = Math.max(0, disk.capacityBytes - files.usedBytes())
          inode.bytes = Buffer.concat([inode.bytes, bytes.subarray(0, free)])
          return free < bytes.byteLength ? { ok: false, code: 'ENOSPC' } : done
        }),
      sync: () =>
        succeed('sync', name, () => {
          inode.syncedBytes = inode.bytes.byteLength
        }),
      async close() {},
    }
  }

  const missing = { ok: false, code: 'ENOENT' } as const
  const disk: MemoryDisk = {
    place: 'memory',
    fault: () => undefined,
    capacityBytes: 64 * 1024 * 1024,
    usedBytes: () => files.usedBytes(),
    content: name => files.find(name)?.bytes,
    syncedContent: name => files.syncedContent(name),
    write: (name, bytes) => files.write(name, bytes),
    crash: tornBytes => files.crash(tornBytes),
    size: name => run('size', name, () => ({ ok: true, value: files.find(name)?.bytes.byteLength })),
    read: name =>
      run('read', name, () => {
        const inode = files.find(name)
        return inode ? { ok: true, value: inode.bytes } : missing
      }),
    open: name => run('open', name, () => ({ ok: true, value: opened(name, files.create(name)) })),
    rename: (from, to) => run('rename', from, () => (files.rename(from, to) ? done : missing)),
    remove: name => succeed('remove', name, () => files.remove(name)),
    syncFolder: () => succeed('syncFolder', '', () => files.sync()),
  }
  return disk
}
