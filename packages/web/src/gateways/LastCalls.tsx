// The last calls of a gateway, and what became of each.

import type { GatewayHistory } from '@callgate/contract/app/gateway'
import type { Reader } from '../gates/gateWords.ts'
import { Badge } from '../kit/Badge.tsx'
import { openingLook } from '../kit/openingLook.ts'
import { timeOrDay } from '../words/time.ts'

/** So many are listed; the chart above shows all. */
const listed = 5

export function LastCalls({
  history,
  reader,
}: {
  readonly history: GatewayHistory
  readonly reader: Reader
}) {
  const { nowMs, times, words } = reader
  const says = words.gateways
  return (
    <div className="gateway-calls">
      <h3>{says.lastCalls}</h3>
      {history.calls.length === 0 && <p className="quiet">{says.noCallsYet}</p>}
      <ul>
        {history.calls.slice(0, listed).map(({ calledAt, class: kind, gateName, openingId }) => {
          const { icon, tone } = openingLook({ class: kind, step: null, hasRung: true })
          return (
            <li key={openingId}>
              <time dateTime={calledAt} className="quiet">
                {timeOrDay(calledAt, nowMs, times)}
              </time>
              <b>{gateName}</b>
              <Badge tone={tone} icon={icon} word={words.openings.classes[kind]} />
            </li>
          )
        })}
      </ul>
    </div>
  )
}
