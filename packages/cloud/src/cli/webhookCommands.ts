// The operator's commands on webhooks: what they do and print.

import type { Webhook } from '@callgate/contract/rest/webhook'
import { webhookOperations } from '@callgate/contract/rest/webhookOperations'
import { webhookHandlers } from '../webhook/webhookHandlers.ts'
import { webhookRules } from '../webhook/webhookPlaces.ts'
import { type CommandParts, type CommandWork, columns, type Options, type Said } from './commandWork.ts'
import { isRefused, linkParts, type Operator, operatorIn } from './operator.ts'

const { createWebhook, deleteWebhook, listDeliveries, listWebhooks, testWebhook, updateWebhook } =
  webhookOperations

interface AtWebhooks extends Operator {
  readonly does: ReturnType<typeof webhookHandlers>
}

const atWebhooks =
  (work: (at: AtWebhooks, options: Options) => Promise<Said>): CommandWork =>
  async (parts: CommandParts, options) => {
    const operator = await operatorIn(parts, options)
    if (isRefused(operator)) return operator
    const link = await linkParts(parts)
    if (isRefused(link)) return link
    const { appUrl, seal } = link
    const does = webhookHandlers({ ...parts, seal, rules: webhookRules(appUrl, parts.config) })
    return work({ ...operator, does }, options)
  }

const stateOf = ({ failingSince, stopped }: Webhook) =>
  stopped ? `off: ${stopped.why}` : failingSince === null ? 'active' : `failing since ${failingSince}`

const said = (webhook: Webhook): Said => ({
  ok: true,
  json: { webhook },
  text: `${webhook.id}: ${webhook.url}, ${stateOf(webhook)}`,
})

export const webhookWork = {
  create: atWebhooks(async ({ call, does }, { description, types, url }) => {
    const body = {
      url,
      ...(description !== undefined && { description }),
      ...(types !== undefined && { types: types.split(',').map(type => type.trim()) }),
    }
    const made = await call(createWebhook, does.createWebhook, { body })
    if (!made.ok) return made
    const { secret, webhook } = made.body
    const text = `Events go to ${webhook.url} (${webhook.id}). Its secret is shown this once:\n\n  ${secret}\n`
    return { ok: true, json: made.body, text }
  }),

  list: atWebhooks(async ({ call, does }) => {
    const read = await call(listWebhooks, does.listWebhooks, {})
    if (!read.ok) return read
    const rows = read.body.webhooks.map(one => [one.id, one.url, one.types?.join(',') ?? 'all', stateOf(one)])
    return { ok: true, json: read.body, text: columns(['WEBHOOK', 'ADDRESS', 'TYPES', 'STATE'], rows) }
  }),

  set: atWebhooks(async ({ call, does }, { active, webhook: webhookId = '' }) => {
    const given = { params: { webhookId }, body: { isActive: active === 'yes' } }
    const changed = await call(updateWebhook, does.updateWebhook, given)
    return changed.ok ? said(changed.body.webhook) : changed
  }),

  remove: atWebhooks(async ({ call, does }, { webhook: webhookId = '' }) => {
    const ended = await call(deleteWebhook, does.deleteWebhook, { params: { webhookId } })
    if (!ended.ok) return ended
    return { ok: true, json: { webhookId }, text: `${webhookId} is removed; nothing more is sent to it.` }
  }),

  test: atWebhooks(async ({ call, does }, { webhook: webhookId = '' }) => {
    const sent = await call(testWebhook, does.testWebhook, { params: { webhookId }, body: {} })
    if (!sent.ok) return sent
    const text = 'A test event waits; "callgate webhook deliveries" shows how it went, once a cloud serves.'
    return { ok: true, json: sent.body, text }
  }),

  deliveries: atWebhooks(async ({ call, does }, { limit, webhook: webhookId = '' }) => {
    const read = await call(listDeliveries, does.listDeliveries, { params: { webhookId }, query: { limit } })
    if (!read.ok) return read
    const rows = read.body.deliveries.map(({ attempts, createdAt, sequence, state, type }) => {
      const last = attempts.at(-1)
      return [String(sequence), type, createdAt, state, last ? (last.error ?? String(last.status)) : null]
    })
    return { ok: true, json: read.body, text: columns(['NUMBER', 'TYPE', 'AT', 'STATE', 'LAST'], rows) }
  }),
} satisfies Record<string, CommandWork>
