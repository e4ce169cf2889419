// Which way mails go out: through SMTP where a server is configured, else into files.

import { folderTransport, mailFolderIn } from './mailFolder.ts'
import type { Mailbox, Transport } from './message.ts'
import { smtpTransport } from './smtp.ts'
import type { SmtpServer } from './smtpServer.ts'

interface MailWay {
  /** Without an SMTP server, mails are written below it. */
  readonly dataFolder: string
  readonly mailFrom: Mailbox
  readonly smtp: SmtpServer | undefined
}

/** The transport. Nothing is connected or written before the first mail. */
export function mailTransport({ dataFolder, mailFrom, smtp }: MailWay): Transport {
  return smtp ? smtpTransport(smtp, mailFrom) : folderTransport(mailFolderIn(dataFolder), mailFrom)
}
