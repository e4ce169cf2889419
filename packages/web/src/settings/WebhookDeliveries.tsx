// What was sent to a webhook in the last days, each with how it went; one can be sent again.

import type { Delivery, Webhook } from '@callgate/contract/rest/webhook'
import { useChange, useRead } from '../client/reading.tsx'
import { useSending } from '../confirm/useSending.ts'
import { Badge } from '../kit/Badge.tsx'
import { Button } from '../kit/Button.tsx'
import { Dialog } from '../kit/Dialog.tsx'
import { Empty, NotRead, Skeleton } from '../kit/states.tsx'
import { Trouble } from '../kit/Trouble.tsx'
import { type Reader, sayMoment } from '../members/memberWords.ts'
import { webhookTexts } from './webhookTexts.ts'
import { deliveryBadge, hostOf, sayAttempts } from './webhookWords.ts'

const everyMs = 5_000

function DeliveryLine(props: {
  readonly of: Delivery
  readonly reader: Reader
  readonly canResend: boolean
  readonly webhookId: string
}) {
  const { canResend, of: delivery, reader, webhookId } = props
  const { log } = webhookTexts(reader.words)
  const resend = useChange('resendDelivery')
  const { failure, isBusy, send } = useSending()
  const params = { webhookId, deliveryId: delivery.id }
  return (
    <li className="webhook-delivery">
      <div>
        <b className="mono">{delivery.type}</b>{' '}
        <span className="small quiet">
          {delivery.sequence} · {sayMoment(delivery.createdAt, reader)}
        </span>
        <p className="small quiet">{sayAttempts(delivery, reader)}</p>
        <Trouble form={{ failure }} />
      </div>
      <div className="webhook-delivery-does">
        <Badge {...deliveryBadge(delivery, reader)} />
        {canResend && delivery.state !== 'waiting' && (
          <Button
            look="quiet"
            busy={isBusy ? log.resend : undefined}
            aria-label={log.resendOf(delivery.type, delivery.sequence)}
            onClick={() => void send(() => resend({ params, body: {} }))}
          >
            {log.resend}
          </Button>
        )}
      </div>
    </li>
  )
}

export function WebhookDeliveries(props: {
  readonly of: Webhook
  readonly reader: Reader
  readonly close: () => void
}) {
  const { close, of: webhook, reader } = props
  const { log } = webhookTexts(reader.words)
  const read = useRead(
    'listDeliveries',
    { params: { webhookId: webhook.id }, query: { limit: 50 } },
    { everyMs },
  )
  const deliveries = read.value?.deliveries
  return (
    <Dialog title={log.title(hostOf(webhook))} does={log.close} isDone close={close} go={close}>
      <NotRead what={log.what} of={read} />
      {!deliveries && !read.failure && <Skeleton bars={[44, 64]} />}
      {deliveries?.length === 0 && <Empty title={log.none}>{log.noneWhy}</Empty>}
      {deliveries && deliveries.length > 0 && (
        <ul className="webhook-deliveries">
          {deliveries.map(delivery => (
            <DeliveryLine
              key={delivery.id}
              of={delivery}
              reader={reader}
              canResend={webhook.isActive}
              webhookId={webhook.id}
            />
          ))}
        </ul>
      )}
    </Dialog>
  )
}
