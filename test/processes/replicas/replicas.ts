// One run: a Postgres of its own, the given number of clouds on it, and a crowd.

import { startPostgres } from '../../postgres/postgresServer.ts'
import { startClouds } from './clouds.ts'
import { crowd, type Outcome } from './crowd.ts'

/** The bundle of the cloud must be up to date. `isDurable`: Postgres waits for its disk, as in production. */
export async function runReplicas(given: {
  readonly clouds: number
  readonly hundreds: number
  readonly isDurable: boolean
}): Promise<Outcome> {
  const server = await startPostgres({ isDurable: given.isDurable })
  try {
    const { url } = await server.newDatabase(false)
    const clouds = await startClouds(given.clouds, url)
    return await crowd(clouds, given.hundreds).finally(() => clouds.close())
  } finally {
    await server.stop()
  }
}
