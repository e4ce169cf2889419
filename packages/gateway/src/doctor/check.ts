// One check of the doctor: the thing that was checked, the finding, and the advice.

/** `unknown`: it cannot be checked now. */
export type CheckState = 'ok' | 'warn' | 'fail' | 'unknown'

/** The result of a check. */
export interface Found {
  readonly state: CheckState
  /** A sentence without its full stop, and without a secret. */
  readonly says: string
  /** What to do; undefined where nothing needs to be done. */
  readonly advice?: string
}

export interface Check extends Found {
  readonly name: string
}

export const ok = (says: string): Found => ({ state: 'ok', says })
export const warn = (says: string, advice: string): Found => ({ state: 'warn', says, advice })
export const fail = (says: string, advice: string): Found => ({ state: 'fail', says, advice })
export const unknown = (says: string, advice?: string): Found => ({
  state: 'unknown',
  says,
  ...(advice !== undefined && { advice }),
})

export const named = (name: string, found: Found): Check => ({ name, ...found })
