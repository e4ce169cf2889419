// Webhooks in the API: their operations for keys and for users of the dashboard.

import { refuse } from '@callgate/contract/app/refusals'
import { idPrefix } from '@callgate/contract/idPrefix'
import type { ActivityState } from '@callgate/contract/rest/activity'
import type { Problem } from '@callgate/contract/rest/problem'
import type { Webhook } from '@callgate/contract/rest/webhook'
import { newId } from '@callgate/world/ids'
import { isoTime, type World } from '@callgate/world/world'
import type { Knex } from 'knex'
import { actorOf, changesOf, recordActivity } from '../activity/activity.ts'
import { changeRow, endRow, showRow } from '../activity/changeRow.ts'
import type { Database, Db } from '../database/database.ts'
import { timeIn } from '../database/databaseTime.ts'
import { forgetDeliveries, noteWebhooks } from '../event/deliveryRows.ts'
import type { Handlers, Request } from '../http/handler.ts'
import { notFound } from '../http/notFound.ts'
import type { Seal } from '../secrets/sealing.ts'
import { limitProblem } from '../space/spaces.ts'
import { deliveryHandlers } from './deliveryHandlers.ts'
import {
  changeWebhook,
  findWebhook,
  goingOn,
  hostOf,
  listWebhookRows,
  tellReset,
  typesOf,
  type WebhookRow,
  webhookSecretPlace,
} from './webhookRows.ts'
import { secretBytes, webhookSecret } from './webhookSignature.ts'
import { readWebhookUrl, type WebhookRules } from './webhookUrl.ts'

interface WebhookParts {
  readonly database: Database
  readonly world: World
  readonly seal: Seal
  readonly rules: WebhookRules
}

const hourMs = 3_600_000

function toWebhook(row: WebhookRow, nowMs: number): Webhook {
  const { createdAt, description, failingSince, id, previousEndsAt, stoppedAt, stoppedWhy, url } = row
  const isPaired = previousEndsAt !== null && Date.parse(previousEndsAt) > nowMs
  return {
    id,
    url,
    description,
    types: typesOf(row),
    isActive: stoppedAt === null,
    stopped: stoppedAt === null ? null : { at: stoppedAt, why: stoppedWhy ?? 'switched_off' },
    failingSince,
    previousSecretEndsAt: isPaired ? previousEndsAt : null,
    createdAt,
  }
}

type Changing = Pick<
  Request<'getWebhook' | 'updateWebhook' | 'deleteWebhook' | 'rotateWebhookSecret'>,
  'principal' | 'params'
>

const webhookAt = (world: World, { params: { webhookId: id }, principal: { spaceId } }: Changing) => ({
  find: (db: Db) => findWebhook(db, { id, spaceId }),
  none: notFound('webhook'),
  show: (row: WebhookRow) => ({ webhook: toWebhook(row, world.nowMs()) }),
})

const recordedOf = (row: WebhookRow): ActivityState<'webhook.updated'> => ({
  host: hostOf(row),
  description: row.description,
  types: typesOf(row),
  isActive: row.stoppedAt === null,
})

const newSecret = ({ seal, world }: WebhookParts, id: string) => {
  const secret = webhookSecret(world.randomBytes(secretBytes))
  return { secret, secretSealed: seal.seal(secret, webhookSecretPlace(id)) }
}

function readUrl({ rules }: WebhookParts, text: string): { readonly url: string } | Problem {
  const read = readWebhookUrl(text, rules)
  if (read.ok) return { url: read.url }
  if (read.fault === 'webhook_port') return refuse('webhook_port', { allowed: rules.ports.join(', ') })
  return refuse(read.fault)
}

/** Writes the changes of a request, and returns their entry for the activity. */
async function update(
  world: World,
  request: Pick<Request<'updateWebhook'>, 'body'>,
  url: string | undefined,
  row: WebhookRow,
  tx: Knex.Transaction,
) {
  const { description = row.description, isActive = row.stoppedAt === null, types } = request.body
  const nowMs = timeIn(tx, world)
  const isMoved = url !== undefined && url !== row.url
  const goesOn = isActive && row.stoppedAt !== null
  const stops = !isActive && row.stoppedAt === null
  const after: WebhookRow = {
    ...row,
    description: description === '' ? null : description,
    ...(types !== undefined && { types: types && JSON.stringify(types) }),
    // What is known of an address says nothing of another one.
    ...(isMoved && { url, failures: 0, failingSince: null, isReached: false }),
    ...(goesOn && goingOn),
    ...(stops && { stoppedAt: isoTime(nowMs), stoppedWhy: 'switched_off' }),
  }
  const changes = changesOf(recordedOf(row), recordedOf(after))
  if (!changes && !isMoved) return undefined
  const { id, spaceId, ...columns } = after
  await changeWebhook(tx, row, columns)
  if (goesOn) await tellReset(tx, row, nowMs)
  const details = { changes: changes ?? {} }
  return { action: 'webhook.updated' as const, targetId: id, targetLabel: hostOf(after), details }
}

/** The operations that answer with a secret. */
function secretHandlers(parts: WebhookParts): Pick<Handlers, 'createWebhook' | 'rotateWebhookSecret'> {
  const { world } = parts
  return {
    async createWebhook({ body, principal, write }) {
      const { spaceId } = principal
      const read = readUrl(parts, body.url)
      if ('problem' in read) return read
      return write(async tx => {
        const nowMs = timeIn(tx, world)
        const full = await limitProblem(tx, 'webhookLimit', { spaceId, nowMs })
        if (full) return full
        const id = newId(world, idPrefix.webhook)
        const { secret, secretSealed } = newSecret(parts, id)
        const { description, types } = body
        await tx('webhooks').insert({
          id,
          spaceId,
          url: read.url,
          description: description === '' ? null : (description ?? null),
          types: types ? JSON.stringify(types) : null,
          secretSealed,
          createdAt: isoTime(nowMs),
        })
        await noteWebhooks(tx, spaceId)
        const row = await findWebhook(tx, { id, spaceId })
        if (!row) throw new Error('the webhook was just written')
        const host = hostOf(row)
        const of = { spaceId, ...actorOf(principal), targetId: id, targetLabel: host }
        await recordActivity(tx, world, { ...of, action: 'webhook.created', details: { host } })
        return { status: 201, body: { webhook: toWebhook(row, nowMs), secret } } as const
      })
    },

    async rotateWebhookSecret(request) {
      const { body, params, principal, write } = request
      const thing = webhookAt(world, { params, principal })
      return write(async tx => {
        const row = await thing.find(tx)
        if (!row) return thing.none
        const { id, spaceId } = row
        const overlapMs = body.overlapHours * hourMs
        const { secret, secretSealed } = newSecret(parts, id)
        const previousEndsAt = overlapMs === 0 ? null : isoTime(timeIn(tx, world) + overlapMs)
        const previousSealed = overlapMs === 0 ? null : row.secretSealed
        await changeWebhook(tx, row, { secretSealed, previousSealed, previousEndsAt })
        const of = { spaceId, ...actorOf(principal), targetId: id, targetLabel: hostOf(row) }
        const details = { previousSecretEndsAt: previousEndsAt }
        await recordActivity(tx, world, { ...of, action: 'webhook.secret_rotated', details })
        const after = { ...row, secretSealed, previousSealed, previousEndsAt }
        return { status: 200, body: { ...thing.show(after), secret } } as const
      })
    },
  }
}

/** The operations on webhooks, and on what is sent to them. */
export function webhookHandlers(
  parts: WebhookParts,
): Pick<
  Handlers,
  | keyof ReturnType<typeof deliveryHandlers>
  | keyof ReturnType<typeof secretHandlers>
  | 'listWebhooks'
  | 'getWebhook'
  | 'updateWebhook'
  | 'deleteWebhook'
> {
  const { database, world } = parts
  return {
    ...deliveryHandlers(parts),
    ...secretHandlers(parts),

    async listWebhooks({ principal: { spaceId } }) {
      const rows = await listWebhookRows(database.knex, spaceId)
      return { status: 200, body: { webhooks: rows.map(row => toWebhook(row, world.nowMs())) } }
    },

    getWebhook: request => showRow(database.knex, webhookAt(world, request)),

    async updateWebhook(request) {
      const { url } = request.body
      const read = url === undefined ? undefined : readUrl(parts, url)
      if (read && 'problem' in read) return read
      return changeRow(world, request, webhookAt(world, request), (row, tx) =>
        update(world, request, read?.url, row, tx),
      )
    },

    deleteWebhook: request =>
      endRow(world, request, webhookAt(world, request), async (row, tx) => {
        const { id, spaceId } = row
        await forgetDeliveries(tx, id)
        await tx('webhooks').where({ id, spaceId }).delete()
        await noteWebhooks(tx, spaceId)
        return { action: 'webhook.deleted', targetId: id, targetLabel: hostOf(row), details: {} }
      }),
  }
}
