// The limits of a Space on its mails: which one more mail would exceed, or mails that are only planned.

import { createHash } from 'node:crypto'
import type { Problem } from '@callgate/contract/rest/problem'
import { isoTime, type World } from '@callgate/world/world'
import {
  type CountedLimit,
  type FullLimit,
  fullLimit,
  inboxOf,
  mailLimits,
  mailRefusal,
  spaceLimit,
} from '../core/mailLimits.ts'
import type { Db } from '../database/database.ts'
import { statement } from '../database/statement.ts'
import { isSandbox } from '../space/spaceModes.ts'
import { readPlan } from '../space/spaces.ts'

/** An inbox as the records have it. */
export const inboxHash = (address: string) => createHash('sha256').update(inboxOf(address)).digest('hex')

/** When the last mail was queued before the newest `skipped` ones. */
const queuedBefore = statement<
  {
    readonly spaceId: string
    readonly inboxHash?: string | undefined
    readonly since: string
    readonly skipped: number
  },
  { readonly createdAt: string }
>((db, { inboxHash: inbox, since, skipped, spaceId }) =>
  db('mailRecords')
    .where(inbox === undefined ? { spaceId } : { spaceId, inboxHash: inbox })
    .where('createdAt', '>', since)
    .orderBy('createdAt', 'desc')
    .offset(skipped)
    .limit(1)
    .select('createdAt'),
)

/**
 * The mails of the last 24 hours that match `where`, as a limit on `more` of them. A record from the future counts, too.
 */
async function readLimit<Name extends CountedLimit['name']>(
  tx: Db,
  nowMs: number,
  { more, ...where }: { readonly spaceId: string; readonly inboxHash?: string; readonly more: number },
  { most, name }: Omit<CountedLimit<Name>, 'fullSinceMs'>,
): Promise<CountedLimit<Name>> {
  if (more > most) return { most, name, fullSinceMs: nowMs }
  const since = isoTime(nowMs - mailLimits.windowMs)
  const [row] = await queuedBefore(tx, { ...where, since, skipped: most - more })
  return { most, name, fullSinceMs: row && Math.min(Date.parse(row.createdAt), nowMs) }
}

const one = { ofSpace: 1, toInbox: 1 }

/** The limit of its own Space that `more` mails of `spaceId` would exceed, of which some go to `address`. */
export async function fullForSpace(
  tx: Db,
  nowMs: number,
  { address, spaceId }: { readonly address: string; readonly spaceId: string },
  more = one,
): Promise<FullLimit<'mails_to_address' | 'mails_of_space'> | undefined> {
  const plan = await readPlan(tx, spaceId, nowMs)
  const most = spaceLimit(plan.monthlyInvitationLimit)
  const toInbox = { spaceId, inboxHash: inboxHash(address), more: more.toInbox }
  const limits = [
    await readLimit(tx, nowMs, toInbox, {
      most: mailLimits.spaceRecipient,
      name: 'mails_to_address',
    }),
    await readLimit(tx, nowMs, { spaceId, more: more.ofSpace }, { most, name: 'mails_of_space' }),
  ]
  return fullLimit(limits, nowMs)
}

/** The address against which the limits of its Space count a mail. */
export const countedAddress = (isPlayed: boolean, spaceId: string, address: string) =>
  isPlayed ? `${spaceId} ${address}` : address

/**
 * Counts mails that are planned and not queued, for a preview: returns, for each one, the problem that `recordMail` would return
 * where those before it had been queued.
 */
export function plannedMails(
  db: Db,
  world: World,
  spaceId: string,
): (address: string) => Promise<Problem | undefined> {
  const toInboxes = new Map<string, number>()
  let ofSpace = 0
  return async address => {
    const nowMs = world.nowMs()
    const inbox = countedAddress(await isSandbox(db, spaceId), spaceId, address)
    const hash = inboxHash(inbox)
    const toInbox = (toInboxes.get(hash) ?? 0) + 1
    toInboxes.set(hash, toInbox)
    ofSpace += 1
    const full = await fullForSpace(db, nowMs, { address: inbox, spaceId }, { ofSpace, toInbox })
    return full && mailRefusal(full, nowMs)
  }
}
