// The dashboard's operations on members: find, count, show, and save as a whole.

import type { MemberView } from '@callgate/contract/app/appMember'
import { isProblem } from '@callgate/contract/rest/problem'
import type { World } from '@callgate/world/world'
import { changeRow } from '../activity/changeRow.ts'
import type { Database, Db } from '../database/database.ts'
import type { AppHandlers } from '../http/handler.ts'
import { notFound } from '../http/notFound.ts'
import type { LinkParts } from './memberLinks.ts'
import { findMember, inactiveMember } from './memberRows.ts'
import { readSentAccesses, saveAccesses } from './memberSaves.ts'
import { countMembers, findMembers } from './memberSearch.ts'
import { changeMember } from './members.ts'
import { readMemberView, sceneOf, toMemberView } from './memberViews.ts'

type MemberAppHandlersParts = { readonly database: Database; readonly world: World } & LinkParts

function viewHandlers(
  parts: MemberAppHandlersParts,
): Pick<AppHandlers, 'listMemberViews' | 'getMemberCounts' | 'getMemberView'> {
  const { database, world } = parts
  const scene = (spaceId: string) => sceneOf(parts, { db: database.knex, spaceId, world })
  return {
    async listMemberViews({ principal, query }) {
      const at = await scene(principal.spaceId)
      const wanted = { ...query, searchesEmail: true }
      const found = await findMembers(at, wanted, (row, accesses) => toMemberView(at, row, accesses))
      return isProblem(found) ? found : { status: 200, body: found }
    },
    async getMemberCounts({ principal }) {
      return { status: 200, body: await countMembers(await scene(principal.spaceId)) }
    },
    async getMemberView({ principal, params }) {
      const member = await readMemberView(await scene(principal.spaceId), params.memberId)
      return member ? { status: 200, body: { member } } : notFound('member')
    },
  }
}

/** The dashboard's operations on members. */
export function memberAppHandlers(
  parts: MemberAppHandlersParts,
): Pick<AppHandlers, 'listMemberViews' | 'getMemberCounts' | 'getMemberView' | 'saveMember'> {
  const { world } = parts
  const viewAt = (spaceId: string, memberId: string) => ({
    async find(db: Db) {
      const row = await findMember(db, spaceId, memberId)
      if (!row) return undefined
      const scene = await sceneOf(parts, { db, spaceId, world })
      // Computed inside a transaction, which must not wait for turns of the event loop.
      const member = await readMemberView({ ...scene, work: async () => {} }, memberId)
      return member && { row, member }
    },
    none: notFound('member'),
    show: ({ member }: { readonly member: MemberView }) => ({ member }),
  })
  return {
    ...viewHandlers(parts),

    async saveMember({ body, principal, params: { memberId }, stale, write }) {
      const { accesses, ...fields } = body
      const wanted = accesses && readSentAccesses(accesses)
      if (wanted && isProblem(wanted)) return wanted
      return changeRow(
        world,
        { principal, stale, write },
        viewAt(principal.spaceId, memberId),
        async ({ row }, tx) => {
          if (row.linkSealed === null && wanted) return inactiveMember
          const member = await changeMember(tx, world, principal, row, fields)
          if (isProblem(member)) return member
          return wanted && saveAccesses({ tx, world, principal, member, sendsMails: true }, wanted)
        },
      )
    },
  }
}
