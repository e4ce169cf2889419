// The trace of openings: describes each step to listeners on this machine, in words.

import type { CallFact } from '@callgate/modem/modem'
import type { World } from '@callgate/world/world'
import type { Effect, OpenerEvent } from '../core/openerState.ts'
import type { TraceLine } from '../local/localMessages.ts'
import { type CallSummary, tellEffect, tellEvent, tellFact } from './traceWords.ts'

/** An opening whose start was reported. */
interface Followed {
  readonly sinceMs: number
  /** The texts that were reported, so that a state that is listed every second is reported once. */
  readonly said: Set<string>
  /** Whether the gate's profile was learned by calibration. */
  isLearned: boolean
}

/** How many openings are followed at once. */
const mostFollowed = 32
const mostLetters = 300

export class OpeningTrace {
  readonly #world: World
  readonly #listeners = new Set<(line: TraceLine) => void>()
  readonly #followed = new Map<string, Followed>()

  constructor(world: World) {
    this.#world = world
  }

  /** Sends every step of every opening to `listener`, until the returned function is called. */
  follow(listener: (line: TraceLine) => void): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) this.#followed.clear()
    }
  }

  /** Handles a step of the opener for `openingId`, which is undefined where the step belongs to no opening. */
  stepped(event: OpenerEvent, openingId: string | undefined, effects: readonly Effect[]): void {
    if (this.#listeners.size === 0) return
    if (openingId !== undefined) {
      // An opening that began before anybody listened is not reported.
      if (event.type === 'hint') this.#begin(openingId)
      this.#tell(openingId, () => tellEvent(event))
    }
    for (const effect of effects) {
      const id = 'claim' in effect ? effect.claim.openingId : 'openingId' in effect ? effect.openingId : ''
      const followed = this.#followed.get(id)
      if (followed && effect.type === 'dial') followed.isLearned = effect.callProfile.learned
      this.#tell(id, ({ isLearned }) => tellEffect(effect, isLearned))
    }
  }

  /** Handles an observation of the call for `openingId`. */
  observed(openingId: string, fact: CallFact): void {
    this.#tell(openingId, () => tellFact(fact))
  }

  #begin(openingId: string): void {
    if (this.#followed.has(openingId)) return
    const [oldest] = this.#followed.keys()
    if (oldest !== undefined && this.#followed.size >= mostFollowed) this.#followed.delete(oldest)
    this.#followed.set(openingId, {
      sinceMs: this.#world.monotonicMs(),
      said: new Set<string>(),
      isLearned: false,
    })
  }

  #tell(openingId: string, tell: (followed: Followed) => CallSummary | undefined): void {
    const followed = this.#followed.get(openingId)
    const told = followed && tell(followed)
    if (!followed || !told || followed.said.has(told.says)) return
    followed.said.add(told.says)
    const line: TraceLine = {
      ...told,
      openingId,
      atMs: Math.max(0, Math.round(this.#world.monotonicMs() - followed.sinceMs)),
      says: told.says.slice(0, mostLetters),
    }
    if (told.end !== null && told.end !== 'declined') this.#followed.delete(openingId)
    for (const listener of this.#listeners) listener(line)
  }
}
