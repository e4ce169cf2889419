// The list of a guest's gates: the first page of a link, which also says why a press was refused.

import type { World } from '@callgate/world/world'
import { decideAccess } from '../core/accessDecision.ts'
import type { Database } from '../database/database.ts'
import { readUsualSeconds } from '../history/usualSeconds.ts'
import { fill } from '../text/fill.ts'
import { type GateEntry, gatesPage } from './gatesView.ts'
import { type GuestGate, listGuestGates, toGuestGate } from './guestRows.ts'
import { outcomeOfStatus } from './outcome.ts'
import type { Pins } from './pins.ts'
import type { Issue, PressForms } from './pressForms.ts'
import { nextTime } from './times.ts'
import type { Reply, Visit } from './visit.ts'
import type { Visitors } from './visitors.ts'

/** How many gates are decided on in one turn of the event loop. */
const gatesInTurn = 5

/** Why a press opened nothing. */
export type Refusal = 'expired' | 'late' | 'unsent'

const statusOf = { expired: 409, late: 409, unsent: 404 } as const

export interface GateList {
  show(visit: Visit): Promise<Reply>
  /** Answers a request that pressed nothing; the guest gets a new form. */
  refuse(visit: Visit, why: Refusal | 'foreign'): Promise<Reply>
  /** Answers where the link is used too often; another press is accepted in `nextMs`. */
  refuseForNow(visit: Visit, nextMs: number): Promise<Reply>
}

/** Gates that open now come first, then those that open later. Within each group the pinned ones come first, then the last used. */
function rankOf({ press }: GateEntry): number {
  if ('nonce' in press) return 0
  return press.next ? 1 : 2
}

/** The place of a gate among the pinned ones, or after all of them. */
function placeOf(pinned: readonly string[], { gate }: GateEntry): number {
  const place = pinned.indexOf(gate.gateId)
  return place < 0 ? pinned.length : place
}

export function createGateList(parts: {
  readonly world: World
  readonly database: Database
  readonly forms: Pick<PressForms, 'issuer'>
  readonly pins: Pick<Pins, 'of'>
  readonly visitors: Visitors
}): GateList {
  const { database, forms, pins, visitors, world } = parts

  function entryOf(
    { isLockedDown, member, nowMs }: Visit,
    gate: GuestGate,
    visitor: string,
    issue: Issue,
  ): GateEntry {
    const { accessId, gateId, schedules } = gate
    if (isLockedDown) return { gate, press: { denied: 'lockedDown', next: undefined } }
    const { nextMs, standing } = decideAccess(gate, nowMs)
    if (standing === 'allowed_now')
      return { gate, press: { nonce: issue({ visitor, memberId: member.id, gateId, accessId }) } }
    return { gate, press: { denied: outcomeOfStatus[standing], next: nextTime(schedules, nextMs) } }
  }

  async function pageOf(visit: Visit, said: { notice?: string; unsent?: boolean } = {}) {
    const visitor = visitors.of(visit.ctx)
    const { spaceId } = visit.member
    await world.turn(spaceId)
    const gates = await listGuestGates(database.knex, visit.member)
    const issue = await forms.issuer()
    const entries: GateEntry[] = []
    for (const [place, gate] of gates.entries()) {
      // One gate can have 200 windows to read, so other work gets a turn in between.
      if (place % gatesInTurn === 0) await world.turn(spaceId)
      entries.push(entryOf(visit, toGuestGate(gate), visitor, issue))
    }
    const pinned = pins.of(visit.ctx)
    const sorted = entries.toSorted(
      (a, b) => rankOf(a) - rankOf(b) || placeOf(pinned, a) - placeOf(pinned, b),
    )
    const [first] = sorted
    const usualS = first && (await readUsualSeconds(database.knex, spaceId, first.gate.gateId))
    return gatesPage(visit, sorted, { ...said, pinned, usualS })
  }

  return {
    show: async visit => ({ status: 200, page: await pageOf(visit) }),

    async refuse(visit, why) {
      if (why === 'foreign') return { status: 403, page: await pageOf(visit, { notice: visit.text.expired }) }
      const page = await pageOf(visit, { notice: visit.text[why], unsent: why === 'unsent' })
      return { status: statusOf[why], page }
    },

    async refuseForNow(visit, nextMs) {
      const seconds = Math.ceil(nextMs / 1000)
      const page = await pageOf(visit, { notice: fill(visit.text.tooMany, { seconds }) })
      return { status: 429, page, headers: { 'Retry-After': String(seconds) } }
    },
  }
}
