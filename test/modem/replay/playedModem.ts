// A modem that plays a recording: the recorded answers to a set-up, then a call as it was, or as far as today's driver lets it.

import type { ByteLine, OpenLine } from '@callgate/modem/byteLine'
import type { RecordedCall } from '@callgate/modem/record/recording'
import type { FakeWorld } from '@callgate/world/fake'
import type { Timer } from '@callgate/world/world'
import { type Exchange, exchangesOf, type TimedLine } from './exchanges.ts'

/** What the driver wrote in the call. */
export interface Written {
  readonly text: string
  /** By the world's clock. */
  readonly atMs: number
}

/** How long the modem takes for an answer that it does not know. */
const answerMs = 20
const hangUps: readonly string[] = ['ATH\r', 'AT+CHUP\r', 'AT+HVOIC\r', 'AT+CHLD=11\r']

/** What a modem without a call says; ERROR to what no recording has. */
const withoutCall: Readonly<Record<string, readonly string[]>> = {
  'AT+CLCC\r': ['OK'],
  'AT+CPAS\r': ['+CPAS: 0', 'OK'],
}

/** What is played of a call; without events, its set-up alone. */
type PlayedCall = Pick<RecordedCall, 'setUp' | 'before' | 'events'>

export class PlayedModem {
  readonly openLine: OpenLine
  /** What the driver wrote since the ATD, as long as the call is played as it was. */
  readonly written: Written[] = []
  readonly #world: FakeWorld
  readonly #call: PlayedCall
  readonly #before: readonly Exchange[]
  /** The last report of the registration that nobody asked for, before the call. */
  readonly #registration: string | undefined
  readonly #inCall: readonly Exchange[]
  readonly #unasked: readonly TimedLine[]
  /** How often each command was answered in the set-up. */
  readonly #given = new Map<string, number>()
  #phase: 'setUp' | 'asItWas' | 'freely' = 'setUp'
  #say: (text: string) => void = () => {}
  #lose: (reason: string) => void = () => {}
  /** When the ATD was written; the time of the recording is ahead of that by `#shiftMs`. */
  #atdMs = 0
  #shiftMs = 0
  #hasHungUp = false
  #timers: Timer[] = []

  constructor(world: FakeWorld, call: PlayedCall) {
    this.#world = world
    this.#call = call
    const before = exchangesOf([...(call.setUp?.events ?? []), ...call.before])
    this.#before = before.asked
    this.#registration = before.unasked.findLast(({ text }) => text.startsWith('+CREG:'))?.text
    const inCall = exchangesOf(call.events)
    this.#inCall = inCall.asked
    this.#unasked = inCall.unasked
    this.openLine = async () => ({ ok: true, line: this.#newLine() })
  }

  get atdMs(): number {
    return this.#atdMs
  }

  /** The modem's bytes, as they are. */
  say(text: string): void {
    this.#say(text)
  }

  /** The port goes away. The set-up that follows is answered as the recorded one was. */
  lose(reason: string): void {
    this.playFreely(Number.POSITIVE_INFINITY)
    this.#lose(reason)
  }

  /** From here on the modem answers what the driver asks. The lines that came by themselves after `fromMs` come in their time. */
  playFreely(fromMs: number): void {
    if (this.#phase === 'freely') return
    this.#phase = 'freely'
    const waiting = this.written.splice(0)
    this.#schedule(fromMs)
    // What was asked before is still to be answered.
    const begun = this.#inCall.filter(({ atMs }) => atMs <= fromMs).flatMap(({ lines }) => lines)
    for (const { atMs, text } of begun.filter(line => line.atMs > fromMs)) this.#sayAfter(atMs - fromMs, text)
    for (const { text } of waiting) this.#answer(text)
  }

  #newLine(): ByteLine {
    const write = (bytes: Uint8Array) => this.#take(Buffer.from(bytes).toString('latin1'))
    return {
      write,
      writeNow: bytes => {
        const [first] = this.#call.events
        write(bytes)
        return first?.kind === 'short' || first?.kind === 'refused' ? first.kind : 'written'
      },
      flush() {},
      onBytes: listener => {
        this.#say = text => listener(Buffer.from(text, 'latin1'))
      },
      onClose: listener => {
        this.#lose = listener
      },
      async close() {},
    }
  }

  #take(text: string): void {
    const nowMs = this.#world.monotonicMs()
    if (this.#phase === 'setUp' && text.startsWith('ATD')) {
      this.#phase = 'asItWas'
      this.#atdMs = nowMs
    }
    if (this.#phase === 'asItWas') this.written.push({ text, atMs: nowMs })
    else this.#answer(text)
  }

  #answer(command: string): void {
    const nowMs = this.#world.monotonicMs() - this.#atdMs + this.#shiftMs
    if (this.#phase === 'freely' && hangUps.includes(command)) this.#hangUp(nowMs)
    const exchange = this.#exchangeFor(command, nowMs)
    if (exchange) {
      for (const { atMs, text } of exchange.lines) this.#sayAfter(Math.max(0, atMs - exchange.atMs), text)
      return
    }
    const isHangUp = hangUps.includes(command)
    for (const text of isHangUp ? ['OK'] : (withoutCall[command] ?? ['ERROR'])) this.#sayAfter(answerMs, text)
  }

  /** In the call the last one until now, or the next one. In the set-up one after the other, and the last one for ever. */
  #exchangeFor(command: string, nowMs: number): Exchange | undefined {
    const before = this.#before.filter(one => one.command === command)
    if (this.#phase === 'setUp') {
      const answered = before.filter(({ lines }) => lines.length > 0)
      const times = this.#given.get(command) ?? 0
      this.#given.set(command, times + 1)
      if (command === 'AT+CREG?\r' && times >= answered.length && this.#registration !== undefined)
        this.#sayAfter(answerMs, this.#registration)
      return answered[times] ?? answered.at(-1) ?? before.at(-1)
    }
    if (this.#hasHungUp && command in withoutCall) return undefined
    const inCall = this.#inCall.filter(one => one.command === command)
    return inCall.findLast(({ atMs }) => atMs <= nowMs) ?? inCall[0] ?? before.at(-1)
  }

  /** Goes on at the recorded hang-up. Without one, nothing more of the call is known. */
  #hangUp(nowMs: number): void {
    const recorded = this.#inCall.find(({ atMs, command }) => hangUps.includes(command) && atMs >= nowMs)
    if (recorded) {
      this.#shiftMs += recorded.atMs - nowMs
      this.#schedule(recorded.atMs)
    } else if (!this.#inCall.some(({ command }) => hangUps.includes(command))) {
      this.#hasHungUp = true
      this.#schedule(Number.POSITIVE_INFINITY)
    }
  }

  /** Sets the lines that came by themselves after `fromMs`, and no others. */
  #schedule(fromMs: number): void {
    for (const timer of this.#timers) timer.cancel()
    const nowMs = this.#world.monotonicMs() - this.#atdMs + this.#shiftMs
    this.#timers = this.#unasked
      .filter(({ atMs }) => atMs > fromMs)
      .map(({ atMs, text }) => this.#world.after(Math.max(0, atMs - nowMs), () => this.#sayLine(text)))
  }

  #sayAfter(delayMs: number, text: string): void {
    this.#world.after(delayMs, () => this.#sayLine(text))
  }

  #sayLine(text: string): void {
    this.#say(`\r\n${text}\r\n`)
  }
}
