// The simulated disk of the seeded house: files in memory, at once and without faults.

import type { JournalDisk } from '@callgate/gateway/journalDisk'

export function simulatedDisk(): JournalDisk {
  const files = new Map<string, Buffer>()
  const done = async () => ({ ok: true, value: undefined }) as const
  return {
    place: 'the simulated disk',
    size: async name => ({ ok: true, value: files.get(name)?.length }),
    read: async name => ({ ok: true, value: files.get(name) ?? Buffer.alloc(0) }),
    async open(name, how) {
      if (how === 'anew' || !files.has(name)) files.set(name, Buffer.alloc(0))
      const append = async (bytes: Uint8Array) => {
        files.set(name, Buffer.concat([files.get(name) ?? Buffer.alloc(0), bytes]))
        return { ok: true, value: undefined } as const
      }
      return { ok: true, value: { append, sync: done, close: async () => {} } }
    },
    async rename(from, to) {
      files.set(to, files.get(from) ?? Buffer.alloc(0))
      files.delete(from)
      return done()
    },
    async remove(name) {
      files.delete(name)
      return done()
    },
    syncFolder: done,
  }
}
