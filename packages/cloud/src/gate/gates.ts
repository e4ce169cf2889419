// Gates: their operations of the API with the SQL, and the call profile of each.

import { refuse } from '@callgate/contract/app/refusals'
import { type CallProfile, calibrationOf, callProfile } from '@callgate/contract/call/callProfile'
import { idPrefix } from '@callgate/contract/idPrefix'
import type { ActivityState } from '@callgate/contract/rest/activity'
import type { Metadata } from '@callgate/contract/rest/external'
import type { Gate, GateUpdate } from '@callgate/contract/rest/gate'
import type { Problem } from '@callgate/contract/rest/problem'
import { newId } from '@callgate/world/ids'
import { isoTime, type World } from '@callgate/world/world'
import type { Knex } from 'knex'
import { actorOf, actorWithoutId, changesOf, recordActivity, recordedChanges } from '../activity/activity.ts'
import { changeRow, endRow, showRow } from '../activity/changeRow.ts'
import { ofOtherModule } from '../core/gateCallers.ts'
import { reachesGate } from '../core/keyRights.ts'
import type { Database, Db } from '../database/database.ts'
import { timeIn } from '../database/databaseTime.ts'
import type { Handlers, Principal, Request } from '../http/handler.ts'
import { notFound } from '../http/notFound.ts'
import { externalColumns, externalIdProblem, externalShown } from '../space/externalIds.ts'
import { isSandbox } from '../space/spaceModes.ts'
import { limitProblem } from '../space/spaces.ts'
import { readAllowedCountries } from './countries.ts'
import { type GateRow, gateReadHandlers, type ReadGateHealths, shownColumns, toGate } from './gateReads.ts'
import { keepBothNumbers } from './numberLocks.ts'
import { type ReadPhoneNumber, readPhoneNumber, readSandboxNumber } from './phoneNumber.ts'

/** The profile of a module that nobody has measured yet: cautious guesses. */
const unverified = JSON.stringify(callProfile({ mode: 'unverified' }))

type GateChange = 'gate.updated' | 'gate.deactivated' | 'gate.reactivated'

function actionOf(before: Gate, after: Gate): GateChange {
  if (before.isActive === after.isActive) return 'gate.updated'
  return after.isActive ? 'gate.reactivated' : 'gate.deactivated'
}

/** The principal and the gate of a change, and whether the request is about an old state. */
type Changing = Pick<Request<'updateGate' | 'deactivateGate'>, 'principal' | 'params' | 'stale'>

type FoundGate = Omit<GateRow, 'spaceId'>

const showGate = ({ callProfile: _, callers: __, ...row }: FoundGate) => ({ gate: toGate(row) })

const gateAt = ({ principal: { spaceId }, params: { gateId: id } }: Changing) => ({
  find: (db: Db): Promise<FoundGate | undefined> =>
    db<GateRow>('gates')
      .where({ id, spaceId })
      .first(...shownColumns, 'callProfile', 'callers'),
  none: notFound('gate'),
  show: showGate,
})

type GateState = ActivityState<'gate.deactivated'>

/** The part of a gate that an activity entry compares; of metadata it shows only the existence. */
function stateOf(gate: Gate, profile: string): Omit<GateState, 'metadata'> & { metadata: Metadata | null } {
  const { externalId = null, metadata = null } = gate
  return { ...gate, callProfile: JSON.parse(profile), externalId, metadata }
}

const recorded = ({ metadata, ...state }: ReturnType<typeof stateOf>): GateState => ({
  ...state,
  metadata: metadata === null ? null : '(set)',
})

/** Makes the function that applies `wanted` to one gate. */
function gateChange(
  world: World,
  { principal: { spaceId } }: Changing,
  { externalId, metadata, ...wanted }: GateUpdate,
) {
  const given = externalColumns({ externalId, metadata })
  return async (row: FoundGate, tx: Knex.Transaction) => {
    const { callProfile: profile, callers } = row
    const { gate: before } = showGate(row)
    const columns = { externalId: row.externalId, metadata: row.metadata, ...given }
    const { externalId: _, metadata: __, ...fields } = before
    const after: Gate = { ...fields, ...wanted, ...externalShown(columns) }
    // Another module can take calls in another way, so what was learned about the old one no longer counts.
    const isSameModule = before.phoneNumber === after.phoneNumber
    const profileAfter = isSameModule ? profile : unverified
    const callersAfter = isSameModule ? callers : JSON.stringify(ofOtherModule(JSON.parse(callers)))
    const changes = recordedChanges(stateOf(before, profile), stateOf(after, profileAfter), recorded)
    if (!changes) return undefined
    const action = actionOf(before, after)
    const nowMs = timeIn(tx, world)
    const problem =
      action === 'gate.reactivated' ? await limitProblem(tx, 'gateLimit', { spaceId, nowMs }) : undefined
    if (problem) return problem
    const of = { spaceId, id: row.id, externalId: columns.externalId }
    const taken = after.isActive ? await externalIdProblem(tx, 'gates', of) : undefined
    if (taken) return taken
    await tx('gates')
      .where({ id: row.id, spaceId })
      .update({
        ...wanted,
        ...given,
        callProfile: profileAfter,
        callers: callersAfter,
        ...(!isSameModule && { calibration: null, learnedFrom: null, driftedAt: null }),
      })
    const { phoneNumber: from } = before
    if (!isSameModule) await keepBothNumbers(tx, { spaceId, from, to: after.phoneNumber }, nowMs)
    const details = { deviceName: after.name, changes }
    return { action, targetId: after.id, targetLabel: after.name, details }
  }
}

export function gateHandlers(parts: {
  readonly database: Database
  readonly world: World
  readonly readHealths?: ReadGateHealths
}): Pick<
  Handlers,
  'listGates' | 'createGate' | 'getGate' | 'updateGate' | 'deactivateGate' | ProfileOperation
> {
  const { database, world } = parts

  async function readNumber(raw: string, { country, spaceId }: Principal): Promise<ReadPhoneNumber> {
    if (await isSandbox(database.knex, spaceId)) return readSandboxNumber(raw)
    const allowedCountries = await readAllowedCountries(database.knex, spaceId)
    return readPhoneNumber(raw, { country, allowedCountries })
  }

  return {
    ...gateReadHandlers(parts),
    ...profileHandlers(parts),

    async createGate({ body, principal, write }) {
      const { spaceId } = principal
      const number = await readNumber(body.phoneNumber, principal)
      if (!number.ok) return number.problem
      return write(async tx => {
        const nowMs = timeIn(tx, world)
        const problem = await limitProblem(tx, 'gateLimit', { spaceId, nowMs })
        const columns = { externalId: null, metadata: null, ...externalColumns(body) }
        const taken = await externalIdProblem(tx, 'gates', { spaceId, externalId: columns.externalId })
        const refused = taken ?? problem
        if (refused) return refused
        const fields: Gate = {
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
        await tx('gates').insert({ ...fields, ...columns, spaceId, callProfile: unverified })
        const gate = { ...fields, ...externalShown(columns) }
        const of = { spaceId, ...actorOf(principal), targetId: gate.id, targetLabel: gate.name }
        await recordActivity(tx, world, { ...of, action: 'gate.created', details: { deviceName: gate.name } })
        return { status: 201, body: { gate } } as const
      })
    },

    async updateGate(request) {
      const { phoneNumber, ...wanted } = request.body
      const number = phoneNumber === undefined ? undefined : await readNumber(phoneNumber, request.principal)
      if (number && !number.ok) return number.problem
      const given = { ...wanted, ...(number && { phoneNumber: number.phoneNumber }) }
      return changeRow(world, request, gateAt(request), gateChange(world, request, given))
    },

    deactivateGate: request =>
      endRow(world, request, gateAt(request), gateChange(world, request, { isActive: false })),
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

/** Gives the gate another call profile. Returns the entry for the activity; undefined when the gate has this profile already. */
async function saveProfile(tx: Knex.Transaction, gate: ProfiledGate, profile: CallProfile) {
  const { id, name, profile: before, spaceId } = gate
  if (!changesOf(before, profile)) return undefined
  // Otherwise calls in this mode would be compared with measurements in another.
  const isOtherMode = profile.mode !== before.mode
  await tx('gates')
    .where({ id, spaceId })
    .update({
      callProfile: JSON.stringify(profile),
      ...(isOtherMode && { learnedFrom: null, driftedAt: null }),
    })
  const details = { deviceName: name, changes: { callProfile: { from: before, to: profile } } }
  return { action: 'gate.updated', targetId: id, targetLabel: name, details } as const
}

/** Which fields of a profile contradict each other; undefined when it is consistent. */
export function profileConflict(profile: CallProfile): Problem | undefined {
  const { maxRingMs, mode, reactMaxMs, reactMinMs, ringTimeMs } = profile
  if (reactMinMs > reactMaxMs) return refuse('profile_window', { most: reactMaxMs })
  if (mode === 'reject_delayed' && ringTimeMs !== null && maxRingMs <= ringTimeMs)
    return refuse('profile_ring', { least: ringTimeMs })
  return undefined
}

const profileAt = (place: { readonly id: string; readonly spaceId: string }) => ({
  find: (db: Db) => findProfile(db, place),
  none: notFound('gate'),
  show: ({ profile }: ProfiledGate) => ({ profile, calibration: calibrationOf(profile) }),
})

function profileHandlers(parts: {
  readonly database: Database
  readonly world: World
}): Pick<Handlers, ProfileOperation> {
  const { database, world } = parts
  return {
    async getGateProfile({ principal, params: { gateId: id } }) {
      if (!reachesGate(principal, id)) return notFound('gate')
      return showRow(database.knex, profileAt({ id, spaceId: principal.spaceId }))
    },

    updateGateProfile: ({ body, principal, params: { gateId: id }, stale, write }) =>
      changeRow(
        world,
        { principal, stale, write },
        profileAt({ id, spaceId: principal.spaceId }),
        (gate, tx) => {
          // Measurements in another mode say nothing about this one.
          const isOther = body.mode !== undefined && body.mode !== gate.profile.mode
          const profile: CallProfile = { ...gate.profile, ...(isOther && { learned: false }), ...body }
          return profileConflict(profile) ?? saveProfile(tx, gate, profile)
        },
      ),
  }
}

/** Sets how a gate's module takes a call. Returns the gate's name; undefined when there is no gate with that id. */
export async function setGateProfile(
  parts: { readonly database: Database; readonly world: World },
  given: { readonly gateId: string; readonly profile: CallProfile; readonly actor: string },
): Promise<{ readonly spaceId: string; readonly name: string } | undefined> {
  return parts.database.write(async tx => {
    const gate = await findProfile(tx, { id: given.gateId })
    if (!gate) return undefined
    const entry = await saveProfile(tx, gate, given.profile)
    const { name, spaceId } = gate
    if (entry) await recordActivity(tx, parts.world, { spaceId, ...actorWithoutId(given.actor), ...entry })
    return { spaceId, name }
  })
}
