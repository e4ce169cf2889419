// Which beats tell the facts of this gateway: what seldom changes, and what a SIM card's data plan need not pay for ten
// times a minute. Pure.

/** The beat that told the facts last. */
export interface ToldFacts {
  readonly connectionId: string
  readonly seq: number
  /** The facts as one text. */
  readonly facts: string
  /** Monotonic milliseconds. */
  readonly atMs: number
  /** Whether the cloud has said that it knows them. Until then each beat tells them: the cloud may be an older one. */
  readonly isKnown: boolean
}

/** They are told again after so long: an older cloud may have come back, which keeps none. Milliseconds. */
export const factsKeptMs = 60 * 60_000

/** What is told with a beat. Where `seq` of the answer is that of the beat, the beat tells the facts. */
export function tellFacts(told: ToldFacts | undefined, now: Omit<ToldFacts, 'isKnown'>): ToldFacts {
  const { atMs, connectionId, facts } = now
  const isSame = told?.connectionId === connectionId && told.facts === facts
  return isSame && told.isKnown && atMs - told.atMs < factsKeptMs ? told : { ...now, isKnown: false }
}

/** What the cloud's answer to the beat `seq` changes. A late one about other facts says nothing. */
export function hearOfFacts(
  told: ToldFacts | undefined,
  answer: { readonly isKnown: boolean; readonly seq: number | undefined },
): ToldFacts | undefined {
  if (!answer.isKnown) return undefined
  return told && told.seq === answer.seq ? { ...told, isKnown: true } : told
}
