// The data of a cloud that has stopped in the middle of its work, in a SQLite file, for tests of the move to Postgres.

import { join } from 'node:path'
import type { Report } from '@callgate/contract/wire/messages'
import { signed, signingKey } from '@callgate/contract/wire/signature'
import { realWorld } from '@callgate/world/real'
import { isoTime } from '@callgate/world/world'
import { type Database, type Db, openDatabase, runSql } from '../database/database.ts'
import { fillFolder } from '../database/tables.kit.ts'
import { noteWebhooks } from '../event/deliveryRows.ts'
import { recordEvents } from '../event/events.ts'
import { keptAnswers } from '../http/keptAnswers.ts'
import { exchangeRig, said } from '../opening/exchange.kit.ts'
import { playedBoot } from '../opening/gatewayEndpoint.kit.ts'
import { loadKeyring } from '../secrets/keyring.ts'
import { createApiKey } from '../space/apiKeys.ts'
import { newUser } from '../user/user.kit.ts'
import { webhookSecretPlace } from '../webhook/webhookRows.ts'

const key = signingKey(new Uint8Array(32).fill(7))
export const mark = { askerId: 'key_desk', requestHash: 'r'.repeat(43), bodyHash: 'b' }

/** A report that the gateway of the rig has signed. */
export function signedReport(gatewayId: string, openingId: string, seq: number, report: Report) {
  const sent = { gatewayId, openingId, bootId: playedBoot, seq, body: JSON.stringify(report) }
  const { signature } = signed(key, { type: 'report', ...sent })
  return { ...sent, signature, report }
}

/**
 * Fills a data folder: one opening has ended, one was granted and runs with one that joined it, and one waits for its grant; an
 * answer of an Idempotency-Key is kept, and a delivery to a webhook waits.
 */
export async function stoppedCloud(folder: string) {
  await fillFolder(folder)
  const loaded = await loadKeyring(realWorld({ logLevel: 'silent' }), { folder })
  if (!loaded.ok) throw new Error(loaded.message)
  const { seal } = loaded.keyring
  const file = join(folder, 'callgate.sqlite')
  const database = await openDatabase({ url: file })
  const rig = await exchangeRig(database, seal)
  const { gatewayId, spaceId, world } = rig
  await database.knex('gateways').update({ publicKey: key.publicKey })
  const guest = await rig.addGuest(await rig.addGate(), { maxUsage: 5 })
  const other = await rig.addGuest(await rig.addGate())
  const ended = await rig.press(guest)
  await rig.claim(ended)
  await rig.exchange.report(signedReport(gatewayId, ended, 1, said.completed))
  await world.advance(120_000)
  const granted = await rig.press(guest)
  const joined = await rig.press(guest)
  await rig.claim(granted)
  const waiting = await rig.press(other)
  await newUser({ database, world }, { email: 'olga@example.com' })
  await createApiKey(
    { database, world },
    { spaceId, name: 'Desk', scopes: [], expiresAt: null, actor: 'operator' },
  )
  const hook = { id: 'hook_00000000000000000000000001', spaceId, url: 'https://desk.example.com/' }
  const secretSealed = seal.seal('whsec_c2VjcmV0', webhookSecretPlace(hook.id))
  await database.write(async tx => {
    await tx('webhooks').insert({ ...hook, secretSealed, createdAt: isoTime(world.nowMs()) })
    await noteWebhooks(tx, spaceId)
    await recordEvents(tx, spaceId, [{ kind: 'gate.updated', targetId: guest.gateId, atMs: world.nowMs() }])
    const reply = { status: 200, headers: {}, body: '{"opened":true}' }
    await keptAnswers({ database, seal, world }).insert(tx, mark, { openingId: ended, reply })
  })
  rig.exchange.stop()
  await database.close()
  return { rig, seal, file, ids: { ended, granted, joined, waiting } }
}

const tablesSql = `select table_name as "name" from information_schema.tables where table_schema = current_schema()`

/** All rows of tables, in an order of their own. */
export async function rowsOf(db: Db, names: readonly string[]) {
  const rows: Record<string, readonly string[]> = {}
  for (const name of names)
    rows[name] = (await db(name).select())
      .map((row: object) => JSON.stringify(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1))))
      .sort()
  return rows
}

/** The tables that a move copies, as Postgres has them. */
export async function tablesOf({ knex }: Database): Promise<readonly string[]> {
  const found = (await runSql(knex, tablesSql, [])) as readonly { readonly name: string }[]
  return found
    .map(({ name }) => name)
    .filter(name => !/^(migrations|migrations_lock|schemas|movedTo)$/.test(name))
}

/** The two databases of a move that stops once the source is sealed: the new one is marked still. */
export function stoppingAfterSeal(source: Database, target: Database) {
  let isSealed = false
  const sealing: Database['write'] = async (work, options) => {
    const answer = await source.write(work, options)
    isSealed = options?.isLong === true
    return answer
  }
  const stopping: Database['write'] = (work, options) =>
    isSealed ? Promise.reject(new Error('stopped')) : target.write(work, options)
  return [
    { ...source, write: sealing },
    { ...target, write: stopping },
  ] as const
}
