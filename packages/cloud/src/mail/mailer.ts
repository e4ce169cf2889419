// The mailer: takes the due mails from the outbox, one at a time, and sends each at most once.

import type { Timer } from '@callgate/world/world'
import { type DeliveryParts, MailDelivery } from './mailDelivery.ts'
import { mailTiming } from './mailTiming.ts'
import { claimMail } from './outbox.ts'

export interface Mailer {
  /** Begins with the mails that are due, and looks for more from then on. */
  start(): void
  /** Waits for the mail that is being sent, for at most 5 s, and begins no other. It cannot be started again. */
  stop(): Promise<void>
}

/** How many mails are sent before other work gets its turn. */
const batchSize = 20

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
  let timer: Timer | undefined
  let running: Promise<void> | undefined
  let isStopped = false

  /** Sends the mails that are due. Resolves with the time until the next batch. */
  async function sendBatch(): Promise<number> {
    for (let sent = 0; sent < batchSize; sent++) {
      const mail = isStopped ? undefined : await claimMail(parts)
      if (!mail) return mailTiming.pollMs
      if (!(await delivery.deliver(mail))) return mailTiming.pauseMs
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
      const limit = world.after(mailTiming.stopWithinMs, () => delivery.abort())
      await running
      limit.cancel()
    },
  }
}
