// Mails as files: where they go while no SMTP server is configured.

import { mkdir, open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Mailbox, Transport } from './message.ts'
import { writeMime } from './smtp.ts'

/**
 * Writes each message as `<mailId>.eml` into `folder`, readable by its owner only since it holds a link; most mail
 * programs open such a file. A file is whole from the moment it has its name.
 */
export function folderTransport(folder: string, from: Mailbox): Transport {
  return {
    where: folder,
    async send(message) {
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 })
        const file = join(folder, `${message.mailId}.eml`)
        const draft = await open(`${file}.draft`, 'w', 0o600)
        try {
          await draft.writeFile(await writeMime(message, from))
          await draft.sync()
        } finally {
          await draft.close()
        }
        await rename(`${file}.draft`, file)
        return { outcome: 'sent' }
      } catch (error) {
        const why = error instanceof Error && 'code' in error ? String(error.code) : 'a bug'
        return { outcome: 'failed', isForAll: true, why: `the file cannot be written: ${why}` }
      }
    },
  }
}
