// Members for the dashboard: each with its mail, its link, and the status of its accesses.

import type { AccessView, MemberView } from '@callgate/contract/app/appMember'
import type { Schedule } from '@callgate/contract/rest/schedule'
import type { AccessNow, MemberStanding } from '@callgate/contract/rest/standing'
import type { World } from '@callgate/world/world'
import type { AccessFacts } from '../core/accessDecision.ts'
import { decide } from '../core/schedule/decide.ts'
import type { Db } from '../database/database.ts'
import { statement } from '../database/statement.ts'
import { externalShown } from '../space/externalIds.ts'
import { readSpaceTimeMs } from '../space/spaceModes.ts'
import { type AccessRow, accessesByMember, accessesOf } from './accesses.ts'
import { accessNow, bestOf } from './core/accessStatus.ts'
import { newPhoneAt } from './linkUses.ts'
import { type LinkParts, linkUrl } from './memberLinks.ts'
import { findMember, type MemberRow } from './memberRows.ts'

/** Schedules, and what follows from them at the scene's moment, which is costly to compute. */
interface KnownSchedules {
  readonly schedules: Schedule[]
  /** Null: forever, or they do not allow access now. */
  readonly untilMs: number | null
  /** The status of accesses without a cap, by their switches. */
  readonly nows: Map<string, AccessNow>
}

/** What all members of a list have in common. */
export interface Scene {
  readonly links: LinkParts
  readonly db: Db
  readonly spaceId: string
  readonly nowMs: number
  readonly activeGates: ReadonlySet<string>
  /** The last parsed schedules by their stored text, because many accesses have the same ones. */
  readonly known: Map<string, KnownSchedules>
  /** Ends the turn of the event loop after much work; the argument is the amount of the next step. */
  readonly work: (amount: number) => Promise<void>
}

const gatesOf = statement<{ readonly spaceId: string }, { readonly id: string }>((db, { spaceId }) =>
  db('gates').select('id').where({ spaceId, isActive: true }),
)

/** How many characters of schedules are parsed and checked in one turn of the event loop. */
const workInTurn = 20_000
/** How many texts of schedules a scene caches; one can have 9,000 characters. */
const keptTexts = 50

/** A scene at the present moment, by the Space's clock. */
export async function sceneOf(
  links: LinkParts,
  { db, spaceId, world }: { readonly db: Db; readonly spaceId: string; readonly world: World },
): Promise<Scene> {
  const gates = await gatesOf(db, { spaceId })
  let done = 0
  const work = async (amount: number) => {
    done += amount
    if (done < workInTurn) return
    done = 0
    await world.turn(spaceId)
  }
  const activeGates = new Set(gates.map(({ id }) => id))
  const nowMs = await readSpaceTimeMs(db, spaceId, world.nowMs())
  return { links, db, spaceId, nowMs, activeGates, known: new Map(), work }
}

/** The work of an access besides its schedules, in the unit of `work`. */
const accessWork = 100
/** A cached text costs the work of a new one divided by this number. */
const knownShare = 10

/** The schedules of an access, from their stored text. */
async function readKnown({ known, nowMs, work }: Scene, text: string): Promise<KnownSchedules> {
  const before = known.get(text)
  await work(accessWork + (before ? text.length / knownShare : text.length))
  if (before) return before
  const schedules = JSON.parse(text) as Schedule[]
  const decision = decide(schedules, nowMs)
  const found = { schedules, untilMs: decision.allowed ? decision.untilMs : null, nows: new Map() }
  if (known.size >= keptTexts) known.clear()
  known.set(text, found)
  return found
}

/** The status of an access. Many have the same one: without a cap it follows from the schedules and the switches. */
function nowOf({ nows, untilMs }: KnownSchedules, facts: AccessFacts, nowMs: number): AccessNow {
  const { isActive, isGateActive, maxUsage } = facts
  if (maxUsage !== null) return accessNow(facts, nowMs, untilMs)
  const switches = `${isActive} ${isGateActive}`
  const now = nows.get(switches) ?? accessNow(facts, nowMs, untilMs)
  nows.set(switches, now)
  return now
}

async function viewAccess(scene: Scene, row: AccessRow): Promise<AccessView> {
  const { gateId, id, lastUsedAt, maxUsage, usageCount } = row
  const known = await readKnown(scene, row.schedules)
  const { schedules } = known
  const isActive = Boolean(row.isActive)
  const isGateActive = scene.activeGates.has(gateId)
  const facts = { isGateActive, isActive, schedules, maxUsage, usageCount }
  const now = nowOf(known, facts, scene.nowMs)
  return { id, gateId, schedules, maxUsage, usageCount, isActive, lastUsedAt, now }
}

interface MailRow {
  readonly createdAt: string
  readonly sentAt: string | null
  readonly givenUpAt: string | null
  readonly lastError: string | null
}

const lastMail = statement<{ readonly memberId: string }, MailRow>((db, { memberId }) =>
  db('outbox')
    .select('createdAt', 'sentAt', 'givenUpAt', 'lastError')
    .where({ memberId })
    .orderBy([
      { column: 'createdAt', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .limit(1),
)

function toMail(row: MailRow | undefined): MemberView['now']['mail'] {
  if (!row || row.sentAt !== null) return null
  return { state: row.givenUpAt === null ? 'waiting' : 'failed', since: row.createdAt, says: row.lastError }
}

async function viewAll(scene: Scene, rows: readonly AccessRow[] = []): Promise<AccessView[]> {
  const views: AccessView[] = []
  for (const row of rows) views.push(await viewAccess(scene, row))
  return views
}

/** The accesses of a member with their status. A dead link opens nothing, so its member has none. */
export async function viewAccesses(
  scene: Scene,
  { id: memberId, linkSealed }: MemberRow,
): Promise<AccessView[]> {
  return linkSealed === null
    ? []
    : viewAll(scene, await accessesOf(scene.db, { spaceId: scene.spaceId, memberId }))
}

/** How many accesses each of these members has; one without any is absent. */
async function countsByMember(
  db: Db,
  spaceId: string,
  memberIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows: { memberId: string; accesses: number | string }[] = await db('accesses')
    .where({ spaceId })
    .whereIn('memberId', memberIds)
    .groupBy('memberId')
    .select('memberId')
    .count({ accesses: '*' })
  return new Map(rows.map(({ accesses, memberId }) => [memberId, Number(accesses)]))
}

/**
 * How many accesses are read at once, and of how many members. A member can have 100, of 9,000 characters each: one such member is
 * read alone.
 */
const readAtOnce = { accesses: 100, members: 20 }

/** Divides members into those whose accesses are read at once. */
function* readTogether(
  members: readonly MemberRow[],
  counts: ReadonlyMap<string, number>,
): Generator<readonly MemberRow[]> {
  let some: MemberRow[] = []
  let accesses = 0
  for (const member of members) {
    const own = counts.get(member.id) ?? 0
    if (some.length === readAtOnce.members || (some.length > 0 && accesses + own > readAtOnce.accesses)) {
      yield some
      some = []
      accesses = 0
    }
    some.push(member)
    accesses += own
  }
  if (some.length > 0) yield some
}

/** Members, each with its accesses as `viewAccesses` gives them. A query for each member would take most of the time. */
export async function* withAccesses(
  scene: Scene,
  members: readonly MemberRow[],
): AsyncGenerator<readonly [MemberRow, AccessView[]]> {
  const { db, spaceId } = scene
  const withLink = (some: readonly MemberRow[]) =>
    some.filter(({ linkSealed }) => linkSealed !== null).map(({ id }) => id)
  const counts = await countsByMember(db, spaceId, withLink(members))
  for (const some of readTogether(members, counts)) {
    const accesses = await accessesByMember(db, spaceId, withLink(some))
    for (const row of some) yield [row, await viewAll(scene, accesses.get(row.id))]
  }
}

/** How a member with these accesses stands. */
export function standingOf(accesses: readonly AccessView[]): MemberStanding {
  const used = accesses.flatMap(({ lastUsedAt }) => lastUsedAt ?? []).sort()
  return { ...bestOf(accesses.map(({ now }) => now)), lastUsedAt: used.at(-1) ?? null }
}

/** The member with these accesses, in the form of the dashboard. */
export async function toMemberView(
  scene: Scene,
  row: MemberRow,
  accesses: AccessView[],
): Promise<MemberView> {
  const { createdAt, email, id, linkSealed, name, note, phone, spaceId } = row
  const [mail] = await lastMail(scene.db, { memberId: id })
  const link = linkSealed === null ? null : linkUrl(scene.links, { spaceId, id, linkSealed })
  return {
    id,
    name,
    email,
    phone,
    note,
    isActive: Boolean(row.isActive),
    preferredLanguage: row.preferredLanguage ?? row.spaceLanguage,
    createdAt,
    ...externalShown(row),
    accesses,
    now: {
      ...standingOf(accesses),
      link,
      newPhoneAt: await newPhoneAt(scene.db, { id, spaceId }),
      mail: toMail(mail),
    },
  }
}

/** Undefined when the Space has no member with that id. */
export async function readMemberView(scene: Scene, memberId: string): Promise<MemberView | undefined> {
  const row = await findMember(scene.db, scene.spaceId, memberId)
  return row && toMemberView(scene, row, await viewAccesses(scene, row))
}
