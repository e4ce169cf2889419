// Whether the cloud has taken up this boot, and what a challenge of the cloud means to it; pure.

import { beatEveryMs, firstBeatsEveryMs } from '@callgate/contract/wire/timing'

export interface TakingUp {
  /** The challenge that beats answer; none once the boot was taken up, since a boot is taken up once. */
  readonly nonce?: string
  /** The number of the last beat before the boot knew that it was taken up. */
  readonly takenUpAtSeq?: number
  /** From the last beat to the next, milliseconds. */
  readonly beatInMs: number
}

export const unknownToTheCloud: TakingUp = { beatInMs: firstBeatsEveryMs }

/** On a new connection: what was not answered on the old one is asked again soon. */
export function reconnected(state: TakingUp): TakingUp {
  return state.takenUpAtSeq === undefined ? { ...state, beatInMs: firstBeatsEveryMs } : state
}

/** A beat was sent. Until the boot is taken up the next one comes sooner: a challenge or its answer may be lost. */
export function beatSent(state: TakingUp): TakingUp {
  return { ...state, beatInMs: Math.min(beatEveryMs, state.beatInMs * 2) }
}

/**
 * The cloud has challenged this boot; `ofSeq` is the beat that it heard. `answer`: a beat is to say the nonce now.
 * `forgotten`: the cloud knows nothing of a boot that it had taken up, as after its restore from a backup.
 */
export function challenged(
  state: TakingUp,
  nonce: string,
  ofSeq: number | undefined,
): { readonly state: TakingUp; readonly does: 'answer' | 'forgotten' | 'nothing' } {
  const { takenUpAtSeq } = state
  if (takenUpAtSeq !== undefined) {
    // A challenge to an earlier beat is late or played back, and says nothing of now.
    const isForgotten = ofSeq !== undefined && ofSeq > takenUpAtSeq
    return { state, does: isForgotten ? 'forgotten' : 'nothing' }
  }
  if (state.nonce === nonce) return { state, does: 'nothing' }
  return { state: { nonce, beatInMs: firstBeatsEveryMs }, does: 'answer' }
}

/** The cloud has taken up this boot; `lastSeq` is the last beat that was sent. */
export function takenUp(state: TakingUp, lastSeq: number): TakingUp {
  return { beatInMs: beatEveryMs, takenUpAtSeq: state.takenUpAtSeq ?? lastSeq }
}
