// The mailer: takes the due mails from the outbox, a few at a time, and sends each at most once.

import type { Timer } from '@callgate/world/world'
import { type DeliveryParts, MailDelivery } from './mailDelivery.ts'
import { mailTiming } from './mailTiming.ts'
import { type ClaimedMail, claimMail } from './outbox.ts'

export interface Mailer {
  /** Begins with the mails that are due, and looks for more from then on. */
  start(): void
  /** Waits for the mails that are being sent, for at most 5 s, and begins no other. It cannot be started again. */
  stop(): Promise<void>
}

/** Mails that are sent at a time, each on a connection of its own: more are refused by many servers. */
const mostAtOnce = 3
/** One of them is kept for mails of no Space, so that a link for a new password waits for no slow mail of a Space. */
const mostOfSpaces = mostAtOnce - 1

/**
 * Sends the mails of the outbox, each at most once. An attempt is recorded before it begins, and a mail is tried again only
 * after a failure which proves that it was not delivered. Without that proof (the connection broke after the whole
 * message, or the process died between the server's 250 and our commit) the mail is given up with that reason, and an
 * operator or an admin decides: a mail that came twice cannot be taken back, and one that may be missing is shown with
 * its reason. The Message-ID stays the same, so that a second copy can be recognised.
 */
export function createMailer(parts: DeliveryParts): Mailer {
  const { transport, world } = parts
  const { log } = world
  const delivery = new MailDelivery(parts)
  const sending = new Map<ClaimedMail, Promise<void>>()
  let timer: Timer | undefined
  let claiming: Promise<void> | undefined
  let lastSpaceId: string | undefined
  /** A look was asked for while mails were claimed. */
  let isAsked = false
  let isResting = false
  let isStopped = false

  /** Looks for mails after so long, in place of the look that was planned. */
  function plan(inMs: number): void {
    timer?.cancel()
    if (!isStopped) timer = world.after(inMs, look)
  }

  /** After a failure of the transport or the database, which the next mail would meet too. */
  function rest(): void {
    isResting = true
    plan(mailTiming.pauseMs)
  }

  async function send(mail: ClaimedMail): Promise<void> {
    try {
      if (!(await delivery.deliver(mail))) rest()
    } catch (error) {
      failed(error as Error)
    }
    sending.delete(mail)
    // By a timer, so that other work gets its turn.
    if (!isResting) plan(0)
  }

  function failed(error: Error): void {
    log.error('the mailer rests after an error', { why: error.message })
    rest()
  }

  /** Claims mails and begins to send them, as many as have room. */
  async function fill(): Promise<void> {
    while (!isStopped && !isResting && sending.size < mostAtOnce) {
      const ofSpaces = [...sending.keys()].filter(({ spaceId }) => spaceId !== null).length
      const mail = await claimMail(parts, { after: lastSpaceId, isOfNoSpace: ofSpaces >= mostOfSpaces })
      if (!mail && !isAsked) return plan(mailTiming.pollMs)
      isAsked = false
      if (!mail) continue
      if (mail.spaceId !== null) lastSpaceId = mail.spaceId
      sending.set(mail, send(mail))
    }
  }

  function look(): void {
    isResting = false
    isAsked = true
    claiming ??= fill()
      .catch(failed)
      .finally(() => {
        claiming = undefined
      })
  }

  return {
    start() {
      log.info('mails go out', { where: transport.where })
      look()
    },
    async stop() {
      isStopped = true
      timer?.cancel()
      const limit = world.after(mailTiming.stopWithinMs, () => delivery.abort())
      await claiming
      await Promise.all(sending.values())
      limit.cancel()
    },
  }
}
