// The message that lets a number into the module of one gate, wherever it is needed: it reads the gateways, and asks for a
// number that nobody has typed.

import type { GateCallerView } from '@callgate/contract/app/appGateCallers'
import { useState } from 'react'
import { useRead } from '../client/reading.tsx'
import { EditGateway } from '../gateways/EditGateway.tsx'
import { Button } from '../kit/Button.tsx'
import { NotRead, Skeleton } from '../kit/states.tsx'
import { type Calling, LetInForm, type LetInProps } from './LetInForm.tsx'
import { letInTexts } from './letInTexts.ts'

export type { LetInProps } from './LetInForm.tsx'

/** The gateways whose numbers are typed. */
export const typedCallers = (callers: readonly GateCallerView[]): readonly Calling[] =>
  callers.flatMap(caller => {
    const { callerNumber } = caller
    return callerNumber === null || !caller.mayCall ? [] : [{ ...caller, callerNumber }]
  })

/** Asks for the number of the first gateway. */
function TypeNumber({ gatewayId, reader }: { readonly gatewayId: string } & Pick<LetInProps, 'reader'>) {
  const says = letInTexts(reader.words)
  const [isTyping, setTyping] = useState(false)
  return (
    <>
      <p className="small quiet">{says.typeFirst}</p>
      <div>
        <Button look="filled" onClick={() => setTyping(true)}>
          {says.type}
        </Button>
      </div>
      {isTyping && <EditGateway gatewayId={gatewayId} close={() => setTyping(false)} />}
    </>
  )
}

export function LetInOfGate(props: LetInProps) {
  const { gate, reader } = props
  const says = letInTexts(reader.words)
  const read = useRead('getGateCallers', { params: { gateId: gate.id } })
  if (!read.value)
    return read.failure ? <NotRead what={says.gateways} of={read} /> : <Skeleton bars={[120]} />
  const { callers } = read.value
  const [first, ...others] = typedCallers(callers)
  if (first) return <LetInForm {...props} callers={[first, ...others]} />
  const [untyped] = callers
  if (!untyped) return <p className="small quiet">{says.noGateway}</p>
  return <TypeNumber gatewayId={untyped.gatewayId} reader={reader} />
}
