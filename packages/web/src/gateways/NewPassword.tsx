// A new password for a gateway at the broker: the question before, and the password, which is shown only once.

import type { AppAnswerOf } from '@callgate/contract/app/appOperations'
import type { GatewayView } from '@callgate/contract/rest/gatewayView'
import { useState } from 'react'
import { useChange } from '../client/reading.tsx'
import { AskDialog } from '../confirm/AskDialog.tsx'
import { Banner } from '../kit/Banner.tsx'
import { CopyText } from '../kit/CopyText.tsx'
import { ShownOnce } from '../kit/ShownOnce.tsx'
import { useWords } from '../words/words.tsx'

type Made = AppAnswerOf<'changeGatewayPassword'>['body']

const startAgain = 'sudo systemctl restart callgate-gateway'

interface NewPasswordProps {
  readonly gateway: GatewayView
  readonly close: () => void
}

function Shown({ close, gateway, made }: NewPasswordProps & { readonly made: Made }) {
  const { form, password: says } = useWords().gateways
  return (
    <ShownOnce title={says.shownTitle(gateway.name)} does={form.done} stored={says.stored} close={close}>
      <p>{says.store}</p>
      {/* Quoted, because a password may begin with a character that has a meaning in YAML. */}
      <CopyText label={says.line} text={`mqttPassword: ${JSON.stringify(made.mqttPassword)}`} leastRows={2} />
      {made.hasOwnBroker && <Banner tone="look">{says.ownBroker}</Banner>}
      <p>{says.thenStart}</p>
      <CopyText label={says.thenStart} text={startAgain} leastRows={2} />
    </ShownOnce>
  )
}

export function NewPassword({ close, gateway }: NewPasswordProps) {
  const says = useWords().gateways.password
  const change = useChange('changeGatewayPassword')
  const [made, setMade] = useState<Made>()
  if (made) return <Shown gateway={gateway} made={made} close={close} />
  return (
    <AskDialog
      title={says.title(gateway.name)}
      does={says.does}
      doing={says.doing}
      means={says.means}
      go={() => change({ params: { gatewayId: gateway.id } })}
      done={({ body }) => setMade(body)}
      close={close}
    />
  )
}
