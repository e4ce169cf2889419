// Mails over SMTP, and a mail as MIME: the only import of nodemailer.

import { once } from 'node:events'
import { Readable } from 'node:stream'
import MailComposer from 'nodemailer/lib/mail-composer'
import SmtpConnection from 'nodemailer/lib/smtp-connection'
import { markId, markPng } from './mark.ts'
import type { Delivery, Mailbox, Message, Transport } from './message.ts'
import type { SmtpServer } from './smtpServer.ts'

/** No line of a header may be longer than 998 bytes, and a name without spaces is not folded (RFC 5322, 2.1.1). */
const longest = { name: 150, subject: 400 } as const
const cut = (text: string, most: number) => [...text].slice(0, most).join('')

/** The message as MIME: text, and HTML with the picture of its mark, as alternatives; marked as automatic (RFC 3834) so that no absence notice answers it. */
export async function writeMime(message: Message, from: Mailbox): Promise<Buffer> {
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1)
  const { html, mailId, subject, text, to } = message
  return new MailComposer({
    from,
    to: { name: cut(to.name, longest.name), address: to.address },
    subject: cut(subject, longest.subject),
    text,
    html,
    attachments: [
      {
        filename: 'callgate.png',
        content: markPng,
        contentType: 'image/png',
        cid: markId,
        contentDisposition: 'inline',
      },
    ],
    date: new Date(message.atMs),
    messageId: `<${mailId}@${domain}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build()
}

interface SmtpError extends Error {
  readonly code?: string | undefined
  readonly command?: string | undefined
  readonly response?: string | undefined
  readonly responseCode?: number | undefined
}

/** A server's message without the parts that it may quote from the mail: links, addresses, and anything as long as a token. */
export function harmless(words: string): string {
  return words
    .replace(/\S*:\/\/\S*/g, '[link]')
    .replace(/[^\s<>]+@[^\s<>]+/g, '[address]')
    .replace(/[\w+/=-]{20,}/g, '[hidden]')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, 300)
}

/** The outcome for the message by an error. `isHandedOver`: the server has the whole message and has not answered yet. */
function deliveryOf(error: SmtpError, isHandedOver: boolean): Delivery {
  const { code, command, response, responseCode } = error
  if (code === 'EAUTH')
    return {
      outcome: 'failed',
      isForAll: true,
      why: `the server refused the login of SMTP_URL (${responseCode ?? 'no code'})`,
    }
  const why =
    response === undefined
      ? harmless(`${code ?? 'error'}: ${error.message}`)
      : `the server answered: ${harmless(response)}`
  if (responseCode === undefined && isHandedOver) return { outcome: 'unknown', why }
  // Every other refusal concerns us or the server, and can be repaired.
  const isAboutMessage = code === 'EMESSAGE' || (code === 'EENVELOPE' && command !== 'MAIL FROM')
  if (isAboutMessage && (responseCode === undefined || responseCode >= 500))
    return { outcome: 'refused', why }
  return { outcome: 'failed', isForAll: !isAboutMessage, why }
}

/** A longer silence ends an attempt. Milliseconds. */
const timeouts = {
  connectionTimeout: 20_000,
  dnsTimeout: 20_000,
  greetingTimeout: 30_000,
  socketTimeout: 60_000,
} as const

function connectTo({ host, isLocal, isTls, login, port }: SmtpServer): SmtpConnection {
  return new SmtpConnection({
    host,
    port,
    secure: isTls,
    // A password never crosses a network unencrypted, even when an attacker in between hides STARTTLS.
    requireTLS: login !== undefined && !isLocal,
    // A relay on this machine has a self-signed certificate, and no attacker can be in between.
    tls: { rejectUnauthorized: !isLocal },
    logger: false,
    ...timeouts,
  })
}

/** Connects and logs in, but sends nothing. `why` contains nothing of the login. */
export async function trySmtp(
  server: SmtpServer,
  signal: AbortSignal,
): Promise<
  { readonly ok: true; readonly isEncrypted: boolean } | { readonly ok: false; readonly why: string }
> {
  const connection = connectTo(server)
  const { login } = server
  try {
    await new Promise<void>((resolve, reject) => {
      const done = (error?: Error | null) => (error ? reject(error) : resolve())
      connection.once('error', reject)
      connection.once('end', () => reject(new Error('the connection was closed')))
      signal.addEventListener('abort', () => reject(new Error('it took too long')), { once: true })
      connection.connect(error => {
        if (error || !login) done(error)
        else connection.login({ user: login.user, pass: login.password }, done)
      })
    })
    return { ok: true, isEncrypted: connection.secure === true }
  } catch (error) {
    const outcome = deliveryOf(error instanceof Error ? error : new Error(String(error)), false)
    return { ok: false, why: 'why' in outcome ? outcome.why : 'it failed' }
  } finally {
    connection.on('error', () => {})
    connection.quit()
    connection.close()
  }
}

/**
 * Sends each message over its own connection. Certificates are checked and a login is sent only encrypted, except on this
 * machine. A 5xx for the recipient or the message refuses it permanently. A 5xx for the login, the sender or the connection is a
 * failure of the whole transport, and so is silence before the message was handed over.
 */
export function smtpTransport(server: SmtpServer, from: Mailbox): Transport {
  return {
    where: `${server.isTls ? 'smtps' : 'smtp'}://${server.host}:${server.port}`,
    async send(message, signal) {
      // Read only when the server requests the message, so that its end shows whether the message was handed over.
      const mime = Readable.from([await writeMime(message, from)])
      const connection = connectTo(server)
      // Later errors of a finished connection do not matter, but without a listener they would end the process.
      connection.on('error', () => {})
      const gone = once(connection, 'end').then(() => {
        throw Object.assign(new Error('the connection was closed'), { code: 'ECONNECTION' })
      })
      const step = (begin: (done: (error?: Error | null) => void) => void) => {
        const done = new Promise<void>((resolve, reject) => {
          begin(error => (error ? reject(error) : resolve()))
        })
        return Promise.race([done, gone])
      }
      const abort = () => connection.close()
      signal.addEventListener('abort', abort, { once: true })
      try {
        const { login } = server
        await step(done => connection.connect(done))
        if (login) await step(done => connection.login({ user: login.user, pass: login.password }, done))
        const envelope = { from: from.address, to: [message.to.address] }
        await step(done => connection.send(envelope, mime, done))
        return { outcome: 'sent' }
      } catch (error) {
        return deliveryOf(error instanceof Error ? error : new Error(String(error)), mime.readableEnded)
      } finally {
        signal.removeEventListener('abort', abort)
        connection.quit()
        connection.close()
      }
    },
  }
}
