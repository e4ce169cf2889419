// A mail that is ready to send, and the outcome of its delivery: the common part of both transports (SMTP, files).

export interface Mailbox {
  /** Shown beside the address; may be empty. */
  readonly name: string
  readonly address: string
}

export interface Message {
  /** Part of the Message-ID and the file name, so that a recipient can recognise a mail that was sent twice. */
  readonly mailId: string
  readonly to: Mailbox
  readonly subject: string
  readonly text: string
  readonly html: string
  /** Milliseconds since the Unix epoch. */
  readonly atMs: number
}

/** The outcome of a delivery. `why` contains no secret, no link and no address. */
export type Delivery =
  | { readonly outcome: 'sent' }
  /** Permanent: the address or the message is not accepted. */
  | { readonly outcome: 'refused'; readonly why: string }
  /** Temporary. `isForAll`: the server is the reason, not this message. */
  | { readonly outcome: 'failed'; readonly isForAll: boolean; readonly why: string }
  /** The whole message was handed over, and no answer came. */
  | { readonly outcome: 'unknown'; readonly why: string }

/** A transport for messages. */
export interface Transport {
  /** The destination of the messages, for a log: without a password. */
  readonly where: string
  /** Hands one message over; ends early when `signal` is aborted. */
  send(message: Message, signal: AbortSignal): Promise<Delivery>
}

/** One address without quoting, comments or room for a second one (the atoms of RFC 5322, and RFC 6531's letters). */
export function isMailAddress(text: string): boolean {
  return text.length <= 254 && /^[^\s\p{C}<>()[\]\\,;:"@]+@[^\s\p{C}<>()[\]\\,;:"@]+$/u.test(text)
}

/** Reads `Name <address>` or an address alone; undefined when it is neither. */
export function readMailbox(text: string): Mailbox | undefined {
  const [, quoted, plain = '', address = text.trim()] =
    /^\s*(?:"([^"\\<>]*)"|([^"<>]*?))\s*<([^<>]*)>\s*$/.exec(text) ?? []
  return isMailAddress(address) ? { name: oneLine(quoted ?? plain), address } : undefined
}

/** Invisible, without width, and not allowed in a host name. */
const wordJoiner = '\u2060'

/**
 * A name in a form that looks the same but that no client turns into a link. Mail clients look for `booking.com` and
 * `ana@example.com` in texts, and find none where a word joiner is on both sides of the mark. For text and HTML.
 */
export function unlinked(name: string): string {
  return name.replace(/(?<=\S)[.@:/。．｡](?=\S)/gu, mark => `${wordJoiner}${mark}${wordJoiner}`)
}

/** A name on one line: without control characters and without marks that reverse the direction of the text after them. */
export function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()
}
