// One of several clouds on one Postgres as a process of its own: it opens gates on request, and reports the duration of each
// press.

import { noteDrift } from '@callgate/cloud/calibration/profileDoubts'
import { openPostgres } from '@callgate/cloud/database/postgres'
import { createEventFeed } from '@callgate/cloud/event/eventFeed'
import { createExchange } from '@callgate/cloud/opening/exchange'
import { SharedReplica } from '@callgate/cloud/replica/replica'
import { realWorld } from '@callgate/world/real'
import { endpointOf, openAll, type Tenant } from './postgresRate.ts'

/** The openings of one round. */
export interface RoundAsked {
  readonly tenants: readonly Tenant[]
  readonly round: number
}

/** Once without figures, when it is ready; then an answer to each round. */
export interface RoundDone {
  readonly pressMs?: readonly number[]
  readonly failure?: string
}

const send = (message: RoundDone) => process.send?.(message)
const [url = '', list = '[]'] = process.argv.slice(2)
const tenants = JSON.parse(list) as readonly Tenant[]
const world = realWorld({ logLevel: 'silent' })
const database = await openPostgres({ url, world, serverTime: world })
const replica = new SharedReplica({ world, database, isListening: () => true })
const feed = createEventFeed({ world, database })
const exchange = createExchange({
  noteDrift,
  world,
  database,
  endpoint: endpointOf(tenants),
  several: { replica, feed },
})
await exchange.start()
process.on('message', ({ round, tenants: mine }: RoundAsked) => {
  openAll(exchange, mine, round).then(
    pressMs => send({ pressMs }),
    (error: unknown) => send({ failure: String(error) }),
  )
})
process.on('disconnect', () => process.exit(0))
send({})
