// A gateway in the list: its name, state, number, network and signal.

import type { GatewayView } from '@callgate/contract/rest/gatewayView'
import { Link } from 'wouter'
import { useSpace } from '../client/session.tsx'
import type { Reader } from '../gates/gateWords.ts'
import { lateClaimTexts } from '../gates/lateClaims.ts'
import { Badge } from '../kit/Badge.tsx'
import { SignalBars } from '../kit/SignalBars.tsx'
import { sayNumber } from '../words/number.ts'
import { dbm, shortDate } from '../words/time.ts'
import { badgeOf, sayHeard, sayWarning } from './gatewayWords.ts'
import { warningsOf } from './warnings.ts'

function Below(props: { readonly gateway: GatewayView; readonly isShown: boolean; readonly reader: Reader }) {
  const { gateway, isShown, reader } = props
  const { now } = gateway
  if (now.state === 'online') {
    const signal = now.modem?.signalDbm ?? null
    return (
      <span className="gateway-card-foot">
        {signal !== null && (
          <span className="gateway-signal">
            <SignalBars dBm={signal} isQuiet /> {dbm(signal)}
          </span>
        )}
        <span className="small quiet">{sayHeard(gateway, reader)}</span>
      </span>
    )
  }
  if (now.state === 'revoked')
    return (
      <span className="small quiet">
        {reader.words.gateways.shutOutOn(shortDate(gateway.revokedAt ?? gateway.enrolledAt, reader.times))}
      </span>
    )
  const [warning] = warningsOf(gateway)
  if (!warning) return null
  const [what, toDo] = sayWarning(warning, reader)
  // Beside the list, the shown gateway says what to do.
  return <span className="small quiet">{isShown ? what : `${what} ${toDo}`}</span>
}

export function GatewayCard(props: {
  readonly gateway: GatewayView
  readonly href: string
  readonly isShown: boolean
  /** The note about an update. */
  readonly update: string | undefined
  /** What is to be seen to, where it is online. */
  readonly things: readonly string[]
  readonly reader: Reader
}) {
  const { gateway, href, isShown, reader, things, update } = props
  const { callerNumber, name, now } = gateway
  const { mode } = useSpace().space
  const { words } = reader
  const noNumber = mode === 'live' ? words.gateways.noNumber : lateClaimTexts(words).pretend
  const operator = now.modem?.operator
  return (
    <Link href={href} className="card gateway-card" aria-current={isShown ? 'true' : undefined}>
      <span className="gateway-card-head">
        <b className="gateway-card-name">{name}</b>
        <Badge {...badgeOf(gateway, reader)} />
      </span>
      <span className="quiet">
        {callerNumber === null ? noNumber : sayNumber(callerNumber)}
        {operator ? ` · ${operator}` : ''}
      </span>
      <Below gateway={gateway} isShown={isShown} reader={reader} />
      {now.state === 'online' && things.length > 0 && (
        <span className="small gateway-card-things">{things.join(' ')}</span>
      )}
      {update !== undefined && <span className="small gateway-card-update">{update}</span>}
    </Link>
  )
}
