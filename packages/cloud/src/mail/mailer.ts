// The mailer: takes what is due from the outbox, one mail at a time, and sees to it that each is sent once.

import type { Timer, World } from '@callgate/world/world'
import type { Database } from '../database/database.ts'
import { type LetterFacts, writeLetter } from './letter.ts'
import { heldBy } from './mailRecords.ts'
import type { Delivery, Transport } from './message.ts'
import { type ClaimedMail, claimMail, giveUp, holdBack, markSent, postpone } from './outbox.ts'

/** Whom a queued mail is for, and what is true of them now. */
export type Addressee =
  | { readonly ok: true; readonly address: string; readonly facts: LetterFacts }
  /** The mail has lost its sense; `why` is for the operator. */
  | { readonly ok: false; readonly why: string }

export interface Mailer {
  /** Begins with what is due, and looks for more from then on. */
  start(): void
  /** Lets the mail under way end, for at most 5 s, and begins no other. For good. */
  stop(): Promise<void>
}

export const mailTiming = {
  /** How often the outbox is looked at; `callgate mail retry` is another process, so nobody could tell. */
  pollMs: 5_000,
  /** How long nothing is tried after the way out itself has failed. */
  pauseMs: 60_000,
  /** One attempt; less than the life of a claim (outbox.ts). */
  sendWithinMs: 180_000,
  stopWithinMs: 5_000,
  firstRetryMs: 60_000,
  longestRetryMs: 4 * 60 * 60 * 1000,
  /** With the delays below: the last attempt comes about 24 h after the first. */
  attempts: 14,
} as const

/** How many mails are sent before other work gets its turn. */
const batchSize = 20

const unsure =
  'the connection or the cloud ended while it was sent: it may have arrived; retry it if it has not'

/**
 * Milliseconds from the failed attempt number `attempts` to the next: doubling from one minute to four hours, and up to
 * a tenth more or less by `jitter`, 0…255.
 */
export function retryDelayMs(attempts: number, jitter: number): number {
  const delayMs = Math.min(mailTiming.firstRetryMs * 2 ** (attempts - 1), mailTiming.longestRetryMs)
  return Math.round(delayMs * (0.9 + (0.2 * jitter) / 255))
}

/**
 * Sends the mails of the outbox, each at most once: an attempt is written down before it begins, and a mail is tried
 * again only after a failure that proves that nobody has it. Where the proof is missing (the connection broke after the
 * whole message, or the process died between the server's 250 and our commit) it is given up with that reason, for an
 * operator or an admin to look and send again: what came twice cannot be taken back, and what may be missing is shown with
 * its reason. The Message-ID stays the same, so a second copy can be told as one.
 */
export function createMailer(parts: {
  readonly world: World
  readonly database: Database
  readonly transport: Transport
  /** Reads whom a mail is for and what it says. Rejects when that cannot be told now. */
  readonly readAddressee: (mail: ClaimedMail) => Promise<Addressee>
}): Mailer {
  const { readAddressee, transport, world } = parts
  const { log } = world
  let timer: Timer | undefined
  let running: Promise<void> | undefined
  let sending: AbortController | undefined
  let isStopped = false

  /** Sends one message, for at most `sendWithinMs`. */
  async function hand(message: Parameters<Transport['send']>[0]): Promise<Delivery> {
    const attempt = new AbortController()
    const limit = world.after(mailTiming.sendWithinMs, () => attempt.abort())
    sending = attempt
    try {
      return await transport.send(message, attempt.signal)
    } finally {
      limit.cancel()
      sending = undefined
    }
  }

  async function failed(mail: ClaimedMail, why: string): Promise<void> {
    const { attempts, mailId, memberId, spaceId } = mail
    const isLast = attempts >= mailTiming.attempts
    log.warn(isLast ? 'a mail was given up' : 'a mail was not sent and will be tried again', {
      mailId,
      spaceId,
      memberId,
      attempts,
      why,
    })
    if (isLast) return giveUp(parts, mail, why)
    const [jitter = 0] = world.randomBytes(1)
    await postpone(parts, mail, retryDelayMs(attempts, jitter), why)
  }

  async function abandon(mail: ClaimedMail, level: 'info' | 'warn', why: string): Promise<void> {
    const { mailId, memberId, spaceId } = mail
    log[level]('a mail was given up', { mailId, spaceId, memberId, why })
    await giveUp(parts, mail, why)
  }

  /** Writes down what became of the mail; false when the way out is broken for every mail. */
  async function conclude(mail: ClaimedMail, delivery: Delivery): Promise<boolean> {
    switch (delivery.outcome) {
      case 'sent':
        await markSent(parts, mail)
        log.info('a mail was sent', { mailId: mail.mailId, spaceId: mail.spaceId, memberId: mail.memberId })
        return true
      case 'refused':
        await abandon(mail, 'warn', delivery.why)
        return true
      case 'unknown':
        await abandon(mail, 'warn', `${unsure} (${delivery.why})`)
        return true
      case 'failed':
        await failed(mail, delivery.why)
        return !delivery.isForAll
    }
  }

  /** False when the way out is broken for every mail. */
  async function deliver(mail: ClaimedMail): Promise<boolean> {
    if (mail.isUnsure) {
      await abandon(mail, 'warn', unsure)
      return true
    }
    const addressee = await readAddressee(mail).catch((error: Error) => error)
    if (addressee instanceof Error) {
      await failed(mail, addressee.message)
      return true
    }
    if (!addressee.ok) {
      await abandon(mail, 'info', addressee.why)
      return true
    }
    const { address, facts } = addressee
    const bound = await heldBy(parts, mail, address)
    if (bound) {
      await holdBack(parts, mail, bound)
      return true
    }
    const to = { name: facts.memberName, address }
    const delivery = await hand({ mailId: mail.mailId, to, ...writeLetter(facts), atMs: world.nowMs() })
    return conclude(mail, delivery)
  }

  /** Sends what is due; answers with how long to rest. */
  async function sendBatch(): Promise<number> {
    for (let sent = 0; sent < batchSize; sent++) {
      const mail = isStopped ? undefined : await claimMail(parts)
      if (!mail) return mailTiming.pollMs
      if (!(await deliver(mail))) return mailTiming.pauseMs
    }
    return 0
  }

  function run(): void {
    timer?.cancel()
    running = sendBatch()
      .catch((error: Error) => {
        log.error('the mailer rests after an error', { why: error.message })
        return mailTiming.pauseMs
      })
      .then(restMs => {
        running = undefined
        if (!isStopped) timer = world.after(restMs, run)
      })
  }

  return {
    start() {
      log.info('mails go out', { where: transport.where })
      run()
    },
    async stop() {
      isStopped = true
      timer?.cancel()
      const limit = world.after(mailTiming.stopWithinMs, () => sending?.abort())
      await running
      limit.cancel()
    },
  }
}
