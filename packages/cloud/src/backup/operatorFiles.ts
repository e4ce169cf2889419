// The files that a command names. They are opened with the rights of the caller, even where the command itself acts as the user
// of the cloud.

import { lstat, readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

/** Root has called the command, which acts as the user of the cloud. */
export interface UserSwitch {
  /** The user of the cloud. */
  readonly service: { readonly name: string; readonly uid: number }
  /** Makes the whole process act as root, or as the user of the cloud again. */
  act(as: 'caller' | 'service'): void
}

export interface OperatorFiles {
  /**
   * Works with a file or folder that the caller has named. The whole process acts as the caller meanwhile, so nothing else may
   * run. `as` is for messages: the user whose rights counted, where that is not obvious.
   */
  at<T>(path: string, work: (as: string) => Promise<T>): Promise<T>
}

/**
 * Whether this path, or a folder above it, belongs to the user of the cloud. An attacker who has broken into the cloud could
 * redirect root there, by a link.
 */
async function isOfService(path: string, uid: number): Promise<boolean> {
  const about = await lstat(path).catch(() => undefined)
  if (about?.uid === uid) return true
  return dirname(path) !== path && (await isOfService(dirname(path), uid))
}

/** Without a switch, the command acts as its caller all the time. */
export function operatorFiles(users: UserSwitch | undefined): OperatorFiles {
  if (!users) return { at: (_path, work) => work('') }
  const { service } = users
  let now: 'caller' | 'service' = 'service'
  const act = (as: typeof now) => {
    users.act(as)
    now = as
  }
  return {
    async at(path, work) {
      const before = now
      act('caller')
      try {
        if (!(await isOfService(resolve(path), service.uid))) return await work(' as root')
        act('service')
        return await work(` as ${service.name}`)
      } finally {
        act(before)
      }
    },
  }
}

/** The code of the system's error. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error)

/** The content of a file that the caller has named; or why it cannot be read, as the end of a sentence. */
export function readNamed(files: OperatorFiles, file: string): Promise<Buffer | string> {
  return files.at(file, as =>
    readFile(file).catch((error: unknown) => `cannot be read${as} (${codeOf(error)})`),
  )
}
