// The addressee of a waiting mail, by its kind: a member, a user, or a user who is alerted.

import type { World } from '@callgate/world/world'
import type { Database } from '../database/database.ts'
import type { Addressee } from '../mail/mailDelivery.ts'
import type { ClaimedMail } from '../mail/outbox.ts'
import { readAddressee } from '../member/addressee.ts'
import type { Seal } from '../secrets/sealing.ts'
import { readUserAddressee } from '../user/userMails.ts'
import { readAlertAddressee } from './alertLetters.ts'

/** The mailer calls it for each mail, just before it is sent. */
export function addresseeReader(parts: {
  readonly world: World
  readonly database: Database
  readonly seal: Seal
  readonly appUrl: string
}): (mail: ClaimedMail) => Promise<Addressee> {
  const { appUrl, database, seal } = parts
  return async mail => {
    const { kind, linkId } = mail
    if (linkId === null) return readAddressee(database, { seal, appUrl }, mail)
    if (kind === 'alert') return readAlertAddressee({ knex: database.knex, appUrl }, linkId)
    return readUserAddressee(parts, mail)
  }
}
