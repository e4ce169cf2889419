// The files of a first boot: opened by root for the daemon's user, who could not open them.

import { constants } from 'node:fs'
import { type FileHandle, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Checked } from '@callgate/contract/validate'
import { systemCode } from '../journalDisk.ts'
import { blankFor, type SecretPlace } from './firstBootFile.ts'

/** A longer file is not one of a first boot. Bytes. */
const mostBytes = 32 * 1024
/** The longest result that is shown, which is a few sentences. Characters. */
const mostShown = 2_000

/** The open files, until `close`. */
export interface BootPartition {
  /** Where the file is, for messages. */
  readonly file: string
  /** A refusal: the file is no text of a first boot. */
  readonly text: Checked<string>
  /** Overwrites the line of a secret with a comment. The change survives a power cut once this resolves. */
  overwrite(place: SecretPlace): Promise<void>
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

/** In another encoding the places of the secrets would be other ones. A byte order mark is kept, as it counts for these. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

async function readText(handle: FileHandle): Promise<Checked<string>> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(mostBytes + 1), 0, mostBytes + 1, 0)
  if (bytesRead > mostBytes) return { ok: false, message: 'The file is too long.' }
  const notUtf8 = 'The file has another encoding than UTF-8: choose UTF-8 where the editor saves it.'
  try {
    const text = utf8.decode(buffer.subarray(0, bytesRead))
    return text.includes('\0') ? { ok: false, message: notUtf8 } : { ok: true, value: text }
  } catch {
    return { ok: false, message: notUtf8 }
  }
}

/** What an earlier step has said of the network; nothing where there was none. */
async function saidBefore(path: string | undefined): Promise<string> {
  return path === undefined ? '' : readFile(path, 'utf8').catch(() => '')
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
 * is no callgate-gateway.yaml. Rejects with the system's error. `said`: a file whose text stands before each that is shown.
 */
export async function openBootPartition({
  console: consolePath,
  folder,
  said: before,
}: {
  readonly folder: string
  readonly console: string
  readonly said?: string
}): Promise<BootPartition | undefined> {
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
  const first = await saidBefore(before)
  let shown = Promise.resolve()
  return {
    file,
    text,
    async overwrite(place) {
      await card.write(Buffer.from(blankFor(place)), 0, place.bytes, place.at)
      await card.sync()
    },
    show(said) {
      // A full or worn-out card does not stop the enrolment.
      shown = shown.then(() => showAt(result, screen, first + said)).catch(() => {})
      return shown
    },
    async close() {
      await shown
      await Promise.all([card.close(), result.close(), screen?.close()])
    },
  }
}
