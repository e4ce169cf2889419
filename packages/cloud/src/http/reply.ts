// Replies: the answer or problem as text, so that it can be kept and sent again byte by byte.

import { type Problem, statusOf } from '@callgate/contract/rest/problem'
import type { Context } from 'koa'
import { entityTag } from './entityTag.ts'
import type { ListBody } from './keptBodies.ts'

export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** JSON; null where there is no body. */
  readonly body: string | null
}

/** The common form of every `AnswerOf`, for writing it. */
export interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: object
}

/** An answer of one list that is JSON already: the text that JSON.stringify would print. */
export interface WrittenList {
  readonly status: 200
  readonly headers?: Readonly<Record<string, string>>
  readonly json: string
}

const none: Readonly<Record<string, string>> = {}

/** `tellsRefusals`: for the dashboard, which shows refusals in its own languages. */
export function problemReply(problem: Problem, tellsRefusals = false): Reply {
  const { extra, headers = none, message, problem: code, refusals, status = statusOf(code) } = problem
  const error = { code, message, ...(tellsRefusals && refusals && { refusals }), ...extra }
  return { status, headers, body: JSON.stringify({ error }) }
}

/** `isTagged`: the answer is one resource, and so gets its ETag. */
export function answerReply(answer: Answer | WrittenList, isTagged: boolean): Reply {
  const { headers = none, status } = answer
  if ('json' in answer) return { status, headers, body: answer.json }
  const { body } = answer
  if (body === undefined) return { status, headers, body: null }
  const text = JSON.stringify(body)
  return { status, headers: isTagged ? { ...headers, ETag: entityTag(body) } : headers, body: text }
}

/** Sends the bytes of a list, compressed for a client that accepts gzip. */
export async function sendBody(ctx: Context, headers: Reply['headers'], body: ListBody): Promise<void> {
  const acceptsGzip = ctx.method !== 'HEAD' && ctx.acceptsEncodings('gzip', 'identity') === 'gzip'
  const zipped = acceptsGzip ? await body.zipped() : undefined
  ctx.status = 200
  ctx.set(headers)
  if (zipped) ctx.set('Content-Encoding', 'gzip')
  ctx.set('Content-Type', 'application/json; charset=utf-8')
  ctx.body = zipped ?? body.plain
}

export function sendReply(ctx: Context, { body, headers, status }: Reply): void {
  ctx.status = status
  ctx.set(headers)
  if (body !== null) ctx.set('Content-Type', 'application/json; charset=utf-8')
  ctx.body = body
}
