// The webhooks: where the events of the Space are sent, and whether they arrive.

import { useState } from 'react'
import { useRead } from '../client/reading.tsx'
import { Button } from '../kit/Button.tsx'
import { icons } from '../kit/icons.tsx'
import { Empty, NotRead, Skeleton } from '../kit/states.tsx'
import { useReader } from '../members/useMemberReader.ts'
import { NewWebhook } from './NewWebhook.tsx'
import { SettingsFrame } from './SettingsFrame.tsx'
import { WebhookRow } from './WebhookRow.tsx'
import './webhooks.css'
import { webhookTexts } from './webhookTexts.ts'

const everyMs = 30_000

export function WebhooksPage() {
  const reader = useReader()
  const says = webhookTexts(reader.words)
  const read = useRead('listWebhooks', {}, { everyMs })
  const webhooks = read.value?.webhooks
  const [isAdding, setAdding] = useState(false)
  const add = (
    <Button look="filled" icon={<icons.add size={20} />} onClick={() => setAdding(true)}>
      {says.create}
    </Button>
  )
  const isEmpty = webhooks?.length === 0
  return (
    <SettingsFrame part="webhooks" title={says.title} says={says.says} action={!isEmpty && add}>
      <NotRead what={says.what} of={read} />
      {!webhooks && !read.failure && <Skeleton bars={[64, 65]} />}
      {isEmpty && (
        <Empty title={says.none} action={add}>
          {says.noneWhy}
        </Empty>
      )}
      {webhooks && webhooks.length > 0 && (
        <ul className="webhooks" aria-label={says.what}>
          {webhooks.map(webhook => (
            <WebhookRow key={webhook.id} of={webhook} reader={reader} />
          ))}
        </ul>
      )}
      <p className="small quiet">
        <a className="link" href="/docs/webhooks">
          {says.documentation}
        </a>
      </p>
      {isAdding && <NewWebhook close={() => setAdding(false)} />}
    </SettingsFrame>
  )
}
