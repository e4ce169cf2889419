// The meaning of the error codes of the driver and the system, with advice to the operator.

import { join } from 'node:path'
import type { DatabaseTrouble } from './databaseError.ts'

// The codes of Postgres are those of its manual's appendix "PostgreSQL Error Codes".
const troubleByCode: readonly (readonly [RegExp, DatabaseTrouble])[] = [
  [/^(SQLITE_(BUSY|LOCKED)|55P03$|40P01$|40001$|57014$|53[023]00$)/, 'busy'],
  [/^(SQLITE_FULL|ENOSPC|EDQUOT|53100$)/, 'full'],
  [
    /^(SQLITE_(READONLY|CANTOPEN|PERM|AUTH)|EACCES|EPERM|EROFS|EISDIR|ENOTDIR|ENOENT|EEXIST|ENOTEMPTY)/,
    'not_writable',
  ],
  [/^(25006|42501)$/, 'not_writable'],
  [/^SQLITE_NOTADB/, 'not_a_database'],
  [/^(SQLITE_(CORRUPT|IOERR)|XX00[12]$|58030$)/, 'damaged'],
  [/^(08...|57P0[1-5]|25P0[34]|ECONN.*|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_AGAIN|EHOST.*|ENET.*)$/, 'unreachable'],
  [/^28(P01|000)$/, 'refused'],
  [/^3D000$/, 'missing'],
  // Codes of Node and OpenSSL about the certificate of a server.
  [
    /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(GET_ISSUER_CERT|VERIFY_LEAF_SIGNATURE)|ERR_TLS_CERT_ALTNAME_INVALID|CERT_(HAS_EXPIRED|NOT_YET_VALID)$)/,
    'untrusted',
  ],
  [/^ERR_INVALID_URL$/, 'unsupported'],
]

/** The code of the driver or the system; an empty text where there is none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/** The words of the Postgres driver, without a code, for a lost connection or an answer that did not come in time. */
const lostWords =
  /(^| - )(Connection terminated|Client has encountered a connection error|Query read timeout|timeout e|The server does not support SSL)/

/** How a trigger refuses a write to a file whose data was moved. */
export const movedWords = 'the data was moved'

/** The trouble that an error means; undefined when it is a bug. */
export function troubleOf(error: unknown): DatabaseTrouble | undefined {
  if (!(error instanceof Error)) return undefined
  if (error.message.endsWith(movedWords)) return 'moved'
  // Tested before the code, because a missing socket has the code of a missing file.
  if ('syscall' in error && /^(connect|getaddrinfo)$/.test(String(error.syscall))) return 'unreachable'
  const code = codeOf(error)
  if (code === '') return lostWords.test(error.message) ? 'unreachable' : undefined
  return troubleByCode.find(([pattern]) => pattern.test(code))?.[1]
}

/** Advice about existing data, for both products. Each gets the name of the database. */
export const adviceOnData = {
  damaged: (name: string) => `The database ${name} is damaged or its disk fails. Restore it from a backup.`,
  too_new: (name: string) =>
    `The database ${name} was made by a newer version of Callgate. Run that version, or restore a backup.`,
  moved: (name: string) =>
    `The data of ${name} was moved to another database, or a move into it is not finished. "callgate doctor" says more.`,
  too_old: (name: string) =>
    `The database ${name} does not have the tables of this version of Callgate yet. "callgate migrate" makes them.`,
} as const satisfies Partial<Record<DatabaseTrouble, (name: string) => string>>

/** Advice for each trouble. Each gets the file, or another name of the database. */
export const advice: Readonly<Record<DatabaseTrouble, (file: string) => string>> = {
  busy: file => `The database ${file} is locked by another program. Stop that one, or try again in a moment.`,
  full: file => `The disk that holds the database ${file} is full. Free some space and start again.`,
  not_writable: file =>
    `The database ${file} cannot be opened for writing. Check the path in DATABASE_URL and who owns the file and its folder.`,
  a_folder: file =>
    `DATABASE_URL names ${file}, which is a folder. Give the path of a file, such as ${join(file, 'callgate.sqlite')}.`,
  not_a_database: file => `The file ${file} is not a SQLite database. Point DATABASE_URL at another path.`,
  ...adviceOnData,
  half_restored: file =>
    `A restore of ${file} was interrupted: its data and its keys may not belong together. Run "callgate restore" again, with --replace.`,
  missing: file => `There is no database ${file}. Check CALLGATE_DATA and DATABASE_URL.`,
  unsupported: scheme =>
    `DATABASE_URL begins with ${scheme}: give the path of a SQLite file, or postgres://USER:PASSWORD@HOST:5432/NAME.`,
  unreachable: file => `The database ${file} cannot be reached.`,
  refused: file => `The database ${file} refuses the login.`,
  untrusted: file => `The database ${file} is not trusted.`,
}
