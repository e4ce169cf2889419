// The operations that only a sandbox has: its clock, its mails, its reset.

import { idPrefix } from '@callgate/contract/idPrefix'
import type { Problem } from '@callgate/contract/rest/problem'
import { clockYears, mostSandboxMails, type SandboxClock } from '@callgate/contract/rest/sandbox'
import { newId } from '@callgate/world/ids'
import { isoTime, type World } from '@callgate/world/world'
import { actorOf, recordActivity } from '../activity/activity.ts'
import { readInstant } from '../core/instant.ts'
import { type SpaceClock, spaceTimeMs } from '../core/spaceTime.ts'
import type { Database, Db } from '../database/database.ts'
import { timeIn } from '../database/databaseTime.ts'
import { deactivateAllGates } from '../gate/gateRows.ts'
import { hasScope, lacksScope } from '../http/authenticate.ts'
import type { AppHandlers, Handlers, Principal } from '../http/handler.ts'
import { writeLetter } from '../mail/letter.ts'
import { listMemberMails } from '../mail/spaceMails.ts'
import { readAddressee } from '../member/addressee.ts'
import type { LinkParts } from '../member/memberLinks.ts'
import { deactivateAllMembers } from '../member/memberRows.ts'
import { setClock } from '../space/spaces.ts'
import { giveRole } from '../user/users.ts'
import { insertSandbox, sandboxLimit } from './sandboxes.ts'

interface SandboxParts {
  readonly world: World
  readonly database: Database
  readonly seal: LinkParts['seal']
  readonly appUrl: string
}

const noSandbox: Problem = {
  problem: 'not_found',
  message: 'This Space is live: only a sandbox has this.',
}
const released: SpaceClock = { clockAt: null, clockSetAt: null }

interface Sandbox extends SpaceClock {
  readonly name: string
}

/** The Space of the request; undefined where it is live. */
async function findSandbox(db: Db, { spaceId }: Pick<Principal, 'spaceId'>): Promise<Sandbox | undefined> {
  const row = await db('spaces').where({ id: spaceId }).first('name', 'mode', 'clockAt', 'clockSetAt')
  return row?.mode === 'sandbox' ? row : undefined
}

function clockOf(clock: SpaceClock, nowMs: number): SandboxClock {
  return {
    now: isoTime(spaceTimeMs(clock, nowMs)),
    isFrozen: clock.clockAt !== null && clock.clockSetAt === null,
    isReal: clock.clockAt === null,
  }
}

const mostMs = clockYears * 366 * 86_400_000

/** The columns of the clock as asked for, or the problem with the instant. */
function readClock(at: string | null, isFrozen: boolean, nowMs: number): SpaceClock | Problem {
  if (at === null) return released
  const clockAt = readInstant(at)
  if (clockAt !== undefined && Math.abs(Date.parse(clockAt) - nowMs) <= mostMs)
    return { clockAt, clockSetAt: isFrozen ? null : isoTime(nowMs) }
  const message = `at must be null or an instant within ${clockYears} years from now, such as ${isoTime(nowMs)}`
  return { problem: 'validation_error', message }
}

export function sandboxHandlers({
  appUrl,
  database,
  seal,
  world,
}: SandboxParts): Pick<
  Handlers,
  'getSandboxClock' | 'setSandboxClock' | 'listSandboxMails' | 'resetSandbox'
> {
  const { knex } = database
  return {
    async getSandboxClock({ principal }) {
      const sandbox = await findSandbox(knex, principal)
      return sandbox ? { status: 200, body: clockOf(sandbox, world.nowMs()) } : noSandbox
    },

    setSandboxClock: ({ body: { at, isFrozen = false }, principal, write }) =>
      write(async tx => {
        const sandbox = await findSandbox(tx, principal)
        if (!sandbox) return noSandbox
        const nowMs = timeIn(tx, world)
        const clock = readClock(at, isFrozen, nowMs)
        if ('problem' in clock) return clock
        const { spaceId } = principal
        await setClock(tx, spaceId, clock)
        const of = { spaceId, ...actorOf(principal), targetId: spaceId, targetLabel: sandbox.name }
        const details = { at: clock.clockAt, isFrozen: clock.clockAt !== null && isFrozen }
        await recordActivity(tx, world, { ...of, action: 'sandbox.clock_set', details })
        return { status: 200, body: clockOf(clock, nowMs) } as const
      }),

    async listSandboxMails({ principal }) {
      if (!(await findSandbox(knex, principal))) return noSandbox
      const mails = []
      for (const mail of await listMemberMails(knex, principal.spaceId, mostSandboxMails)) {
        const { createdAt, kind, mailId: id, memberId } = mail
        const addressee = await readAddressee(database, { seal, appUrl }, mail)
        if (!addressee.ok) continue
        const { subject, text } = writeLetter(addressee.facts)
        const to = hasScope(principal, 'members:read_email') ? { to: addressee.address } : {}
        mails.push({ id, memberId, kind, createdAt, ...to, subject, text })
      }
      return { status: 200, body: { mails } }
    },

    resetSandbox: ({ principal, write }) =>
      write(async tx => {
        const sandbox = await findSandbox(tx, principal)
        if (!sandbox) return noSandbox
        if (!hasScope(principal, 'members:write')) return lacksScope('members:write', 'deactivating members')
        const { spaceId } = principal
        const members = await deactivateAllMembers(tx, spaceId)
        const gates = await deactivateAllGates(tx, spaceId)
        await setClock(tx, spaceId, released)
        const of = { spaceId, ...actorOf(principal), targetId: spaceId, targetLabel: sandbox.name }
        await recordActivity(tx, world, { ...of, action: 'sandbox.reset', details: { gates, members } })
        return { status: 200, body: { gates, members } } as const
      }),
  }
}

/** The dashboard's operation that makes a sandbox for one of its users. */
export function sandboxAppHandlers({
  world,
}: Pick<SandboxParts, 'world'>): Pick<AppHandlers, 'createSandbox'> {
  return {
    createSandbox({ body: { name }, principal, write }) {
      const { identity, name: userName } = principal
      const spaceId = newId(world, idPrefix.space)
      // The operator makes sandboxes by the command line, and needs no role in them.
      const userId = identity.kind === 'user' ? identity.userId : undefined
      const reach = { spaceIds: [principal.spaceId, spaceId, ...(userId === undefined ? [] : [userId])] }
      return write(async tx => {
        const full = userId === undefined ? undefined : await sandboxLimit(tx, userId)
        if (full) return full
        const { country, language, timezone } = await tx('spaces').where({ id: principal.spaceId }).first()
        await insertSandbox(tx, world, spaceId, { name, plan: 'business', country, language, timezone })
        if (userId !== undefined)
          await giveRole(
            tx,
            world,
            { id: userId, name: userName },
            { spaceId, role: 'owner', by: actorOf(principal) },
          )
        return { status: 201, body: { space: { id: spaceId, name } } } as const
      }, reach)
    },
  }
}
