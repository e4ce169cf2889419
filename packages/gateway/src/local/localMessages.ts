// The questions of the commands on this machine to the daemon, and its answers: closed objects, one line of JSON each.

import { closed, nullable, open, words } from '@callgate/contract/text'
import { faultFinder } from '@callgate/contract/validate'
import Type, { type Static, type TSchema } from 'typebox'

/** The socket in the data folder, which only the daemon's user and root may open. */
export const socketName = 'daemon.sock'

export const mostQuestionBytes = 500
export const mostAnswerBytes = 20_000
export const mostClients = 8
/** A client that is silent for this time is cut off, unless it listens. Milliseconds. */
export const idleMs = 40_000
/** A listener that wants more time asks again. Milliseconds. */
export const mostListeningMs = 1_800_000
/** A listener with this many unread bytes is cut off. */
export const mostWaitingBytes = 200_000

const text = Type.String({ maxLength: 300 })

/**
 * status: the daemon's state. health: whether it works, for a program that has just started another version of it. rest: claim
 * nothing for `pauseMs`, unless an opening or a task waits or runs, so that it may be stopped without interrupting one. trace:
 * the steps of openings from now on. unasked: the modem's unsolicited lines from now on. recording: what
 * went over the modem's line in its last set-up and its last calls. at: one line that a person typed to the modem.
 */
export const Question = Type.Union([
  closed({ ask: words(['status', 'health', 'rest', 'trace', 'unasked', 'recording']) }),
  closed({ ask: Type.Literal('at'), line: Type.String({ maxLength: 100 }) }),
])
export type Question = Static<typeof Question>

/** How long a pause lasts. */
export const pauseMs = 30_000

/** The same in all versions, because the asking program has another version. A later version may add members. */
export const DaemonHealth = open({
  version: text,
  upMs: Type.Integer({ minimum: 0 }),
  /** The cloud has taken it up, and the modem can call. */
  isHealthy: Type.Boolean(),
})
export type DaemonHealth = Static<typeof DaemonHealth>

/** The same in all versions, too. False: an opening or a task waits or runs. */
export const DaemonPause = open({ rests: Type.Boolean() })
export type DaemonPause = Static<typeof DaemonPause>

/** The daemon's state, without secrets and without complete phone numbers. */
export const DaemonStatus = closed({
  version: text,
  /** The time since the daemon was started. */
  upMs: Type.Integer({ minimum: 0 }),
  /** How many hints wait, and whether an opening is being served. */
  waiting: Type.Integer({ minimum: 0 }),
  isOpening: Type.Boolean(),
  cloud: closed({
    isConnected: Type.Boolean(),
    /** Whether the cloud has answered with a message that one of the trusted keys has signed. */
    isTakenUp: Type.Boolean(),
    /** The last problem that the broker or the network reported; null where there is none. */
    problem: nullable(text),
    keyIds: Type.Array(text, { maxItems: 16 }),
  }),
  modem: closed({
    state: text,
    trouble: nullable(text),
    model: nullable(text),
    firmware: nullable(text),
    lacks: Type.Array(text, { maxItems: 16 }),
    operator: nullable(text),
    registration: text,
    signalDbm: nullable(Type.Number()),
    voltageMv: nullable(Type.Number()),
    lowestInCallMv: nullable(Type.Number()),
  }),
})
export type DaemonStatus = Static<typeof DaemonStatus>

/** One step of an opening, for a person. */
export const TraceLine = closed({
  openingId: text,
  /** The time since this gateway first heard of the opening. */
  atMs: Type.Integer({ minimum: 0 }),
  says: text,
  advice: nullable(text),
  /** How the opening ended here; null: it goes on. `declined`: it may come back. */
  end: nullable(words(['completed', 'failed', 'timeout', 'not_called', 'declined'])),
})
export type TraceLine = Static<typeof TraceLine>

/** The answer to a line for the modem. */
export const AtAnswer = closed({
  result: words(['ok', 'error', 'silent', 'refused']),
  lines: Type.Array(text, { maxItems: 16 }),
  why: nullable(text),
})
export type AtAnswer = Static<typeof AtAnswer>

export const UnaskedLine = closed({ text })
export type UnaskedLine = Static<typeof UnaskedLine>

/** A line of the recording, as the report has it and unmasked; null: it was the last one. */
export const RecordingLine = closed({ line: nullable(Type.String({ maxLength: mostAnswerBytes / 2 })) })
export type RecordingLine = Static<typeof RecordingLine>

const questionFaults = faultFinder(Question, 'the question')

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** Reads the question in a line; undefined for anything else. */
export function readQuestion(line: string): Question | undefined {
  const value = parsed(line)
  return value !== undefined && questionFaults(value).length === 0 ? (value as Question) : undefined
}

/** Reads an answer in a line; undefined for anything else, such as the answer of another version. */
function answerReader<Schema extends TSchema>(schema: Schema) {
  const faults = faultFinder(schema, 'the answer')
  return (line: string): Static<Schema> | undefined => {
    const value = parsed(line)
    return value !== undefined && faults(value).length === 0 ? (value as Static<Schema>) : undefined
  }
}

export const readStatus = answerReader(DaemonStatus)
export const readHealth = answerReader(DaemonHealth)
export const readPause = answerReader(DaemonPause)
export const readTraceLine = answerReader(TraceLine)
export const readAtAnswer = answerReader(AtAnswer)
export const readUnaskedLine = answerReader(UnaskedLine)
export const readRecordingLine = answerReader(RecordingLine)
