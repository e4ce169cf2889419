// A calibration in the database with its test calls, for tests that make no calls.

import type { Evidence, Verdict } from '@callgate/contract/call/verdict'
import { exampleVerdict } from '@callgate/contract/call/verdict'
import { idPrefix } from '@callgate/contract/idPrefix'
import type { Report } from '@callgate/contract/wire/messages'
import { newId } from '@callgate/world/ids'
import { isoTime, type World } from '@callgate/world/world'
import type { KeptCall } from '../core/calibrationState.ts'
import type { Database } from '../database/database.ts'
import { insertOpening } from '../opening/openingRows.ts'

/** The report of a test call that the far end rejected after `ringMs`. */
export function rejectedReport(
  ringMs: number,
  { verdict, ...evidence }: Partial<Evidence> & { readonly verdict?: Partial<Verdict> } = {},
): Report {
  const said = { status: 'failed', reason: 'rejected', opened: 'unknown', confidence: 'unknown' } as const
  return {
    phase: 'ended',
    sinceClaimMs: 5_200 + ringMs,
    verdict: { ...exampleVerdict, ...said, setupMs: 5_000, ringMs, ...verdict },
    evidence: {
      modem: 'SIM800C 1418B06',
      operator: 'Orange RO',
      signalDbm: -71,
      events: [
        { atMs: 200, event: 'OK' },
        { atMs: 300, event: 'CLCC 2' },
        { atMs: 5_000, event: 'CLCC 3' },
        { atMs: 5_000 + ringMs, event: 'BUSY' },
        { atMs: 5_100 + ringMs, event: 'CLCC 6' },
      ],
      ...evidence,
    },
  }
}

export interface CalibratedPlace {
  readonly spaceId: string
  readonly gateId: string
  readonly gatewayId: string
}

/** Adds an opening that a gateway has called and reported. */
export async function addCall(
  { database, world }: { readonly database: Database; readonly world: World },
  { gatewayId, ...place }: CalibratedPlace,
  report: Report,
  endedMs = world.nowMs() - 60_000,
): Promise<string> {
  const { knex } = database
  const id = newId(world, idPrefix.opening)
  const gate = await knex('gates').where({ id: place.gateId }).first('name', 'phoneNumber', 'callProfile')
  const { callProfile: grantedProfile, name, phoneNumber } = gate
  const at = isoTime(endedMs - ('sinceClaimMs' in report ? (report.sinceClaimMs ?? 0) : 0))
  const { confidence, opened, reason, status } = report.phase === 'ended' ? report.verdict : exampleVerdict
  const named = {
    gateName: name,
    phoneNumber,
    actorType: 'owner',
    actorName: 'Ada',
    actorEmail: null,
  } as const
  const nobody = { apiKeyId: null, userId: null, sessionId: null, memberId: null, accessId: null }
  await insertOpening(knex, {
    ...place,
    ...named,
    ...nobody,
    id,
    calledAt: at,
    grantBefore: at,
    grantedAt: at,
    gatewayId,
    grantedProfile,
    status,
    reason,
    opened,
    confidence,
    safeToRetry: false,
    completedAt: isoTime(endedMs),
  })
  const bootId = 'A'.repeat(22)
  const { count } = (await knex('openingReports').count({ count: '*' }).first()) as { count: number }
  const sent = { openingId: id, gatewayId, bootId, seq: 1_000 + Number(count), phase: report.phase }
  const body = JSON.stringify(report)
  await knex('openingReports').insert({ ...sent, body, signature: 's', receivedAt: isoTime(endedMs) })
  return id
}

/** Begins a calibration with test calls that the gate rejected after each of these times, and opened. */
export async function putCalibration(
  parts: { readonly database: Database; readonly world: World },
  place: CalibratedPlace,
  ringsMs: readonly number[],
  answer: Pick<KeptCall, 'hasMoved' | 'afterS'> = { hasMoved: true, afterS: 9 },
): Promise<readonly string[]> {
  const calls: KeptCall[] = []
  for (const [index, ringMs] of ringsMs.entries()) {
    const endedMs = parts.world.nowMs() - (ringsMs.length - index) * 60_000
    const openingId = await addCall(parts, place, rejectedReport(ringMs), endedMs)
    calls.push({ openingId, isHidden: false, ...answer })
  }
  const startedAt = isoTime(parts.world.nowMs() - 300_000)
  await parts.database
    .knex('gates')
    .where({ id: place.gateId, spaceId: place.spaceId })
    .update({ calibration: JSON.stringify({ startedAt, calls, awaits: null }) })
  return calls.map(({ openingId }) => openingId)
}
