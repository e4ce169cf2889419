// How many mails may go out in 24 hours, and when the next one may. Pure.

import { refuse } from '@callgate/contract/app/refusals'
import type { Problem } from '@callgate/contract/rest/problem'

export const mailLimits = {
  windowMs: 24 * 60 * 60 * 1000,
  /** To one address by one Space. */
  spaceRecipient: 20,
  /** To one address by all Spaces together: nobody's inbox is filled by many Spaces at once. Beyond it mails wait. */
  recipient: 30,
  /** By one Space to anybody: at least so many, and twice its plan's invitations of a month. */
  leastPerSpace: 100,
  perInvitation: 2,
} as const

/** What a Space may send in 24 hours: a whole month's invitations, imported in a day, and as many notices of new accesses. */
export function spaceLimit(monthlyInvitationLimit: number): number {
  return Math.max(mailLimits.leastPerSpace, mailLimits.perInvitation * monthlyInvitationLimit)
}

/** What each limit says. The third one is of all Spaces, and no answer tells it to one of them. */
const rules = {
  mails_to_address: 'mails of a Space may go to one address',
  mails_of_space: 'mails may be sent by this Space',
  mails_to_inbox: 'mails of all Spaces may go to one address',
} as const
type LimitName = keyof typeof rules
/** A limit of a Space itself. */
type OwnLimit = Exclude<LimitName, 'mails_to_inbox'>

/** One limit with the mails that count against it. */
export interface CountedLimit<Name extends LimitName = LimitName> {
  readonly name: Name
  readonly most: number
  /** The time of the mail that has `most - 1` newer ones, ms since the epoch; undefined when there are fewer. */
  readonly fullSinceMs: number | undefined
}

/** A limit that is met. */
export interface FullLimit<Name extends LimitName = LimitName> {
  readonly name: Name
  readonly most: number
  /** When one more is within it, ms since the epoch. */
  readonly freeMs: number
}

/** The limit that one more mail at `nowMs` would break; of several, the one that is free last. */
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

/** What the caller is told, who asked for a mail beyond a limit of their own Space. */
export function mailRefusal({ freeMs, most, name }: FullLimit<OwnLimit>, nowMs: number): Problem {
  const waitS = Math.ceil((freeMs - nowMs) / 1000)
  const freeAt = new Date(freeMs).toISOString()
  return { ...refuse(name, { most, waitS, freeAt }), headers: { 'Retry-After': String(waitS) } }
}

/** What the operator is told of a mail that waits for a limit. */
export function heldBack({ most, name }: FullLimit): string {
  return `held back: at most ${most} ${rules[name]} in any 24 hours`
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
  return `${[...address].slice(0, 1).join('')}***${address.slice(at)}`
}
