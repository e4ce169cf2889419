// The delivery of one claimed mail: one attempt to send it, and the record of how that ended.

import { measured } from '@callgate/world/measures'
import type { World } from '@callgate/world/world'
import type { Database } from '../database/database.ts'
import { isSandbox } from '../space/spaceModes.ts'
import { type AlertLetterFacts, writeAlertLetter } from './alertLetter.ts'
import { type LetterFacts, writeLetter } from './letter.ts'
import type { Letter } from './letterForm.ts'
import { heldBy } from './mailRecords.ts'
import { mailTiming, retryDelayMs } from './mailTiming.ts'
import type { Delivery, Transport } from './message.ts'
import { type ClaimedMail, giveUp, holdBack, markSent, postpone } from './outbox.ts'
import { type UserLetterFacts, writeUserLetter } from './userLetter.ts'

type Facts = LetterFacts | UserLetterFacts | AlertLetterFacts

/** The member or user that a queued mail is for, with the facts that the mail states. */
export type Addressee =
  | { readonly ok: true; readonly address: string; readonly facts: Facts }
  /** The mail is no longer needed; `why` is for the operator. */
  | { readonly ok: false; readonly why: string }

export interface DeliveryParts {
  readonly world: World
  readonly database: Database
  readonly transport: Transport
  /** Reads the addressee of a mail and its facts. Rejects when they cannot be read now. */
  readonly readAddressee: (mail: ClaimedMail) => Promise<Addressee>
}

const isToMember = (facts: Facts): facts is LetterFacts =>
  facts.kind === 'invitation' || facts.kind === 'access_granted'

function letterTo(facts: Facts): Letter {
  if (facts.kind === 'alert') return writeAlertLetter(facts)
  return isToMember(facts) ? writeLetter(facts) : writeUserLetter(facts)
}

const unsure =
  'the connection or the cloud ended while it was sent: it may have arrived; retry it if it has not'

/** The fields of a mail that the log shows. */
const logged = ({ mailId, memberId, spaceId }: ClaimedMail) => ({ mailId, spaceId, memberId })

export class MailDelivery {
  readonly #parts: DeliveryParts
  /** One controller for each running attempt. */
  readonly #attempts = new Set<AbortController>()

  constructor(parts: DeliveryParts) {
    this.#parts = parts
  }

  /** Aborts the running attempts. Their mails count as failed, or are given up where they may have been sent. */
  abort(): void {
    for (const attempt of this.#attempts) attempt.abort()
  }

  /** Tries to send a claimed mail. False when the transport is broken for every mail. */
  async deliver(mail: ClaimedMail): Promise<boolean> {
    const { database, readAddressee, world } = this.#parts
    if (mail.isUnsure) {
      await this.#abandon(mail, 'warn', unsure)
      return true
    }
    // Mails of a sandbox never leave. Its keys read them by `GET /sandbox/mails`.
    if (mail.spaceId !== null && (await isSandbox(database.knex, mail.spaceId))) {
      await markSent(this.#parts, mail)
      return true
    }
    const addressee = await readAddressee(mail).catch((error: Error) => error)
    if (addressee instanceof Error) {
      await this.#failed(mail, addressee.message)
      return true
    }
    if (!addressee.ok) {
      await this.#abandon(mail, 'info', addressee.why)
      return true
    }
    const { address, facts } = addressee
    const limit = await heldBy(this.#parts, mail, address)
    if (limit) {
      await holdBack(this.#parts, mail, limit)
      return true
    }
    const to = { name: facts.memberName, address }
    const delivery = await this.#send({ mailId: mail.mailId, to, ...letterTo(facts), atMs: world.nowMs() })
    return this.#conclude(mail, delivery)
  }

  /** Sends one message, for at most `sendWithinMs`. */
  async #send(message: Parameters<Transport['send']>[0]): Promise<Delivery> {
    const { transport, world } = this.#parts
    const attempt = new AbortController()
    const limit = world.after(mailTiming.sendWithinMs, () => attempt.abort())
    this.#attempts.add(attempt)
    try {
      return await transport.send(message, attempt.signal)
    } finally {
      limit.cancel()
      this.#attempts.delete(attempt)
    }
  }

  /** Records the end of an attempt. False when the transport is broken for every mail. */
  async #conclude(mail: ClaimedMail, delivery: Delivery): Promise<boolean> {
    switch (delivery.outcome) {
      case 'sent':
        await markSent(this.#parts, mail)
        measured({ kind: 'mail', outcome: 'sent' })
        this.#parts.world.log.info('a mail was sent', logged(mail))
        return true
      case 'refused':
        await this.#abandon(mail, 'warn', delivery.why)
        return true
      case 'unknown':
        await this.#abandon(mail, 'warn', `${unsure} (${delivery.why})`)
        return true
      case 'failed':
        await this.#failed(mail, delivery.why)
        return !delivery.isForAll
    }
  }

  /** Plans the next attempt, or gives the mail up after the last one. */
  async #failed(mail: ClaimedMail, why: string): Promise<void> {
    const { world } = this.#parts
    const { attempts } = mail
    const isLast = attempts >= mailTiming.attempts
    measured({ kind: 'mail', outcome: isLast ? 'given_up' : 'failed' })
    world.log.warn(isLast ? 'a mail was given up' : 'a mail was not sent and will be tried again', {
      ...logged(mail),
      attempts,
      why,
    })
    if (isLast) return giveUp(this.#parts, mail, 'failed', why)
    const [jitter = 0] = world.randomBytes(1)
    await postpone(this.#parts, mail, retryDelayMs(attempts, jitter), why)
  }

  async #abandon(mail: ClaimedMail, level: 'info' | 'warn', why: string): Promise<void> {
    // A mail that is no longer needed is not a failure.
    if (level === 'warn') measured({ kind: 'mail', outcome: 'given_up' })
    this.#parts.world.log[level]('a mail was given up', { ...logged(mail), why })
    await giveUp(this.#parts, mail, level === 'warn' ? 'failed' : 'not_needed', why)
  }
}
