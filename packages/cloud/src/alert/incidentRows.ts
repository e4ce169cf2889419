// The SQL of incidents: the one open row for each thing and kind, and the effect of a check on it.

import type { IncidentKind } from '@callgate/contract/app/incidentKinds'
import { idPrefix } from '@callgate/contract/idPrefix'
import { newId } from '@callgate/world/ids'
import { isoTime, type World } from '@callgate/world/world'
import type { Database, Db } from '../database/database.ts'
import { timeIn } from '../database/databaseTime.ts'
import { recordEvents } from '../event/events.ts'
import { hostOf, type WebhookRow } from '../webhook/webhookRows.ts'
import { type IncidentStep, incidentStep, type TargetHealth, type Watched } from './core/incident.ts'

export interface IncidentRow {
  readonly id: string
  readonly spaceId: string
  readonly kind: IncidentKind
  readonly targetId: string
  readonly seenAt: string
  readonly openedAt: string | null
  readonly betterAt: string | null
  readonly closedAt: string | null
  readonly figure: number | null
  readonly openTold: string | null
  readonly closeTold: string | null
}

/** The check of one thing. */
export interface IncidentCheck {
  readonly spaceId: string
  readonly targetId: string
  readonly kind: IncidentKind
  readonly seen: TargetHealth
  /** Since when it has been bad, milliseconds since 1970, where that is known. */
  readonly sinceMs?: number | undefined
  /** The measured value. */
  readonly figure?: number | null
}

const msOf = (at: string | null) => (at === null ? undefined : Date.parse(at))

const watchedOf = (row: IncidentRow | undefined): Watched | undefined =>
  row && {
    seenMs: Date.parse(row.seenAt),
    openedMs: msOf(row.openedAt),
    betterMs: msOf(row.betterAt),
  }

/** The open and the watched incidents, by their thing and kind. */
export type GoingOn = ReadonlyMap<string, IncidentRow>

const keyOf = ({ kind, targetId }: Pick<IncidentCheck, 'kind' | 'targetId'>) => `${kind} ${targetId}`

export async function readGoingOn(db: Db): Promise<GoingOn> {
  const rows: IncidentRow[] = await db<IncidentRow>('incidents').whereNull('closedAt')
  return new Map(rows.map(row => [keyOf(row), row]))
}

/** Whether a check would change anything, by the rows that were read before. */
export function isDue(goingOn: GoingOn, check: IncidentCheck, nowMs: number): boolean {
  return incidentStep(check.kind, watchedOf(goingOn.get(keyOf(check))), check, nowMs).does !== 'nothing'
}

/** What a step writes to the open row; undefined where it changes no such row. */
function changeOf(step: IncidentStep, now: string, figure: number | null): Partial<IncidentRow> | undefined {
  switch (step.does) {
    case 'open':
      return { openedAt: now, figure }
    case 'better':
      return { betterAt: step.betterMs === undefined ? null : isoTime(step.betterMs) }
    case 'close':
      // A gone thing's end is not notified, because nobody waits for it.
      return { closedAt: now, ...(step.isGone && { openTold: now, closeTold: now }) }
    case 'watch':
      return { seenAt: isoTime(step.seenMs) }
    default:
      return undefined
  }
}

/** How long a closed incident, and a mail about one, is kept. Milliseconds. */
export const keptMs = 90 * 24 * 3_600_000
/** Each new row deletes this many expired ones of its Space. */
const purgedAtOnce = 50

/** Deletes rows of a Space that are older than `keptMs`, the oldest first. */
export async function purge(
  tx: Db,
  {
    at,
    nowMs,
    spaceId,
    table,
  }: { table: 'incidents' | 'alertMails'; at: string; spaceId: string; nowMs: number },
): Promise<void> {
  const expired = tx(table)
    .select('id')
    .where({ spaceId })
    .where(at, '<', isoTime(nowMs - keptMs))
    .orderBy(at)
    .limit(purgedAtOnce)
  if (table === 'incidents') expired.whereNotNull('closedAt')
  await tx(table).where({ spaceId }).whereIn('id', expired).delete()
}

async function applyCheck(tx: Db, world: World, check: IncidentCheck): Promise<void> {
  const { figure = null, kind, spaceId, targetId } = check
  const nowMs = timeIn(tx, world)
  const now = isoTime(nowMs)
  const place = { targetId, kind, spaceId }
  // Read again, because another cloud may have changed it since.
  const row = await tx<IncidentRow>('incidents').where(place).whereNull('closedAt').first()
  const step = incidentStep(kind, watchedOf(row), check, nowMs)
  const change = changeOf(step, now, figure)
  if (step.does === 'forget')
    await tx('incidents')
      .where({ id: row?.id ?? '', spaceId })
      .delete()
  let id = row?.id
  if (change && id !== undefined) await tx('incidents').where({ id, spaceId }).update(change)
  else if (step.does === 'open' || step.does === 'watch') {
    await purge(tx, { table: 'incidents', at: 'openedAt', spaceId, nowMs })
    id = newId(world, idPrefix.incident)
    await tx('incidents').insert({ id, ...place, seenAt: isoTime(step.seenMs), ...change })
  }
  const kindOf = { open: 'incident.opened', close: 'incident.closed' } as const
  if (id !== undefined && (step.does === 'open' || step.does === 'close'))
    await recordEvents(tx, spaceId, [{ kind: kindOf[step.does], targetId: id, atMs: nowMs }])
}

/** How many checks are applied in one transaction: an opening must not wait for many. */
const checksAtOnce = 20

/** Applies the checks of any Spaces: one transaction for some checks of one Space. */
export async function applyChecks(
  { database, world }: { readonly database: Database; readonly world: World },
  checks: readonly IncidentCheck[],
): Promise<void> {
  const bySpace = new Map<string, IncidentCheck[]>()
  for (const check of checks) {
    const others = bySpace.get(check.spaceId)
    if (others) others.push(check)
    else bySpace.set(check.spaceId, [check])
  }
  for (const [spaceId, ofSpace] of bySpace)
    for (let from = 0; from < ofSpace.length; from += checksAtOnce) {
      await database.write(
        async tx => {
          for (const check of ofSpace.slice(from, from + checksAtOnce)) await applyCheck(tx, world, check)
        },
        { spaceId },
      )
      await world.turn()
    }
}

/** The names of the gateways, gates and webhooks that incidents are about, by their ids. */
export async function targetNames(
  db: Db,
  rows: readonly Pick<IncidentRow, 'targetId' | 'spaceId'>[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(rows.map(({ targetId }) => targetId))]
  const spaceIds = [...new Set(rows.map(({ spaceId }) => spaceId))]
  const named = async (table: 'gates' | 'gateways') =>
    db(table)
      .whereIn('id', ids)
      .whereIn('spaceId', spaceIds)
      .select<{ id: string; name: string }[]>('id', 'name')
  const found = [...(await named('gates')), ...(await named('gateways'))]
  const webhooks = await db<WebhookRow>('webhooks').whereIn('id', ids).whereIn('spaceId', spaceIds)
  const hosts = webhooks.map(row => [row.id, hostOf(row as WebhookRow)] as const)
  return new Map([...found.map(({ id, name }) => [id, name] as const), ...hosts])
}
