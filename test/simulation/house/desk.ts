// Requests of an admin to one run of a cloud, without HTTP: tasks for gateways, and the operations of a calibration.

import { calibrationHandlers } from '@callgate/cloud/calibration/calibrationHandlers'
import type { Database } from '@callgate/cloud/database/database'
import type { Idempotency } from '@callgate/cloud/http/idempotency'
import { adminRequest } from '@callgate/cloud/http/requests.kit'
import type { Exchange } from '@callgate/cloud/opening/exchange'
import { lockDownHandlers } from '@callgate/cloud/settings/lockDown'
import { setUpHandlers } from '@callgate/cloud/setup/setUpHandlers'
import { simAppliers } from '@callgate/cloud/sim/simTasks'
import type { TaskEndpoint } from '@callgate/cloud/task/taskEndpoint'
import { insertTask } from '@callgate/cloud/task/taskRows'
import { Tasks } from '@callgate/cloud/task/tasks'
import type { CalibrationAnswer } from '@callgate/contract/app/calibration'
import { isProblem } from '@callgate/contract/rest/problem'
import type { World } from '@callgate/world/world'
import { type HouseIds, modulePassword } from './furnish.ts'
import { idempotencyOf } from './presser.ts'

export type CalibrationOperation = keyof ReturnType<typeof calibrationHandlers>

export interface Desk {
  readonly idempotency: Idempotency
  /** Asks the network of a gateway for a balance. Undefined: another task of the gateway has not ended. */
  askBalance(ids: HouseIds, gateway: number): Promise<string | undefined>
  /** Lets the number of a gateway into the module of a gate, as the user of the dashboard. A text is the reason of a refusal. */
  sendMessage(ids: HouseIds, gateway: number, gate: number): Promise<string | undefined>
  /** Locks all gates of the Space, or ends that. */
  lockDown(ids: HouseIds, operation: 'lockDown' | 'endLockDown'): Promise<void>
  /** Carries out an operation as the user of the dashboard. A text is the reason of a refusal. */
  calibration(
    ids: HouseIds,
    gate: number,
    operation: CalibrationOperation,
    body?: object,
  ): Promise<CalibrationAnswer | string>
}

const asUser = ({ sessionId, userId }: HouseIds) => ({ kind: 'user', userId, sessionId })
const refusalOf = (answer: unknown) => (isProblem(answer) ? (answer.message ?? answer.problem) : undefined)

export function deskOf(world: World, database: Database, exchange: Pick<Exchange, 'endWaiting'>): Desk {
  const handlers = calibrationHandlers({ world, database })
  const { sendSetUpSms } = setUpHandlers({ world, database })
  const gatesOf = lockDownHandlers({ world, endWaiting: exchange.endWaiting })
  return {
    idempotency: idempotencyOf(world, database),
    async askBalance({ gatewayIds, spaceId }, gateway) {
      const about = { spaceId, gatewayId: gatewayIds[gateway] ?? '' }
      const question = { ...about, kind: 'ussd', details: { code: '*100#' } } as const
      const row = await database.write(tx => insertTask(tx, world, question), { spaceId })
      return row?.id
    },
    async sendMessage(ids, gateway, gate) {
      const params = { gateId: ids.gateIds[gate] ?? '' }
      const gatewayId = ids.gatewayIds[gateway] ?? ''
      const body = { gatewayId, brand: 'rtu5024', place: '007', password: modulePassword } as const
      const request = adminRequest<'sendSetUpSms'>(database, ids.spaceId, { params, body })
      const principal = { ...request.principal, identity: asUser(ids) }
      return refusalOf(await sendSetUpSms({ ...request, principal } as never))
    },
    async lockDown(ids, operation) {
      const request = adminRequest<typeof operation>(database, ids.spaceId)
      const principal = { ...request.principal, identity: asUser(ids) }
      await gatesOf[operation]({ ...request, principal } as never)
    },
    async calibration(ids, gate, operation, body) {
      const params = { gateId: ids.gateIds[gate] ?? '' }
      const request = adminRequest<CalibrationOperation>(database, ids.spaceId, { params, body })
      const principal = { ...request.principal, identity: asUser(ids) }
      const answer = await handlers[operation]({ ...request, principal } as never)
      const refusal = refusalOf(answer)
      if (refusal !== undefined) return refusal
      return (answer as { readonly body: CalibrationAnswer }).body
    },
  }
}

/** The tasks of a cloud; the answers of networks are stored. */
export const tasksOf = (parts: {
  readonly world: World
  readonly database: Database
  readonly endpoint: TaskEndpoint
  readonly replica?: ConstructorParameters<typeof Tasks>[0]['replica']
}) => new Tasks({ ...parts, appliers: simAppliers(parts.world) })
