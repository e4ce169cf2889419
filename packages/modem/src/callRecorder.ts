// The recorder of a running call: it keeps the facts as they come, and reports the first ringing and the first answer.

import type { World } from '@callgate/world/world'
import { type Condition, createCondition } from './condition.ts'
import type { CallFact } from './core/callFacts.ts'
import { type CallRecord, type CallSenses, emptyRecord, recordFact } from './core/callTracker.ts'

type Phase = 'ringing' | 'answered'

interface Watchers {
  readonly onProgress: (phase: Phase) => void
  readonly onFact?: ((fact: CallFact) => void) | undefined
}

export class CallRecorder {
  readonly #world: World
  readonly #startMs: number
  readonly #noted: Condition
  readonly #watchers: Watchers
  readonly #reported = new Set<Phase>()
  #record: CallRecord
  #isCancelled = false

  constructor(world: World, senses: CallSenses, watchers: Watchers) {
    this.#world = world
    this.#startMs = world.monotonicMs()
    this.#noted = createCondition(world)
    this.#watchers = watchers
    this.#record = emptyRecord(senses)
  }

  get record(): CallRecord {
    return this.#record
  }

  get trace(): CallRecord['trace'] {
    return this.#record.trace
  }

  get isLost(): boolean {
    return this.trace.lostMs !== null
  }

  get isCancelled(): boolean {
    return this.#isCancelled
  }

  sinceDialMs(): number {
    return Math.round(this.#world.monotonicMs() - this.#startMs)
  }

  /** Adds a fact. The first ringing and the first answer are reported, unless the call is already over. */
  note(fact: CallFact): void {
    const wasOver = this.trace.endMs !== null
    this.#record = recordFact(this.#record, this.sinceDialMs(), fact)
    this.#watchers.onFact?.(fact)
    if (!wasOver && this.trace.activeMs !== null) this.#report('answered')
    else if (!wasOver && this.trace.alertedMs !== null) this.#report('ringing')
    this.wake()
  }

  cancel(): void {
    this.#isCancelled = true
    this.wake()
  }

  /** Resolves at the next fact or `wake`, and after `withinMs` at the latest. */
  wait(withinMs: number): Promise<void> {
    return this.#noted.wait(withinMs)
  }

  wake(): void {
    this.#noted.notify()
  }

  #report(phase: Phase): void {
    if (this.#reported.has(phase)) return
    this.#reported.add(phase)
    this.#watchers.onProgress(phase)
  }
}
