// The question before a gateway is shut out for good. It names what ends.

import type { GatewayView } from '@callgate/contract/app/gateway'
import { useState } from 'react'
import type { Failure } from '../client/client.ts'
import { useChange } from '../client/reading.tsx'
import { Banner } from '../kit/Banner.tsx'
import { Dialog } from '../kit/Dialog.tsx'
import { sayProblem } from '../words/problems.ts'
import { useWords } from '../words/words.tsx'

/** `isLast`: no other gateway is online. */
export function ShutOut(props: {
  readonly gateway: GatewayView
  readonly isLast: boolean
  readonly close: () => void
}) {
  const { close, gateway, isLast } = props
  const words = useWords()
  const { form, ...says } = words.gateways
  const revoke = useChange('revokeGateway')
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | undefined>()

  async function go() {
    setBusy(true)
    const result = await revoke({ params: { gatewayId: gateway.id } })
    if (result.ok) return close()
    setBusy(false)
    setFailure(result)
  }

  return (
    <Dialog
      title={says.shutOutTitle(gateway.name)}
      does={says.shutOutDoes}
      look="danger"
      busy={isBusy ? says.shuttingOut : undefined}
      close={close}
      go={() => void go()}
    >
      <ul className="ends">
        {says.shutOutEnds.map(end => (
          <li key={end}>{end}</li>
        ))}
      </ul>
      {isLast && <Banner tone="look">{says.shutOutLast}</Banner>}
      <div role="alert">
        {failure && (
          <Banner tone="shut" title={says.notShutOut}>
            {sayProblem(failure, words, { network_error: form.noAnswer })}
          </Banner>
        )}
      </div>
    </Dialog>
  )
}
