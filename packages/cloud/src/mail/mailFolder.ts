// Mails as files: how they are written while no SMTP server is configured, and when they are removed.

import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { World } from '@callgate/world/world'
import type { Mailbox, Transport } from './message.ts'
import { writeMime } from './smtp.ts'

/** The folder of the files. */
export const mailFolderIn = (dataFolder: string) => join(dataFolder, 'mails')

/** How long a file is kept: as long as the record of a sent mail. Milliseconds. */
export const fileKeptMs = 30 * 24 * 60 * 60 * 1000

/** The files of mails. Each may contain a link that opens gates. */
export interface MailFiles {
  /** Removes the files of these mails. */
  remove(mailIds: readonly string[]): Promise<void>
  /** Removes the files that were written 30 days ago. */
  removeOld(): Promise<void>
}

export function mailFiles(folder: string, world: Pick<World, 'nowMs'>): MailFiles {
  const removeFile = (name: string) => rm(join(folder, name), { force: true })
  return {
    async remove(mailIds) {
      for (const mailId of mailIds) for (const end of ['', '.draft']) await removeFile(`${mailId}.eml${end}`)
    },
    async removeOld() {
      const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
        // There is no folder before the first mail.
        if (error.code === 'ENOENT') return []
        throw error
      })
      for (const name of names.filter(one => /\.eml(\.draft)?$/.test(one))) {
        // Another process may have removed it.
        const file = await stat(join(folder, name)).catch(() => undefined)
        if (file && file.mtimeMs <= world.nowMs() - fileKeptMs) await removeFile(name)
      }
    },
  }
}

/**
 * Writes each message as `<mailId>.eml` into `folder`. Only the owner can read it, because it contains a link; most mail programs
 * can open such a file. The file is complete once it has its name.
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
