// App operations: every call of the dashboard as data. They include those of the REST API, for the users of a Space; the others
// are the dashboard's own.

import type { Answer, Body, Params, Query } from '../rest/operation.ts'
import { type Operations, operations } from '../rest/operations.ts'
import type { AppProblemCode } from '../rest/problem.ts'
import { accessTemplateAppOperations } from './accessTemplate.ts'
import { activityFileAppOperations } from './activityFile.ts'
import { apiKeyAppOperations } from './apiKey.ts'
import { gateCallersAppOperations } from './appGateCallers.ts'
import { gateFiguresAppOperations } from './appGateFigures.ts'
import { memberAppOperations } from './appMember.ts'
import type { RoleName } from './appOperation.ts'
import { mirroredRoutes } from './appRoutes.ts'
import { calibrationAppOperations } from './calibration.ts'
import { enrolmentAppOperations } from './enrolment.ts'
import { gatePhotoAppOperations } from './gatePhoto.ts'
import { gatewayAppOperations } from './gateway.ts'
import { incidentAppOperations } from './incident.ts'
import { invitationAppOperations } from './invitation.ts'
import { lastChangeAppOperations } from './lastChange.ts'
import { memberEditAppOperations } from './memberEdit.ts'
import { memberFileAppOperations } from './memberFile.ts'
import { historyAppOperations } from './openingRecord.ts'
import { passkeyAppOperations } from './passkey.ts'
import { passwordAppOperations } from './password.ts'
import { personalDataAppOperations } from './personalData.ts'
import { pushAppOperations } from './push.ts'
import { secondFactorAppOperations } from './secondFactor.ts'
import { sessionAppOperations } from './session.ts'
import { setUpSmsAppOperations } from './setUpSms.ts'
import { simAppOperations } from './sim.ts'
import { spaceAppOperations } from './space.ts'
import { spaceEventAppOperations } from './spaceEvent.ts'
import { updateAppOperations } from './update.ts'
import { userAppOperations } from './user.ts'

type MirroredId = keyof typeof mirroredRoutes

/** An operation of the REST API for a user of a Space: another path, the same schemas, a role instead of the scope. */
type MirroredOperations = {
  readonly [Id in MirroredId]: Omit<Operations[Id], 'path' | 'scope' | 'problems'> &
    (typeof mirroredRoutes)[Id] & {
      readonly role: RoleName
      readonly problems: readonly AppProblemCode[]
    }
}

/** Each operation of the REST API that a user may call too: admins and owners of the Space. */
export const mirroredOperations = Object.fromEntries(
  (Object.keys(mirroredRoutes) as MirroredId[]).map(id => {
    const { scope: _, ...shape } = operations[id]
    return [id, { ...shape, ...mirroredRoutes[id], role: 'admin' }]
  }),
) as unknown as MirroredOperations

/** The operations that only the dashboard has: one noun per file. */
export const ownOperations = {
  ...sessionAppOperations,
  ...passwordAppOperations,
  ...secondFactorAppOperations,
  ...passkeyAppOperations,
  ...pushAppOperations,
  ...invitationAppOperations,
  ...userAppOperations,
  ...gateFiguresAppOperations,
  ...gateCallersAppOperations,
  ...gatePhotoAppOperations,
  ...setUpSmsAppOperations,
  ...calibrationAppOperations,
  ...historyAppOperations,
  ...activityFileAppOperations,
  ...lastChangeAppOperations,
  ...gatewayAppOperations,
  ...simAppOperations,
  ...updateAppOperations,
  ...enrolmentAppOperations,
  ...incidentAppOperations,
  ...memberAppOperations,
  ...memberFileAppOperations,
  ...memberEditAppOperations,
  ...accessTemplateAppOperations,
  ...personalDataAppOperations,
  ...spaceEventAppOperations,
  ...apiKeyAppOperations,
  ...spaceAppOperations,
}

export type OwnOperations = typeof ownOperations
export type OwnOperationId = keyof OwnOperations

export const appOperations = { ...mirroredOperations, ...ownOperations }

export type AppOperations = typeof appOperations
export type AppOperationId = keyof AppOperations

/** The ids in the path, that of the Space included. */
export type AppParamsOf<Id extends AppOperationId> = Params<AppOperations[Id]> &
  (AppOperations[Id]['path'] extends `${string}/:spaceId${string}`
    ? { readonly spaceId: string }
    : Record<never, never>)
export type AppQueryOf<Id extends AppOperationId> = Query<AppOperations[Id]>
export type AppBodyOf<Id extends AppOperationId> = Body<AppOperations[Id]>
export type AppAnswerOf<Id extends AppOperationId> = Answer<AppOperations[Id]>

/** The problems that any operation of the dashboard can answer with. */
export const appCommonProblems: readonly AppProblemCode[] = [
  'validation_error',
  'unauthorized',
  'not_found',
  'insufficient_role',
  'csrf_refused',
  'rate_limited',
  'internal_error',
]
