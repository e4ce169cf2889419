// What an admin asks of one run of a cloud, without HTTP: a task for a gateway, and the operations of a calibration.

import { calibrationHandlers } from '@callgate/cloud/calibration/calibrationHandlers'
import type { Database } from '@callgate/cloud/database/database'
import { adminRequest } from '@callgate/cloud/http/requests.kit'
import { simAppliers } from '@callgate/cloud/sim/simTasks'
import type { TaskDoor } from '@callgate/cloud/task/taskDoor'
import { insertTask } from '@callgate/cloud/task/taskRows'
import { Tasks } from '@callgate/cloud/task/tasks'
import type { CalibrationAnswer } from '@callgate/contract/app/calibration'
import { isProblem } from '@callgate/contract/rest/problem'
import type { World } from '@callgate/world/world'
import type { HouseIds } from './furnish.ts'

export type CalibrationOperation = keyof ReturnType<typeof calibrationHandlers>

export interface Desk {
  /** Asks the network of a gateway for a balance. Undefined: another task of it has not ended. */
  askBalance(ids: HouseIds, gateway: number): Promise<string | undefined>
  /** As the user of the dashboard. A text: why it was refused. */
  calibration(
    ids: HouseIds,
    gate: number,
    operation: CalibrationOperation,
    body?: object,
  ): Promise<CalibrationAnswer | string>
}

export function deskOf(world: World, database: Database): Desk {
  const handlers = calibrationHandlers({ world, database })
  return {
    async askBalance({ gatewayIds, spaceId }, gateway) {
      const about = { spaceId, gatewayId: gatewayIds[gateway] ?? '' }
      const question = { ...about, kind: 'ussd', details: { code: '*100#' } } as const
      const row = await database.write(tx => insertTask(tx, world, question), { spaceId })
      return row?.id
    },
    async calibration({ gateIds, sessionId, spaceId, userId }, gate, operation, body) {
      const params = { gateId: gateIds[gate] ?? '' }
      const request = adminRequest<CalibrationOperation>(database, spaceId, { params, body })
      const caller = { ...request.caller, asker: { kind: 'user', userId, sessionId } }
      const answer = await handlers[operation]({ ...request, caller } as never)
      if (isProblem(answer)) return answer.message ?? answer.problem
      return (answer as { readonly body: CalibrationAnswer }).body
    },
  }
}

/** The tasks of a cloud: what a network answers is written down. */
export const tasksOf = (parts: {
  readonly world: World
  readonly database: Database
  readonly door: TaskDoor
  readonly replica?: ConstructorParameters<typeof Tasks>[0]['replica']
}) => new Tasks({ ...parts, appliers: simAppliers(parts.world) })
