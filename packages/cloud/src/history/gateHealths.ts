// The health of gates: what is known of each without a call, by the function that the dashboard's cards use.

import { ticksShown } from '@callgate/contract/app/appGateFigures'
import type { CallProfile } from '@callgate/contract/call/callProfile'
import { calibrationOf } from '@callgate/contract/call/callProfile'
import type { GateCallers } from '@callgate/contract/call/gateCallers'
import { callerOf, type GateHealth, gateHealth } from '@callgate/contract/rest/gateHealth'
import { playedCallerOf } from '@callgate/contract/sandbox/magicNumbers'
import type { World } from '@callgate/world/world'
import { callsGate } from '../core/gateCallers.ts'
import type { Database } from '../database/database.ts'
import type { ReadGateHealths } from '../gate/gateReads.ts'
import type { BeatsSeen } from '../gateway/gatewayRows.ts'
import { readViewRows, toGatewayView } from '../gateway/gatewayViews.ts'
import { lastOpenings, readMisses } from './gateFigureReader.ts'

interface HealthParts {
  readonly database: Database
  readonly heard: Pick<BeatsSeen, 'now' | 'catchUp'>
  readonly world: World
}

/** How many gates are judged in one turn of the event loop. */
const gatesInTurn = 10

/** A reader of the health of some gates of a Space. */
export function gateHealthReader({ database: { knex }, heard, world }: HealthParts): ReadGateHealths {
  return async (spaceId, gateIds) => {
    await heard.catchUp(spaceId)
    const nowMs = world.nowMs()
    const gateways = (await readViewRows(knex, heard, spaceId)).map(row => toGatewayView(row, nowMs))
    const gates: readonly { id: string; callProfile: string; callers: string; phoneNumber: string }[] =
      await knex('gates').where({ spaceId }).select('id', 'callProfile', 'callers', 'phoneNumber')
    const wanted = new Set(gateIds)
    const healths = new Map<string, GateHealth>()
    for (const { callProfile, callers, id, phoneNumber } of gates) {
      if (!wanted.has(id)) continue
      if (healths.size > 0 && healths.size % gatesInTurn === 0) await world.turn(spaceId)
      const rows = await lastOpenings(knex, { spaceId, gateId: id, rows: ticksShown })
      const may = JSON.parse(callers) as GateCallers
      const caller =
        playedCallerOf(phoneNumber) ?? callerOf(gateways.filter(gateway => callsGate(may, gateway.id)))
      const calibration = calibrationOf(JSON.parse(callProfile) as CallProfile)
      healths.set(id, gateHealth(caller, { misses: await readMisses(knex, rows), calibration }))
    }
    return healths
  }
}
