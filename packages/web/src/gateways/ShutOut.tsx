// The question before a gateway is revoked for good; it names the consequences.

import type { GatewayView } from '@callgate/contract/rest/gatewayView'
import { useChange } from '../client/reading.tsx'
import { AskDialog } from '../confirm/AskDialog.tsx'
import { Banner } from '../kit/Banner.tsx'
import { useWords } from '../words/words.tsx'

/** `isLast`: no other gateway is online. */
export function ShutOut(props: {
  readonly gateway: GatewayView
  readonly isLast: boolean
  readonly close: () => void
}) {
  const { close, gateway, isLast } = props
  const says = useWords().gateways
  const revoke = useChange('revokeGateway')
  return (
    <AskDialog
      title={says.shutOutTitle(gateway.name)}
      does={says.shutOutDoes}
      doing={says.shuttingOut}
      means={says.shutOutEnds}
      isDanger
      go={() => revoke({ params: { gatewayId: gateway.id } })}
      close={close}
    >
      {isLast && <Banner tone="look">{says.shutOutLast}</Banner>}
    </AskDialog>
  )
}
