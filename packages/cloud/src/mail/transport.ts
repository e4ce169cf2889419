// The transport of mails: SMTP where a server is configured, otherwise files.

import { folderTransport, mailFolderIn } from './mailFolder.ts'
import type { Mailbox, Transport } from './message.ts'
import { smtpTransport } from './smtp.ts'
import type { SmtpServer } from './smtpServer.ts'

interface MailWay {
  /** The folder under which mails are written where there is no SMTP server. */
  readonly dataFolder: string
  readonly mailFrom: Mailbox
  readonly smtp: SmtpServer | undefined
}

/** The transport. Nothing is connected or written before the first mail. */
export function mailTransport({ dataFolder, mailFrom, smtp }: MailWay): Transport {
  return smtp ? smtpTransport(smtp, mailFrom) : folderTransport(mailFolderIn(dataFolder), mailFrom)
}
