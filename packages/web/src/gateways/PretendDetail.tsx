// The gateway of a sandbox. It has no modem, no SIM card, no program and no beats, so its page has its calls alone.

import type { GatewayView } from '@callgate/contract/rest/gatewayView'
import { useRead } from '../client/reading.tsx'
import type { Reader } from '../gates/gateWords.ts'
import { lateClaimTexts } from '../gates/lateClaims.ts'
import { NotRead, Skeleton } from '../kit/states.tsx'
import { LastCalls } from './LastCalls.tsx'

/** The interval of reading the calls, in milliseconds. */
const everyMs = 30_000

export function PretendDetail({
  gateway,
  reader,
}: {
  readonly gateway: GatewayView
  readonly reader: Reader
}) {
  const params = { gatewayId: gateway.id }
  const read = useRead('getGatewayHistory', { params, query: { range: '24h' } }, { everyMs })
  const history = read.value
  return (
    <section className="card gateway-detail" aria-label={gateway.name}>
      <div className="gateway-now">
        <h2>{gateway.name}</h2>
        <p className="quiet">{lateClaimTexts(reader.words).pretendWhy}</p>
      </div>
      <div className="gateway-over-time">
        {read.failure && <NotRead what={reader.words.gateways.lastCalls} of={read} />}
        {!history && !read.failure && <Skeleton bars={[144]} />}
        {history && <LastCalls history={history} gateway={gateway.name} reader={reader} />}
      </div>
    </section>
  )
}
