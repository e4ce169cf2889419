// The mailer: takes the due mails from the outbox, a few at a time, and sends each at most once.

import type { Timer } from '@callgate/world/world'
import { type DeliveryParts, MailDelivery } from './mailDelivery.ts'
import { mailTiming } from './mailTiming.ts'
import { type ClaimedMail, claimMail } from './outbox.ts'

export interface Mailer {
  /** Sends the due mails, and checks for more from then on. */
  start(): void
  /** Waits for the running mails, for at most 5 s, and begins no other. The mailer cannot be started again. */
  stop(): Promise<void>
}

/** How many mails are sent at a time, each on its own connection. Many servers refuse more. */
const mostAtOnce = 3
/** One place is reserved for mails of no Space, so that a link for a new password does not wait for slow mails of Spaces. */
const mostOfSpaces = mostAtOnce - 1

/** The state of a mailer. */
class OutboxMailer implements Mailer {
  readonly #parts: DeliveryParts
  readonly #delivery: MailDelivery
  readonly #sending = new Map<ClaimedMail, Promise<void>>()
  #timer: Timer | undefined
  #claiming: Promise<void> | undefined
  #lastSpaceId: string | undefined
  /** Whether a check was requested while mails were being claimed. */
  #isAsked = false
  #isResting = false
  #isStopped = false

  constructor(parts: DeliveryParts) {
    this.#parts = parts
    this.#delivery = new MailDelivery(parts)
  }

  start(): void {
    const { transport, world } = this.#parts
    world.log.info('mails go out', { where: transport.where })
    this.#look()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#timer?.cancel()
    const limit = this.#parts.world.after(mailTiming.stopWithinMs, () => this.#delivery.abort())
    await this.#claiming
    await Promise.all(this.#sending.values())
    limit.cancel()
  }

  /** Checks for mails after `inMs`, instead of at the planned time. */
  #plan(inMs: number): void {
    this.#timer?.cancel()
    if (!this.#isStopped) this.#timer = this.#parts.world.after(inMs, () => this.#look())
  }

  /** Pauses after a failure of the transport or the database, which the next mail would meet, too. */
  #rest(): void {
    this.#isResting = true
    this.#plan(mailTiming.pauseMs)
  }

  async #send(mail: ClaimedMail): Promise<void> {
    try {
      if (!(await this.#delivery.deliver(mail))) this.#rest()
    } catch (error) {
      this.#failed(error as Error)
    }
    this.#sending.delete(mail)
    // By a timer, so that other work gets its turn.
    if (!this.#isResting) this.#plan(0)
  }

  #failed(error: Error): void {
    this.#parts.world.log.error('the mailer rests after an error', { why: error.message })
    this.#rest()
  }

  /** Claims mails and begins to send them, as many as have room. */
  async #fill(): Promise<void> {
    while (!this.#isStopped && !this.#isResting && this.#sending.size < mostAtOnce) {
      const ofSpaces = [...this.#sending.keys()].filter(({ spaceId }) => spaceId !== null).length
      const room = { after: this.#lastSpaceId, isOfNoSpace: ofSpaces >= mostOfSpaces }
      const mail = await claimMail(this.#parts, room)
      if (!mail && !this.#isAsked) return this.#plan(mailTiming.pollMs)
      this.#isAsked = false
      if (!mail) continue
      if (mail.spaceId !== null) this.#lastSpaceId = mail.spaceId
      this.#sending.set(mail, this.#send(mail))
    }
  }

  #look(): void {
    this.#isResting = false
    this.#isAsked = true
    this.#claiming ??= this.#fill()
      .catch((error: Error) => this.#failed(error))
      .finally(() => {
        this.#claiming = undefined
      })
  }
}

/**
 * Sends the mails of the outbox, each at most once. An attempt is recorded before it begins, and a mail is retried only after a
 * failure which proves that it was not delivered. Without that proof (the connection broke after the whole message, or the
 * process died between the server's 250 and our commit) the mail is given up with that reason, and an operator or an admin
 * decides: a mail that was delivered twice cannot be taken back, while one that may be missing is listed with its reason. The
 * Message-ID stays the same, so that a second copy can be recognised.
 */
export const createMailer = (parts: DeliveryParts): Mailer => new OutboxMailer(parts)
