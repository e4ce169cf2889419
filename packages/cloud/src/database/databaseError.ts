// Errors of the database that are no bugs of the program.

/** A fault of a database that is no bug of the program. */
export type DatabaseTrouble =
  | 'busy'
  | 'full'
  | 'not_writable'
  | 'a_folder'
  | 'not_a_database'
  | 'damaged'
  | 'too_new'
  | 'too_old'
  | 'missing'
  | 'half_restored'
  /** It was moved to another database, or a move into it is not finished. */
  | 'moved'
  | 'unsupported'
  /** The server does not answer; it refuses the login; its certificate is not trusted. */
  | 'unreachable'
  | 'refused'
  | 'untrusted'

/** Why the database could not be opened or migrated; the message says what to do. */
export class DatabaseError extends Error {
  readonly trouble: DatabaseTrouble
  constructor(trouble: DatabaseTrouble, message: string) {
    super(message)
    this.trouble = trouble
  }
}

export const waitedTooLong = () =>
  new DatabaseError('busy', 'Other changes of the database take too long. Try again in a moment.')
