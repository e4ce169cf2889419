// How many mails may go out in 24 hours, and when the next one may. Pure.

import { refuse } from '@callgate/contract/app/refusals'
import type { Problem } from '@callgate/contract/rest/problem'

export const mailBounds = {
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
export function spaceBound(monthlyInvitationLimit: number): number {
  return Math.max(mailBounds.leastPerSpace, mailBounds.perInvitation * monthlyInvitationLimit)
}

/** What each bound says. The third one is of all Spaces, and no answer tells it to one of them. */
const rules = {
  mails_to_address: 'mails of a Space may go to one address',
  mails_of_space: 'mails may be sent by this Space',
  mails_to_inbox: 'mails of all Spaces may go to one address',
} as const
type BoundName = keyof typeof rules
/** A bound of a Space itself. */
type OwnBound = Exclude<BoundName, 'mails_to_inbox'>

/** One bound with the mails that count against it. */
export interface Bounded<Name extends BoundName = BoundName> {
  readonly name: Name
  readonly most: number
  /** The time of the mail that has `most - 1` newer ones, ms since the epoch; undefined when there are fewer. */
  readonly fullSinceMs: number | undefined
}

/** A bound that is met. */
export interface FullBound<Name extends BoundName = BoundName> {
  readonly name: Name
  readonly most: number
  /** When one more is within it, ms since the epoch. */
  readonly freeMs: number
}

/** The bound that one more mail at `nowMs` would break; of several, the one that is free last. */
export function fullBound<Name extends BoundName>(
  bounds: readonly Bounded<Name>[],
  nowMs: number,
): FullBound<Name> | undefined {
  return bounds
    .flatMap(({ fullSinceMs, most, name }) =>
      fullSinceMs === undefined ? [] : [{ name, most, freeMs: fullSinceMs + mailBounds.windowMs }],
    )
    .filter(({ freeMs }) => freeMs > nowMs)
    .sort((a, b) => b.freeMs - a.freeMs)[0]
}

/** What the caller is told, who asked for a mail beyond a bound of their own Space. */
export function mailRefusal({ freeMs, most, name }: FullBound<OwnBound>, nowMs: number): Problem {
  const waitS = Math.ceil((freeMs - nowMs) / 1000)
  const freeAt = new Date(freeMs).toISOString()
  return { ...refuse(name, { most, waitS, freeAt }), headers: { 'Retry-After': String(waitS) } }
}

/** What the operator is told of a mail that waits for a bound. */
export function heldBack({ most, name }: FullBound): string {
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
