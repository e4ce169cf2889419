// The search for members, stored in the address so that a reload or a link shows the same.

import { useSearchParams } from 'wouter'
import { type MemberState, memberStates } from './memberStates.ts'

export interface Sought {
  readonly text: string
  /** Empty: any gate. */
  readonly gateId: string
  readonly state: MemberState
}

export interface MemberSearch extends Sought {
  change(sought: Partial<Sought>): void
}

const isState = (value: string | null): value is MemberState => memberStates.includes(value as MemberState)

export function useMemberSearch(): MemberSearch {
  const [params, setParams] = useSearchParams()
  const state = params.get('state')
  const now: Sought = {
    text: params.get('search') ?? '',
    gateId: params.get('gate') ?? '',
    state: isState(state) ? state : 'current',
  }
  return {
    ...now,
    change(sought) {
      const { gateId, state: standing, text } = { ...now, ...sought }
      const given = { search: text, gate: gateId, state: standing === 'current' ? '' : standing }
      setParams(
        Object.entries(given).filter(([, value]) => value !== ''),
        { replace: true },
      )
    },
  }
}
