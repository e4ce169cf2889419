// Decides which beats carry the facts of this gateway. Facts seldom change, so a SIM card's data plan need not pay for them ten
// times a minute. Pure.

/** The beat that last carried the facts. */
export interface ToldFacts {
  readonly connectionId: string
  readonly seq: number
  /** The facts as one text. */
  readonly facts: string
  /** Monotonic milliseconds. */
  readonly atMs: number
  /**
   * Whether the cloud has confirmed that it knows them. Until then each beat carries them, because the cloud may be an older one.
   */
  readonly isKnown: boolean
}

/** The facts are sent again after this time: an older cloud, which keeps none, may have come back. Milliseconds. */
export const factsKeptMs = 60 * 60_000

/** Decides on the facts for a beat. The beat carries them where `seq` of the result is its own number. */
export function tellFacts(told: ToldFacts | undefined, now: Omit<ToldFacts, 'isKnown'>): ToldFacts {
  const { atMs, connectionId, facts } = now
  const isSame = told?.connectionId === connectionId && told.facts === facts
  return isSame && told.isKnown && atMs - told.atMs < factsKeptMs ? told : { ...now, isKnown: false }
}

/** Applies the cloud's answer to the beat `seq`. A late answer about other facts changes nothing. */
export function hearOfFacts(
  told: ToldFacts | undefined,
  answer: { readonly isKnown: boolean; readonly seq: number | undefined },
): ToldFacts | undefined {
  if (!answer.isKnown) return undefined
  return told && told.seq === answer.seq ? { ...told, isKnown: true } : told
}
