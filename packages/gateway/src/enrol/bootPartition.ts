// The files of a first boot: opened by root for the daemon's user, who could not open them.

import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { systemCode } from '../journalDisk.ts'
import { blankFor, type CodePlace } from './firstBootFile.ts'

/** A longer file is not one of a first boot. Bytes. */
const mostBytes = 32 * 1024
/** The longest result that is shown, which is a few sentences. Characters. */
const mostShown = 2_000

/** The open files, until `close`. */
export interface BootPartition {
  /** Where the file is, for messages. */
  readonly file: string
  /** Undefined: the file is too long for a file of a first boot. */
  readonly text: string | undefined
  /** Overwrites the code with a comment. The change survives a power cut once this resolves. */
  deleteCode(place: CodePlace): Promise<void>
  /** Shows a text in callgate-gateway.txt, replacing the previous one, and on the console. Never rejects. */
  show(text: string): Promise<void>
  close(): Promise<void>
}

const { O_CREAT, O_NOCTTY, O_NOFOLLOW, O_NONBLOCK, O_RDWR, O_WRONLY } = constants

/** Opens a regular file: follows no symbolic link and waits for no pipe. Rejects with the system's error. */
async function openRegular(path: string, flags: number): Promise<FileHandle> {
  const handle = await open(path, flags | O_NOFOLLOW | O_NONBLOCK, 0o644)
  if ((await handle.stat()).isFile()) return handle
  await handle.close()
  throw Object.assign(new Error('no file'), { code: 'EINVAL', path })
}

async function openConsole(path: string): Promise<FileHandle | undefined> {
  try {
    const handle = await open(path, O_WRONLY | O_NOCTTY | O_NOFOLLOW | O_NONBLOCK)
    if ((await handle.stat()).isCharacterDevice()) return handle
    await handle.close()
  } catch (error) {
    if (systemCode(error) === undefined) throw error
  }
  return undefined
}

/** The text in printable ASCII, so that a text of a cloud or a file cannot control a console. */
export function plainly(text: string): string {
  return text.slice(0, mostShown).replace(/[^\n -~]/g, '?')
}

async function readText(handle: FileHandle): Promise<string | undefined> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(mostBytes + 1), 0, mostBytes + 1, 0)
  return bytesRead > mostBytes ? undefined : buffer.subarray(0, bytesRead).toString('utf8')
}

async function showAt(result: FileHandle, screen: FileHandle | undefined, said: string): Promise<void> {
  const text = `Callgate gateway\n${plainly(said)}\n`
  await screen?.write(`\r\n${text.replaceAll('\n', '\r\n')}`).catch(() => {})
  await result.truncate(0)
  await result.write(text, 0)
  await result.sync()
}

/**
 * Opens callgate-gateway.yaml and callgate-gateway.txt in the folder, and the console where there is one. Undefined where there
 * is no callgate-gateway.yaml. Rejects with the system's error.
 */
export async function openBootPartition(
  folder: string,
  consolePath: string,
): Promise<BootPartition | undefined> {
  const file = join(folder, 'callgate-gateway.yaml')
  const card = await openRegular(file, O_RDWR).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return undefined
    throw error
  })
  if (!card) return undefined
  const text = await readText(card)
  const result = await openRegular(join(folder, 'callgate-gateway.txt'), O_RDWR | O_CREAT).catch(
    async (error: unknown) => {
      await card.close()
      throw error
    },
  )
  const screen = await openConsole(consolePath)
  let shown = Promise.resolve()
  return {
    file,
    text,
    async deleteCode(place) {
      await card.write(Buffer.from(blankFor(place)), 0, place.bytes, place.at)
      await card.sync()
    },
    show(said) {
      // A full or worn-out card does not stop the enrolment.
      shown = shown.then(() => showAt(result, screen, said)).catch(() => {})
      return shown
    },
    async close() {
      await shown
      await Promise.all([card.close(), result.close(), screen?.close()])
    },
  }
}
