// The message that lets a number into the module of one gate, wherever it is needed: it reads the gateways, and asks for a
// number that nobody has typed.

import type { GateCallerView } from '@callgate/contract/app/appGateCallers'
import { dashboardPaths } from '@callgate/contract/app/dashboardPaths'
import { useRead } from '../client/reading.tsx'
import { useSpace } from '../client/session.tsx'
import { Button, ButtonLink } from '../kit/Button.tsx'
import { NotRead, Skeleton } from '../kit/states.tsx'
import { hrefOf } from '../shell/navigation.ts'
import { type Calling, LetInForm, type LetInProps } from './LetInForm.tsx'
import { letInTexts } from './letInTexts.ts'

export type { LetInProps } from './LetInForm.tsx'

/** The gateways whose numbers are typed. */
export const typedCallers = (callers: readonly GateCallerView[]): readonly Calling[] =>
  callers.flatMap(caller => {
    const { callerNumber } = caller
    return callerNumber === null || !caller.mayCall ? [] : [{ ...caller, callerNumber }]
  })

/** Leads to the form in which the number of a gateway is typed. */
function TypeNumber({
  gatewayId,
  reader,
  typeNumber,
}: { readonly gatewayId: string } & Pick<LetInProps, 'reader' | 'typeNumber'>) {
  const says = letInTexts(reader.words)
  const { space } = useSpace()
  const href = hrefOf(dashboardPaths.gateway, { spaceId: space.id, gatewayId })
  return (
    <>
      <p className="small quiet">{says.typeFirst}</p>
      <div>
        {typeNumber ? (
          <Button look="filled" onClick={typeNumber}>
            {says.type}
          </Button>
        ) : (
          <ButtonLink look="filled" href={href}>
            {says.type}
          </ButtonLink>
        )}
      </div>
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
  return <TypeNumber gatewayId={untyped.gatewayId} reader={reader} typeNumber={props.typeNumber} />
}
