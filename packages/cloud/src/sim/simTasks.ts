// The balance of SIM cards: queried once a day, and written down when a gateway reports it.

import { limitedLog } from '@callgate/world/limitedLog'
import { repeat } from '@callgate/world/repeat'
import { isoTime, type World } from '@callgate/world/world'
import type { Database } from '../database/database.ts'
import { timeIn } from '../database/databaseTime.ts'
import { alone, type Replica } from '../replica/replica.ts'
import type { TaskEndpoint } from '../task/taskEndpoint.ts'
import { insertTask } from '../task/taskRows.ts'
import type { TaskAppliers } from '../task/tasks.ts'
import { listDueSims, saveSim } from './simRows.ts'

/** The effects of an answer of the network. */
export const simAppliers = (world: World): TaskAppliers => ({
  ussd: (tx, { gatewayId, spaceId }, { answer: { text } }) =>
    saveSim(tx, { gatewayId, spaceId }, { answer: text, answeredAt: isoTime(timeIn(tx, world)) }),
})

interface SimTasksParts {
  readonly world: World
  readonly database: Database
  readonly replica?: Pick<Replica, 'owns' | 'nowMs'> | undefined
  readonly endpoint: Pick<TaskEndpoint, 'currentBoot'>
}

const checkEveryMs = 10 * 60_000
const askEveryMs = 24 * 3_600_000
const readAtOnce = 500
const mostAtOnce = 500

/** Queries the due cards of gateways that are online and that this cloud owns. A gateway that is offline delays no other. */
async function askDue({ database, endpoint, replica, world }: Required<SimTasksParts>): Promise<void> {
  const owned = replica ?? alone(world)
  const before = isoTime(owned.nowMs() - askEveryMs)
  let afterId = ''
  for (let asked = 0; asked < mostAtOnce; ) {
    const due = await listDueSims(database.knex, { afterId, before, limit: readAtOnce })
    for (const { code, gatewayId, spaceId } of due) {
      const canAsk = owned.owns(gatewayId) && endpoint.currentBoot(gatewayId)?.can.includes('ussd')
      if (!canAsk) continue
      const question = { spaceId, gatewayId, kind: 'ussd', details: { code } } as const
      if (await database.write(tx => insertTask(tx, world, question), { spaceId })) asked++
    }
    const last = due.at(-1)
    if (!last || due.length < readAtOnce) return
    afterId = last.gatewayId
  }
}

/** Queries each network that has a code once a day. Returns the function that stops this. */
export function askDaily(parts: SimTasksParts): () => Promise<void> {
  const { replica, world } = parts
  const complain = limitedLog(world)
  const ask = () => askDue({ ...parts, replica })
  return repeat(world, checkEveryMs, ask, why => complain('the balance of SIM cards was not asked', { why }))
}
