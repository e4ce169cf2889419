// Stages in the database: to which Spaces the operator has released which version of the gateway.

import type { ReleaseArchives } from '@callgate/contract/releaseWords'
import { isoTime, type World } from '@callgate/world/world'
import type { Db } from '../database/database.ts'
import { timeIn } from '../database/databaseTime.ts'
import { isReleasedTo, type Stage } from './core/updateOffer.ts'

/** A stage, and why it was halted. */
export interface ReadStage extends Stage {
  readonly stagedAt: string
  readonly halted: { readonly at: string; readonly by: string | null; readonly why: string | null } | null
}

interface StageRow {
  readonly version: string
  /** JSON. */
  readonly archives: string
  readonly notes: string | null
  readonly percent: number
  /** JSON. */
  readonly spaces: string
  readonly stagedAt: string
  readonly haltedAt: string | null
  readonly haltedBy: string | null
  readonly haltedWhy: string | null
}

const stageOf = ({ archives, haltedAt, haltedBy, haltedWhy, spaces, ...row }: StageRow): ReadStage => ({
  version: row.version,
  notes: row.notes,
  percent: Number(row.percent),
  stagedAt: row.stagedAt,
  archives: JSON.parse(archives) as ReleaseArchives,
  spaces: JSON.parse(spaces) as string[],
  isHalted: haltedAt !== null,
  halted: haltedAt === null ? null : { at: haltedAt, by: haltedBy, why: haltedWhy },
})

/** All stages; at most one for each published version. */
export async function readStages(db: Db): Promise<readonly ReadStage[]> {
  return (await db<StageRow>('releaseStages').orderBy('version')).map(stageOf)
}

/** Writes a stage; it replaces one of the same version, and is not halted. */
export async function writeStage(
  tx: Db,
  world: World,
  { archives, notes, percent, spaces, version }: Omit<Stage, 'isHalted'>,
): Promise<void> {
  const columns = {
    archives: JSON.stringify(archives),
    notes,
    percent,
    spaces: JSON.stringify(spaces),
    stagedAt: isoTime(timeIn(tx, world)),
    haltedAt: null,
    haltedBy: null,
    haltedWhy: null,
  }
  await tx('releaseStages')
    .insert({ version, ...columns })
    .onConflict('version')
    .merge(columns)
}

/** Ends the stage of a version that is withdrawn. */
export async function dropStage(tx: Db, version: string): Promise<void> {
  await tx('releaseStages').where({ version }).delete()
}

/** Halts the stage of a version that a gateway of one of its Spaces has rolled back. True: it was not halted before. */
export async function haltStage(
  tx: Db,
  world: World,
  {
    gatewayId,
    spaceId,
    version,
    why,
  }: {
    readonly gatewayId: string
    readonly spaceId: string
    readonly version: string
    readonly why: string | null
  },
): Promise<boolean> {
  const row = await tx<StageRow>('releaseStages').where({ version, haltedAt: null }).first()
  if (!row || !isReleasedTo(stageOf(row), spaceId)) return false
  const columns = { haltedAt: isoTime(timeIn(tx, world)), haltedBy: gatewayId, haltedWhy: why }
  return (await tx('releaseStages').where({ version, haltedAt: null }).update(columns)) === 1
}
