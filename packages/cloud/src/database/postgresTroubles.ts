// The faults of a Postgres server, in words for the operator.

import { adviceOnData } from './databaseCodes.ts'
import type { DatabaseTrouble } from './databaseError.ts'

/** Advice for each trouble; each gets the name of the database, without a password. */
export const postgresAdvice: Readonly<Record<DatabaseTrouble, (name: string) => string>> = {
  busy: name =>
    `The database ${name} is locked by another program, or has too many connections. Try again in a moment.`,
  full: name => `The disk of the database ${name} is full. Free some space on its server.`,
  not_writable: name =>
    `The database ${name} cannot be written: it is a standby, is set to read only, or the user may not change its tables.`,
  ...adviceOnData,
  missing: name =>
    `There is no database ${name}. Make it: create database NAME template template0 encoding 'UTF8' locale 'C'.`,
  refused: name =>
    `The server of ${name} refuses the user, the password or the kind of connection in DATABASE_URL. Check them, and pg_hba.conf.`,
  untrusted: name =>
    `The certificate of the server of ${name} is not trusted. It must be valid today, for the host in DATABASE_URL, and of a public authority or of that in the PEM file which &sslrootcert=FILE names there.`,
  unreachable: name =>
    `The server of ${name} does not answer, or ended the connection. Check the host and the port in DATABASE_URL, and that it runs.`,
  unsupported: name =>
    `The database ${name} cannot be used. DATABASE_URL must be postgres://USER:PASSWORD@HOST:5432/NAME.`,
  // SQLite files only.
  a_folder: name => `${name} is no database.`,
  not_a_database: name => `${name} is no database.`,
  half_restored: name => `The database ${name} is restored in part only.`,
}

/** The oldest version that is tested: the queries depend on its vacuum and its query plans. */
const oldestVersion = 140_000

export interface ServerFacts {
  /** The number of `server_version_num`: 180004 is 18.4. */
  readonly version: number
  readonly encoding: string
  readonly collation: string
  /** `c`: of the system, `i`: of ICU, `b`: of Postgres; undefined in old versions, whose default was always the system's. */
  readonly provider: string | null
}

/**
 * Why a database cannot be used; undefined where it can. Texts must be sorted by their bytes, as on SQLite. Otherwise pages of
 * lists would skip rows, and an update of the system could damage indexes.
 */
export function unsuitable(
  name: string,
  { collation, encoding, provider, version }: ServerFacts,
): string | undefined {
  const remade = `Make another one: create database NAME template template0 encoding 'UTF8' locale 'C'.`
  if (version < oldestVersion)
    return `The server of ${name} is Postgres ${Math.floor(version / 10_000)}; Callgate needs 14 or newer. Update it: pg_upgrade, or pg_dump into a newer one.`
  if (encoding !== 'UTF8')
    return `The database ${name} has the encoding ${encoding}, and must have UTF8. ${remade}`
  if (provider === 'i' || !/^(C|POSIX|C\.UTF-?8)$/i.test(collation))
    return `The database ${name} sorts texts by the rules of ${collation}${provider === 'i' ? ' of ICU' : ''}, and must sort them by their bytes (locale C). ${remade}`
  return undefined
}
