// The dashboard's operations on members: found, counted, shown, saved as a whole, and taken in again.

import { isProblem } from '@callgate/contract/rest/problem'
import type { World } from '@callgate/world/world'
import type { Knex } from 'knex'
import { recordActivity } from '../activity/activity.ts'
import type { Database } from '../database/database.ts'
import type { AppHandlers } from '../http/handler.ts'
import { notFound } from '../http/notFound.ts'
import { forgetLinkUses } from './linkUses.ts'
import { type LinkParts, newLink } from './memberLinks.ts'
import { findMember, inactiveMember } from './memberRows.ts'
import { readSentAccesses, saveAccesses } from './memberSaves.ts'
import { countMembers, findMembers } from './memberSearch.ts'
import { about, changeMember } from './members.ts'
import { readMemberView, sceneOf } from './memberViews.ts'

type Parts = { readonly database: Database; readonly world: World } & LinkParts

function viewHandlers(
  parts: Parts,
): Pick<AppHandlers, 'listMemberViews' | 'getMemberCounts' | 'getMemberView'> {
  const { database, world } = parts
  const scene = (spaceId: string) => sceneOf(parts, { db: database.knex, spaceId, world })
  return {
    async listMemberViews({ caller, query }) {
      const found = await findMembers(await scene(caller.spaceId), query)
      return isProblem(found) ? found : { status: 200, body: found }
    },
    async getMemberCounts({ caller }) {
      return { status: 200, body: await countMembers(await scene(caller.spaceId)) }
    },
    async getMemberView({ caller, params }) {
      const member = await readMemberView(await scene(caller.spaceId), params.memberId)
      return member ? { status: 200, body: { member } } : notFound('member')
    },
  }
}

/** The dashboard's operations on members. */
export function memberAppHandlers(
  parts: Parts,
): Pick<
  AppHandlers,
  'listMemberViews' | 'getMemberCounts' | 'getMemberView' | 'saveMember' | 'reactivateMember'
> {
  const { seal, world } = parts
  /** Judged inside the transaction, which must not wait for turns of the event loop. */
  const viewIn = async (tx: Knex.Transaction, spaceId: string, memberId: string) => {
    const scene = await sceneOf(parts, { db: tx, spaceId, world })
    return readMemberView({ ...scene, work: async () => {} }, memberId)
  }
  return {
    ...viewHandlers(parts),

    async saveMember({ body, caller, params, stale, write }) {
      const { spaceId } = caller
      const { accesses, ...fields } = body
      const wanted = accesses && readSentAccesses(accesses)
      if (wanted && isProblem(wanted)) return wanted
      return write(async tx => {
        const row = await findMember(tx, spaceId, params.memberId)
        const before = row && (await viewIn(tx, spaceId, row.id))
        if (!row || !before) return notFound('member')
        const outdated = stale({ member: before })
        if (outdated) return outdated
        if (row.linkSealed === null && wanted) return inactiveMember
        const member = await changeMember(tx, world, caller, row, fields)
        const refused =
          wanted && (await saveAccesses({ tx, world, caller, member, sendsMails: true }, wanted))
        if (refused) return refused
        const saved = await viewIn(tx, spaceId, row.id)
        return saved ? ({ status: 200, body: { member: saved } } as const) : notFound('member')
      })
    },

    reactivateMember: ({ caller, params, write }) =>
      write(async tx => {
        const { spaceId } = caller
        const row = await findMember(tx, spaceId, params.memberId)
        if (!row) return notFound('member')
        if (row.linkSealed === null) {
          await tx('members')
            .where({ id: row.id, spaceId })
            .update({ isActive: true, ...newLink(world, seal, row) })
          await forgetLinkUses(tx, row)
          await recordActivity(tx, world, {
            ...about(caller, row),
            action: 'member.reactivated',
            details: {},
          })
        }
        const member = await viewIn(tx, spaceId, row.id)
        return member ? ({ status: 200, body: { member } } as const) : notFound('member')
      }),
  }
}
