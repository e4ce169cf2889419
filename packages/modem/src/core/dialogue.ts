// The dialogue: one command at a time. It takes unsolicited lines out, and gives a late reply to no other command.

import { informationNamed } from './fields.ts'
import { type CallToken, cleanLine, type Line, type ModemError, readLine, type Urc } from './lines.ts'

/** A line for the modem and what ends it; the vocabulary is in commands.ts. */
export interface Command {
  readonly text: string
  /** The manual's longest response time, or 3 s where the manual has none. */
  readonly timeoutMs: number
  /** Which lines are this command's information; without it, none are. */
  readonly reply?: RegExp
  /** ATD: a call token before its OK is its final result, and a hang-up may interrupt it. */
  readonly dials?: boolean
  /** Written even while earlier replies are outstanding; then its own answer cannot be trusted. */
  readonly urgent?: boolean
  /** A hang-up: does not wait for the OK of ATD, which it aborts (SIM800 AT manual V1.09 2.2.3). */
  readonly hangsUp?: boolean
  /** AT+CMGS: what is written once the modem prompts for it, with what ends it. */
  readonly body?: Body
  /** AT+CUSD: its answer comes unsolicited, most often after its OK. */
  readonly answeredBy?: Urc['urc']
}

export interface Body {
  readonly text: string
  /** From its writing to the final result. `timeoutMs` of the command is the time for the prompt. */
  readonly timeoutMs: number
}

export type Answer =
  /** `bodyMs`: when the body was written, monotonic milliseconds; absent: it was not. */
  | { readonly result: 'ok'; readonly lines: readonly string[]; readonly bodyMs?: number }
  | { readonly result: 'error'; readonly error: ModemError; readonly bodyMs?: number }
  | { readonly result: 'token'; readonly token: CallToken }
  /** No final result came in time: from here on a reply is outstanding. */
  | { readonly result: 'silent'; readonly bodyMs?: number }
  /** No prompt came in time, so the body was not written and never will be. */
  | { readonly result: 'unprompted' }
  | { readonly result: 'dropped'; readonly why: 'restarted' | 'closed' | 'aborted' | 'crowded' }

interface PendingCommand {
  readonly id: number
  readonly command: Command
}

interface Running extends PendingCommand {
  readonly lines: readonly string[]
  readonly deadlineMs: number
  /** A marker, sent by the dialogue itself. No other command has its reply, which shows that no older reply can still come. */
  readonly isMarker: boolean
  /** When its body was written. */
  readonly bodyMs?: number
}

export interface Dialogue {
  readonly running: Running | null
  readonly waiting: readonly PendingCommand[]
  /** Markers still to try, because an earlier command may yet be answered; null when nothing is outstanding. */
  readonly owed: readonly Command[] | null
  /**
   * The modem may prompt for a body. Where no body is to be written, the dialogue leaves the prompt, in which every command would
   * count as text.
   */
  readonly mayPrompt: boolean
}

export type DialogueEvent =
  | { readonly kind: 'asked'; readonly id: number; readonly command: Command }
  /** The ATD was written directly, with no command running. */
  | { readonly kind: 'dialled'; readonly id: number; readonly command: Command }
  | { readonly kind: 'line'; readonly raw: string }
  /** The modem prompts, by a line without an end. */
  | { readonly kind: 'prompt' }
  | { readonly kind: 'time' }
  | { readonly kind: 'closed' }

export type DialogueEffect =
  | { readonly kind: 'write'; readonly text: string }
  /** Written without a line end: a body, or what leaves a prompt. */
  | { readonly kind: 'writeBare'; readonly text: string }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: Answer }
  | { readonly kind: 'urc'; readonly urc: Urc }

const maxWaiting = 16
const maxReplyLines = 16
/** ESC ends a prompt, and nothing is sent (3GPP TS 27.005 3.5.1). Elsewhere a modem ignores it. */
const leavePrompt: DialogueEffect = { kind: 'writeBare', text: '\x1b' }

/**
 * Harmless questions, each with a reply of its own. The modem answers in order, so the reply to the last one comes after all
 * outstanding replies. None is asked twice, because its late first reply would pass for the second.
 */
const markers: readonly Command[] = [
  { text: 'AT+CSQ', timeoutMs: 1_000, reply: informationNamed('+CSQ') },
  { text: 'AT+CBC', timeoutMs: 1_000, reply: informationNamed('+CBC') },
  { text: 'AT+CPAS', timeoutMs: 2_000, reply: informationNamed('+CPAS') },
  { text: 'AT+CCALR?', timeoutMs: 3_000, reply: informationNamed('+CCALR') },
  { text: 'AT+CLIP?', timeoutMs: 5_000, reply: informationNamed('+CLIP', 1) },
  { text: 'AT+IPR?', timeoutMs: 8_000, reply: informationNamed('+IPR') },
]

/** The beginning: commands of an earlier program may still be answered. */
export const newDialogue: Dialogue = { running: null, waiting: [], owed: markers, mayPrompt: false }

interface Step {
  readonly state: Dialogue
  readonly effects: readonly DialogueEffect[]
}

function markersAfter(command: Command): readonly Command[] {
  return markers.filter(marker => marker.text !== command.text)
}

function begin(state: Dialogue, asked: PendingCommand, isMarker: boolean, nowMs: number): Step {
  const running: Running = {
    ...asked,
    lines: [],
    isMarker,
    deadlineMs: nowMs + asked.command.timeoutMs,
  }
  const mayPrompt = state.mayPrompt || asked.command.body !== undefined
  return { state: { ...state, running, mayPrompt }, effects: [{ kind: 'write', text: asked.command.text }] }
}

function answerAll(asked: readonly PendingCommand[], answer: Answer): DialogueEffect[] {
  return asked.map(({ id }) => ({ kind: 'answer', id, answer }))
}

/** Writes what may be written next, if anything. */
function proceed(state: Dialogue, nowMs: number): Step {
  const next = state.waiting[0]
  if (state.running || !next) return { state, effects: [] }
  if (!state.owed || next.command.urgent)
    return begin({ ...state, waiting: state.waiting.slice(1) }, next, false, nowMs)
  const [marker, ...left] = state.owed
  if (marker) return begin({ ...state, owed: left }, { id: -1, command: marker }, true, nowMs)
  // Out of step: until the modem restarts, or the line is opened again, only urgent commands are written.
  const hopeless = state.waiting.filter(({ command }) => !command.urgent)
  const urgent = state.waiting.filter(({ command }) => command.urgent)
  return then(answerAll(hopeless, { result: 'silent' }), proceed({ ...state, waiting: urgent }, nowMs))
}

function then(effects: readonly DialogueEffect[], step: Step): Step {
  return { state: step.state, effects: [...effects, ...step.effects] }
}

function ask(state: Dialogue, asked: PendingCommand, nowMs: number): Step {
  if (state.waiting.length >= maxWaiting)
    return { state, effects: answerAll([asked], { result: 'dropped', why: 'crowded' }) }
  const { running } = state
  if (!asked.command.hangsUp) return proceed({ ...state, waiting: [...state.waiting, asked] }, nowMs)
  const first = { ...state, waiting: [asked, ...state.waiting] }
  // A hang-up does not wait for a marker.
  if (running?.isMarker) return proceed({ ...first, running: null }, nowMs)
  if (!running?.command.dials) return proceed(first, nowMs)
  return then(
    answerAll([running], { result: 'dropped', why: 'aborted' }),
    proceed({ ...first, running: null, owed: state.owed ?? markers }, nowMs),
  )
}

/** It has a body that was not written. */
function isUnwritten({ bodyMs, command }: Running): boolean {
  return command.body !== undefined && bodyMs === undefined
}

const bodyTimeOf = ({ bodyMs }: Running) => (bodyMs === undefined ? {} : { bodyMs })

function finish(state: Dialogue, running: Running, answer: Answer, nowMs: number): Step {
  // A command that ended without its body may still prompt, until a marker shows that it will not.
  const owed = isUnwritten(running) ? (state.owed ?? markersAfter(running.command)) : state.owed
  const free = { ...state, running: null, owed, mayPrompt: state.mayPrompt && running.bodyMs === undefined }
  if (!running.isMarker) return then([{ kind: 'answer', id: running.id, answer }], proceed(free, nowMs))
  // A marker's final result counts only after the marker's own reply. Without that, it belongs to an older command.
  if (running.lines.length === 0) return { state, effects: [] }
  return proceed({ ...free, owed: null, mayPrompt: false }, nowMs)
}

/** Writes the body where it belongs and leaves any other prompt. During an open dial no byte may be written. */
function takePrompt(state: Dialogue, nowMs: number): Step {
  const { mayPrompt, running } = state
  const body = running?.command.body
  if (!mayPrompt || running?.command.dials || running?.bodyMs !== undefined) return { state, effects: [] }
  if (!running || !body) return { state, effects: [leavePrompt] }
  const begun = { ...running, bodyMs: nowMs, deadlineMs: nowMs + body.timeoutMs }
  return { state: { ...state, running: begun }, effects: [{ kind: 'writeBare', text: body.text }] }
}

/** Whether a line is information of the command that runs. */
function isReply(running: Running | null, text: string, { kind }: Line): boolean {
  const mayBeReply = kind === 'text' || (kind === 'urc' && text.startsWith('+'))
  return mayBeReply && running?.command.reply?.test(text) === true
}

/** Whether a cleaned line that comes now belongs to an answer, as its information, its end or its echo. */
export function belongsToAnswer({ running }: Dialogue, text: string): boolean {
  const line = readLine(text)
  const isSaid = line.kind === 'text' || line.kind === 'urc'
  return running !== null && (!isSaid || isReply(running, text, line))
}

/**
 * The line, unless it would be taken for the answer to a command that is not written yet. Some modems answer before the OK of the
 * command; such a line is marked.
 */
function heard({ running, waiting }: Dialogue, urc: Urc): readonly DialogueEffect[] {
  if (waiting.some(({ command }) => command.answeredBy === urc.urc)) return []
  const isEarly = urc.urc === 'ussd' && running?.command.answeredBy === 'ussd'
  return [{ kind: 'urc', urc: isEarly ? { ...urc, isEarly } : urc }]
}

function takeLine(state: Dialogue, raw: string, nowMs: number): Step {
  const text = cleanLine(raw)
  const line = readLine(text)
  const { running } = state
  if (running && isReply(running, text, line)) {
    const lines = running.lines.length < maxReplyLines ? [...running.lines, text] : running.lines
    return { state: { ...state, running: { ...running, lines } }, effects: [] }
  }
  if (line.kind === 'urc') {
    if (line.urc.urc === 'restarted') return restart(state)
    // Another token may belong to an earlier call, and the OK may still come.
    if (line.urc.urc === 'token' && line.urc.token === 'NO DIALTONE' && running?.command.dials) {
      // The OK may only be late.
      const owing = { ...state, owed: state.owed ?? markers }
      return finish(owing, running, { result: 'token', token: line.urc.token }, nowMs)
    }
    return { state, effects: heard(state, line.urc) }
  }
  if (!running) return { state, effects: [] }
  // The OK of an earlier command: nothing is sent before the body.
  if (line.kind === 'ok' && isUnwritten(running)) return { state, effects: [] }
  if (line.kind === 'ok')
    return finish(state, running, { result: 'ok', lines: running.lines, ...bodyTimeOf(running) }, nowMs)
  if (line.kind === 'error') {
    if (running.isMarker) return { state, effects: [] }
    const { error } = line
    return finish(state, running, { result: 'error', error, ...bodyTimeOf(running) }, nowMs)
  }
  return { state, effects: [] }
}

/** The module restarted: nothing asked before will be answered, but commands that were sent during the restart may be. */
function restart(state: Dialogue): Step {
  const asked = state.running && !state.running.isMarker ? [state.running, ...state.waiting] : state.waiting
  return {
    state: newDialogue,
    effects: [
      ...answerAll(asked, { result: 'dropped', why: 'restarted' }),
      { kind: 'urc', urc: { urc: 'restarted' } },
    ],
  }
}

function passTime(state: Dialogue, nowMs: number): Step {
  const { running } = state
  if (!running || nowMs < running.deadlineMs) return { state, effects: [] }
  if (running.isMarker) return proceed({ ...state, running: null }, nowMs)
  return then(
    isUnwritten(running)
      ? [leavePrompt, ...answerAll([running], { result: 'unprompted' })]
      : answerAll([running], { result: 'silent', ...bodyTimeOf(running) }),
    proceed({ ...state, running: null, owed: state.owed ?? markersAfter(running.command) }, nowMs),
  )
}

/** The effects of one event at `nowMs`. */
export function stepDialogue(state: Dialogue, event: DialogueEvent, nowMs: number): Step {
  switch (event.kind) {
    case 'asked':
      return ask(state, event, nowMs)
    case 'dialled': {
      const { state: begun } = begin(state, event, false, nowMs)
      return { state: begun, effects: [] }
    }
    case 'line':
      return takeLine(state, event.raw, nowMs)
    case 'prompt':
      return takePrompt(state, nowMs)
    case 'time':
      return passTime(state, nowMs)
    case 'closed': {
      const { state: ended, effects } = restart(state)
      const answers = effects.filter(effect => effect.kind === 'answer')
      return {
        state: ended,
        effects: answers.map(({ id }) => ({
          kind: 'answer',
          id,
          answer: { result: 'dropped', why: 'closed' },
        })),
      }
    }
  }
}
