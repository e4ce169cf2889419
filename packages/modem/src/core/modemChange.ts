// The changes that several transitions of the modem share.

import type { LossWhy } from './callFacts.ts'
import type { ModemEffect, ModemStep } from './modemEvents.ts'
import {
  hasCall,
  type ModemState,
  type NotSetUp,
  noHealth,
  notSetUpOf,
  type SetUpPhase,
  setUpOf,
} from './modemState.ts'

export const same = (state: ModemState): ModemStep => ({ state, effects: [] })
export const warn = (message: string, fields?: Readonly<Record<string, string>>): ModemEffect =>
  fields ? { type: 'warn', message, fields } : { type: 'warn', message }

export function preceded(effects: readonly ModemEffect[], step: ModemStep): ModemStep {
  return { state: step.state, effects: [...effects, ...step.effects] }
}

export const starting: NotSetUp = { phase: 'starting', trouble: null, restart: 'none' }

/** The modem is not set up, or no longer; a call that waits for its verdict keeps waiting. */
export function withModem(state: ModemState, modem: NotSetUp): ModemState {
  return { ...state, phase: hasCall(state) ? { phase: 'recovering', modem } : modem }
}

/** The modem has to be set up again, which ends any reservation, reading and call. */
export function unsettled(state: ModemState, why: LossWhy, modem: NotSetUp): ModemStep {
  return {
    state: { ...withModem(state, modem), health: noHealth },
    effects: hasCall(state) ? [{ type: 'loseCall', why }] : [],
  }
}

/** Changes what a modem that is not set up lacks. */
export function changed(state: ModemState, change: (modem: NotSetUp) => NotSetUp): ModemStep {
  const modem = notSetUpOf(state)
  return same(modem ? withModem(state, change(modem)) : state)
}

/** Changes a modem that is set up; a call on it goes on. */
export function whereSetUp(state: ModemState, step: (phase: SetUpPhase) => ModemStep): ModemStep {
  const phase = setUpOf(state)
  return phase ? step(phase) : same(state)
}
