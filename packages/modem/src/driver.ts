// The driver: it keeps the modem's state, carries out the effects, and reports the status to listeners.

import type { World } from '@callgate/world/world'
import type { AtLine } from './atLine.ts'
import type { OpenLine } from './byteLine.ts'
import type { RunningCall } from './callRun.ts'
import { SupplyAnswers } from './callSupply.ts'
import { commands } from './commands.ts'
import { createCondition } from './condition.ts'
import type { Command } from './core/dialogue.ts'
import type { HookName } from './core/ladder.ts'
import type { Urc } from './core/lines.ts'
import type { ModemEffect, ModemEvent } from './core/modemEvents.ts'
import {
  isSetUp,
  type ModemState,
  type ModemStatus,
  newModemState,
  quietWaitMs,
  statusOf,
} from './core/modemState.ts'
import { stepModem } from './core/modemStep.ts'
import { quirksOf } from './quirks.ts'
import { WireRecorder } from './record/wireRecorder.ts'

export interface ModemOptions {
  readonly world: World
  readonly openLine: OpenLine
  /** The SIM card's PIN; tried once, and never again after a refusal. */
  readonly pin?: string
  /** The rate of the port, which is fixed in a modem that finds its rate by itself; without it such a modem is left as it is. */
  readonly baudRate?: number
  /** Every line, with phone numbers, messages and the PIN masked. */
  readonly trace?: (direction: 'to' | 'from', line: string) => void
  /** The hooks for the modem's wires, tried where AT+CFUN=1,1 does not bring the modem back. */
  readonly hooks?: readonly HookName[]
  /** Runs a hook; the modem should then be on. Never rejects; `false` when it failed. */
  readonly runHook?: (hook: HookName) => Promise<boolean>
}

/** After `RING`, the time in which the line with the caller's number may come. */
const callerWithinMs = 300

function isSame(one: ModemStatus, other: ModemStatus): boolean {
  return (Object.keys(one) as (keyof ModemStatus)[]).every(name => one[name] === other[name])
}

/** One modem: its state, the line that is open to it and the call that runs on it. */
export class Driver {
  readonly options: ModemOptions
  readonly supplyAnswers: SupplyAnswers
  readonly recorder: WireRecorder
  readonly #changed
  readonly #listeners: ((status: ModemStatus) => void)[] = []
  readonly #ears = new Set<(line: string) => void>()
  #state: ModemState = newModemState
  #status: ModemStatus = statusOf(newModemState)
  #line: AtLine | null = null
  #call: RunningCall | null = null
  #isRefusing = false
  #reservations = 0
  readonly #urcEars = new Set<(urc: Urc) => void>()

  constructor(options: ModemOptions) {
    this.options = options
    this.supplyAnswers = new SupplyAnswers(options.world.log)
    this.recorder = new WireRecorder(options.world)
    this.#changed = createCondition(options.world)
  }

  get state(): ModemState {
    return this.#state
  }

  get status(): ModemStatus {
    return this.#status
  }

  /** The open line; null while there is none. */
  get line(): AtLine | null {
    return this.#line
  }

  /** The call that runs, or waits for its verdict. */
  get call(): RunningCall | null {
    return this.#call
  }

  onStatus(listener: (status: ModemStatus) => void): void {
    this.#listeners.push(listener)
  }

  /** Gives `listener` every line that is no part of an answer, until the returned function is called. */
  onUnasked(listener: (line: string) => void): () => void {
    this.#ears.add(listener)
    return () => this.#ears.delete(listener)
  }

  heardUnasked(line: string): void {
    for (const listener of this.#ears) listener(line)
  }

  /** Applies an event; nothing else changes the state. */
  apply(event: ModemEvent): void {
    const { state, effects } = stepModem(this.#state, event, this.options.world.monotonicMs())
    this.#state = state
    for (const effect of effects) this.#carryOut(effect)
    this.#changed.notify()
    this.#report()
  }

  /** Gives `listener` each unsolicited line as well, until the returned function is called. */
  followUrcs(listener: (urc: Urc) => void): () => void {
    this.#urcEars.add(listener)
    return () => this.#urcEars.delete(listener)
  }

  takeUrc(urc: Urc): void {
    this.#call?.takeUrc(urc)
    for (const listener of this.#urcEars) listener(urc)
    this.apply({ type: 'urc', urc })
  }

  lineOpened(line: AtLine): void {
    this.#line = line
  }

  lineClosed(line: AtLine, isLineBreak: boolean): void {
    if (this.#line === line) this.#line = null
    this.apply({ type: 'portClosed', isLineBreak })
  }

  callBegan(call: RunningCall): void {
    this.#call = call
    this.apply({ type: 'callBegan' })
  }

  callEnded(outcome: Omit<ModemEvent<'callEnded'>, 'type'>): void {
    this.#call = null
    this.apply({ type: 'callEnded', ...outcome })
  }

  /** A number for a reservation that no other has. */
  newReservation(): number {
    this.#reservations += 1
    return this.#reservations
  }

  /** How long a late sign of another call can still come, so that no dial may begin; milliseconds. */
  quietWaitMs(): number {
    return quietWaitMs(this.#state, this.options.world.monotonicMs())
  }

  /** Wakes everybody who waits for a change. */
  wake(): void {
    this.#changed.notify()
  }

  /** Resolves when something happened to the modem, and after `withinMs` at the latest. */
  change(withinMs: number): Promise<void> {
    return this.#changed.wait(withinMs)
  }

  /** Waits `durationMs`, or less when the modem is closed or `isWanted` no longer holds. */
  async pauseWhile(durationMs: number, isWanted: () => boolean): Promise<void> {
    const { world } = this.options
    const endMs = world.monotonicMs() + durationMs
    while (world.monotonicMs() < endMs && isWanted() && !this.#state.isClosing)
      await this.change(endMs - world.monotonicMs())
  }

  #carryOut(effect: ModemEffect): void {
    switch (effect.type) {
      case 'loseCall':
        this.#call?.lose(effect.why)
        break
      case 'refuseIncoming':
        void this.#refuseIncoming()
        break
      case 'warn':
        this.options.world.log.warn(effect.message, effect.fields)
        break
    }
  }

  /**
   * Refuses a call where AT+GSMBUSY=1 did not: nobody may occupy the line on which gates are called. A call that waits behind
   * ours is refused without ending ours, and never before ATD's OK.
   */
  async #refuseIncoming(): Promise<void> {
    const line = this.#line
    if (this.#isRefusing || !line) return
    this.#isRefusing = true
    await new Promise<void>(resolve => this.options.world.after(callerWithinMs, resolve))
    if (this.#line === line && isSetUp(this.#state)) {
      const isOurs = this.#call !== null && !this.#call.isOver()
      if (!isOurs) await line.ask(this.#firstHangUp)
      else if (this.#call?.record().trace.dial === 'accepted') await line.ask(commands.refuseWaiting)
    }
    this.#isRefusing = false
    this.apply({ type: 'incomingRefused' })
  }

  get #firstHangUp(): Command {
    return quirksOf(this.#state.identity?.model ?? null).hangUps[0] ?? commands.hangUp
  }

  /** Reports the status when it differs from the last one. */
  #report(): void {
    const { log } = this.options.world
    const last = this.#status
    const next = statusOf(this.#state)
    if (isSame(next, last)) return
    if (next.state !== last.state) log.info('Modem', { state: next.state })
    if (next.trouble !== null && next.trouble !== last.trouble)
      log.warn('The modem needs a look', { trouble: next.trouble })
    this.#status = next
    for (const listener of this.#listeners) listener(next)
  }
}
