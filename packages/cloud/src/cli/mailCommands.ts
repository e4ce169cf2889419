// The operator's commands on mails: what they do and print.

import { listMailRecords } from '../mail/mailRecords.ts'
import { listUnsentMails, retryMail } from '../mail/unsentMails.ts'
import { type CommandWork, columns, refuse } from './commandWork.ts'

/** The limit on the mails that are shown, newest first. */
const listLimit = 200

const stateWords = { waiting: 'waiting', sending: 'being sent', given_up: 'given up' } as const

const whyNot = {
  unknown: 'see "callgate mail list"; the id begins with mail_.',
  sent: 'it was sent.',
  sending: 'it is being sent right now; look again in some minutes.',
} as const

export const mailWork = {
  async list({ database }, { space }) {
    const mails = await listUnsentMails(database, { spaceId: space, limit: listLimit })
    const rows = mails.map(mail => [
      mail.mailId,
      mail.memberId,
      mail.kind,
      stateWords[mail.state],
      String(mail.attempts),
      mail.nextAttemptAt,
      mail.lastError,
    ])
    const heading = ['MAIL', 'MEMBER', 'KIND', 'STATE', 'ATTEMPTS', 'NEXT', 'WHY']
    return { ok: true, json: { mails }, text: columns(heading, rows) }
  },
  async log({ database }, { space }) {
    const mails = await listMailRecords(database, { spaceId: space, limit: listLimit })
    const rows = mails.map(mail => [
      mail.createdAt,
      mail.spaceId,
      mail.recipient,
      mail.kind,
      mail.actor,
      mail.memberId,
      mail.mailId,
      mail.sentAt,
      mail.nextAttemptAt,
      mail.why,
    ])
    const heading = ['QUEUED', 'SPACE', 'TO', 'KIND', 'BY', 'MEMBER', 'MAIL', 'SENT', 'NEXT', 'WHY']
    return { ok: true, json: { mails }, text: columns(heading, rows) }
  },
  async retry({ database, world }, { id = '' }) {
    const found = await retryMail({ database, world }, id)
    if (found !== 'due') return refuse(`The mail ${id} cannot be retried: ${whyNot[found]}`)
    const text = `The mail ${id} is due now; a running serve sends it within seconds.`
    return { ok: true, json: { mailId: id, isDue: true }, text }
  },
} satisfies Record<string, CommandWork>
