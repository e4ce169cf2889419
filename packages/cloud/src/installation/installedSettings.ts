// The environment of a command of an installed cloud: the variables in its file of settings, which root and its user may read.

import { readFileSync } from 'node:fs'
import { codeOf } from '../backup/operatorFiles.ts'
import { readSettings } from './settingsFile.ts'

type Environment = Readonly<Record<string, string | undefined>>

export type InstalledSettings =
  | { readonly ok: true; readonly environment: Environment }
  /** The exit code is one of sysexits(3). */
  | { readonly ok: false; readonly message: string; readonly exitCode: number }

const onlyPrints = (args: readonly string[]) =>
  args.length === 0 ||
  ['help', '--version'].includes(args[0] ?? '') ||
  args.some(arg => arg === '-h' || arg === '--help')

/** `setup` writes them, and `broker setup` makes accounts that it then takes over. */
const needsNone = ([first, second]: readonly string[]) =>
  first === 'setup' || (first === 'broker' && second === 'setup')

/**
 * The environment with the variables of the file that CALLGATE_SETTINGS names, as systemd sets them for the service. Without that
 * variable, as in a checkout, there is no such file.
 */
export function installedSettings(environment: Environment, args: readonly string[]): InstalledSettings {
  const file = environment['CALLGATE_SETTINGS']
  if (!file) return { ok: true, environment }
  let text = ''
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const isMissing = codeOf(error) === 'ENOENT'
    if (onlyPrints(args) || (isMissing && needsNone(args))) return { ok: true, environment }
    return isMissing
      ? { ok: false, message: `There is no ${file} yet: "callgate setup" makes it.`, exitCode: 78 }
      : {
          ok: false,
          message: `${file} cannot be read (${codeOf(error)}): run this command as root.`,
          exitCode: 77,
        }
  }
  const read = readSettings(text)
  if (read.ok) return { ok: true, environment: { ...environment, ...read.variables } }
  return { ok: false, message: `${file}, ${read.message}.`, exitCode: 78 }
}
