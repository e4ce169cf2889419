// A user's own sessions and profile in the dashboard's API.

import { isoTime, type World } from '@callgate/world/world'
import { sessionIdleMs } from '../core/permit.ts'
import type { Database } from '../database/database.ts'
import type { AppHandlers } from '../http/handler.ts'
import { notFound } from '../http/notFound.ts'
import { endSessions, type SessionRow } from './sessions.ts'
import type { UserRow } from './users.ts'

export function ownSessionHandlers(parts: {
  readonly world: World
  readonly database: Database
}): Pick<AppHandlers, 'listSessions' | 'endSession' | 'endOtherSessions' | 'updateProfile'> {
  const { database, world } = parts
  return {
    async listSessions({ principal }) {
      const nowMs = world.nowMs()
      const rows: SessionRow[] = await database
        .knex<SessionRow>('sessions')
        .where({ userId: principal.userId })
        .where('expiresAt', '>', isoTime(nowMs))
        .where('lastSeenAt', '>', isoTime(nowMs - sessionIdleMs))
        .orderBy([
          { column: 'lastSeenAt', order: 'desc' },
          { column: 'id', order: 'desc' },
        ])
      const sessions = rows.map(({ browser, createdAt, expiresAt, id, lastSeenAt }) => ({
        id,
        isCurrent: id === principal.sessionId,
        browser,
        createdAt,
        lastSeenAt,
        expiresAt,
      }))
      return { status: 200, body: { sessions } }
    },

    endSession: ({ principal, params, visitor, write }) =>
      write(async tx => {
        const { sessionId: id } = params
        const ended = await tx('sessions').where({ id, userId: principal.userId }).delete()
        if (ended === 0) return notFound('session')
        if (id === principal.sessionId) visitor.dropSession()
        return { status: 204 } as const
      }),

    endOtherSessions: ({ principal, write }) =>
      write(async tx => {
        await endSessions(tx, principal.userId, principal.sessionId)
        return { status: 204 } as const
      }),

    updateProfile: ({ body, principal, write }) =>
      write(async tx => {
        const of = { id: principal.userId }
        if (Object.keys(body).length > 0) await tx('users').where(of).update(body)
        const { email, id, language, name }: UserRow = await tx('users').where(of).first()
        return { status: 200, body: { user: { id, email, name, language } } } as const
      }),
  }
}
