// Which way mails go out: through SMTP where a server is configured, else into files.

import { join } from 'node:path'
import type { Config } from '../config.ts'
import { folderTransport } from './mailFolder.ts'
import type { Transport } from './message.ts'
import { smtpTransport } from './smtp.ts'

/** The way out that `config` asks for; nothing is connected or written before the first mail. */
export function mailTransport({ dataFolder, mailFrom, smtp }: Config): Transport {
  return smtp ? smtpTransport(smtp, mailFrom) : folderTransport(join(dataFolder, 'mails'), mailFrom)
}
