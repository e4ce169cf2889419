// What stands beside the press at a gate: the remedy after its last call, or the step that a new gate still needs.

import { dashboardPaths } from '@callgate/contract/app/dashboardPaths'
import type { Remedy } from '@callgate/contract/call/reasonRow'
import { type CallingGatewayState, missesThatTell } from '@callgate/contract/rest/gateHealth'
import { hrefOf } from '../shell/navigation.ts'
import { adviceOf, pathOf } from './advice.ts'
import { claimOf } from './claims.ts'
import type { ShownFigures } from './gateCall.ts'

export type FirstAction =
  /** The message that lets the number of a gateway into the module of the gate. */
  | { readonly is: 'letIn' }
  | { readonly is: 'remedy'; readonly remedy: Remedy; readonly href: string }
  | { readonly is: 'findCause' | 'testCalls' | 'calibrateAgain'; readonly href: string }
  /** Smaller than Open, since nothing has failed: how the gate takes a call was never measured. */
  | { readonly is: 'measure'; readonly href: string }

/** Whether a module is probably still to be told the number of a gateway: it was not said, and no call has opened the gate. */
const needsNumber = ({ isNumberKnown, outcomes }: Pick<ShownFigures, 'isNumberKnown' | 'outcomes'>) =>
  !isNumberKnown && outcomes.opened + outcomes.probably === 0

interface ActionPlace {
  readonly spaceId: string
  readonly caller: CallingGatewayState
}

/** The remedy after the last opening, where there is one that an admin can do on a page of the gate or of a gateway. */
function remedyOf({ last }: ShownFigures, { caller, spaceId }: ActionPlace): FirstAction | undefined {
  const advised = last && last.seen !== 'moving' ? adviceOf(last) : undefined
  if (!last || !advised?.remedy || advised.page === 'member') return undefined
  const { remedy } = advised
  // No gateway could call then; one can now.
  if (remedy === 'gateway' && last.class === 'not_called' && caller === 'ready') return undefined
  if (remedy === 'allowNumber') return { is: 'letIn' }
  if (remedy === 'callProfile')
    return { is: 'testCalls', href: hrefOf(dashboardPaths.calibration, { spaceId, gateId: last.gateId }) }
  const href = pathOf(advised, last, spaceId)
  return href === undefined ? undefined : { is: 'remedy', remedy, href }
}

/** The action beside Open; undefined where there is none. `isPlayed`: a sandbox has no modules. */
export function firstActionOf(
  figures: ShownFigures | undefined,
  { isPlayed, ...asked }: ActionPlace & { readonly isPlayed: boolean },
): FirstAction | undefined {
  if (!figures) return undefined
  const remedy = remedyOf(figures, asked)
  if (remedy && !(isPlayed && remedy.is === 'letIn')) return remedy
  const { gateId } = figures
  const { spaceId } = asked
  if (figures.misses >= missesThatTell)
    return { is: 'findCause', href: hrefOf(dashboardPaths.gate, { spaceId, gateId }) }
  if (!isPlayed && needsNumber(figures)) return { is: 'letIn' }
  const href = hrefOf(dashboardPaths.calibration, { spaceId, gateId })
  if (figures.calibration === 'none') return { is: 'measure', href }
  return claimOf(figures, 'ready') === 'calibrate_again' ? { is: 'calibrateAgain', href } : undefined
}
