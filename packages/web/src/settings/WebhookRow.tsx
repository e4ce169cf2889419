// One webhook in the list, with what can be done with it.

import type { Webhook } from '@callgate/contract/rest/webhook'
import { Menu } from '@mantine/core'
import { useState } from 'react'
import { useChange } from '../client/reading.tsx'
import { AskDialog } from '../confirm/AskDialog.tsx'
import { useSending } from '../confirm/useSending.ts'
import { Badge } from '../kit/Badge.tsx'
import { IconButton } from '../kit/Button.tsx'
import { icons } from '../kit/icons.tsx'
import { Trouble } from '../kit/Trouble.tsx'
import { type Reader, sayMoment } from '../members/memberWords.ts'
import { WebhookSecret } from './NewWebhook.tsx'
import { WebhookDeliveries } from './WebhookDeliveries.tsx'
import { webhookTexts } from './webhookTexts.ts'
import { badgeOf, hostOf, sayTrouble, sayTypes } from './webhookWords.ts'

type WebhookQuestion = 'deliveries' | 'secret' | 'off' | 'on' | 'remove'

interface WebhookAction {
  readonly of: Webhook
  readonly reader: Reader
  readonly close: () => void
}

function NewSecret({ close, of: webhook, reader }: WebhookAction) {
  const says = webhookTexts(reader.words).rotate
  const rotate = useChange('rotateWebhookSecret')
  const [secret, setSecret] = useState<string>()
  if (secret !== undefined) return <WebhookSecret secret={secret} close={close} />
  return (
    <AskDialog
      title={says.title(hostOf(webhook))}
      does={says.does}
      doing={says.doing}
      means={says.means}
      go={() => rotate({ params: { webhookId: webhook.id }, body: { overlapHours: 24 } })}
      done={({ body }) => setSecret(body.secret)}
      close={close}
    />
  )
}

function Switch({ close, isOn, of: webhook, reader }: WebhookAction & { readonly isOn: boolean }) {
  const says = webhookTexts(reader.words)[isOn ? 'on' : 'off']
  const update = useChange('updateWebhook')
  return (
    <AskDialog
      title={says.title(hostOf(webhook))}
      does={says.does}
      doing={says.doing}
      means={says.means}
      go={() => update({ params: { webhookId: webhook.id }, body: { isActive: isOn } })}
      close={close}
    />
  )
}

function Remove({ close, of: webhook, reader }: WebhookAction) {
  const says = webhookTexts(reader.words).remove
  const remove = useChange('deleteWebhook')
  return (
    <AskDialog
      title={says.title(hostOf(webhook))}
      does={says.does}
      doing={says.doing}
      means={says.means}
      isDanger
      go={() => remove({ params: { webhookId: webhook.id } })}
      close={close}
    />
  )
}

function ActionMenu(props: {
  readonly of: Webhook
  readonly reader: Reader
  readonly ask: (what: WebhookQuestion) => void
  readonly test: () => void
}) {
  const { ask, of: webhook, reader, test } = props
  const { menu, more } = webhookTexts(reader.words)
  return (
    <Menu position="bottom-end" width={200}>
      <Menu.Target>
        <IconButton label={more(hostOf(webhook))}>
          <icons.dots />
        </IconButton>
      </Menu.Target>
      <Menu.Dropdown>
        {webhook.isActive && (
          <Menu.Item leftSection={<icons.press size={16} />} onClick={test}>
            {menu.test}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<icons.activity size={16} />} onClick={() => ask('deliveries')}>
          {menu.deliveries}
        </Menu.Item>
        <Menu.Item leftSection={<icons.key size={16} />} onClick={() => ask('secret')}>
          {menu.secret}
        </Menu.Item>
        <Menu.Item leftSection={<icons.off size={16} />} onClick={() => ask(webhook.isActive ? 'off' : 'on')}>
          {webhook.isActive ? menu.off : menu.on}
        </Menu.Item>
        <Menu.Item leftSection={<icons.remove size={16} />} onClick={() => ask('remove')}>
          {menu.remove}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

export function WebhookRow({ of: webhook, reader }: { readonly of: Webhook; readonly reader: Reader }) {
  const says = webhookTexts(reader.words)
  const [asked, setAsked] = useState<WebhookQuestion>()
  const test = useChange('testWebhook')
  const { failure, send } = useSending()
  const trouble = sayTrouble(webhook, reader)
  const action = { of: webhook, reader, close: () => setAsked(undefined) }
  async function sendTest() {
    const result = await send(() => test({ params: { webhookId: webhook.id }, body: {} }))
    // The log shows how the program answers.
    if (result?.ok) setAsked('deliveries')
  }
  return (
    <li className="card webhook">
      <div className="webhook-head">
        <div className="webhook-what">
          <b className="webhook-url">{webhook.url}</b>
          <p className="small quiet">
            {[webhook.description, sayTypes(webhook, reader)].filter(Boolean).join(' · ')}
          </p>
        </div>
        <ActionMenu of={webhook} reader={reader} ask={setAsked} test={() => void sendTest()} />
      </div>
      <Badge {...badgeOf(webhook, reader)} />
      {trouble !== undefined && <p className="small quiet">{trouble}</p>}
      {webhook.previousSecretEndsAt !== null && (
        <p className="small quiet">{says.pair(sayMoment(webhook.previousSecretEndsAt, reader))}</p>
      )}
      <Trouble form={{ failure }} />
      {asked === 'deliveries' && <WebhookDeliveries {...action} />}
      {asked === 'secret' && <NewSecret {...action} />}
      {(asked === 'off' || asked === 'on') && <Switch {...action} isOn={asked === 'on'} />}
      {asked === 'remove' && <Remove {...action} />}
    </li>
  )
}
