// Spaces: the tenants, and the plan of each.

import { idPrefix } from '@callgate/contract/idPrefix'
import type { Problem } from '@callgate/contract/rest/problem'
import type { SpaceMode } from '@callgate/contract/sandbox/magicNumbers'
import { newId } from '@callgate/world/ids'
import { isoTime, type World } from '@callgate/world/world'
import type { Knex } from 'knex'
import { actorWithoutId, changesOf, recordActivity } from '../activity/activity.ts'
import { type Month, monthOf } from '../core/month.ts'
import {
  type HeldLimit,
  invitationRefusal,
  limitRefusal,
  type OwnLimits,
  type Plan,
  type PlanName,
  planInForce,
  planLimits,
  withOwnLimits,
} from '../core/plan.ts'
import type { SpaceClock } from '../core/spaceTime.ts'
import { countRows, type Database, type Db } from '../database/database.ts'
import { timeIn } from '../database/databaseTime.ts'
import { statement } from '../database/statement.ts'

export interface Space {
  readonly spaceId: string
  readonly name: string
  readonly mode: SpaceMode
  readonly plan: string
  readonly trialEndsAt: string | null
  readonly country: string
  readonly timezone: string
  readonly language: string
  readonly createdAt: string
  /** The contact whom guests can call when something fails; null for none. */
  readonly contactName: string | null
  readonly contactPhone: string | null
}

/** Both, or neither. */
export type Contact = { readonly [Part in 'contactName' | 'contactPhone']: Space[Part] }

const dayMs = 24 * 60 * 60 * 1000

/** The end of a trial that begins now; null for a plan without a trial. */
async function trialEnd(db: Db, world: World, plan: PlanName): Promise<string | null> {
  const row = await db('plans').where({ name: plan }).first('trialDays')
  return row?.trialDays == null ? null : isoTime(timeIn(db, world) + row.trialDays * dayMs)
}

export interface NewSpace {
  readonly name: string
  readonly plan: PlanName
  readonly country: string
  readonly timezone: string
  readonly language?: string
  readonly mode?: SpaceMode
}

/** `createSpace`, inside the transaction `tx`. */
export async function insertSpace(
  tx: Db,
  world: World,
  spaceId: string,
  { language = 'en', mode = 'live', ...given }: NewSpace,
): Promise<Space> {
  const trialEndsAt = await trialEnd(tx, world, given.plan)
  const row = { ...given, mode, trialEndsAt, language, createdAt: isoTime(timeIn(tx, world)) }
  await tx('spaces').insert({ id: spaceId, ...row })
  return { spaceId, ...row, contactName: null, contactPhone: null }
}

/** Creates a live Space. A trial begins now. */
export async function createSpace(
  { database, world }: { readonly database: Database; readonly world: World },
  given: Omit<NewSpace, 'mode'>,
): Promise<Space> {
  const spaceId = newId(world, idPrefix.space)
  return database.write(tx => insertSpace(tx, world, spaceId, given), { spaceId })
}

/** Sets the contact whom the guests of a Space can call. Undefined when there is no such Space. */
export async function setContact(
  database: Database,
  spaceId: string,
  { contactName, contactPhone }: Contact,
): Promise<Space | undefined> {
  return database.write(
    async tx => {
      await tx('spaces').where({ id: spaceId }).update({ contactName, contactPhone })
      const row = await tx('spaces').where({ id: spaceId }).first()
      if (!row) return undefined
      const { id, ...space } = row
      return { spaceId: id, ...space }
    },
    { spaceId },
  )
}

/** Writes an owner's changes of the Space. */
export async function changeSpace(
  tx: Db,
  spaceId: string,
  columns: Partial<
    Pick<Space, 'name' | 'country' | 'timezone' | 'language' | 'contactName' | 'contactPhone'>
  >,
): Promise<void> {
  await tx('spaces').where({ id: spaceId }).update(columns)
}

/** Sets the clock of a sandbox: what its schedules see. */
export async function setClock(tx: Db, spaceId: string, clock: SpaceClock): Promise<void> {
  await tx('spaces')
    .where({ id: spaceId })
    .update({ ...clock })
}

/** All Spaces, oldest first. */
export async function listSpaces(database: Database): Promise<readonly Space[]> {
  const rows = await database.knex('spaces').orderBy(['createdAt', 'id'])
  return rows.map(({ id, ...row }) => ({ spaceId: id, ...row }))
}

/** Changes the plan of a Space. A trial begins again. Undefined when there is no such Space. */
export async function setPlan(
  parts: { readonly database: Database; readonly world: World },
  given: { readonly spaceId: string; readonly plan: PlanName; readonly actor: string },
): Promise<Space | undefined> {
  const { database, world } = parts
  const { actor, plan, spaceId } = given
  return database.write(async tx => {
    const row = await tx('spaces').where({ id: spaceId }).first()
    if (!row) return undefined
    const { id, ...before } = row
    const trialEndsAt = await trialEnd(tx, world, plan)
    await tx('spaces').where({ id: spaceId }).update({ plan, trialEndsAt })
    const { plan: oldPlan, trialEndsAt: oldEnd } = before
    const changes = changesOf({ plan: oldPlan, trialEndsAt: oldEnd }, { plan, trialEndsAt })
    if (changes) {
      const details = { changes }
      const of = { spaceId, ...actorWithoutId(actor), targetId: spaceId, targetLabel: before.name }
      await recordActivity(tx, world, { ...of, action: 'space.plan_changed', details })
    }
    return { spaceId: id, ...before, plan, trialEndsAt }
  })
}

interface PlanOfSpace extends OwnLimits {
  readonly plan: PlanName
  readonly trialEndsAt: string | null
  readonly timezone: string
}
const planOfSpace = statement<{ readonly spaceId: string }, PlanOfSpace>((db, { spaceId }) =>
  db('spaces')
    .leftJoin('spaceLimits', 'spaceLimits.spaceId', 'spaces.id')
    .where({ 'spaces.id': spaceId })
    .select('plan', 'trialEndsAt', 'timezone', ...planLimits),
)
const planByName = statement<{ readonly name: string }, Plan>((db, { name }) =>
  db('plans').where({ name }).select('*'),
)

/** What the Space's plan allows at `nowMs`, and the time zone of its months. */
export async function readPlan(
  db: Db,
  spaceId: string,
  nowMs: number,
): Promise<Plan & { readonly timezone: string }> {
  const [space] = await planOfSpace(db, { spaceId })
  const [row] = space ? await planByName(db, { name: planInForce(space, nowMs) }) : []
  if (!space || !row) throw new Error('the Space of a caller is there, and its plan')
  return { ...withOwnLimits({ ...row, hasApi: Boolean(row.hasApi) }, space), timezone: space.timezone }
}

/** The plan at `nowMs`, and its use. */
export async function readPlanUse(db: Db, spaceId: string, nowMs: number) {
  const plan = await readPlan(db, spaceId, nowMs)
  const month = monthOf(nowMs, plan.timezone)
  const { trialEndsAt } = await db('spaces').where({ id: spaceId }).first('trialEndsAt')
  const useOf = async (of: HeldLimit) => ({
    used: await countOf[of](db, spaceId, nowMs),
    limit: plan[of],
  })
  return {
    plan: plan.name,
    trialEndsAt: trialEndsAt as string | null,
    hasApi: plan.hasApi,
    gates: await useOf('gateLimit'),
    gateways: await useOf('gatewayLimit'),
    keys: await useOf('keyLimit'),
    users: await useOf('userLimit'),
    webhooks: await useOf('webhookLimit'),
    invitations: {
      used: await countRows(createdIn(db, spaceId, month)),
      limit: plan.monthlyInvitationLimit,
      resetsAt: month.endsAt,
    },
  }
}

type Count = (db: Db, spaceId: string, nowMs: number) => Promise<number>

/** How many a Space has of each limited thing. */
const countOf: Readonly<Record<HeldLimit, Count>> = {
  gateLimit: (db, spaceId) => countRows(db('gates').where({ spaceId, isActive: true })),
  gatewayLimit: (db, spaceId) => countRows(db('gateways').where({ spaceId, revokedAt: null })),
  keyLimit: (db, spaceId, nowMs) =>
    countRows(
      db('apiKeys')
        .where({ spaceId, revokedAt: null })
        .where(end => end.whereNull('expiresAt').orWhere('expiresAt', '>', isoTime(nowMs))),
    ),
  webhookLimit: (db, spaceId) => countRows(db('webhooks').where({ spaceId })),
  // An invited person may join at any time, so invitations count.
  userLimit: async (db, spaceId, nowMs) =>
    (await countRows(db('userRoles').where({ spaceId }))) +
    (await countRows(db('userInvitations').where({ spaceId }).where('expiresAt', '>', isoTime(nowMs)))),
}

const createdIn = (db: Db, spaceId: string, { endsAt, startsAt }: Month) =>
  db('members').where({ spaceId }).where('createdAt', '>=', startsAt).where('createdAt', '<', endsAt)

/**
 * Why the Space may not have one more of what `of` limits. Call it inside the transaction that would add it. `freed`: how many
 * that transaction removes.
 */
export async function limitProblem(
  tx: Knex.Transaction,
  of: HeldLimit,
  {
    freed = 0,
    nowMs,
    spaceId,
  }: { readonly spaceId: string; readonly nowMs: number; readonly freed?: number },
): Promise<Problem | undefined> {
  const plan = await readPlan(tx, spaceId, nowMs)
  return limitRefusal(plan, of, (await countOf[of](tx, spaceId, nowMs)) - freed)
}

/**
 * Why the Space may not have one more member at `nowMs`, where `planned` are not added yet. Call it inside the transaction that
 * would add the member; without one it is a preview. Every creation counts in its month, with or without e-mail, and is never given
 * back.
 */
export async function invitationLimitProblem(
  tx: Db,
  spaceId: string,
  nowMs: number,
  planned = 0,
): Promise<Problem | undefined> {
  const plan = await readPlan(tx, spaceId, nowMs)
  const month = monthOf(nowMs, plan.timezone)
  const used = planned + (await countRows(createdIn(tx, spaceId, month)))
  return invitationRefusal(plan, used, month)
}
