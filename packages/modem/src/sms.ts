// A message (SMS) to one number, and what that number answers.

import type { AtLine } from './atLine.ts'
import { deleteMessage, readMessage, sendMessage } from './commands.ts'
import type { Answer } from './core/dialogue.ts'
import type { Urc } from './core/lines.ts'
import { isFrom, type Message, messageOf } from './core/message.ts'
import { hasCall, isFree, type Refusal } from './core/modemState.ts'
import { shownText } from './core/ussd.ts'
import type { Driver } from './driver.ts'
import type { LateConfirmations } from './inbox.ts'
import { reserve } from './reserve.ts'

export interface SmsRequest {
  /** E.164. */
  readonly phoneNumber: string
  readonly text: string
  /** How long an answer of this number is waited for once the message was sent. */
  readonly answerWithinMs: number
}

export interface SmsEnds {
  /** An opening waits: nothing is sent any more. What was sent is not taken back, and its answer is waited for. */
  readonly cancelled: Promise<unknown>
  /** The answer is not waited for any longer. */
  readonly stopped: Promise<unknown>
}

export interface SmsAnswer {
  /** One line of visible characters, 480 at most. */
  readonly text: string
  readonly isWhole: boolean
}

export type SmsResult =
  /** `isSent`: the network took it. If not, it may have: nothing answered. It is not sent again. */
  | { readonly ok: true; readonly isSent: boolean; readonly answer: SmsAnswer | null }
  /** Nothing was sent, and nothing will be. */
  | {
      readonly ok: false
      readonly reason: Refusal | 'no_answer' | 'refused' | 'cancelled'
      readonly detail?: string
    }

const mostCharacters = 480
/** From one part of an answer to the next; those that come later are not waited for. */
const nextPartWithinMs = 20_000
/** Messages that wait to be read. The limit keeps a flood of them from filling our memory. */
const mostWaiting = 32
/** The most parts of one answer that are kept. */
const mostParts = 8

type Arrived = { readonly place: number } | { readonly pdu: string }

/** The messages that come from now on. */
function mailOf(driver: Driver): { next(): Arrived | undefined; close(): void } {
  let waiting: readonly Arrived[] = []
  const close = driver.followUrcs((urc: Urc) => {
    if (urc.urc === 'message') waiting = [...waiting, { place: urc.place }].slice(-mostWaiting)
    else if (urc.urc === 'delivered') waiting = [...waiting, { pdu: urc.pdu }].slice(-mostWaiting)
  })
  return {
    next() {
      const [first, ...left] = waiting
      waiting = left
      return first
    },
    close,
  }
}

/** Waits until no opening needs the line; null where it has gone or the wait is over. */
async function freeLine(driver: Driver, endMs: number, isWanted: () => boolean) {
  const { world } = driver.options
  const isReady = () => isFree(driver.state) && driver.line !== null
  await driver.pauseWhile(endMs - world.monotonicMs(), () => isWanted() && !isReady())
  return isReady() ? driver.line : null
}

/** What this number has said so far: whole messages, and the parts of one that is not whole yet. */
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
  return { text: shownText(said.join(' / '), mostCharacters), isWhole: parts.length === 0 }
}

/** The message that has come, where it is of this number. A stored one is deleted then: the SIM card has room for few. */
async function readArrived(
  arrived: Arrived,
  phoneNumber: string,
  lineUntil: () => Promise<AtLine | null>,
): Promise<Message | undefined> {
  const ofNumber = (pdu: string | undefined) => {
    const message = pdu === undefined ? undefined : messageOf(pdu)
    return message && isFrom(message, phoneNumber) ? message : undefined
  }
  if ('pdu' in arrived) return ofNumber(arrived.pdu)
  const answer = await (await lineUntil())?.ask(readMessage(arrived.place))
  const message = ofNumber(
    answer?.result === 'ok' ? answer.lines.find(text => !text.startsWith('+')) : undefined,
  )
  if (message) await (await lineUntil())?.ask(deleteMessage(arrived.place))
  return message
}

/**
 * Waits for what this number answers. Messages of others stay where they are. After a call meanwhile, all that this number says
 * is collected to the end: a gate may confirm the call by a message, and nobody can tell the two apart.
 */
async function awaitAnswer(
  driver: Driver,
  mail: ReturnType<typeof mailOf>,
  { answerWithinMs, phoneNumber }: SmsRequest,
  isWanted: () => boolean,
): Promise<SmsAnswer | null> {
  const { world } = driver.options
  const endMs = world.monotonicMs() + answerWithinMs
  let heard: Heard = { texts: [], parts: [] }
  let partsEndMs = endMs
  let hasCalled = false
  const lineUntil = () => freeLine(driver, endMs, isWanted)
  const isEnough = () => {
    if (hasCalled) return heard.texts.length >= 2
    return heard.texts.length > 0 || world.monotonicMs() >= partsEndMs
  }
  while (isWanted() && !isEnough() && world.monotonicMs() < endMs) {
    hasCalled ||= hasCall(driver.state)
    const arrived = mail.next()
    const message = arrived && (await readArrived(arrived, phoneNumber, lineUntil))
    if (message) {
      heard = withMessage(heard, message)
      partsEndMs = Math.min(endMs, world.monotonicMs() + nextPartWithinMs)
    } else if (!arrived) await driver.change((hasCalled ? endMs : partsEndMs) - world.monotonicMs())
  }
  return answerOf(heard)
}

/**
 * Whether an error says that nothing was sent. Once the message was written, only the network's own reasons and those of the
 * modem do (3GPP TS 27.005 3.2.5): not 332, where the network did not answer, nor 500, a maker's own number, or none.
 */
function isRefusal({ error, hasBody }: Extract<Answer, { result: 'error' }>): boolean {
  return !hasBody || (error.text.startsWith('+CMS') && error.code !== null && error.code < 332)
}

/** Keeps the modem for the sending alone, so that an opening goes first while the answer is waited for. */
async function send(
  driver: Driver,
  { phoneNumber, text }: SmsRequest,
  isCancelled: () => boolean,
): Promise<Extract<SmsResult, { ok: false }> | { readonly ok: true; readonly isSent: boolean }> {
  const command = sendMessage(phoneNumber, text)
  if (!command) return { ok: false, reason: 'refused', detail: 'no message that may be sent' }
  const reserved = await reserve(driver)
  const { line } = driver
  if (!reserved.ok || !line) return { ok: false, reason: reserved.ok ? 'modem_not_ready' : reserved.reason }
  try {
    if (isCancelled()) return { ok: false, reason: 'cancelled' }
    const answer = await line.ask(command)
    if (answer.result === 'error' && isRefusal(answer))
      return { ok: false, reason: 'refused', detail: answer.error.text.slice(0, 80) }
    if (answer.result === 'unprompted')
      return { ok: false, reason: 'no_answer', detail: 'the modem did not ask for the message' }
    return { ok: true, isSent: answer.result === 'ok' }
  } finally {
    driver.apply({ type: 'released' })
  }
}

/**
 * Sends one message, once, and waits for the answer of its number. A result that does not come is not known, and never a reason
 * to send it again. Never rejects, and never writes beside a call.
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
  const mail = mailOf(driver)
  try {
    const sent = await send(driver, request, () => isCancelled || isStopped)
    if (!sent.ok) return sent
    // The answer must not be taken for the confirmation of a call to the same number.
    late.expect(request.phoneNumber, driver.options.world.monotonicMs())
    const endAwait = late.awaitAnswer(request.phoneNumber)
    const isWanted = () => !isStopped && !driver.state.isClosing
    const answer = await awaitAnswer(driver, mail, request, isWanted).finally(endAwait)
    return { ok: true, isSent: sent.isSent || answer !== null, answer }
  } finally {
    mail.close()
  }
}
