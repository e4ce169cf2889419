// An opener to which tests pass events, and the events that move it to its next phase.

import { callProfile } from '@callgate/contract/call/callProfile'
import { stepOpener } from './opener.ts'
import { type Effect, type OpenerEvent, type OpenerState, openerState } from './openerState.ts'

export const boot = 'B'.repeat(22)
const profile = callProfile({ mode: 'reject' })
export const granted = { granted: true, phoneNumber: '+40722123456', callProfile: profile } as const
export const at = (ms: number, sinceBootMs = ms) => ({ monotonicMs: ms, sinceBootMs })
export const nonceOf = (index: number) => String(index).padStart(22, 'N')

/** Passes events to an opener one by one; `all` lists its effects. */
export function told(state: OpenerState = openerState(boot, [])) {
  const all: Effect[] = []
  return {
    all,
    state: () => state,
    tell(ms: number, event: OpenerEvent, sinceBootMs = ms): string[] {
      const taken = stepOpener(state, event, at(ms, sinceBootMs))
      state = taken.state
      all.push(...taken.effects)
      return taken.effects.map(effect =>
        effect.type === 'report' ? `report ${effect.report.phase}` : effect.type,
      )
    },
  }
}

export function grantFor(openingId: string, nonce: string, grant: OpenerEvent<'grant'>['grant'] = granted) {
  return { type: 'grant', openingId, nonce, bootId: boot, grant } as const
}

/** Brings an opener to the outstanding claim for opening `a` with nonce `n`, first sent at 0. */
export function claimed() {
  const opener = told()
  opener.tell(0, { type: 'hint', openingId: 'a' })
  opener.tell(0, { type: 'reserved', nonce: 'n' })
  return opener
}

/** Stands for the event that moves the work to its next phase. */
export const forward = 'forward'

export function forwardEvent({ work }: OpenerState): OpenerEvent {
  if (work.phase === 'reserving') return { type: 'reserved', nonce: '' }
  if (work.phase === 'claiming') return grantFor(work.claim.openingId, work.claim.nonce)
  if (work.phase === 'intending') return { type: 'intentKept', openingId: work.claim.openingId }
  if (work.phase === 'calling') return { type: 'callEnded', result: { dialled: false, why: 'stale' } }
  return { type: 'hint', openingId: 'a' }
}
