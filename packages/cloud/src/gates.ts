// Gates: the five operations of the API with their SQL, and the call profile that an operator sets.

import { type CallProfile, callProfile } from '@callgate/contract/callProfile'
import type { Gate } from '@callgate/contract/gate'
import { idPrefix } from '@callgate/contract/ids'
import type { Problem } from '@callgate/contract/problem'
import { newId } from '@callgate/world/ids'
import { isoTime, type World } from '@callgate/world/world'
import type { Knex } from 'knex'
import { type ActivityAction, changesOf, recordActivity } from './activity.ts'
import { gateRefusal } from './core/plan.ts'
import { countRows, type Database } from './database.ts'
import type { Handlers } from './http/mount.ts'
import { readPhoneNumber } from './phoneNumber.ts'
import { readPlan } from './spaces.ts'

interface GateRow extends Omit<Gate, 'isActive'> {
  readonly spaceId: string
  /** SQLite knows 0 and 1. */
  readonly isActive: boolean | number
  readonly callProfile: string
}

const shownColumns = [
  'id',
  'name',
  'phoneNumber',
  'location',
  'description',
  'isActive',
  'openCount',
  'lastOpenedAt',
  'createdAt',
] as const

const notFound: Problem = { problem: 'not_found', message: 'There is no gate with this id.' }

const invalid = (message: string): Problem => ({ problem: 'validation_error', message })

/** The answer's member for a row of `shownColumns`. */
function toGate(row: Pick<GateRow, (typeof shownColumns)[number]>): Gate {
  return { ...row, isActive: Boolean(row.isActive) }
}

/** Why the Space may not have one more active gate, told inside the transaction that would add it. */
async function limitProblem(
  tx: Knex.Transaction,
  spaceId: string,
  nowMs: number,
): Promise<Problem | undefined> {
  const plan = await readPlan(tx, spaceId, nowMs)
  const message = gateRefusal(plan, await countRows(tx('gates').where({ spaceId, isActive: true })))
  return message === undefined ? undefined : { problem: 'plan_limit_reached', message }
}

function actionOf(before: Gate, after: Gate): ActivityAction {
  if (before.isActive === after.isActive) return 'gate.updated'
  return after.isActive ? 'gate.reactivated' : 'gate.deactivated'
}

export function gateHandlers(parts: {
  readonly database: Database
  readonly world: World
}): Pick<Handlers, 'listGates' | 'createGate' | 'getGate' | 'updateGate' | 'deactivateGate'> {
  const { database, world } = parts

  /** Applies `wanted` to one gate, with its activity entry; the gate as it is then, or why not. */
  function change(
    caller: { readonly spaceId: string; readonly actor: string },
    gateId: string,
    wanted: Partial<Gate>,
  ): Promise<Gate | Problem> {
    const { actor, spaceId } = caller
    return database.write(async tx => {
      const row = await tx<GateRow>('gates')
        .where({ id: gateId, spaceId })
        .first(...shownColumns)
      if (!row) return notFound
      const before = toGate(row)
      const after: Gate = { ...before, ...wanted }
      const changes = changesOf(before, after)
      if (!changes) return before
      const action = actionOf(before, after)
      const problem =
        action === 'gate.reactivated' ? await limitProblem(tx, spaceId, world.nowMs()) : undefined
      if (problem) return problem
      // Another module may take calls in another way, so what was learned about the old one counts no more.
      const isOtherModule = before.phoneNumber !== after.phoneNumber
      await tx('gates')
        .where({ id: gateId, spaceId })
        .update({
          ...wanted,
          ...(isOtherModule && { callProfile: JSON.stringify(callProfile({ mode: 'unverified' })) }),
        })
      const target = { targetType: 'gate', targetLabel: after.name } as const
      const details = { deviceName: after.name, changes }
      await recordActivity(tx, world, { spaceId, action, actor, ...target, details })
      return after
    })
  }

  return {
    async listGates({ caller }) {
      const rows = await database
        .knex<GateRow>('gates')
        .select(...shownColumns)
        .where({ spaceId: caller.spaceId })
        .orderBy(['createdAt', 'id'])
      return { status: 200, body: { gates: rows.map(toGate) } }
    },

    async createGate({ body, caller }) {
      const { actor, country, spaceId } = caller
      const number = readPhoneNumber(body.phoneNumber, { country })
      if (!number.ok) return invalid(number.message)
      const nowMs = world.nowMs()
      const gate: Gate = {
        id: newId(world, idPrefix.gate),
        name: body.name,
        phoneNumber: number.phoneNumber,
        location: body.location ?? '',
        description: body.description ?? null,
        isActive: true,
        openCount: 0,
        lastOpenedAt: null,
        createdAt: isoTime(nowMs),
      }
      return database.write(async tx => {
        const problem = await limitProblem(tx, spaceId, nowMs)
        if (problem) return problem
        await tx('gates').insert({
          ...gate,
          spaceId,
          callProfile: JSON.stringify(callProfile({ mode: 'unverified' })),
        })
        const target = { targetType: 'gate', targetLabel: gate.name } as const
        const details = { deviceName: gate.name }
        await recordActivity(tx, world, { spaceId, action: 'gate.created', actor, ...target, details })
        return { status: 201, body: { gate } } as const
      })
    },

    async getGate({ caller, params }) {
      const row = await database
        .knex<GateRow>('gates')
        .where({ id: params.gateId, spaceId: caller.spaceId })
        .first(...shownColumns)
      return row ? { status: 200, body: { gate: toGate(row) } } : notFound
    },

    async updateGate({ body, caller, params }) {
      const { phoneNumber, ...wanted } = body
      const number = phoneNumber === undefined ? undefined : readPhoneNumber(phoneNumber, caller)
      if (number && !number.ok) return invalid(number.message)
      const gate = await change(caller, params.gateId, {
        ...wanted,
        ...(number && { phoneNumber: number.phoneNumber }),
      })
      return 'problem' in gate ? gate : { status: 200, body: { gate } }
    },

    async deactivateGate({ caller, params }) {
      const gate = await change(caller, params.gateId, { isActive: false })
      return 'problem' in gate ? gate : { status: 204 }
    },
  }
}

/** Sets how a gate's module takes a call. The gate's name; undefined when there is no gate of that id. */
export async function setGateProfile(
  parts: { readonly database: Database; readonly world: World },
  given: { readonly gateId: string; readonly profile: CallProfile; readonly actor: string },
): Promise<{ readonly spaceId: string; readonly name: string } | undefined> {
  const { database, world } = parts
  const { actor, gateId, profile } = given
  return database.write(async tx => {
    const row = await tx<GateRow>('gates').where({ id: gateId }).first('spaceId', 'name', 'callProfile')
    if (!row) return undefined
    const { name, spaceId } = row
    const before: CallProfile = JSON.parse(row.callProfile)
    const changes = changesOf(before, profile)
    if (!changes) return { spaceId, name }
    await tx('gates')
      .where({ id: gateId })
      .update({ callProfile: JSON.stringify(profile) })
    const target = { targetType: 'gate', targetLabel: name } as const
    const details = { deviceName: name, changes: { callProfile: { from: before, to: profile } } }
    await recordActivity(tx, world, { spaceId, action: 'gate.updated', actor, ...target, details })
    return { spaceId, name }
  })
}
