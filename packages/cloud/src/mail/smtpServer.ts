// The SMTP server for mails, as SMTP_URL names it.

import { isLoopback } from '@callgate/contract/loopback'

export interface SmtpServer {
  readonly host: string
  readonly port: number
  /** TLS from the first byte (smtps); otherwise the connection is upgraded by STARTTLS where the server offers it. */
  readonly isTls: boolean
  /** On this machine, where no attacker can be in between. */
  readonly isLocal: boolean
  readonly login: { readonly user: string; readonly password: string } | undefined
}

/** RFC 8314: submission with implicit TLS is 465, with STARTTLS 587. */
const standardPort = { 'smtps:': 465, 'smtp:': 587 } as const

/** Reads `smtp://user:password@host:port`, or `smtps://`; user and password percent-encoded. The fault contains no value. */
export function readSmtpUrl(
  text: string,
): { readonly ok: true; readonly server: SmtpServer } | { readonly ok: false; readonly message: string } {
  const wrong = (message: string) => ({ ok: false, message: `SMTP_URL ${message}` }) as const
  const url = URL.canParse(text) ? new URL(text) : undefined
  const protocol = url?.protocol
  if (!url || (protocol !== 'smtp:' && protocol !== 'smtps:') || url.hostname === '')
    return wrong('must begin with smtp:// or smtps:// and name a host')
  if (url.search || url.hash || !/^\/?$/.test(url.pathname))
    return wrong(
      'must end with the host or its port; percent-encode what user and password hold of /, ? and #',
    )
  if ((url.username === '') !== (url.password === ''))
    return wrong('must hold both a user and a password, or neither')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  try {
    const login = url.username && {
      user: decodeURIComponent(url.username),
      password: decodeURIComponent(url.password),
    }
    const server = {
      host,
      port: url.port === '' ? standardPort[protocol] : Number(url.port),
      isTls: protocol === 'smtps:',
      isLocal: isLoopback(host),
      login: login || undefined,
    }
    return { ok: true, server }
  } catch {
    return wrong('must hold its user and password percent-encoded: a % stands as %25')
  }
}
