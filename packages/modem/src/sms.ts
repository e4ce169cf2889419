// A message (SMS) to one number, and the answer of that number.

import type { AtLine } from './atLine.ts'
import { deleteMessage, sendMessage } from './commands.ts'
import type { Answer } from './core/dialogue.ts'
import { isFrom, type Message } from './core/message.ts'
import { hasCall, isFree, type Refusal } from './core/modemState.ts'
import { shownText } from './core/ussdLine.ts'
import type { Driver } from './driver.ts'
import type { LateConfirmations } from './inbox.ts'
import { Mail } from './mail.ts'
import { reserve } from './reserve.ts'

export interface SmsRequest {
  /** E.164. */
  readonly phoneNumber: string
  readonly text: string
  /** How long to wait for an answer of this number once the message was sent. */
  readonly answerWithinMs: number
}

export interface SmsEnds {
  /** An opening waits: nothing more is sent. A message that was sent is not taken back, and its answer is still awaited. */
  readonly cancelled: Promise<unknown>
  /** Ends the wait for the answer. */
  readonly stopped: Promise<unknown>
}

export interface SmsAnswer {
  /** One line of visible characters, 480 at most. */
  readonly text: string
  readonly isWhole: boolean
}

export type SmsResult =
  /**
   * `isSent`: the network took it, or its number answered. Otherwise the network may still have taken it. It is never sent again.
   */
  | { readonly ok: true; readonly isSent: boolean; readonly answer: SmsAnswer | null }
  /** Nothing was sent, and nothing will be. */
  | {
      readonly ok: false
      readonly reason: Refusal | 'no_answer' | 'refused' | 'cancelled'
      readonly detail?: string
    }

const mostCharacters = 480
/** The separator between several messages of one answer. It is part of no number, so each message can be masked by itself. */
const betweenMessages = ' | '
/** The longest time from one part of an answer to the next; later parts are not awaited. */
const nextPartWithinMs = 20_000
/** Where no OK shows when the network took our message: no answer comes sooner after the message was written. */
const soonestAnswerMs = 1_000
/** The most parts of one answer that are kept. */
const mostParts = 8

/** Waits until no opening needs the line; null where it has gone or the wait is over. */
async function freeLine(driver: Driver, endMs: number, isWanted: () => boolean) {
  const { world } = driver.options
  const isReady = () => isFree(driver.state) && driver.line !== null
  await driver.pauseWhile(endMs - world.monotonicMs(), () => isWanted() && !isReady())
  return isReady() ? driver.line : null
}

/** The messages of this number so far: whole ones, and the parts of one that is not whole yet. */
interface Heard {
  readonly texts: readonly string[]
  readonly parts: readonly Message[]
}

const inOrder = (parts: readonly Message[]) =>
  [...parts]
    .sort((one, other) => (one.part?.place ?? 0) - (other.part?.place ?? 0))
    .map(({ text }) => text)
    .join('')

function withMessage({ parts, texts }: Heard, message: Message): Heard {
  const { part } = message
  if (!part) return { texts: [...texts, message.text], parts }
  const others = parts.filter(one => one.part?.reference === part.reference && one.part.place !== part.place)
  const next = [...others, message].slice(-mostParts)
  return next.length === part.count ? { texts: [...texts, inOrder(next)], parts: [] } : { texts, parts: next }
}

function answerOf({ parts, texts }: Heard): SmsAnswer | null {
  const said = [...texts, ...(parts.length > 0 ? [inOrder(parts)] : [])]
  if (said.length === 0) return null
  return { text: shownText(said.join(betweenMessages), mostCharacters), isWhole: parts.length === 0 }
}

/** The next message, if it is from this number. A stored one is then deleted, because the SIM card has room for few. */
async function readNext(
  driver: Driver,
  mail: Mail,
  phoneNumber: string,
  lineUntil: () => Promise<AtLine | null>,
): Promise<Message | undefined> {
  const read = await mail.read(driver.options.world.monotonicMs, async command =>
    (await lineUntil())?.ask(command),
  )
  if (!read || !isFrom(read.message, phoneNumber)) return undefined
  if (read.place !== null) await (await lineUntil())?.ask(deleteMessage(read.place))
  return read.message
}

/** The answer of a number. Not `isSure`: some of it may concern a call. */
interface Said {
  readonly answer: SmsAnswer | null
  readonly isSure: boolean
}

/**
 * Waits for the answer of this number. Messages of others stay where they are. All messages of the number are collected to the
 * end of the wait where one about a call is missing, or a call happens meanwhile: nobody can tell the two kinds apart.
 */
async function awaitAnswer(
  driver: Driver,
  mail: Mail,
  { answerWithinMs, phoneNumber }: SmsRequest,
  isMissing: boolean,
  isWanted: () => boolean,
): Promise<Said> {
  const { world } = driver.options
  const endMs = world.monotonicMs() + answerWithinMs
  let heard: Heard = { texts: [], parts: [] }
  let partsEndMs = endMs
  let hasCalled = isMissing
  const lineUntil = () => freeLine(driver, endMs, isWanted)
  const isEnough = () => {
    if (hasCalled) return heard.texts.length >= 2
    return heard.texts.length > 0 || world.monotonicMs() >= partsEndMs
  }
  while (isWanted() && !isEnough() && world.monotonicMs() < endMs) {
    hasCalled ||= hasCall(driver.state)
    const nowMs = world.monotonicMs()
    const waitMs = mail.waitMs(nowMs)
    if (waitMs > 0) {
      await driver.change(Math.min(waitMs, (hasCalled ? endMs : partsEndMs) - nowMs))
      continue
    }
    const message = await readNext(driver, mail, phoneNumber, lineUntil)
    if (!message) continue
    heard = withMessage(heard, message)
    partsEndMs = Math.min(endMs, world.monotonicMs() + nextPartWithinMs)
  }
  return { answer: answerOf(heard), isSure: !hasCalled }
}

/**
 * Whether an error proves that nothing was sent. After the message was written, only the network's and the modem's own reasons
 * prove that (3GPP TS 27.005 3.2.5). These do not: 332, where the network did not answer; 500; a maker's own number; an error
 * without a number.
 */
function isRefusal({ bodyMs, error }: Extract<Answer, { result: 'error' }>): boolean {
  return bodyMs === undefined || (error.text.startsWith('+CMS') && error.code !== null && error.code < 332)
}

interface Sent {
  readonly ok: true
  readonly isSent: boolean
  /** Discards what the modem has reported so far: it was under way before, and is no answer. */
  readonly answersAfterMs: number
}

/** Keeps the modem only for the sending, so that an opening goes first during the wait for the answer. */
async function send(
  driver: Driver,
  { phoneNumber, text }: SmsRequest,
  isCancelled: () => boolean,
): Promise<Extract<SmsResult, { ok: false }> | Sent> {
  const command = sendMessage(phoneNumber, text)
  if (!command) return { ok: false, reason: 'refused', detail: 'no message that may be sent' }
  const hold = await reserve(driver)
  if (!hold.ok) return hold
  try {
    if (isCancelled()) return { ok: false, reason: 'cancelled' }
    const answer = await hold.line.ask(command)
    if (answer.result === 'error' && isRefusal(answer))
      return { ok: false, reason: 'refused', detail: answer.error.text.slice(0, 80) }
    if (answer.result === 'unprompted')
      return { ok: false, reason: 'no_answer', detail: 'the modem did not ask for the message' }
    const nowMs = driver.options.world.monotonicMs()
    if (answer.result === 'ok') return { ok: true, isSent: true, answersAfterMs: nowMs }
    // Where the line has gone, the time at which the message was written is unknown.
    const writtenMs = 'bodyMs' in answer ? answer.bodyMs : undefined
    return { ok: true, isSent: false, answersAfterMs: (writtenMs ?? nowMs) + soonestAnswerMs }
  } finally {
    hold.release()
  }
}

/**
 * Sends one message, once, and waits for the answer of its number. A missing result stays unknown, and is never a reason to send
 * again. Never rejects, and never writes during a call.
 */
export async function sendSms(
  driver: Driver,
  request: SmsRequest,
  { cancelled, stopped }: SmsEnds,
  late: LateConfirmations,
): Promise<SmsResult> {
  let isCancelled = false
  let isStopped = false
  void cancelled.then(() => {
    isCancelled = true
  })
  void stopped.then(() => {
    isStopped = true
    driver.wake()
  })
  const { world } = driver.options
  const mail = new Mail()
  const unfollow = driver.followUrcs(urc => mail.take(urc, world.monotonicMs()))
  try {
    const sent = await send(driver, request, () => isCancelled || isStopped)
    if (!sent.ok) return sent
    mail.dropUntil(sent.answersAfterMs)
    const isMissing = late.isMissing(request.phoneNumber, world.monotonicMs())
    // The answer must not be taken for the confirmation of a call to the same number.
    const hasCome = late.expect(request.phoneNumber, world.monotonicMs())
    const endAwait = late.awaitAnswer(request.phoneNumber)
    const isWanted = () => !isStopped && !driver.state.isClosing
    const said = await awaitAnswer(driver, mail, request, isMissing, isWanted).finally(endAwait)
    const { answer, isSure } = said
    if (answer?.isWhole && isSure) hasCome()
    return { ok: true, isSent: sent.isSent || (answer !== null && isSure), answer }
  } finally {
    unfollow()
  }
}
