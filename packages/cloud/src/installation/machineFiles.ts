// The files of an installed cloud: its settings and what lies beside them, for root and the cloud's user; and its keys.

import {
  access,
  chmod,
  chown,
  constants,
  mkdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { codeOf, type OperatorFiles } from '../backup/operatorFiles.ts'

/** Where an installed cloud has its files. */
export interface MachinePlaces {
  /** The file of settings, such as /etc/callgate/cloud.env. */
  readonly settings: string
  /** The folder for the files beside them, such as /etc/callgate/cloud. */
  readonly folder: string
  readonly dataFolder: string
}

/** The text of the file of settings; empty where there is none yet. Undefined where the caller could not write it. */
export const settingsText = (
  files: OperatorFiles,
  { settings }: MachinePlaces,
): Promise<string | undefined> =>
  files.at(settings, async () => {
    try {
      const folder = dirname(settings)
      const isThere = await access(folder).then(
        () => true,
        () => false,
      )
      if (isThere) await access(folder, constants.W_OK)
      return await readFile(settings, 'utf8')
    } catch (error) {
      return codeOf(error) === 'ENOENT' ? '' : undefined
    }
  })

/** Writes a file in one step. Where root writes, it is root's, and the cloud's group reads it, whatever the umask is. */
async function writeShared(path: string, text: string, gid: number | undefined): Promise<void> {
  const draft = `${path}.new`
  await rm(draft, { force: true })
  await writeFile(draft, text, { mode: gid === undefined ? 0o600 : 0o640, flag: 'wx' })
  if (gid !== undefined) {
    await chown(draft, 0, gid)
    await chmod(draft, 0o640)
  }
  await rename(draft, path)
}

/**
 * Writes the settings, after the files beside them. The group of the data folder is the cloud's. A text says why they cannot be
 * written.
 */
export async function writeMachine(
  files: OperatorFiles,
  { dataFolder, folder, settings }: MachinePlaces,
  content: { readonly settings: string; readonly files: Readonly<Record<string, string>> },
): Promise<string | undefined> {
  return files.at(settings, async as => {
    try {
      const gid = userInfo().uid === 0 ? (await stat(dataFolder)).gid : undefined
      await mkdir(dirname(settings), { recursive: true, mode: 0o750 })
      if (Object.keys(content.files).length > 0) {
        await mkdir(folder, { recursive: true, mode: 0o750 })
        if (gid !== undefined) await chown(folder, 0, gid)
        await chmod(folder, 0o750)
      }
      for (const [name, text] of Object.entries(content.files))
        await writeShared(join(folder, name), text, gid)
      await writeShared(settings, content.settings, gid)
      return undefined
    } catch (error) {
      return `${settings} and the files beside it cannot be written${as} (${codeOf(error)}).`
    }
  })
}

/** Whether the data folder holds no key, or these; otherwise the message says which file is in the way. */
export async function keysFault(
  dataFolder: string,
  keys: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  for (const [name, text] of Object.entries(keys)) {
    const there = await readFile(join(dataFolder, name), 'utf8').catch(() => undefined)
    if (there !== undefined && there.trim() !== text.trim())
      return `${join(dataFolder, name)} is there already, and holds another key. Where no cloud needs it any more, move it away.`
  }
  return undefined
}

/** Writes keys, for the cloud's user alone. */
export async function writeKeys(folder: string, keys: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(keys))
    await writeFile(join(folder, name), `${text.trim()}\n`, { mode: 0o600 })
}
