// A gateway that reports to support a kind of task, for requests that need one.

import { addGateway } from '@callgate/cloud/gateway/gateways'
import { writeStage } from '@callgate/cloud/update/stageRows'
import { signingKey } from '@callgate/contract/wire/signature'
import type { TaskKind } from '@callgate/contract/wire/tasks'
import type { Api } from './apiServer.ts'

/** Its id. */
export async function gatewayThatCan(
  { database, world }: Pick<Api, 'database' | 'world'>,
  spaceId: string,
  word: TaskKind,
): Promise<string> {
  const { publicKey } = signingKey(world.randomBytes(32))
  const added = await addGateway({ database, world }, { spaceId, name: 'Hut', publicKey, actor: 'operator' })
  if (!added.ok) throw new Error(added.code)
  const { gatewayId: id } = added.gateway
  const modem = {
    state: 'ready',
    model: null,
    operator: null,
    registration: 'home',
    signalDbm: null,
    voltageMv: null,
  }
  const lastBeat = JSON.stringify({ modem, toReport: [], can: [word], version: '0.1.0' })
  await database.knex('gateways').where({ id }).update({ lastBeat })
  return id
}

/** Offers a version to all Spaces. */
export function offered(
  { database, world }: Pick<Api, 'database' | 'world'>,
  version: string,
): Promise<void> {
  const archives = [{ architecture: 'arm64' as const, sha256: '0'.repeat(64) }]
  return database.write(tx =>
    writeStage(tx, world, { version, archives, notes: null, percent: 100, spaces: [] }),
  )
}
