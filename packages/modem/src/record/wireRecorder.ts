// The recorder: keeps the bytes of the last set-up and of the last calls in memory, within fixed bounds.

import type { World } from '@callgate/world/world'
import type { ByteLine, OpenLine } from '../byteLine.ts'
import type { RecordedCall, RecordedSetUp, Recording, WireEvent, WireEventKind } from './recording.ts'

/** What one event takes beside its text, in bytes. */
const eventBytes = 64
/** A call of a minute takes some 25 KB. */
const mostOfCall = 96 * 1_024
const mostOfSetUp = 32 * 1_024
const mostOfCalls = 512 * 1_024
const mostCalls = 20
/** What is kept of the time without a call: some 20 s, in which every question about health is asked twice. */
const mostBefore = 4 * 1_024
/** A longer chunk is kept in pieces. */
const mostCharacters = 1_024
/** A slow line gives a few bytes at a time. Pieces of a line that come closer than this are one event. */
const pieceWithinMs = 20

const sizeOf = (events: readonly WireEvent[]) =>
  events.reduce((sum, { text }) => sum + eventBytes + text.length, 0)

/** The last event with another piece of its line; undefined where the event is one of its own. */
function joined(last: WireEvent | undefined, { atMs, kind, text }: WireEvent): WireEvent | undefined {
  const isPiece =
    kind === 'from' &&
    last?.kind === 'from' &&
    !last.text.endsWith('\n') &&
    atMs - last.atMs <= pieceWithinMs &&
    last.text.length + text.length <= mostCharacters
  // The line is complete with its last piece, so that piece has the time that counts.
  return isPiece ? { atMs, kind, text: last.text + text } : undefined
}

/** Events from one moment on, up to a size. */
class Section {
  readonly startMs: number
  readonly #most: number
  readonly #events: WireEvent[] = []
  #size = 0
  isCut = false

  constructor(startMs: number, most: number) {
    this.startMs = startMs
    this.#most = most
  }

  get events(): readonly WireEvent[] {
    return this.#events
  }

  add(nowMs: number, kind: WireEventKind, text: string): void {
    if (this.isCut) return
    const event = { atMs: Math.round(nowMs - this.startMs), kind, text }
    const whole = joined(this.#events.at(-1), event)
    const size = text.length + (whole ? 0 : eventBytes)
    if (this.#size + size > this.#most) {
      this.isCut = true
      return
    }
    this.#size += size
    if (whole) this.#events[this.#events.length - 1] = whole
    else this.#events.push(event)
  }
}

/** The last events without a call, with the time of the world. */
class Recent {
  readonly #events: WireEvent[] = []

  add(nowMs: number, kind: WireEventKind, text: string): void {
    const event = { atMs: nowMs, kind, text }
    const whole = joined(this.#events.at(-1), event)
    if (whole) this.#events[this.#events.length - 1] = whole
    else this.#events.push(event)
    while (sizeOf(this.#events) > mostBefore) this.#events.shift()
  }

  /** The events, with their time before `startMs`. */
  before(startMs: number): readonly WireEvent[] {
    return this.#events.map(event => ({ ...event, atMs: Math.min(0, Math.round(event.atMs - startMs)) }))
  }
}

/** What is called, and how its gate is known to take a call. */
type Dialled = Pick<RecordedCall, 'phoneNumber' | 'profile'>
/** What was concluded of a call. */
type Judged = Pick<RecordedCall, 'verdict' | 'evidence'>

interface OpenCall extends Dialled {
  /** Undefined before the ATD. */
  section?: Section
  before: readonly WireEvent[]
  nowMs: number
}

/** Two set-ups that say the same, at other times, are kept once. */
const saysSame = (one: RecordedSetUp, other: RecordedSetUp) =>
  one.isCut === other.isCut &&
  one.events.length === other.events.length &&
  one.events.every(({ kind, text }, place) => {
    const event = other.events[place]
    return event?.kind === kind && event.text === text
  })

export class WireRecorder {
  readonly #world: World
  readonly #recent = new Recent()
  readonly #calls: RecordedCall[] = []
  #starting: Section | null = null
  #call: OpenCall | null = null
  #setUp: RecordedSetUp | null = null
  #failedSetUp: RecordedSetUp | null = null

  constructor(world: World) {
    this.#world = world
  }

  /** Opens the line and records what goes over it. */
  async open(openLine: OpenLine, silentLines: number): ReturnType<OpenLine> {
    const opened = await openLine(silentLines)
    if (opened.ok) this.#add('opened', '')
    else this.#add('failed', opened.code)
    return opened.ok ? { ok: true, line: this.#recorded(opened.line) } : opened
  }

  startUpBegan(): void {
    this.#starting = new Section(this.#world.monotonicMs(), mostOfSetUp)
  }

  startUpEnded(hasSucceeded: boolean): void {
    if (!this.#starting) return
    const { events, isCut } = this.#starting
    const setUp = { events, isCut }
    this.#starting = null
    if (!hasSucceeded) this.#failedSetUp = setUp
    else {
      this.#failedSetUp = null
      if (!this.#setUp || !saysSame(this.#setUp, setUp)) this.#setUp = setUp
    }
  }

  /**
   * A call is about to be placed. It begins with the write of ATD; the returned function ends it, with null where nothing was
   * dialled. Only its first use counts.
   */
  dialling({ phoneNumber, profile }: Dialled): (judged: Judged | null) => void {
    const call: OpenCall = { phoneNumber, profile, before: [], nowMs: 0 }
    // A second call is refused while one is open, and takes nothing from it.
    this.#call ??= call
    return judged => {
      if (this.#call === call) this.#call = null
      if (judged && call.section) this.#keep(call, call.section, judged)
    }
  }

  recording(): Recording {
    return { setUp: this.#setUp, failedSetUp: this.#failedSetUp, calls: [...this.#calls] }
  }

  #keep(call: OpenCall, { events, isCut }: Section, { evidence, verdict }: Judged): void {
    const { before, nowMs, phoneNumber, profile } = call
    const setUp = this.#setUp
    this.#calls.push({ nowMs, phoneNumber, profile, verdict, evidence, setUp, before, events, isCut })
    const sum = () => this.#calls.reduce((size, one) => size + sizeOf(one.events) + sizeOf(one.before), 0)
    while (this.#calls.length > mostCalls || sum() > mostOfCalls) this.#calls.shift()
  }

  #recorded(line: ByteLine): ByteLine {
    const add = (kind: WireEventKind, text: string) => this.#add(kind, text)
    const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1')
    return {
      write(bytes) {
        line.write(bytes)
        add('to', textOf(bytes))
      },
      writeNow(bytes) {
        const sent = line.writeNow(bytes)
        add(sent === 'written' ? 'to' : sent, textOf(bytes))
        return sent
      },
      flush: () => line.flush(),
      onBytes: listener =>
        line.onBytes(bytes => {
          add('from', textOf(bytes))
          listener(bytes)
        }),
      onClose: listener =>
        line.onClose(reason => {
          add('gone', reason)
          listener(reason)
        }),
      close() {
        add('closed', '')
        return line.close()
      },
    }
  }

  #add(kind: WireEventKind, text: string): void {
    const pieces = text.length <= mostCharacters ? [text] : (text.match(/[\s\S]{1,1024}/g) ?? [])
    for (const piece of pieces) this.#addPiece(this.#world.monotonicMs(), kind, piece)
  }

  #addPiece(nowMs: number, kind: WireEventKind, text: string): void {
    const call = this.#call
    if (call && !call.section && /^ATD/.test(text) && kind !== 'from') {
      call.before = this.#recent.before(nowMs)
      call.nowMs = this.#world.nowMs()
      call.section = new Section(nowMs, mostOfCall)
    }
    this.#starting?.add(nowMs, kind, text)
    if (call?.section) call.section.add(nowMs, kind, text)
    else this.#recent.add(nowMs, kind, text)
  }
}
