// The modem's events and effects: what can happen to the modem, and what its state asks the driver to do.

import type { OpenFailure } from '../byteLine.ts'
import type { LossWhy } from './callFacts.ts'
import type { Urc } from './lines.ts'
import type { Health, ModemState } from './modemState.ts'
import type { Identity, StartUp } from './startUpResult.ts'

interface EventFields {
  portFailed: { readonly code: OpenFailure }
  /** `isLineBreak`: the line carried nothing but zeros. */
  portClosed: { readonly isLineBreak: boolean }
  /** Only a restart can help: it is owed where the modem was silent. A modem that was unplugged needs none. */
  restartChosen: object
  /** A command outside of this program worked the modem's wires; it restarts when that worked. */
  hookRan: { readonly hasWorked: boolean }
  /** The restart command is being written. */
  restartSent: object
  /** The time for a restart is over, whether the module reported it or not. */
  bootAwaited: object
  startUpBegan: object
  startUpFailed: { readonly failure: Extract<StartUp, { ok: false }>; readonly isRestartDue: boolean }
  startedUp: { readonly identity: Identity }
  /** An answer to a question about health. */
  healthRead: {
    readonly reading: Partial<Health>
    readonly isStorageFull?: boolean
    readonly isDataOnly?: boolean
    readonly hasSettings?: boolean
  }
  /** A question about health was asked, once a second while the modem is free. */
  probed: object
  /** It answers no question any more. */
  fellSilent: object
  urc: { readonly urc: Urc }
  reserved: { readonly reservation: number }
  /** Ends the reservation of this number; one that was made later stays. */
  released: { readonly reservation: number }
  /** ATD was written, whole or in part. */
  callBegan: object
  /** The call found that the modem had restarted without a report. */
  settingsLost: object
  /** The modem must be restarted before another byte is written, as it may still carry out an ATD. */
  restartNeeded: object
  /**
   * `isWhole`: both signs of its end came, so none is late. `hasSupplyHeld`: it got through without a brownout. `lowestMv`: the
   * lowest supply voltage in it; null where it was not measured.
   */
  callEnded: {
    readonly isWhole: boolean
    readonly hasSupplyHeld: boolean
    readonly lowestMv: number | null
  }
  /** A call to this modem was turned away. */
  incomingRefused: object
  close: object
}

export type ModemEventType = keyof EventFields
export type ModemEvent<Type extends ModemEventType = ModemEventType> = {
  [T in Type]: { readonly type: T } & EventFields[T]
}[Type]

export type ModemEffect =
  /** The running call learns that the modem went away from it. */
  | { readonly type: 'loseCall'; readonly why: LossWhy }
  /** Turn away the caller who rings this modem. */
  | { readonly type: 'refuseIncoming' }
  | { readonly type: 'warn'; readonly message: string; readonly fields?: Readonly<Record<string, string>> }

export interface ModemStep {
  readonly state: ModemState
  readonly effects: readonly ModemEffect[]
}
