// The version in the forms of package managers, and the commit of the sources.

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { version } from '../packages/world/src/version.ts'

const git = async (top: string, args: readonly string[]) =>
  (await promisify(execFile)('git', args, { cwd: top })).stdout.trim()

/**
 * The first 12 digits of the commit of the sources in `top`, with `-dirty` where tracked files were changed after it. `unknown`
 * where the folder is no checkout, or where there is no git.
 */
export async function commitOf(top: string): Promise<string> {
  // Git would look in the folders above as well.
  if (!existsSync(join(top, '.git'))) return 'unknown'
  try {
    const commit = await git(top, ['rev-parse', 'HEAD'])
    const changes = await git(top, ['status', '--porcelain', '--untracked-files=no'])
    return `${commit.slice(0, 12)}${changes === '' ? '' : '-dirty'}`
  } catch {
    return 'unknown'
  }
}

/** Whether the version is a release candidate, which comes before its version. */
export const isCandidate = version.includes('-')

/** The version of Debian packages. Their `~` sorts before the end of a text, so 1.0.0~rc.1 is older than 1.0.0, deb-version(7). */
export const debianVersion = version.replace('-', '~')

/** The version of the Python package: https://peps.python.org/pep-0440/ has no full stop in 1.0.0rc1. */
export const pythonVersion = version.replace(/-rc\./, 'rc')
