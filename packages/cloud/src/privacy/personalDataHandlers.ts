// The dashboard's operations on personal data: of a member, for owners; of an account, for its user.

import { isProblem } from '@callgate/contract/rest/problem'
import type { World } from '@callgate/world/world'
import type { Database } from '../database/database.ts'
import type { AppHandlers } from '../http/handler.ts'
import { notFound } from '../http/notFound.ts'
import type { Seal } from '../secrets/sealing.ts'
import { beginErasure, eraseFirst } from './erasure.ts'
import { memberData } from './memberData.ts'
import { ownData } from './ownData.ts'

async function* onePiece(text: string): AsyncGenerator<string> {
  yield text
}

export function personalDataHandlers(parts: {
  readonly database: Database
  readonly seal: Seal
  readonly world: World
  /** Called when an erasure has begun. */
  readonly erasing: () => void
}): Pick<AppHandlers, 'exportMemberData' | 'exportOwnData' | 'eraseMember'> {
  const { erasing, world } = parts
  return {
    async exportMemberData({ principal: { spaceId }, params: { memberId } }) {
      const pieces = await memberData(parts, { spaceId, memberId })
      return pieces
        ? { fileName: `${memberId}.json`, contentType: 'application/json', pieces }
        : notFound('member')
    },

    async exportOwnData({ principal: { userId } }) {
      const text = await ownData(parts, userId)
      return { fileName: `${userId}.json`, contentType: 'application/json', pieces: onePiece(text) }
    },

    async eraseMember({ principal, params: { memberId }, write }) {
      const answer = await write(async tx =>
        (await beginErasure(tx, world, principal, memberId))
          ? ({ status: 204 } as const)
          : notFound('member'),
      )
      if (isProblem(answer)) return answer
      await eraseFirst(parts, { spaceId: principal.spaceId, memberId })
      erasing()
      return answer
    },
  }
}
