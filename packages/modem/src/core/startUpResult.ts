// The result of a start-up: the modem's identity, or why it could not be set up.

import type { Lack, UnfitTrouble } from './lacks.ts'

export interface Identity {
  readonly modemId: string | null
  readonly model: string | null
  readonly firmware: string | null
  /** Whether gates see our number: always, only when the dial string asks for it, or never. */
  readonly callerId: 'shown' | 'onRequest' | 'never'
  /** Rows of the list of calls that no hang-up ends, so they are no calls. */
  readonly leftovers: readonly number[]
  /** What this modem cannot do; it works without. */
  readonly lacks: readonly Lack[]
}

export type SimTrouble =
  | 'sim_missing'
  | 'pin_missing'
  | 'pin_refused'
  /** Fewer than two tries are left, or the modem does not say how many. */
  | 'pin_tries'
  | 'sim_puk'
  | 'sim_failure'

export type StartUp =
  | { readonly ok: true; readonly identity: Identity }
  /** `silent`: nothing answers; `stuck`: something answers, but not as it must. */
  | { readonly ok: false; readonly why: 'silent' | 'stuck'; readonly detail: string }
  /** The SIM card cannot be used. */
  | { readonly ok: false; readonly why: 'sim'; readonly trouble: SimTrouble; readonly detail: string }
  /** The modem lacks a command without which no call could be followed. */
  | {
      readonly ok: false
      readonly why: 'unfit'
      readonly trouble: UnfitTrouble
      readonly detail: string
      readonly identity: Identity
    }
