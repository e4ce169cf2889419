// Puts the mailer together with its transport and the addressees of each kind of mail, and starts it.

import type { World } from '@callgate/world/world'
import type { Config } from '../config.ts'
import type { Database } from '../database/database.ts'
import { createMailer } from '../mail/mailer.ts'
import { mailTransport } from '../mail/transport.ts'
import type { Seal } from '../secrets/sealing.ts'
import { addresseeReader } from './addressees.ts'

/** Sends the mails of all Spaces, until the returned function is called. */
export function startMails(parts: {
  readonly world: World
  readonly database: Database
  readonly seal: Seal
  readonly config: Config
}): () => Promise<void> {
  const { config, database, seal, world } = parts
  const readAddressee = addresseeReader({ world, database, seal, appUrl: config.appUrl })
  const mailer = createMailer({ world, database, transport: mailTransport(config), readAddressee })
  mailer.start()
  return () => mailer.stop()
}
