// What the commands on this machine may ask the running daemon, and what it answers: closed objects, one line of JSON each.

import { closed, nullable, open, words } from '@callgate/contract/text'
import { faultFinder } from '@callgate/contract/validate'
import Type, { type Static, type TSchema } from 'typebox'

/** The socket in the data folder, which only the daemon's user and root may open. */
export const socketName = 'daemon.sock'

export const mostQuestionBytes = 500
export const mostAnswerBytes = 20_000
export const mostClients = 4
/** A client that says nothing for so long is cut off. */
export const idleMs = 10_000

const text = Type.String({ maxLength: 300 })

/**
 * status: what it knows. health: whether it works, for whoever has just started another version of it. rest: to claim nothing for
 * `restMs`, if no opening waits or runs, so that it may be stopped without a call being cut off.
 */
export const Question = closed({ ask: words(['status', 'health', 'rest']) })
export type Question = Static<typeof Question>

/** For how long it rests when it was asked to. */
export const restMs = 30_000

/** The same in all versions, as the version that asks is another one. A later one may add members. */
export const DaemonHealth = open({
  version: text,
  upMs: Type.Integer({ minimum: 0 }),
  /** The cloud has taken it up, and the modem can call. */
  isHealthy: Type.Boolean(),
})
export type DaemonHealth = Static<typeof DaemonHealth>

/** The same in all versions, too. False: an opening waits or runs. */
export const DaemonRest = open({ rests: Type.Boolean() })
export type DaemonRest = Static<typeof DaemonRest>

/** What the daemon knows, without a secret and without a whole number. */
export const DaemonStatus = closed({
  version: text,
  /** Since the daemon was started. */
  upMs: Type.Integer({ minimum: 0 }),
  /** Hints that wait, and whether an opening is being served. */
  waiting: Type.Integer({ minimum: 0 }),
  isOpening: Type.Boolean(),
  cloud: closed({
    isConnected: Type.Boolean(),
    /** The cloud has answered with a message that one of the trusted keys has signed. */
    isTakenUp: Type.Boolean(),
    /** What the broker or the network said last; null when nothing is wrong. */
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
  }),
})
export type DaemonStatus = Static<typeof DaemonStatus>

const questionFaults = faultFinder(Question, 'the question')

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** The question in a line; undefined for anything else. */
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
export const readRest = answerReader(DaemonRest)
