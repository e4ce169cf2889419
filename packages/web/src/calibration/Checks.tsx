// Conditions that may spoil a test call, by the latest report of its gateway; they forbid nothing.

import type { CalibrationAnswer } from '@callgate/contract/app/calibration'
import { dashboardPaths } from '@callgate/contract/app/dashboardPaths'
import { Link } from 'wouter'
import { useSpace } from '../client/session.tsx'
import { Banner } from '../kit/Banner.tsx'
import { hrefOf } from '../shell/navigation.ts'
import { useWords } from '../words/words.tsx'

export function Checks({ gateway, warnings }: CalibrationAnswer['checks']) {
  const says = useWords().calibration
  const { space } = useSpace()
  if (warnings.length === 0) return null
  const spaceId = space.id
  const href = gateway
    ? hrefOf(dashboardPaths.gateway, { spaceId, gatewayId: gateway.id })
    : hrefOf(dashboardPaths.gateways, { spaceId })
  return (
    <Banner tone="look" title={gateway ? says.lookFirst(gateway.name) : says.lookFirstNone}>
      <ul className="calibration-warnings">
        {warnings.map(warning => (
          <li key={warning}>{says.warnings[warning]}</li>
        ))}
      </ul>
      <Link className="link" href={href}>
        {says.toGateway}
      </Link>
    </Banner>
  )
}
