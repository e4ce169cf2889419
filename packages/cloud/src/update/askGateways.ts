// The cloud's own requests to gateways: waiting tasks, the balance of SIM cards, and updates.

import type { World } from '@callgate/world/world'
import type { Database } from '../database/database.ts'
import type { Replica } from '../replica/replica.ts'
import { askDaily, simAppliers } from '../sim/simTasks.ts'
import type { TaskEndpoint } from '../task/taskEndpoint.ts'
import { Tasks } from '../task/tasks.ts'
import { Updates } from './updates.ts'

/** Starts the requests. `stop` ends them; the other results receive the gateways' reports. */
export function askGateways(parts: {
  readonly world: World
  readonly database: Database
  readonly replica: Pick<Replica, 'owns' | 'nowMs'> | undefined
  readonly endpoint: TaskEndpoint
}) {
  const tasks = new Tasks({ ...parts, appliers: simAppliers(parts.world) })
  const updates = new Updates(parts)
  return { tasks, updates, stop: [tasks.start(), askDaily(parts), updates.start()] }
}
