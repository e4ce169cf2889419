// How many mails may go out in 24 hours, and when the next one may. Pure.

export const mailBounds = {
  windowMs: 24 * 60 * 60 * 1000,
  /** To one address by one Space. */
  spaceRecipient: 20,
  /** To one address by all Spaces together: nobody's inbox is filled by many Spaces at once. */
  recipient: 30,
  /** By one Space to anybody: at least so many, and twice its plan's invitations of a month. */
  leastPerSpace: 100,
  perInvitation: 2,
} as const

/** What a Space may send in 24 hours: a whole month's invitations, imported in a day, and as many notices of grants. */
export function spaceBound(monthlyInvitationLimit: number): number {
  return Math.max(mailBounds.leastPerSpace, mailBounds.perInvitation * monthlyInvitationLimit)
}

/** One bound with the mails that count against it. */
export interface Bounded {
  /** As a message says it: `mails may go to one address`. */
  readonly what: string
  readonly most: number
  /** When the mail was queued that has `most - 1` newer ones, ms since the epoch; undefined when there are fewer. */
  readonly fullSinceMs: number | undefined
}

export interface MailRefusal {
  readonly message: string
  /** Whole seconds after which one more is taken. */
  readonly retryAfterS: number
}

/** Why one more mail may not be queued at `nowMs`: the bound that is free last. Undefined when it may. */
export function mailRefusal(bounds: readonly Bounded[], nowMs: number): MailRefusal | undefined {
  const full = bounds.flatMap(({ fullSinceMs, most, what }) =>
    fullSinceMs === undefined ? [] : [{ most, what, freeMs: fullSinceMs + mailBounds.windowMs }],
  )
  const last = full.filter(({ freeMs }) => freeMs > nowMs).sort((a, b) => b.freeMs - a.freeMs)[0]
  if (!last) return undefined
  const retryAfterS = Math.ceil((last.freeMs - nowMs) / 1000)
  const freeAt = new Date(last.freeMs).toISOString()
  return {
    retryAfterS,
    message: `At most ${last.most} ${last.what} in any 24 hours. Another is taken in ${retryAfterS} s, at ${freeAt}; nothing was done.`,
  }
}

/**
 * The inbox that an address leads to, as far as it can be told: letters in one case, without a tag after `+`, and for
 * Gmail without the dots, which it ignores.
 */
export function inboxOf(address: string): string {
  const at = address.lastIndexOf('@')
  const host = address
    .slice(at + 1)
    .normalize('NFKC')
    .toLowerCase()
  const box = address
    .slice(0, at)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/(?<=.)\+.*$/, '')
  return /^(?:gmail|googlemail)\.com$/.test(host) ? `${box.replaceAll('.', '')}@gmail.com` : `${box}@${host}`
}

/** An address as the operator may see it: `a***@example.com`. */
export function maskedAddress(address: string): string {
  const at = address.lastIndexOf('@')
  return `${[...address][0] ?? ''}***${address.slice(at)}`
}
