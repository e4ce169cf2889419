// The list of a guest's gates: the first page behind a link, which also says why a press was refused.

import type { World } from '@callgate/world/world'
import { accessRefusal } from '../core/permit.ts'
import type { Database } from '../database/database.ts'
import { fill } from '../text/fill.ts'
import { type GuestGate, listGuestGates, toGuestGate } from './guestRows.ts'
import { nextAllowed } from './language.ts'
import { outcomeOfReason } from './outcome.ts'
import type { PressForms } from './pressForms.ts'
import { type GateEntry, gatesPage } from './views.ts'
import type { Reply, Visit } from './visit.ts'
import type { Visitors } from './visitors.ts'

/** Gates that are decided on in one turn of the event loop. */
const gatesInTurn = 5

export interface GateList {
  show(visit: Visit): Promise<Reply>
  /** Nothing was pressed, and the guest gets a new form. */
  refuse(visit: Visit, status: 403 | 409): Promise<Reply>
  /** The link is used too often; another press is taken in `nextMs`. */
  refuseForNow(visit: Visit, nextMs: number): Promise<Reply>
}

export function createGateList(parts: {
  readonly world: World
  readonly database: Database
  readonly forms: Pick<PressForms<unknown>, 'issue'>
  readonly visitors: Visitors
}): GateList {
  const { database, forms, visitors, world } = parts

  function entryOf({ language, member }: Visit, gate: GuestGate, visitor: string): GateEntry {
    const { accessId, gateId, gateName, location, schedules } = gate
    const nowMs = world.nowMs()
    const denied = accessRefusal(gate, nowMs)
    const press = denied
      ? { denied: outcomeOfReason(denied), next: nextAllowed(schedules, nowMs, language) }
      : { nonce: forms.issue({ visitor, memberId: member.id, gateId, accessId }) }
    return { accessId, gateId, gateName, location, press }
  }

  async function pageOf(visit: Visit, notice?: string) {
    const visitor = visitors.of(visit.ctx)
    const { spaceId } = visit.member
    await world.turn(spaceId)
    const gates = await listGuestGates(database.knex, visit.member)
    const entries: GateEntry[] = []
    for (const [place, gate] of gates.entries()) {
      // One gate can have 200 windows to read, so other work gets a turn in between.
      if (place % gatesInTurn === 0) await world.turn(spaceId)
      entries.push(entryOf(visit, toGuestGate(gate), visitor))
    }
    // Gates that open now come first. Within both groups the order of use stays.
    const sorted = entries.toSorted((a, b) => Number('denied' in a.press) - Number('denied' in b.press))
    return gatesPage(visit, sorted, notice)
  }

  return {
    show: async visit => ({ status: 200, page: await pageOf(visit) }),

    refuse: async (visit, status) => ({ status, page: await pageOf(visit, visit.text.again) }),

    async refuseForNow(visit, nextMs) {
      const seconds = Math.ceil(nextMs / 1000)
      const page = await pageOf(visit, fill(visit.text.tooMany, { seconds }))
      return { status: 429, page, headers: { 'Retry-After': String(seconds) } }
    },
  }
}
