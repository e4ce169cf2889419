// The gateways above the gates: whether each is online, and its network signal.

import { dashboardPaths } from '@callgate/contract/app/dashboardPaths'
import type { GatewayView } from '@callgate/contract/rest/gatewayView'
import { Link } from 'wouter'
import { useSpace } from '../client/session.tsx'
import { icons } from '../kit/icons.tsx'
import { SignalBars } from '../kit/SignalBars.tsx'
import { hrefOf } from '../shell/navigation.ts'
import { dayAndMonth, daysBack, dbm, timeOfDay } from '../words/time.ts'
import type { Reader } from './gateWords.ts'

function sayState({ now }: GatewayView, reader: Reader): string {
  const says = reader.words.gates.gateway
  const { modem, since, state } = now
  if (state === 'online') return modem?.signalDbm == null ? says.online : says.onlineAt(dbm(modem.signalDbm))
  if (state === 'new') return says.new
  if (state === 'cut_off') return says.cutOff
  if (since === null) return says.offline
  const isToday = daysBack(since, reader.nowMs, reader.times) === 0
  return says.offlineSince(
    isToday ? timeOfDay(since, reader.times) : dayAndMonth(since, reader.nowMs, reader.times),
  )
}

/** The network and the supply: `Orange RO · 4.02 V`. */
function sayFacts({ now }: GatewayView, locale: string): string {
  const { operator = null, supplyMv = null } = now.modem ?? {}
  const volts = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 })
  const supply = supplyMv === null ? [] : [`${volts.format(supplyMv / 1_000)} V`]
  return [...(operator === null ? [] : [operator]), ...supply].join(' · ')
}

/** Revoked gateways are left out: they no longer call. */
export function GatewayStrip({
  gateways,
  reader,
}: {
  readonly gateways: readonly GatewayView[]
  readonly reader: Reader
}) {
  const { space } = useSpace()
  const shown = gateways.filter(({ now }) => now.state !== 'revoked')
  if (shown.length === 0) return null
  return (
    <ul className="card gateway-strip" aria-label={reader.words.gates.gateways}>
      {shown.map(gateway => (
        <li key={gateway.id}>
          {gateway.now.state === 'online' ? (
            <SignalBars dBm={gateway.now.modem?.signalDbm} />
          ) : (
            <span className="gateway-off">
              <icons.noGateway size={20} />
            </span>
          )}
          <span>
            <b>{gateway.name}</b> <span className="quiet">{sayState(gateway, reader)}</span>
          </span>
          {gateway.now.state === 'online' ? (
            <span className="small quiet gateway-facts">{sayFacts(gateway, reader.times.locale)}</span>
          ) : (
            <Link
              className="link small target gateway-check"
              href={hrefOf(dashboardPaths.gateway, { spaceId: space.id, gatewayId: gateway.id })}
            >
              {reader.words.gates.gateway.check}
            </Link>
          )}
        </li>
      ))}
    </ul>
  )
}
