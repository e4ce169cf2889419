// Expected failures as values, each with a sentence for the person who typed the command.

export interface Failure {
  readonly ok: false
  readonly message: string
}

export type Result<T> = { readonly ok: true; readonly value: T } | Failure

export function done<T>(value: T): Result<T> {
  return { ok: true, value }
}

export function failed(message: string): Failure {
  return { ok: false, message }
}

/** The text of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
