// Limits on mails in 24 hours, and when the next mail may go out. Pure.

import { refuse } from '@callgate/contract/app/refusals'
import type { Problem } from '@callgate/contract/rest/problem'

export const mailLimits = {
  windowMs: 24 * 60 * 60 * 1000,
  /** Mails of one Space to one address. */
  spaceRecipient: 20,
  /** Mails of all Spaces to one address: many Spaces together cannot fill one inbox. Beyond it, mails wait. */
  recipient: 30,
  /** Mails of one Space to all addresses: at least this many, or twice its plan's invitations of a month. */
  leastPerSpace: 100,
  perInvitation: 2,
} as const

/** The limit of a Space in 24 hours: the invitations of a whole month, imported in a day, and as many notices of new accesses. */
export function spaceLimit(monthlyInvitationLimit: number): number {
  return Math.max(mailLimits.leastPerSpace, mailLimits.perInvitation * monthlyInvitationLimit)
}

/** The words of each limit. The third limit covers all Spaces, so no answer tells it to one Space. */
const rules = {
  mails_to_address: 'mails of a Space may go to one address',
  mails_of_space: 'mails may be sent by this Space',
  mails_to_inbox: 'mails of all Spaces may go to one address',
} as const
type LimitName = keyof typeof rules
/** A limit of one Space. */
type OwnLimit = Exclude<LimitName, 'mails_to_inbox'>

/** One limit with the mails that count against it. */
export interface CountedLimit<Name extends LimitName = LimitName> {
  readonly name: Name
  readonly most: number
  /** The time of the mail that has `most - 1` newer ones, ms since the epoch; undefined when there are fewer mails. */
  readonly fullSinceMs: number | undefined
}

/** A limit that is reached. */
export interface FullLimit<Name extends LimitName = LimitName> {
  readonly name: Name
  readonly most: number
  /** When one more mail is allowed, ms since the epoch. */
  readonly freeMs: number
}

/** The limit that one more mail at `nowMs` would exceed; of several, the one that is free last. */
export function fullLimit<Name extends LimitName>(
  limits: readonly CountedLimit<Name>[],
  nowMs: number,
): FullLimit<Name> | undefined {
  return limits
    .flatMap(({ fullSinceMs, most, name }) =>
      fullSinceMs === undefined ? [] : [{ name, most, freeMs: fullSinceMs + mailLimits.windowMs }],
    )
    .filter(({ freeMs }) => freeMs > nowMs)
    .sort((a, b) => b.freeMs - a.freeMs)[0]
}

/** The problem for a principal who asks for a mail beyond a limit of their own Space. */
export function mailRefusal({ freeMs, most, name }: FullLimit<OwnLimit>, nowMs: number): Problem {
  const waitS = Math.ceil((freeMs - nowMs) / 1000)
  const freeAt = new Date(freeMs).toISOString()
  return { ...refuse(name, { most, waitS, freeAt }), headers: { 'Retry-After': String(waitS) } }
}

/** The operator's text about a mail that waits for a limit. */
export function heldBack({ most, name }: FullLimit): string {
  return `held back: at most ${most} ${rules[name]} in any 24 hours`
}

/**
 * The inbox of an address, as far as its text shows: in one case, without a tag after `+`, and for Gmail without dots, which
 * Gmail ignores.
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

/** An address in the form that the operator may see: `a***@example.com`. */
export function maskedAddress(address: string): string {
  const at = address.lastIndexOf('@')
  return `${[...address].slice(0, 1).join('')}***${address.slice(at)}`
}
