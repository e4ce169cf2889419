// The data folder: its files, which only their owner can read, and the lock that keeps a second demo out.

import { createHash } from 'node:crypto'
import { mkdir, open, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseJson } from './json.ts'
import { done, failed, messageOf, type Result } from './result.ts'

/** Writes `value` as JSON, whole or not at all; only the owner can read the file. */
export async function writePrivately(path: string, value: unknown): Promise<void> {
  const fresh = `${path}.new`
  await rm(fresh, { force: true })
  const file = await open(fresh, 'wx', 0o600)
  try {
    await file.writeFile(`${JSON.stringify(value, null, 2)}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(fresh, path)
}

/** The content of a JSON file; undefined where there is no file, or it is not JSON. */
export async function readJson(path: string): Promise<unknown> {
  return parseJson(await readFile(path, 'utf8').catch(() => ''))
}

/**
 * Makes the folder and the folders in it, for their owner only. A new folder tells git to ignore it: in a checkout, its keys must
 * not be committed, and the formatter must not check its JSON files.
 */
export async function makeFolders(folder: string, within: readonly string[]): Promise<Result<string>> {
  try {
    const made = await mkdir(folder, { recursive: true, mode: 0o700 })
    if (made !== undefined) await writeFile(join(folder, '.gitignore'), '*\n')
    for (const name of within) await mkdir(join(folder, name), { recursive: true, mode: 0o700 })
    return done(await realpath(folder))
  } catch (error) {
    return failed(
      `The data folder cannot be used: ${messageOf(error)}. Set CALLGATE_DATA to a folder that you may write.`,
    )
  }
}

export interface FolderLock {
  release(): Promise<void>
}

function listen(server: Server, path: string): Promise<string | undefined> {
  return new Promise(resolve => {
    const refuse = (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message)
    server.once('error', refuse)
    server.listen(path, () => {
      server.off('error', refuse)
      resolve(undefined)
    })
  })
}

/** Whether someone answers on a socket. */
function answers(path: string): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

/**
 * Locks the folder for this process. The lock is a listening socket, so that it ends with its process. It is in the
 * system's temporary folder, because the path of a socket is limited to about 100 bytes.
 */
export async function lockFolder(folder: string): Promise<Result<FolderLock>> {
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 16)
  const path = join(tmpdir(), `callgate-demo-${name}.sock`)
  const server = createServer(socket => socket.destroy())
  let refused = await listen(server, path)
  if (refused === 'EADDRINUSE') {
    if (await answers(path))
      return failed(
        `A demo already runs on ${folder}. Stop it (Ctrl-C where it runs), or give this one a folder of its own: ` +
          `CALLGATE_DATA=${join(dirname(folder), 'another')} pnpm start`,
      )
    await rm(path, { force: true })
    refused = await listen(server, path)
  }
  if (refused !== undefined)
    return failed(`The lock of the data folder, ${path}, cannot be taken: ${refused}.`)
  server.unref()
  return done({
    release: () => new Promise(resolve => server.close(() => resolve())),
  })
}
