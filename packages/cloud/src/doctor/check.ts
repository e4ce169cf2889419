// One check of the doctor: its subject, its result, and advice.

/** `ok`; `warning`: it works, and should be changed; `wrong`: something does not work; `unknown`: it could not be checked now. */
export type CheckState = 'ok' | 'warning' | 'wrong' | 'unknown'

export interface Check {
  readonly name: string
  readonly state: CheckState
  /** A sentence without a secret. */
  readonly says: string
  /** The advice; undefined where nothing needs to be done. */
  readonly advice?: string
}

/** The result of a check; its name is added by the caller. */
export type Found = Omit<Check, 'name'>

export const fine = (says: string): Found => ({ state: 'ok', says })
export const unknown = (says: string, advice?: string): Found => ({
  state: 'unknown',
  says,
  ...(advice !== undefined && { advice }),
})
export const warning = (says: string, advice: string): Found => ({ state: 'warning', says, advice })
export const wrong = (says: string, advice: string): Found => ({ state: 'wrong', says, advice })

/** The code of a system's error, or its message. */
export function whyOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  const inner = cause instanceof Error ? cause : error
  return 'code' in inner && typeof inner.code === 'string' ? inner.code : inner.message
}
