// The gateway beside the first steps: the requirements of a call, and whether the gateway meets them.

import type { GatewayView } from '@callgate/contract/rest/gatewayView'
import type { Reader } from '../gates/gateWords.ts'
import { badgeOf, simOf } from '../gateways/gatewayWords.ts'
import { Badge } from '../kit/Badge.tsx'
import { icons } from '../kit/icons.tsx'
import { barsOf } from '../kit/SignalBars.tsx'
import { textFor } from '../words/known.ts'
import { sayNumber } from '../words/number.ts'
import { dbm, volts } from '../words/time.ts'

/** Below this the modem fails. Millivolts. */
const leastSupplyMv = 3_500

interface Fact {
  readonly name: string
  readonly says: string
  readonly isWell: boolean
}

function factsOf({ callerNumber, now }: GatewayView, { times, words }: Reader): readonly Fact[] {
  const { figures, registrations } = words.gateways
  const says = words.firstSteps.facts
  const number = {
    name: says.number,
    says: callerNumber === null ? says.no : sayNumber(callerNumber),
    isWell: callerNumber !== null,
  }
  const { modem } = now
  if (now.state !== 'online' || !modem) return [number]
  const { operator, registration, signalDbm, state, supplyMv } = modem
  const isHome = registration === 'home' || registration === 'roaming'
  const network = [textFor(registrations, registration) ?? registration, operator].filter(Boolean).join(', ')
  const sim = simOf(state)
  const strength = signalDbm === null ? 0 : barsOf(signalDbm)
  return [
    { name: says.sim, says: says.simStates[sim], isWell: sim === 'ready' },
    { name: figures.network, says: network, isWell: isHome },
    {
      name: figures.signal,
      says: signalDbm === null ? figures.notKnown : `${dbm(signalDbm)}, ${figures.strength[strength - 1]}`,
      isWell: strength > 1,
    },
    {
      name: figures.supply,
      says: supplyMv === null ? figures.notKnown : `${volts(supplyMv, times.locale)} V`,
      isWell: supplyMv !== null && supplyMv >= leastSupplyMv,
    },
    number,
  ]
}

export function GatewayFacts({
  gateway,
  reader,
}: {
  readonly gateway: GatewayView
  readonly reader: Reader
}) {
  const says = reader.words.firstSteps.facts
  return (
    <section className="card step-facts" aria-label={gateway.name}>
      <div className="step-facts-head">
        <h2>{gateway.name}</h2>
        <Badge {...badgeOf(gateway, reader)} />
      </div>
      <ul>
        {factsOf(gateway, reader).map(fact => (
          <li key={fact.name}>
            <span className={fact.isWell ? 'tone-open' : 'tone-look'}>
              {fact.isWell ? <icons.check size={18} /> : <icons.alert size={18} />}
              <span className="heard">{fact.isWell ? says.well : says.look}</span>
            </span>
            <span>{fact.name}</span>
            <span className="quiet">{fact.says}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
