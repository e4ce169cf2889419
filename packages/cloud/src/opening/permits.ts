// What a press and a grant read before they decide: the gate with its profile, and whether a call is allowed.

import type { CallProfile } from '@callgate/contract/call/callProfile'
import type { GateCallers } from '@callgate/contract/call/gateCallers'
import type { ReasonWord } from '@callgate/contract/call/reason'
import type { Knex } from 'knex'
import { reachesGate, readRights } from '../core/keyRights.ts'
import type { OpeningRow } from '../core/opening.ts'
import { dialRefusal, type PrincipalFacts } from '../core/permit.ts'
import { planInForce } from '../core/plan.ts'
import { type SpaceClock, spaceTimeMs } from '../core/spaceTime.ts'
import type { Db } from '../database/database.ts'
import { statement } from '../database/statement.ts'

/** Who wants to open which gate. An API key has `apiKeyId`, a user has the next two ids, a guest has the last two. */
export type PermitRequest = Pick<
  OpeningRow,
  'spaceId' | 'gateId' | 'apiKeyId' | 'userId' | 'sessionId' | 'memberId' | 'accessId'
>

export interface Permit {
  /** Why no call to the gate is allowed; undefined when it is. */
  readonly denied: ReasonWord | undefined
  readonly gateName: string
  /** The gate's number now. */
  readonly phoneNumber: string
  readonly callProfile: CallProfile
  /** Which gateways may call the gate. */
  readonly callers: GateCallers
  /** JSON: the calibration of the gate; null where it has none. */
  readonly calibration: string | null
  /** JSON: what measured the profile; null where it was not measured. */
  readonly learnedFrom: string | null
  readonly isSandbox: boolean
}

/** The gate with its Space's plan. Columns of a key, user, member or access are null where there is none. */
export interface PermitRow extends SpaceClock {
  readonly mode: string
  readonly lockDownAt: string | null
  readonly gateName: string
  readonly phoneNumber: string
  readonly isGateActive: number
  readonly callProfile: string
  readonly callers: string
  readonly calibration: string | null
  readonly learnedFrom: string | null
  readonly plan: string
  readonly trialEndsAt: string | null
  readonly hasApi: number
  readonly freeHasApi: number
  readonly scopes: string | null
  readonly limited: string | null
  readonly revokedAt: string | null
  readonly expiresAt: string | null
  readonly deactivatedAt: string | null
  readonly sessionExpiresAt: string | null
  readonly lastSeenAt: string | null
  readonly isMemberActive: number | null
  readonly isAccessActive: number | null
  readonly schedules: string | null
  readonly maxUsage: number | null
  readonly usageCount: number | null
}

/** Who asks, as values or as columns of a row. */
type PermitSource = { readonly [Id in keyof PermitRequest]: PermitRequest[Id] | Knex.Ref<string, object> }

/** One row with everything that the permit depends on, because it is read twice between the press and the call. */
const permitRows = (rows: Knex.QueryBuilder, asked: PermitSource) =>
  rows
    .join('spaces as space', 'space.id', 'gate.spaceId')
    .join('plans as chosen', 'chosen.name', 'space.plan')
    .join('plans as free', join => join.onVal('free.name', 'free'))
    .leftJoin('apiKeys as key', join =>
      join.on('key.spaceId', 'gate.spaceId').onVal('key.id', asked.apiKeyId ?? ''),
    )
    .leftJoin('userRoles as role', join =>
      join.on('role.spaceId', 'gate.spaceId').onVal('role.userId', asked.userId ?? ''),
    )
    .leftJoin('users as user', 'user.id', 'role.userId')
    .leftJoin('sessions as session', join =>
      join.on('session.userId', 'user.id').onVal('session.id', asked.sessionId ?? ''),
    )
    .leftJoin('members as member', join =>
      join.on('member.spaceId', 'gate.spaceId').onVal('member.id', asked.memberId ?? ''),
    )
    .leftJoin('accesses as access', join =>
      join
        .on('access.spaceId', 'gate.spaceId')
        .on('access.gateId', 'gate.id')
        .on('access.memberId', 'member.id')
        .onVal('access.id', asked.accessId ?? ''),
    )
    .where({ 'gate.id': asked.gateId, 'gate.spaceId': asked.spaceId })
    .select({
      gateName: 'gate.name',
      phoneNumber: 'gate.phoneNumber',
      isGateActive: 'gate.isActive',
      callProfile: 'gate.callProfile',
      callers: 'gate.callers',
      calibration: 'gate.calibration',
      learnedFrom: 'gate.learnedFrom',
      mode: 'space.mode',
      lockDownAt: 'space.lockDownAt',
      clockAt: 'space.clockAt',
      clockSetAt: 'space.clockSetAt',
      plan: 'space.plan',
      trialEndsAt: 'space.trialEndsAt',
      hasApi: 'chosen.hasApi',
      freeHasApi: 'free.hasApi',
      scopes: 'key.scopes',
      limited: 'key.limited',
      revokedAt: 'key.revokedAt',
      expiresAt: 'key.expiresAt',
      deactivatedAt: 'user.deactivatedAt',
      sessionExpiresAt: 'session.expiresAt',
      lastSeenAt: 'session.lastSeenAt',
      isMemberActive: 'member.isActive',
      isAccessActive: 'access.isActive',
      schedules: 'access.schedules',
      maxUsage: 'access.maxUsage',
      usageCount: 'access.usageCount',
    })

const permitRow = statement<PermitRequest, PermitRow>((db, asked) => permitRows(db('gates as gate'), asked))

/** The permit of whoever has asked for an opening. */
const permitRowOf = statement<{ readonly openingId: string }, PermitRow>((db, { openingId }) => {
  const of = (name: keyof PermitRequest) => db.ref(`opening.${name}`)
  const rows = db('openings as opening').join('gates as gate', 'gate.id', 'opening.gateId')
  return permitRows(rows.where('opening.id', openingId), {
    spaceId: of('spaceId'),
    gateId: of('gateId'),
    apiKeyId: of('apiKeyId'),
    userId: of('userId'),
    sessionId: of('sessionId'),
    memberId: of('memberId'),
    accessId: of('accessId'),
  })
})

function principalOf(
  row: PermitRow,
  { gateId, memberId, userId }: PermitRequest,
  nowMs: number,
): PrincipalFacts {
  if (userId !== null) {
    const { deactivatedAt, lastSeenAt, sessionExpiresAt: expiresAt } = row
    // Without a role, neither the user nor the session is in the row.
    if (expiresAt === null || lastSeenAt === null) return { kind: 'user', user: undefined }
    return { kind: 'user', user: { deactivatedAt, expiresAt, lastSeenAt } }
  }
  if (memberId !== null) {
    const { isAccessActive, isGateActive, maxUsage, schedules, usageCount } = row
    const access =
      schedules === null || usageCount === null
        ? undefined
        : {
            isGateActive: Boolean(isGateActive),
            isActive: Boolean(isAccessActive),
            schedules: JSON.parse(schedules),
            maxUsage,
            usageCount,
          }
    return { kind: 'guest', isMemberActive: Boolean(row.isMemberActive), access }
  }
  const { expiresAt, limited, revokedAt, scopes } = row
  if (scopes === null) return { kind: 'key', key: undefined }
  const rights = readRights({ scopes, limited })
  const mayOpen = rights.scopes.includes('gates:open') && reachesGate(rights, gateId)
  const planHasApi = Boolean(planInForce(row, nowMs) === row.plan ? row.hasApi : row.freeHasApi)
  return { kind: 'key', key: { revokedAt, expiresAt, mayOpen, planHasApi } }
}

/** Reads everything that allows an opening, inside the transaction of a press. */
export function readPermit(tx: Db, asked: PermitRequest): Promise<readonly PermitRow[]> {
  const { accessId, apiKeyId, gateId, memberId, sessionId, spaceId, userId } = asked
  return permitRow(tx, { accessId, apiKeyId, gateId, memberId, sessionId, spaceId, userId })
}

/** The same inside the transaction of a grant. */
export const readPermitOf = (tx: Db, openingId: string): Promise<readonly PermitRow[]> =>
  permitRowOf(tx, { openingId })

/**
 * The permit of whoever asks, with the reason of a refusal. `acceptedNumber` is the number that the opening was accepted for; the
 * default is the gate's own. `scheduleMs` is the time that schedules see; the default is now by the Space's clock. Undefined when the Space has no such gate.
 */
export function permitOf(
  [row]: readonly PermitRow[],
  asked: PermitRequest,
  at: { readonly nowMs: number; readonly acceptedNumber?: string; readonly scheduleMs?: number },
): Permit | undefined {
  if (!row) return undefined
  const { calibration, gateName, learnedFrom, phoneNumber } = row
  const isSandbox = row.mode === 'sandbox'
  const denied = dialRefusal({
    nowMs: at.nowMs,
    scheduleMs: at.scheduleMs ?? spaceTimeMs(row, at.nowMs),
    isSandbox,
    isLockedDown: row.lockDownAt !== null,
    acceptedNumber: at.acceptedNumber ?? phoneNumber,
    gate: { isActive: Boolean(row.isGateActive), phoneNumber },
    principal: principalOf(row, asked, at.nowMs),
  })
  const callProfile = JSON.parse(row.callProfile) as CallProfile
  const callers = JSON.parse(row.callers) as GateCallers
  return { denied, gateName, phoneNumber, callProfile, callers, calibration, learnedFrom, isSandbox }
}

const callersOfGate = statement<
  { readonly spaceId: string; readonly id: string },
  Pick<PermitRow, 'callers'>
>((db, gate) => db('gates').select('callers').where(gate))

/** Which gateways may call the gate of an opening. */
export async function readGateCallers(
  db: Db,
  { gateId, spaceId }: Pick<OpeningRow, 'gateId' | 'spaceId'>,
): Promise<GateCallers> {
  const [row] = await callersOfGate(db, { spaceId, id: gateId })
  return row ? (JSON.parse(row.callers) as GateCallers) : {}
}
