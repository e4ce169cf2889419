// Replays a recorded call: its lines, at their times, into today's driver, and compares the two verdicts.

import type { CallVerdict, Evidence } from '@callgate/contract/call/verdict'
import { createModem, type DialResult, type Modem, type ModemOptions } from '@callgate/modem/modem'
import type { RecordedCall, RecordedSetUp, WireEvent } from '@callgate/modem/record/recording'
import { eventLine } from '@callgate/modem/record/recordingText'
import { type FakeWorld, fakeWorld, settle } from '@callgate/world/fake'
import { PlayedModem } from './playedModem.ts'

/** Where today's driver leaves the recording. */
export interface Parting {
  /** The line of the file; undefined where the recording was not read from one. */
  readonly line: number | undefined
  /** That line, or what stands for the end. */
  readonly recorded: string
  /** What today's driver did or noted there. */
  readonly today: string
}

export type Replayed =
  | { readonly result: 'same'; readonly verdict: CallVerdict }
  | { readonly result: 'differs'; readonly verdict: CallVerdict; readonly parting: Parting }
  /** Today's driver does not place this call, or the recording does not suffice; `why` is a sentence. */
  | { readonly result: 'notReplayed'; readonly why: string }

export interface ReplayParts {
  /** Another driver, for tests. */
  readonly createModem?: (options: ModemOptions) => Modem
}

/** How much later than on the fake clock a timer fires on a busy machine. */
const lateMs = 250

/** Times of the verdict, which a machine measures with its own delays. */
const durations = ['setupMs', 'ringMs', 'talkMs'] as const

export function isSameVerdict(one: CallVerdict, other: CallVerdict): boolean {
  const without = (verdict: CallVerdict) =>
    JSON.stringify({
      ...verdict,
      ...Object.fromEntries(durations.map(name => [name, verdict[name] === null])),
    })
  return (
    without(one) === without(other) &&
    durations.every(name => Math.abs((one[name] ?? 0) - (other[name] ?? 0)) <= lateMs)
  )
}

type Difference = Omit<Parting, 'line' | 'recorded'> & { readonly event: WireEvent | undefined }

/** A call that is played as it was, until the driver does something else. */
class Playing {
  readonly #world: FakeWorld
  readonly #modem: PlayedModem
  readonly #events: readonly WireEvent[]
  /** When our program stood still, by the facts of the call; milliseconds since the ATD. */
  readonly #stalls: readonly number[]
  /** When a limit of the driver was over, by the facts of the call: its timers had fired by then. */
  readonly #limits: number[]

  constructor(world: FakeWorld, modem: PlayedModem, { evidence, events }: RecordedCall) {
    this.#world = world
    this.#modem = modem
    this.#events = events
    const timesOf = (form: RegExp) =>
      evidence.events.flatMap(({ atMs, event }) => (form.test(event) ? [atMs] : []))
    this.#stalls = timesOf(/^stood still$/)
    this.#limits = timesOf(/^ATH, /)
  }

  /** Plays until the driver does something else, the call is over, or the recording is. */
  async play(isOver: () => boolean): Promise<Difference | undefined> {
    let formerMs = 0
    for (const [place, event] of this.#events.entries()) {
      if (isOver()) return undefined
      const today = await this.#step(event, formerMs)
      if (today !== undefined) {
        this.#modem.playFreely(this.#events[place - 1]?.atMs ?? 0)
        return { event, today }
      }
      // A port that went away comes back in its own time, and nothing of the call is heard any more.
      if (event.kind === 'gone' || event.kind === 'closed') {
        this.#modem.lose(event.text)
        return undefined
      }
      formerMs = event.atMs
    }
    this.#modem.playFreely(formerMs)
    return undefined
  }

  /** Plays one event; returns what the driver did instead, or undefined. */
  async #step(event: WireEvent, formerMs: number): Promise<string | undefined> {
    const { kind, text } = event
    while ((this.#limits[0] ?? Number.POSITIVE_INFINITY) <= event.atMs) {
      const limitMs = this.#limits.shift() ?? 0
      await this.#comeTo(formerMs, limitMs)
      await this.#fireUntil(limitMs + 1)
    }
    await this.#comeTo(formerMs, event.atMs)
    const [early] = this.#modem.written
    if (early && event.atMs - this.#sinceAtd(early.atMs) > lateMs)
      return `writes ${JSON.stringify(early.text)}`
    if (kind === 'from') {
      this.#modem.say(text)
      await settle(2)
      return undefined
    }
    if (kind === 'gone' || kind === 'closed' || kind === 'opened' || kind === 'failed') return undefined
    const written = await this.#nextWrite(event.atMs + lateMs)
    if (written === text) return undefined
    return written === undefined ? 'writes nothing' : `writes ${JSON.stringify(written)}`
  }

  #sinceAtd(atMs: number): number {
    return atMs - this.#modem.atdMs
  }

  /** Fires the timers that are due before `atMs`, each at its own time. */
  async #fireUntil(atMs: number): Promise<void> {
    for (let next = this.#world.nextTimerMs(); next !== undefined; next = this.#world.nextTimerMs()) {
      if (this.#sinceAtd(next) >= atMs) return
      this.#world.fireNext()
      await settle(2)
    }
  }

  /** Moves time there, from an earlier event. What is due just before may fire late; so may all that was due in a stall. */
  async #comeTo(formerMs: number, atMs: number): Promise<void> {
    const isStall = this.#stalls.some(stallMs => formerMs < stallMs - 1_000 && stallMs <= atMs + lateMs)
    // The ATD is written already, with the beginning of the call.
    if (!isStall && atMs > 0) await this.#fireUntil(atMs - lateMs)
    this.#world.stall(atMs - this.#sinceAtd(this.#world.monotonicMs()))
  }

  /** What the driver writes next, by `atMs` at the latest. */
  async #nextWrite(atMs: number): Promise<string | undefined> {
    for (;;) {
      const written = this.#modem.written.shift()
      if (written) return written.text
      const next = this.#world.nextTimerMs()
      if (next === undefined || this.#sinceAtd(next) > atMs) return undefined
      this.#world.fireNext()
      await settle(2)
    }
  }
}

/** The first fact that one of them has and the other has not. */
function firstFact(recorded: Evidence, today: Evidence): { atMs: number; today: string } | undefined {
  const place = recorded.events.findIndex(({ event }, at) => today.events[at]?.event !== event)
  const at = place < 0 ? recorded.events.length : place
  const [was, is] = [recorded.events[at], today.events[at]]
  if (!was && !is) return undefined
  const times = [was, is].flatMap(one => (one ? [one.atMs] : []))
  const said = (one: typeof was) => (one ? `"${one.event}"` : 'nothing')
  return { atMs: Math.min(...times), today: `notes ${said(is)}, and not ${said(was)}` }
}

function partingOf(call: RecordedCall, today: Evidence, difference: Difference | undefined): Parting {
  const fact = firstFact(call.evidence, today)
  const ofWire = difference?.event
  if (ofWire && (!fact || ofWire.atMs < fact.atMs))
    return { line: ofWire.line, recorded: eventLine(ofWire), today: difference.today }
  const event = fact
    ? call.events.findLast(({ atMs, kind }) => kind === 'from' && atMs <= fact.atMs + 2)
    : call.events.at(-1)
  return {
    line: event?.line,
    recorded: event ? eventLine(event) : '(the end)',
    today: fact?.today ?? 'notes the same, and judges it otherwise',
  }
}

/** The options of the driver that follow from what it wrote in the recorded set-up. */
function optionsOf({ setUp }: Pick<RecordedCall, 'setUp'>): Pick<ModemOptions, 'baudRate' | 'pin'> {
  const written = (setUp?.events ?? []).flatMap(({ kind, text }) => (kind === 'to' ? [text] : [])).join('')
  const [, rate] = /AT\+IPR=(\d+)/.exec(written) ?? []
  const [, pin] = /AT\+CPIN="(\d+)"/.exec(written) ?? []
  return { ...(rate !== undefined && { baudRate: Number(rate) }), ...(pin !== undefined && { pin }) }
}

const readyWithinMs = 180_000

/** Sets the modem up with the recorded answers. Returns the state in which it is not ready, in a word; undefined: it is. */
async function setUpAgain(world: FakeWorld, modem: Modem): Promise<string | undefined> {
  modem.start()
  const isReady = () => modem.status().state === 'ready'
  await world.until(isReady, readyWithinMs).catch(() => {})
  const { state, trouble } = modem.status()
  return isReady() ? undefined : (trouble ?? state)
}

/** Places the call on a modem that is set up. Returns what the driver says of it. */
async function dialAgain(world: FakeWorld, played: PlayedModem, modem: Modem, call: RecordedCall) {
  const unready = await setUpAgain(world, modem)
  if (unready !== undefined) return `today's driver does not get this modem ready: ${unready}`
  const reserving = modem.reserve()
  let reserved: Awaited<typeof reserving> | undefined
  void reserving.then(given => (reserved = given))
  await world.until(() => reserved !== undefined)
  if (!reserved?.ok) return `today's driver does not call with this modem: ${reserved?.reason}`
  let result: DialResult | undefined
  const { evidence, phoneNumber, profile } = call
  void modem
    .dial({ phoneNumber, profile, mayDial: () => true, onProgress() {} })
    .then(given => (result = given))
  const cancelled = evidence.events.find(({ event }) => event === 'ATH, cancelled')
  if (cancelled) world.after(cancelled.atMs, () => void modem.hangUp())
  await settle(2)
  const difference = await new Playing(world, played, call).play(() => result !== undefined)
  await world.until(() => result !== undefined, readyWithinMs)
  if (!result?.dialled) return `today's driver does not call: ${result?.why}`
  return { ...result, difference }
}

/** Plays the call into a new driver, on a fake clock. */
export async function replayCall(call: RecordedCall, parts: ReplayParts = {}): Promise<Replayed> {
  if (call.isCut) return { result: 'notReplayed', why: 'its end was cut off, for want of room' }
  if (!call.setUp) return { result: 'notReplayed', why: 'the set-up of its modem is missing' }
  const world = fakeWorld(1, 1)
  const played = new PlayedModem(world, call)
  const { openLine } = played
  const modem = (parts.createModem ?? createModem)({ world, openLine, ...optionsOf(call) })
  const said = await dialAgain(world, played, modem, call)
  if (typeof said === 'string') return { result: 'notReplayed', why: said }
  const { difference, evidence, verdict } = said
  if (isSameVerdict(call.verdict, verdict)) return { result: 'same', verdict }
  return { result: 'differs', verdict, parting: partingOf(call, evidence, difference) }
}

/** What today's driver makes of a set-up that failed: a word, such as `ready`, `sim_missing` or `call_list_missing`. */
export async function replayFailedSetUp(setUp: RecordedSetUp): Promise<string> {
  const world = fakeWorld(1, 1)
  const { openLine } = new PlayedModem(world, { setUp, before: [], events: [] })
  return (await setUpAgain(world, createModem({ world, openLine, ...optionsOf({ setUp }) }))) ?? 'ready'
}
