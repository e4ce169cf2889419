// A line on which commands are asked: the dialogue over a byte line, with real timers.

import type { Timer, World } from '@callgate/world/world'
import { ReadlineParser } from '@serialport/parser-readline'
import { createBell } from './bell.ts'
import type { ByteLine } from './byteLine.ts'
import {
  type Answer,
  type Command,
  type DialogueEffect,
  type DialogueEvent,
  newDialogue,
  stepDialogue,
} from './core/dialogue.ts'
import { cleanLine, type Urc } from './core/lines.ts'
import { maskNumbers } from './core/phoneNumber.ts'
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
  /** `lineBreak` where the line carried nothing but zeros. */
  readonly onClose: (reason: string) => void
  readonly trace?: ((direction: 'to' | 'from', line: string) => void) | undefined
  /** What no trace may show: the PIN. */
  readonly secret?: string | undefined
}

export function prepareDial(command: Command): PreparedDial {
  return { command, bytes: Buffer.from(`${command.text}\r`, 'latin1') }
}

/** The rate of the port, in digits that are no number of anybody. */
const rateLine = /^(?:AT)?\+IPR[:=?]/i

/** The line without what a log may not hold: numbers, messages (which come in hexadecimal) and the PIN. */
function traced(text: string, secret: string | undefined): string {
  if (rateLine.test(text)) return text.slice(0, 40)
  const open = text
    .slice(0, 200)
    .replace(/(CPIN=)".*"/i, '$1"****"')
    .replace(/[0-9A-F]{20,}/gi, hex => (/^\d+$/.test(hex) ? hex : '(hexadecimal)'))
  return maskNumbers(secret ? open.replaceAll(secret, '****') : open)
}

/** More zeros than this in a second are a line that nobody drives (modem.md, 1.1). */
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
  return { apply, isQuiet: () => state.running === null && state.waiting.length === 0 }
}

/** A dialogue on `line`. What a program before this one asked may still be answered, and is not taken for ours. */
export function openAtLine({ world, line, onUrc, onClose, trace, secret }: AtLineOptions): AtLine {
  const guard = createLineGuard()
  const isBroken = createBreakWatch(world)
  const waiters = new Map<number, (answer: Answer) => void>()
  const quiet = createBell(world)
  let lastId = 0
  let answeredMs = Number.NEGATIVE_INFINITY
  let isOpen = true

  function answer(id: number, given: Answer): void {
    if (given.result === 'ok' || given.result === 'error') answeredMs = world.monotonicMs()
    waiters.get(id)?.(given)
    waiters.delete(id)
  }

  const runner = createDialogueRunner(world, effect => {
    if (effect.kind === 'answer') answer(effect.id, effect.answer)
    else if (effect.kind === 'urc') onUrc(effect.urc)
    else if (effect.kind === 'write' && isOpen) {
      trace?.('to', traced(effect.text, secret))
      line.write(Buffer.from(`${effect.text}\r`, 'latin1'))
    }
  })

  function apply(event: DialogueEvent): void {
    runner.apply(event)
    if (runner.isQuiet()) quiet.ring()
  }

  function submit(kind: 'asked' | 'dialled', command: Command): Promise<Answer> {
    return new Promise(resolve => {
      const id = ++lastId
      waiters.set(id, resolve)
      apply({ kind, id, command })
      if (!isOpen) apply({ kind: 'closed' })
    })
  }

  const lines = guard.stream.pipe(new ReadlineParser({ delimiter: '\n', encoding: 'latin1' }))
  lines.on('data', (raw: string) => {
    const text = cleanLine(raw)
    if (text !== '') trace?.('from', traced(text, secret))
    apply({ kind: 'line', raw })
  })
  line.onBytes(bytes => {
    if (!isOpen) return
    guard.stream.write(bytes)
    // No modem talks like that: reading on would only cost time.
    if (isBroken(guard.nulCount())) {
      lose('lineBreak')
      void line.close()
    }
  })
  function lose(reason: string): void {
    if (!isOpen) return
    isOpen = false
    apply({ kind: 'closed' })
    onClose(reason)
  }
  line.onClose(lose)

  return {
    ask: command => submit('asked', command),
    dialNow({ command, bytes }) {
      const sent = line.writeNow(bytes)
      if (sent !== 'written') return { sent, answer: Promise.resolve({ result: 'silent' }) }
      trace?.('to', traced(command.text, secret))
      return { sent, answer: submit('dialled', command) }
    },
    isQuiet: runner.isQuiet,
    async whenQuiet() {
      while (isOpen && !runner.isQuiet()) await quiet.heard(1_000)
    },
    isOpen: () => isOpen,
    sinceAnswerMs: () => world.monotonicMs() - answeredMs,
    discardOutput: () => line.flush(),
    async close() {
      await line.close()
      lose('closed')
    },
  }
}
