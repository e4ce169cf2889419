// What the commands on this machine may ask the running daemon, and what it answers: closed objects, one line of JSON each.

import { closed, nullable } from '@callgate/contract/text'
import { faultFinder } from '@callgate/contract/validate'
import Type, { type Static } from 'typebox'

/** The socket in the data folder, which only the daemon's user and root may open. */
export const socketName = 'daemon.sock'

export const mostQuestionBytes = 500
export const mostAnswerBytes = 20_000
export const mostClients = 4
/** A client that says nothing for so long is cut off. */
export const idleMs = 10_000

const text = Type.String({ maxLength: 300 })

export const Question = closed({ ask: Type.Literal('status') })
export type Question = Static<typeof Question>

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
const statusFaults = faultFinder(DaemonStatus, 'the status')

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

/** The status in a line; undefined for anything else, such as the answer of another version. */
export function readStatus(line: string): DaemonStatus | undefined {
  const value = parsed(line)
  return value !== undefined && statusFaults(value).length === 0 ? (value as DaemonStatus) : undefined
}
