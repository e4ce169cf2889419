// The first call: the button that opens the gate, and the result of a call that did not open it.

import { dashboardPaths } from '@callgate/contract/app/dashboardPaths'
import type { Gate } from '@callgate/contract/rest/gate'
import type { GatewayView } from '@callgate/contract/rest/gatewayView'
import { Link } from 'wouter'
import { useRead } from '../client/reading.tsx'
import { useSpace } from '../client/session.tsx'
import { useUnable } from '../gates/GateCard.tsx'
import { type Reader, sayWhat } from '../gates/gateWords.ts'
import { OpenButton } from '../gates/OpenButton.tsx'
import { SeenAfter } from '../gates/SeenAfter.tsx'
import { usePress } from '../gates/usePress.ts'
import { hrefOf } from '../shell/navigation.ts'

export function FirstCall(props: {
  readonly gate: Gate
  readonly gateways: readonly GatewayView[]
  readonly reader: Reader
}) {
  const { gate, gateways, reader } = props
  const { space } = useSpace()
  const figures = useRead('getGateFigures', { params: { gateId: gate.id } }).value?.figures
  const { press, send, shown } = usePress(gate.id, figures)
  const unable = useUnable(gateways, reader.words)
  const last = shown?.last
  const hasEnded = press.is === 'ready' && last && last.class !== 'running'
  return (
    <>
      <OpenButton gate={gate.name} press={press} send={send} unable={unable} place="beside" />
      {last?.class === 'unknown' && <SeenAfter openingId={last.id} seen={last.seen} />}
      {hasEnded && last.class !== 'unknown' && (
        <p className="small">
          {sayWhat(last, reader)}.{' '}
          <Link className="link" href={hrefOf(dashboardPaths.gate, { spaceId: space.id, gateId: gate.id })}>
            {reader.words.gates.findCause}
          </Link>
        </p>
      )}
    </>
  )
}
