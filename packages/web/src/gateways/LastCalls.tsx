// The last calls of a gateway: the result of each, and the signals of the line.

import type { GatewayHistory } from '@callgate/contract/app/gateway'
import { useState } from 'react'
import type { Reader } from '../gates/gateWords.ts'
import { OpeningDetail } from '../gates/OpeningDetail.tsx'
import { Badge } from '../kit/Badge.tsx'
import { openingLook } from '../kit/openingLook.ts'
import { Unfold } from '../kit/Unfold.tsx'
import { timeOrDay } from '../words/time.ts'
import '../gates/timeline.css'

/** The number of listed calls; the chart above shows all. */
const listed = 5

type Call = GatewayHistory['calls'][number]

function Row(props: { readonly call: Call; readonly gateway: string; readonly reader: Reader }) {
  const { call, gateway, reader } = props
  const { calledAt, class: kind, gateName, openingId } = call
  const { nowMs, times, words } = reader
  const [isUnfolded, setUnfolded] = useState(false)
  const { icon, tone } = openingLook({ class: kind, step: null, hasRung: true })
  return (
    <li>
      <Unfold className="gateway-call" isUnfolded={isUnfolded} unfold={setUnfolded}>
        <time dateTime={calledAt} className="quiet">
          {timeOrDay(calledAt, nowMs, times)}
        </time>
        <b>{gateName}</b>
        <Badge tone={tone} icon={icon} word={words.openings.classes[kind]} />
      </Unfold>
      {isUnfolded && <OpeningDetail record={{ id: openingId }} gateway={gateway} reader={reader} />}
    </li>
  )
}

/** `gateway`: its name. */
export function LastCalls(props: {
  readonly history: GatewayHistory
  readonly gateway: string
  readonly reader: Reader
}) {
  const { gateway, history, reader } = props
  const says = reader.words.gateways
  return (
    <div className="gateway-calls">
      <h3>{says.lastCalls}</h3>
      {history.calls.length === 0 && <p className="quiet">{says.noCallsYet}</p>}
      <ul>
        {history.calls.slice(0, listed).map(call => (
          <Row key={call.openingId} call={call} gateway={gateway} reader={reader} />
        ))}
      </ul>
    </div>
  )
}
