// The figures of gates for the dashboard: read from the last openings of each, by an index.

import { type GateFigures, ticksShown } from '@callgate/contract/app/appGateFigures'
import { type CallOutcomes, outcomesOf } from '@callgate/contract/call/callOutcomes'
import { type CallProfile, calibrationOf } from '@callgate/contract/call/callProfile'
import type { GateCallers } from '@callgate/contract/call/gateCallers'
import type { World } from '@callgate/world/world'
import { callerOf } from '../core/gateCallers.ts'
import { endedCalls, figuresOf } from '../core/gateFigures.ts'
import { byIndex } from '../database/byIndex.ts'
import type { Database, Db } from '../database/database.ts'
import { statement } from '../database/statement.ts'
import type { AppHandlers } from '../http/handler.ts'
import { notFound } from '../http/notFound.ts'
import { endReport } from '../opening/reportRecord.ts'
import { lastObservation, lastObservations } from './observations.ts'
import { type RecordRow, recordColumns, toRecords } from './openingRecords.ts'

interface GateValues {
  readonly [name: string]: string | number
  readonly spaceId: string
  readonly gateId: string
  readonly rows: number
}

/** The last openings of a gate, newest first. Exported for the test of its query plan. */
export const lastOpenings = statement<GateValues, RecordRow>((db, { gateId, rows, spaceId }) =>
  byIndex(db, 'openings', 'openings_of_gate')
    .select(recordColumns)
    .where({ spaceId, gateId })
    .orderBy([
      { column: 'calledAt', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .limit(rows),
)

interface Gate {
  readonly id: string
  /** JSON. */
  readonly callProfile: string
  /** JSON. */
  readonly callers: string
  /** The hash of its photo. */
  readonly photo: string | null
}

const gatesWithPhotos = (db: Db, spaceId: string) =>
  db('gates as gate')
    .leftJoin('gatePhotos as photo', 'photo.gateId', 'gate.id')
    .where('gate.spaceId', spaceId)
    .select('gate.id', 'gate.callProfile', 'gate.callers', { photo: 'photo.hash' })

const gatesOf = statement<{ readonly spaceId: string }, Gate>((db, { spaceId }) =>
  gatesWithPhotos(db, spaceId).orderBy(['gate.createdAt', 'gate.id']),
)

/** How many of the last calls of a gate rang in vain. A call after which a person saw the gate move does not count. */
export async function readMisses(db: Db, rows: readonly RecordRow[]): Promise<number> {
  const { misses } = figuresOf(rows)
  const missed = endedCalls(rows).slice(0, misses)
  for (const [place, { id }] of missed.entries())
    if ((await lastObservation(db, id)) === 'moving') return place
  return misses
}

/** What the last openings have shown of their gate. Where none of so many placed a call, nobody knows of the older ones. */
async function readOutcomes(db: Db, rows: readonly RecordRow[]): Promise<CallOutcomes> {
  const calls = endedCalls(rows)
  const seen = await lastObservations(
    db,
    calls.map(({ id }) => id),
  )
  const outcomes = outcomesOf(
    calls.map(({ class: of, id }) => ({ class: of, seen: seen.get(id) ?? null })).reverse(),
  )
  return rows.length === ticksShown && calls.length === 0 ? { ...outcomes, last: 'unknown' } : outcomes
}

/** The gateways of a Space that are not shut out. */
async function readGatewayIds(db: Db, spaceId: string): Promise<readonly string[]> {
  const rows: readonly { id: string }[] = await db('gateways')
    .where({ spaceId, revokedAt: null })
    .select('id')
  return rows.map(({ id }) => id)
}

interface SpaceOfGates {
  readonly spaceId: string
  readonly gatewayIds: readonly string[]
}

async function readFigures(db: Db, { gatewayIds, spaceId }: SpaceOfGates, gate: Gate): Promise<GateFigures> {
  const rows = await lastOpenings(db, { spaceId, gateId: gate.id, rows: ticksShown })
  const [last = null] = await toRecords(db, rows.slice(0, 1))
  const { gatewayId, ticks, usualMs } = figuresOf(rows)
  const misses = await readMisses(db, rows)
  const callers = JSON.parse(gate.callers) as GateCallers
  return {
    gateId: gate.id,
    last,
    ticks: [...ticks],
    usualMs,
    misses,
    outcomes: await readOutcomes(db, rows),
    calibration: calibrationOf(JSON.parse(gate.callProfile) as CallProfile),
    isNumberKnown: gatewayIds.some(id => callerOf(callers, id).numberKnown === 'yes'),
    gatewayId,
    photo: gate.photo,
  }
}

/** The ringing times of the calls that opened the gate, among its last openings. */
async function ringingTimes(db: Db, rows: readonly RecordRow[]): Promise<number[]> {
  const times: number[] = []
  for (const { class: of, id, joinedOpeningId } of rows) {
    if (joinedOpeningId !== null || (of !== 'opened' && of !== 'probably_opened')) continue
    const report = await endReport(db, id)
    const ringMs = report?.verdict.ringMs ?? null
    if (ringMs !== null) times.push(ringMs)
    if (times.length === ticksShown) break
  }
  return times
}

/** How many presses are searched for the gateways that have opened a gate. */
const lookedThrough = 500

/** How many gates' figures are read in one turn of the event loop. */
const gatesInTurn = 10

export function gateFiguresHandlers({
  database: { knex },
  world,
}: {
  readonly database: Database
  readonly world: World
}): Pick<AppHandlers, 'listGateFigures' | 'getGateFigures'> {
  return {
    async listGateFigures({ principal }) {
      const { spaceId } = principal
      const gates = await gatesOf(knex, { spaceId })
      const space = { spaceId, gatewayIds: await readGatewayIds(knex, spaceId) }
      const figures: GateFigures[] = []
      for (const [place, gate] of gates.entries()) {
        if (place > 0 && place % gatesInTurn === 0) await world.turn(spaceId)
        figures.push(await readFigures(knex, space, gate))
      }
      return { status: 200, body: { figures } }
    },

    async getGateFigures({ principal, params }) {
      const { spaceId } = principal
      const gate: Gate | undefined = await gatesWithPhotos(knex, spaceId)
        .where('gate.id', params.gateId)
        .first()
      if (!gate) return notFound('gate')
      const rows = await lastOpenings(knex, { spaceId, gateId: gate.id, rows: lookedThrough })
      const openedAt = new Map<string, string>()
      for (const { calledAt, gatewayId, status } of rows)
        if (status === 'completed' && gatewayId !== null && !openedAt.has(gatewayId))
          openedAt.set(gatewayId, calledAt)
      const gateways: { id: string; name: string; callerNumber: string | null }[] = await knex('gateways')
        .where({ spaceId, revokedAt: null })
        .orderBy(['createdAt', 'id'])
        .select('id', 'name', 'callerNumber')
      const callers = gateways.map(({ callerNumber, id, name }) => ({
        gatewayId: id,
        name,
        callerNumber,
        openedAt: openedAt.get(id) ?? null,
      }))
      const gatewayIds = gateways.map(({ id }) => id)
      const figures = await readFigures(knex, { spaceId, gatewayIds }, gate)
      return { status: 200, body: { figures, ringMs: await ringingTimes(knex, rows), callers } }
    },
  }
}
