// How far a gateway that is being added has come, as a pure function of what the cloud knows: steps, times, and what helps.

import type { EnrolmentView } from '@callgate/contract/app/enrolment'
import { weakDbm } from '@callgate/contract/app/incidentKinds'
import type { GatewayView } from '@callgate/contract/rest/gatewayView'
import { simOf } from './gatewayWords.ts'

/** In their order. `taken` says more than it seems: a gateway that takes the code has a network and the program. */
export const progressSteps = [
  'made',
  'taken',
  'admitted',
  'heard',
  'modem',
  'sim',
  'network',
  'signal',
] as const
export type ProgressName = (typeof progressSteps)[number]

type Trouble = NonNullable<NonNullable<GatewayView['now']['modem']>['trouble']>

/** Words for what helps where a step stands still; a trouble that the modem names itself goes before. */
export type Remedy =
  | 'wrongCode'
  | 'card'
  | 'command'
  | 'compare'
  | 'unheard'
  | 'tooOld'
  | 'modem'
  | 'sim'
  | 'searching'
  | 'denied'
  | 'weak'

export interface ProgressStep {
  readonly name: ProgressName
  /** `weak`: reached, and not good. */
  readonly state: 'done' | 'weak' | 'now' | 'later'
  /** When it was reached, where the cloud knows. It keeps no times of what the modem reaches. */
  readonly at: string | null
  readonly remedy?: Remedy | Trouble
}

/** A step that takes longer than this stands still. Milliseconds. */
const patienceMs = 2 * 60_000

export interface AddedGateway {
  readonly enrolment: EnrolmentView
  /** Once it is admitted, and was read. */
  readonly gateway: GatewayView | undefined
  readonly nowMs: number
}

interface StepFacts {
  readonly isReached: boolean
  readonly at?: string | null
  /** What helps while it is not reached, or where it is weak; `atOnce`, without patience. */
  readonly remedy?: Remedy | Trouble
  readonly atOnce?: boolean
  readonly isWeak?: boolean
}

function ofCode({ enrolment }: AddedGateway): StepFacts {
  const { gateway, isForCard, wrongTries } = enrolment
  const remedy = wrongTries > 0 ? 'wrongCode' : isForCard ? 'card' : 'command'
  return { isReached: gateway !== null, at: gateway?.takenAt ?? null, remedy, atOnce: wrongTries > 0 }
}

function ofBeat(now: GatewayView['now'] | undefined): StepFacts {
  const isTooOld = now?.tooOld != null
  const remedy = isTooOld ? 'tooOld' : 'unheard'
  return { isReached: now?.state === 'online', at: now?.since ?? null, remedy, atOnce: isTooOld }
}

/** What the last beat tells of the modem. */
function ofModem(
  modem: GatewayView['now']['modem'] | undefined,
): Record<'modem' | 'sim' | 'network' | 'signal', StepFacts> {
  const { registration, signalDbm = null, state = 'lost', trouble } = modem ?? {}
  const told = <Word extends Remedy>(word: Word) =>
    trouble ? { remedy: trouble, atOnce: true } : { remedy: word }
  const isWeak = signalDbm !== null && signalDbm < weakDbm
  const isDenied = registration === 'denied'
  return {
    modem: { isReached: !['lost', 'starting'].includes(state), ...told('modem') },
    sim: { isReached: simOf(state) === 'ready', ...told('sim') },
    network: {
      isReached: registration === 'home' || registration === 'roaming',
      ...(isDenied ? { remedy: 'denied', atOnce: true } : told('searching')),
    },
    signal: { isReached: signalDbm !== null, isWeak, ...(isWeak ? { remedy: 'weak' } : {}) },
  }
}

/**
 * The steps of a gateway from its code to its signal. A step counts only after the ones before it. What helps is said once a step
 * takes longer than two minutes, and at once where the cause is known.
 */
export function progressOf(seen: AddedGateway): readonly ProgressStep[] {
  const { enrolment, gateway, nowMs } = seen
  const reached: Record<ProgressName, StepFacts> = {
    made: { isReached: true, at: enrolment.createdAt },
    taken: ofCode(seen),
    admitted: {
      isReached: enrolment.state === 'confirmed',
      at: gateway?.enrolledAt ?? null,
      remedy: 'compare',
      atOnce: true,
    },
    heard: ofBeat(gateway?.now),
    ...ofModem(gateway?.now.modem),
  }
  let since = enrolment.createdAt
  let isOpen = true
  return progressSteps.map(name => {
    const { at = null, atOnce = false, isReached, isWeak = false, remedy } = reached[name]
    if (!isOpen) return { name, state: 'later', at: null }
    if (isReached) {
      since = at ?? since
      return isWeak && remedy !== undefined
        ? { name, state: 'weak', at, remedy }
        : { name, state: 'done', at }
    }
    isOpen = false
    const isStill = atOnce || nowMs - Date.parse(since) > patienceMs
    return { name, state: 'now', at: null, ...(isStill && remedy !== undefined && { remedy }) }
  })
}
