// A line on which commands are asked: the dialogue over a byte line, with real timers.

import type { Timer, World } from '@callgate/world/world'
import { ReadlineParser } from '@serialport/parser-readline'
import type { ByteLine } from './byteLine.ts'
import { type Condition, createCondition } from './condition.ts'
import {
  type Answer,
  belongsToAnswer,
  type Command,
  type DialogueEffect,
  type DialogueEvent,
  newDialogue,
  stepDialogue,
} from './core/dialogue.ts'
import { cleanLine, type Urc } from './core/lines.ts'
import { maskNumbers } from './core/phoneNumber.ts'
import { type HeldText, joinDelivered, joinUssd } from './core/ussdLine.ts'
import { createLineGuard } from './lineGuard.ts'

export interface AtLine {
  /** Writes the command when its turn comes; never rejects. */
  ask(command: Command): Promise<Answer>
  /**
   * Writes a dial command at once, past every queue; only while `isQuiet`. `answer` is that of a command which was
   * written whole.
   */
  dialNow(prepared: PreparedDial): { sent: 'written' | 'short' | 'refused'; answer: Promise<Answer> }
  /** No command is in flight and none waits. */
  isQuiet(): boolean
  /** Resolves when nothing is in flight any more, or the line is gone. */
  whenQuiet(): Promise<void>
  isOpen(): boolean
  /** Milliseconds since the modem last answered a command. */
  sinceAnswerMs(): number
  discardOutput(): void
  close(): Promise<void>
}

/** Everything that can be done before the moment of dialling. */
export interface PreparedDial {
  readonly command: Command
  readonly bytes: Uint8Array
}

export interface AtLineOptions {
  readonly world: World
  readonly line: ByteLine
  readonly onUrc: (urc: Urc) => void
  /** `lineBreak`: the line carried nothing but zeros. */
  readonly onClose: (reason: string) => void
  readonly trace?: ((direction: 'to' | 'from', line: string) => void) | undefined
  /** Every line that is no part of an answer. */
  readonly onUnasked?: ((line: string) => void) | undefined
  /** The PIN, which no trace may show. */
  readonly secret?: string | undefined
}

export function prepareDial(command: Command): PreparedDial {
  return { command, bytes: Buffer.from(`${command.text}\r`, 'latin1') }
}

/** The rate of the port, whose digits are no phone number. */
const rateLine = /^(?:AT)?\+IPR[:=?]/i

/** The line without numbers, messages (which come in hexadecimal) and the PIN, which no log may hold. */
function traced(text: string, secret: string | undefined): string {
  if (rateLine.test(text)) return text.slice(0, 40)
  const open = text
    .slice(0, 200)
    .replace(/(CPIN=)".*"/i, '$1"****"')
    .replace(/[0-9A-F]{20,}/gi, hex => (/^\d+$/.test(hex) ? hex : '(hexadecimal)'))
  return maskNumbers(secret ? open.replaceAll(secret, '****') : open)
}

/** More zeros than this in a second come from a line that nothing drives, such as that of a modem without power. */
const zerosPerSecond = 200

/** Whether the line is flooded with zeros, asked after each chunk with the count so far. */
function createBreakWatch(world: World): (nulCount: number) => boolean {
  let sinceMs = world.monotonicMs()
  let countBefore = 0
  return nulCount => {
    if (nulCount - countBefore > zerosPerSecond) return true
    if (world.monotonicMs() - sinceMs >= 1_000) {
      sinceMs = world.monotonicMs()
      countBefore = nulCount
    }
    return false
  }
}

/** Applies events to the dialogue in order, and gives its effects to `carryOut`. */
function createDialogueRunner(world: World, carryOut: (effect: DialogueEffect) => void) {
  const pending: DialogueEvent[] = []
  let state = newDialogue
  let isApplying = false
  let timer: Timer | null = null
  let timerMs: number | null = null

  function watchDeadline(): void {
    const deadlineMs = state.running?.deadlineMs ?? null
    if (deadlineMs === timerMs) return
    timer?.cancel()
    timerMs = deadlineMs
    timer =
      deadlineMs === null
        ? null
        : world.after(deadlineMs - world.monotonicMs(), () => {
            timerMs = null
            apply({ kind: 'time' })
          })
  }

  function apply(event: DialogueEvent): void {
    pending.push(event)
    if (isApplying) return
    isApplying = true
    for (let next = pending.shift(); next; next = pending.shift()) {
      const step = stepDialogue(state, next, world.monotonicMs())
      state = step.state
      for (const effect of step.effects) carryOut(effect)
    }
    isApplying = false
    watchDeadline()
  }
  return {
    apply,
    isQuiet: () => state.running === null && state.waiting.length === 0,
    belongsToAnswer: (text: string) => belongsToAnswer(state, text),
  }
}

/** A dialogue on a byte line. */
class DialogueLine implements AtLine {
  readonly #options: AtLineOptions
  readonly #guard = createLineGuard(() => this.#apply({ kind: 'prompt' }))
  readonly #isBroken: (nulCount: number) => boolean
  readonly #answered = new Map<number, (answer: Answer) => void>()
  readonly #becameQuiet: Condition
  readonly #runner: ReturnType<typeof createDialogueRunner>
  #lastId = 0
  #answeredMs = Number.NEGATIVE_INFINITY
  #isOpen = true
  #heldText: HeldText | undefined
  #heldHead: HeldText | undefined

  constructor(options: AtLineOptions) {
    const { line, world } = options
    this.#options = options
    this.#isBroken = createBreakWatch(world)
    this.#becameQuiet = createCondition(world)
    this.#runner = createDialogueRunner(world, effect => this.#carryOut(effect))
    const lines = this.#guard.stream.pipe(new ReadlineParser({ delimiter: '\n', encoding: 'latin1' }))
    lines.on('data', (raw: string) => this.#takeLine(raw))
    line.onBytes(bytes => this.#takeBytes(bytes))
    line.onClose(reason => this.#lose(reason))
  }

  ask(command: Command): Promise<Answer> {
    return this.#submit('asked', command)
  }

  dialNow({ command, bytes }: PreparedDial): ReturnType<AtLine['dialNow']> {
    const { line, secret, trace } = this.#options
    const sent = line.writeNow(bytes)
    if (sent !== 'written') return { sent, answer: Promise.resolve({ result: 'silent' }) }
    trace?.('to', traced(command.text, secret))
    return { sent, answer: this.#submit('dialled', command) }
  }

  isQuiet(): boolean {
    return this.#runner.isQuiet()
  }

  async whenQuiet(): Promise<void> {
    while (this.#isOpen && !this.isQuiet()) await this.#becameQuiet.wait(1_000)
  }

  isOpen(): boolean {
    return this.#isOpen
  }

  sinceAnswerMs(): number {
    return this.#options.world.monotonicMs() - this.#answeredMs
  }

  discardOutput(): void {
    this.#options.line.flush()
  }

  async close(): Promise<void> {
    await this.#options.line.close()
    this.#lose('closed')
  }

  #takeBytes(bytes: Uint8Array): void {
    if (!this.#isOpen) return
    this.#guard.stream.write(bytes)
    // No modem sends that many zeros: reading on would only cost time.
    if (!this.#isBroken(this.#guard.nulCount())) return
    this.#lose('lineBreak')
    void this.#options.line.close()
  }

  #takeLine(raw: string): void {
    const nowMs = this.#options.world.monotonicMs()
    const { held, lines } = joinUssd(this.#heldText, cleanLine(raw), nowMs)
    this.#heldText = held
    for (const line of lines) {
      const delivered = joinDelivered(this.#heldHead, line, nowMs)
      this.#heldHead = delivered.held
      for (const text of delivered.lines) this.#takeText(text)
    }
  }

  #takeText(text: string): void {
    const { onUnasked, secret, trace } = this.#options
    if (text !== '') {
      trace?.('from', traced(text, secret))
      if (!this.#runner.belongsToAnswer(text)) onUnasked?.(text)
    }
    this.#apply({ kind: 'line', raw: text })
  }

  #apply(event: DialogueEvent): void {
    this.#runner.apply(event)
    if (this.isQuiet()) this.#becameQuiet.notify()
  }

  #submit(kind: 'asked' | 'dialled', command: Command): Promise<Answer> {
    return new Promise(resolve => {
      const id = ++this.#lastId
      this.#answered.set(id, resolve)
      this.#apply({ kind, id, command })
      if (!this.#isOpen) this.#apply({ kind: 'closed' })
    })
  }

  #carryOut(effect: DialogueEffect): void {
    const { line, onUrc, secret, trace } = this.#options
    if (effect.kind === 'answer') this.#answer(effect.id, effect.answer)
    else if (effect.kind === 'urc') onUrc(effect.urc)
    else if (this.#isOpen) {
      const isBare = effect.kind === 'writeBare'
      trace?.('to', isBare ? '(a message, or its end)' : traced(effect.text, secret))
      line.write(Buffer.from(isBare ? effect.text : `${effect.text}\r`, 'latin1'))
    }
  }

  #answer(id: number, answer: Answer): void {
    if (answer.result === 'ok' || answer.result === 'error')
      this.#answeredMs = this.#options.world.monotonicMs()
    this.#answered.get(id)?.(answer)
    this.#answered.delete(id)
  }

  #lose(reason: string): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#apply({ kind: 'closed' })
    this.#options.onClose(reason)
  }
}

/** A dialogue on `line`. It does not take late answers to an earlier program for answers to its own commands. */
export function openAtLine(options: AtLineOptions): AtLine {
  return new DialogueLine(options)
}
