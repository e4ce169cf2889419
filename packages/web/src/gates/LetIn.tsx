// Help to add the number of a gateway to the module of a gate: the exact message, by the brand of the module.

import {
  type ModuleBrandId,
  messageToComplete,
  moduleBrandIds,
  moduleBrands,
  placeholders,
} from '@callgate/contract/call/setUpMessage'
import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { isWanted } from '../kit/arrival.ts'
import { CopyText } from '../kit/CopyText.tsx'
import { Unfold } from '../kit/Unfold.tsx'
import type { Reader } from './gateWords.ts'
import { SendSetUp } from './SendSetUp.tsx'

interface CallingGateway {
  readonly gatewayId: string
  readonly name: string
  readonly callerNumber: string | null
}

/** The message of one brand: to copy, or to send from the gateway. */
function Message(props: {
  readonly gateId: string
  readonly gatewayId: string
  readonly callerNumber: string
  readonly brandId: ModuleBrandId
  /** The phone number of the gate. */
  readonly number: string
  readonly reader: Reader
}) {
  const { brandId, callerNumber, number, reader } = props
  const says = reader.words.letIn
  const { notes, source } = moduleBrands[brandId]
  return (
    <>
      <p className="small">{says.send(number)}</p>
      <CopyText label={says.message} text={messageToComplete(brandId, callerNumber)} leastRows={2} />
      {[
        says.password(placeholders.password),
        ...notes.map(note => says.notes[note](placeholders.place)),
        says.source(source),
      ].map(text => (
        <p className="small quiet" key={text}>
          {text}
        </p>
      ))}
      <SendSetUp {...props} />
    </>
  )
}

export function LetIn({
  callers,
  gateId,
  gateNumber,
  reader,
}: {
  readonly gateId: string
  readonly callers: readonly CallingGateway[]
  readonly gateNumber: string
  readonly reader: Reader
}) {
  const says = reader.words.letIn
  const known = callers.filter(({ callerNumber }) => callerNumber !== null)
  const [isUnfolded, unfold] = useState(isWanted('let-in'))
  const [gatewayId, setGatewayId] = useState('')
  const [brandId, setBrandId] = useState<ModuleBrandId>()
  const caller = known.find(one => one.gatewayId === gatewayId) ?? known[0]
  if (!caller?.callerNumber) return null
  return (
    <div className="let-in">
      <Unfold className="let-in-head" isUnfolded={isUnfolded} unfold={unfold}>
        {says.title}
      </Unfold>
      {isUnfolded && (
        <>
          {known.length > 1 && (
            <NativeSelect
              label={says.gateway}
              value={caller.gatewayId}
              data={known.map(one => ({ value: one.gatewayId, label: one.name }))}
              onChange={event => setGatewayId(event.currentTarget.value)}
            />
          )}
          <NativeSelect
            label={says.brand}
            value={brandId ?? ''}
            data={[
              { value: '', label: says.choose },
              ...moduleBrandIds.map(id => ({ value: id, label: moduleBrands[id].name })),
            ]}
            onChange={event => setBrandId(moduleBrandIds.find(id => id === event.currentTarget.value))}
          />
          {brandId && (
            <Message
              key={`${caller.gatewayId} ${brandId}`}
              gateId={gateId}
              gatewayId={caller.gatewayId}
              callerNumber={caller.callerNumber}
              brandId={brandId}
              number={gateNumber}
              reader={reader}
            />
          )}
          <p className="small quiet">{says.other}</p>
        </>
      )}
    </div>
  )
}
