// The modem's events and effects: what can happen to the modem, and what the driver has to do then.

import type { OpenFailure } from '../byteLine.ts'
import type { LossWhy } from './callFacts.ts'
import type { Urc } from './lines.ts'
import type { Health, ModemState } from './modemState.ts'
import type { Identity, StartUp } from './startUpResult.ts'

interface EventFields {
  portFailed: { readonly code: OpenFailure }
  /** `isLineBreak`: the line carried nothing but zeros. */
  portClosed: { readonly isLineBreak: boolean }
  /** Only a restart can help. Where the modem was silent, the restart becomes due; an unplugged modem needs none. */
  restartChosen: object
  /** A hook outside of this program was run on the modem's wires; the modem restarts where it worked. */
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
  /** A question about health was asked; that is once a second while the modem is free. */
  probed: object
  /** The modem answers no question any more. */
  fellSilent: object
  urc: { readonly urc: Urc }
  reserved: { readonly reservation: number }
  /** Ends the reservation of this number; a later one stays. */
  released: { readonly reservation: number }
  /** ATD was written, whole or in part. */
  callBegan: object
  /** The call found that the modem had restarted without a report. */
  settingsLost: object
  /** The modem must be restarted before another byte is written, because it may still carry out an ATD. */
  restartNeeded: object
  /**
   * `isWhole`: both signs of the end came, so none can come late. `hasSupplyHeld`: no brownout in the call. `lowestMv`: the
   * lowest supply voltage in it; null where it was not measured.
   */
  callEnded: {
    readonly isWhole: boolean
    readonly hasSupplyHeld: boolean
    readonly lowestMv: number | null
  }
  /** A call to this modem was refused. */
  incomingRefused: object
  close: object
}

export type ModemEventType = keyof EventFields
export type ModemEvent<Type extends ModemEventType = ModemEventType> = {
  [T in Type]: { readonly type: T } & EventFields[T]
}[Type]

export type ModemEffect =
  /** Tells the running call that the modem went away from it. */
  | { readonly type: 'loseCall'; readonly why: LossWhy }
  /** Refuses the call to this modem. */
  | { readonly type: 'refuseIncoming' }
  | { readonly type: 'warn'; readonly message: string; readonly fields?: Readonly<Record<string, string>> }

export interface ModemStep {
  readonly state: ModemState
  readonly effects: readonly ModemEffect[]
}
