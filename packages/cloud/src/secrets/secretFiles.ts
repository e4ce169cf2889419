// Secrets from files: a variable with a password can be read from the file that `<variable>_FILE` names.

import { readFileSync, statSync } from 'node:fs'

/** The variables whose value may hold a password. */
export const secretVariables = ['DATABASE_URL', 'MQTT_URL', 'MQTT_ADMIN_URL', 'SMTP_URL'] as const

/** The variables that name files of keys: see `keyring.ts`. */
const keyVariables = ['SIGNING_KEY_FILE', 'SEALING_KEYS_FILE'] as const

/** An address is far shorter, so a larger file is a wrong one. */
const mostBytes = 16 * 1024

type Variables = Readonly<Record<string, string | undefined>>

export type ReadSecrets =
  | {
      readonly ok: true
      /** The values in the files, by variable. */
      readonly values: Readonly<Record<string, string>>
      /** Warnings on unsafe files, for the operator. */
      readonly complaints: readonly string[]
    }
  /** Names the variable and the file, and never the file's content. */
  | { readonly ok: false; readonly message: string }

const whyOf = (error: unknown) => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOENT') return 'there is no such file'
  if (code === 'EACCES') return 'this user may not read it'
  if (code === 'EISDIR') return 'it is a folder'
  return String(code ?? error)
}

/** A warning on a file that every user of the machine can read; undefined where it is fine, or there is no file. */
function openToOthers(variable: string, path: string): string | undefined {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0
  if ((mode & 0o004) === 0) return undefined
  return `${variable}: every user of this machine can read ${path}. Take that right away: chmod o-r ${path}`
}

/** The value in one file, without its last line break. */
function readOne(name: string, path: string): { value: string; complaint: string | undefined } | string {
  const wrong = (why: string) => `${name} names ${path}, but ${why}`
  try {
    const { size } = statSync(path)
    if (size > mostBytes) return wrong(`it has ${size} bytes: it is no file of an address`)
    const value = readFileSync(path, 'utf8').trim()
    if (value === '') return wrong('the file is empty')
    if (/[\r\n]/.test(value)) return wrong('it has more than one line: it must hold the value alone')
    return { value, complaint: openToOthers(name, path) }
  } catch (error) {
    return wrong(whyOf(error))
  }
}

/** Reads the files that the environment names instead of values. */
export function readSecretFiles(environment: Variables): ReadSecrets {
  const values: Record<string, string> = {}
  const complaints: string[] = []
  for (const variable of secretVariables) {
    const name = `${variable}_FILE`
    const path = environment[name]?.trim()
    if (!path) continue
    if (environment[variable]?.trim())
      return { ok: false, message: `${variable} and ${name} are both set: set one of them` }
    const read = readOne(name, path)
    if (typeof read === 'string') return { ok: false, message: read }
    values[variable] = read.value
    if (read.complaint !== undefined) complaints.push(read.complaint)
  }
  for (const name of keyVariables) {
    const path = environment[name]?.trim()
    const complaint = path ? openToOthers(name, path) : undefined
    if (complaint !== undefined) complaints.push(complaint)
  }
  return { ok: true, values, complaints }
}
