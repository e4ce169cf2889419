// A mail ready to go, and what became of it: what every way out (SMTP, files) has in common.

export interface Mailbox {
  /** Shown beside the address; may be empty. */
  readonly name: string
  readonly address: string
}

export interface Message {
  /** Names the Message-ID and the file, so that the same mail sent twice can be told by whoever receives it. */
  readonly mailId: string
  readonly to: Mailbox
  readonly subject: string
  readonly text: string
  readonly html: string
  /** Milliseconds since the Unix epoch. */
  readonly atMs: number
}

/** What became of a message. `why` holds no secret, no link and no address. */
export type Delivery =
  | { readonly outcome: 'sent' }
  /** For good: the address or the message is not accepted. */
  | { readonly outcome: 'refused'; readonly why: string }
  /** For now. `isForAll`: the server, not this message, is the reason. */
  | { readonly outcome: 'failed'; readonly isForAll: boolean; readonly why: string }
  /** The whole message was handed over and nobody said what became of it. */
  | { readonly outcome: 'unknown'; readonly why: string }

/** A way out for messages. */
export interface Transport {
  /** Where messages go, for a log: without a password. */
  readonly where: string
  /** Hands one message over; ends early when `signal` is aborted. */
  send(message: Message, signal: AbortSignal): Promise<Delivery>
}

/** One address without quoting, comments or room for a second one (the atoms of RFC 5322, and RFC 6531's letters). */
export function isMailAddress(text: string): boolean {
  return text.length <= 254 && /^[^\s\p{C}<>()[\]\\,;:"@]+@[^\s\p{C}<>()[\]\\,;:"@]+$/u.test(text)
}

/** `Name <address>` or an address alone; undefined when it is neither. */
export function readMailbox(text: string): Mailbox | undefined {
  const [, quoted, plain = '', address = text.trim()] =
    /^\s*(?:"([^"\\<>]*)"|([^"<>]*?))\s*<([^<>]*)>\s*$/.exec(text) ?? []
  return isMailAddress(address) ? { name: oneLine(quoted ?? plain), address } : undefined
}

/** Invisible, without width, and no part of any host name. */
const wordJoiner = '\u2060'

/**
 * A name so that no client makes a link of it, and everybody reads the same: mail clients look for `booking.com` and
 * `ana@example.com` in texts, and find none where a word joiner stands on both sides of the mark. Text and HTML alike.
 */
export function unlinked(name: string): string {
  return name.replace(/(?<=\S)[.@:/。．｡](?=\S)/gu, mark => `${wordJoiner}${mark}${wordJoiner}`)
}

/** A name on one line: without control characters and without marks that turn the direction of what follows. */
export function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()
}
