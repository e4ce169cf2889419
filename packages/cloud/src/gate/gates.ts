// Gates: their operations of the API with the SQL, and the call profile of each.

import { refuse } from '@callgate/contract/app/refusals'
import { type CallProfile, calibrationOf, callProfile } from '@callgate/contract/call/callProfile'
import { idPrefix } from '@callgate/contract/idPrefix'
import type { ActivityState } from '@callgate/contract/rest/activity'
import type { Gate } from '@callgate/contract/rest/gate'
import { isProblem, type Problem } from '@callgate/contract/rest/problem'
import { newId } from '@callgate/world/ids'
import { isoTime, type World } from '@callgate/world/world'
import type { Knex } from 'knex'
import { type Actor, actorOf, actorWithoutId, changesOf, recordActivity } from '../activity/activity.ts'
import { ofOtherModule } from '../core/gateCallers.ts'
import type { Database, Db } from '../database/database.ts'
import { timeIn } from '../database/databaseTime.ts'
import type { Caller, Handlers, Request } from '../http/handler.ts'
import { limitProblem } from '../space/spaces.ts'
import { readAllowedCountries } from './countries.ts'
import { type GateRow, noGate, readHandlers, shownColumns, toGate } from './gateReads.ts'
import { keepBothNumbers } from './numberLocks.ts'
import { type ReadPhoneNumber, readPhoneNumber } from './phoneNumber.ts'

/** The profile of a module that nobody has measured yet: cautious guesses. */
const unverified = JSON.stringify(callProfile({ mode: 'unverified' }))

type GateChange = 'gate.updated' | 'gate.deactivated' | 'gate.reactivated'

function actionOf(before: Gate, after: Gate): GateChange {
  if (before.isActive === after.isActive) return 'gate.updated'
  return after.isActive ? 'gate.reactivated' : 'gate.deactivated'
}

/** Who changes which gate, and whether the request is about an old state. */
type Changing = Pick<Request<'updateGate' | 'deactivateGate'>, 'caller' | 'params' | 'stale'>

/** Applies `wanted` to one gate, with its activity entry. Resolves with the changed gate, or with the problem. */
async function changeGate(
  tx: Knex.Transaction,
  world: World,
  { caller, params, stale }: Changing,
  wanted: Partial<Gate>,
): Promise<Gate | Problem> {
  const { spaceId } = caller
  const place = { id: params.gateId, spaceId }
  const found = await tx<GateRow>('gates')
    .where(place)
    .first(...shownColumns, 'callProfile', 'callers')
  if (!found) return noGate
  const { callProfile: profile, callers, ...row } = found
  const before = toGate(row)
  const outdated = stale({ gate: before })
  if (outdated) return outdated
  const after: Gate = { ...before, ...wanted }
  // Another module can take calls in another way, so what was learned about the old one no longer counts.
  const isSameModule = before.phoneNumber === after.phoneNumber
  const profileAfter = isSameModule ? profile : unverified
  const callersAfter = isSameModule ? callers : JSON.stringify(ofOtherModule(JSON.parse(callers)))
  const changes = changesOf<ActivityState<'gate.deactivated'>>(
    { ...before, callProfile: JSON.parse(profile) },
    { ...after, callProfile: JSON.parse(profileAfter) },
  )
  if (!changes) return before
  const action = actionOf(before, after)
  const problem =
    action === 'gate.reactivated'
      ? await limitProblem(tx, 'gateLimit', { spaceId, nowMs: timeIn(tx, world) })
      : undefined
  if (problem) return problem
  await tx('gates')
    .where(place)
    .update({
      ...wanted,
      callProfile: profileAfter,
      callers: callersAfter,
      ...(!isSameModule && { calibration: null, learnedFrom: null, driftedAt: null }),
    })
  const of = { spaceId, ...actorOf(caller), targetId: after.id, targetLabel: after.name }
  const details = { deviceName: after.name, changes }
  const { phoneNumber: from } = before
  if (!isSameModule) await keepBothNumbers(tx, { spaceId, from, to: after.phoneNumber }, timeIn(tx, world))
  await recordActivity(tx, world, { ...of, action, details })
  return after
}

export function gateHandlers(parts: {
  readonly database: Database
  readonly world: World
}): Pick<
  Handlers,
  'listGates' | 'createGate' | 'getGate' | 'updateGate' | 'deactivateGate' | ProfileOperation
> {
  const { database, world } = parts

  async function readNumber(raw: string, { country, spaceId }: Caller): Promise<ReadPhoneNumber> {
    const allowedCountries = await readAllowedCountries(database.knex, spaceId)
    return readPhoneNumber(raw, { country, allowedCountries })
  }

  return {
    ...readHandlers(parts),
    ...profileHandlers(parts),

    async createGate({ body, caller, write }) {
      const { spaceId } = caller
      const number = await readNumber(body.phoneNumber, caller)
      if (!number.ok) return number.problem
      return write(async tx => {
        const nowMs = timeIn(tx, world)
        const problem = await limitProblem(tx, 'gateLimit', { spaceId, nowMs })
        if (problem) return problem
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
        await tx('gates').insert({ ...gate, spaceId, callProfile: unverified })
        const of = { spaceId, ...actorOf(caller), targetId: gate.id, targetLabel: gate.name }
        await recordActivity(tx, world, { ...of, action: 'gate.created', details: { deviceName: gate.name } })
        return { status: 201, body: { gate } } as const
      })
    },

    async updateGate(request) {
      const { phoneNumber, ...wanted } = request.body
      const number = phoneNumber === undefined ? undefined : await readNumber(phoneNumber, request.caller)
      if (number && !number.ok) return number.problem
      const given = { ...wanted, ...(number && { phoneNumber: number.phoneNumber }) }
      return request.write(async tx => {
        const gate = await changeGate(tx, world, request, given)
        return isProblem(gate) ? gate : ({ status: 200, body: { gate } } as const)
      })
    },

    deactivateGate: request =>
      request.write(async tx => {
        const gate = await changeGate(tx, world, request, { isActive: false })
        return isProblem(gate) ? gate : ({ status: 204 } as const)
      }),
  }
}

type ProfileOperation = 'getGateProfile' | 'updateGateProfile'

interface ProfiledGate {
  readonly id: string
  readonly spaceId: string
  readonly name: string
  readonly profile: CallProfile
}

/** The gate with its call profile; undefined when there is none at `place`. */
export async function findProfile(
  db: Db,
  place: { readonly id: string; readonly spaceId?: string },
): Promise<ProfiledGate | undefined> {
  const row = await db<GateRow>('gates').where(place).first('id', 'spaceId', 'name', 'callProfile')
  return row && { ...row, profile: JSON.parse(row.callProfile) as CallProfile }
}

/** Gives the gate another call profile, with an activity entry. Does nothing when the gate has this profile. */
async function saveProfile(
  tx: Knex.Transaction,
  world: World,
  gate: ProfiledGate,
  profile: CallProfile,
  by: Actor,
): Promise<void> {
  const { id, name, profile: before, spaceId } = gate
  if (!changesOf(before, profile)) return
  // Else calls in this mode would be held against what was measured in another.
  const isOtherMode = profile.mode !== before.mode
  await tx('gates')
    .where({ id, spaceId })
    .update({
      callProfile: JSON.stringify(profile),
      ...(isOtherMode && { learnedFrom: null, driftedAt: null }),
    })
  const of = { spaceId, ...by, targetId: id, targetLabel: name }
  const details = { deviceName: name, changes: { callProfile: { from: before, to: profile } } }
  await recordActivity(tx, world, { ...of, action: 'gate.updated', details })
}

/** Which fields of a profile contradict each other; undefined when it is consistent. */
export function profileConflict(profile: CallProfile): Problem | undefined {
  const { maxRingMs, mode, reactMaxMs, reactMinMs, ringTimeMs } = profile
  if (reactMinMs > reactMaxMs) return refuse('profile_window', { most: reactMaxMs })
  if (mode === 'reject_delayed' && ringTimeMs !== null && maxRingMs <= ringTimeMs)
    return refuse('profile_ring', { least: ringTimeMs })
  return undefined
}

/** The answer of the API for a profile. */
const shownProfile = (profile: CallProfile) => ({ profile, calibration: calibrationOf(profile) })

function profileHandlers(parts: {
  readonly database: Database
  readonly world: World
}): Pick<Handlers, ProfileOperation> {
  const { database, world } = parts
  return {
    async getGateProfile({ caller, params }) {
      const gate = await findProfile(database.knex, { id: params.gateId, spaceId: caller.spaceId })
      return gate ? { status: 200, body: shownProfile(gate.profile) } : noGate
    },

    updateGateProfile: ({ body, caller, params, stale, write }) =>
      write(async tx => {
        const gate = await findProfile(tx, { id: params.gateId, spaceId: caller.spaceId })
        if (!gate) return noGate
        const outdated = stale(shownProfile(gate.profile))
        if (outdated) return outdated
        // What was measured in another mode says nothing of this one.
        const isOther = body.mode !== undefined && body.mode !== gate.profile.mode
        const profile: CallProfile = { ...gate.profile, ...(isOther && { learned: false }), ...body }
        const conflict = profileConflict(profile)
        if (conflict) return conflict
        await saveProfile(tx, world, gate, profile, actorOf(caller))
        return { status: 200, body: shownProfile(profile) } as const
      }),
  }
}

/** Sets how a gate's module takes a call. The gate's name; undefined when there is no gate of that id. */
export async function setGateProfile(
  parts: { readonly database: Database; readonly world: World },
  given: { readonly gateId: string; readonly profile: CallProfile; readonly actor: string },
): Promise<{ readonly spaceId: string; readonly name: string } | undefined> {
  return parts.database.write(async tx => {
    const gate = await findProfile(tx, { id: given.gateId })
    if (!gate) return undefined
    await saveProfile(tx, parts.world, gate, given.profile, actorWithoutId(given.actor))
    return { spaceId: gate.spaceId, name: gate.name }
  })
}
