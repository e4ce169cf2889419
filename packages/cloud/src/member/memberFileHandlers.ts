// The dashboard's operations on the file of members: export, preview and import.

import { memberColumns } from '@callgate/contract/app/memberFile'
import { refuse } from '@callgate/contract/app/refusals'
import type { World } from '@callgate/world/world'
import type { Knex } from 'knex'
import type { Database } from '../database/database.ts'
import type { AppHandlers } from '../http/handler.ts'
import { byteOrderMark, csvLines } from '../text/csv.ts'
import { linesOf } from './memberFile.ts'
import { applyIntent, dateOf, intentOf, planOf, stateIdOf } from './memberImport.ts'
import type { LinkParts } from './memberLinks.ts'
import { memberBatches } from './memberSearch.ts'
import { type Scene, sceneOf, viewAccesses } from './memberViews.ts'

type MemberFileHandlersParts = { readonly database: Database; readonly world: World } & LinkParts

/** How often a file is checked again when somebody changes something meanwhile. */
const mostChecks = 3

const busy = refuse('members_busy')

/** Members whose lines are one piece of the file. */
const membersInPiece = 50

async function* piecesOf(scene: Scene): AsyncGenerator<string> {
  const { db, spaceId } = scene
  const { timezone } = await db('spaces').where({ id: spaceId }).first('timezone')
  const rows: { id: string; name: string }[] = await db('gates').where({ spaceId }).select('id', 'name')
  const gates = new Map(rows.map(({ id, name }) => [id, name]))
  yield byteOrderMark + csvLines([memberColumns])
  for await (const members of memberBatches(scene, { isActive: true }))
    for (let first = 0; first < members.length; first += membersInPiece) {
      const lines: string[][] = []
      for (const row of members.slice(first, first + membersInPiece)) {
        lines.push(...linesOf({ ...row, accesses: await viewAccesses(scene, row) }, { gates, timezone }))
      }
      yield csvLines(lines)
    }
}

export function memberFileHandlers(
  parts: MemberFileHandlersParts,
): Pick<AppHandlers, 'exportMembers' | 'importMembers'> {
  const { database, world } = parts
  return {
    async exportMembers({ principal: { spaceId } }) {
      const scene = await sceneOf(parts, { db: database.knex, spaceId, world })
      const fileName = `members-${dateOf(world.nowMs())}.csv`
      return { fileName, contentType: 'text/csv; charset=utf-8', pieces: piecesOf(scene) }
    },

    async importMembers({ body, principal, write }) {
      const { file: text, isDryRun, sendsMails } = body
      const { spaceId } = principal
      const check = () => intentOf(database.knex, { spaceId, text, world })
      let intent = await check()
      for (let checks = 1; checks < mostChecks; checks++) {
        if ((await stateIdOf(database.knex, spaceId)) === intent.stateId) break
        intent = await check()
      }
      if (isDryRun || intent.faults.length > 0) return { status: 200, body: planOf(intent, false) }
      const apply = async (tx: Knex.Transaction) => {
        // Checked before the transaction, which blocks other writers, so nothing may have changed since.
        if ((await stateIdOf(tx, spaceId)) !== intent.stateId) return busy
        const refused = await applyIntent(tx, { world, links: parts }, { principal, intent, sendsMails })
        if (refused) return refused
        return { status: 200, body: planOf(intent, true) } as const
      }
      return write(apply, { spaceId, isLong: true })
    },
  }
}
