// After the first call: a link to the calibration of a gate whose reaction to a call is not measured.

import { dashboardPaths } from '@callgate/contract/app/dashboardPaths'
import type { Gate } from '@callgate/contract/rest/gate'
import { useRead } from '../client/reading.tsx'
import { useSpace } from '../client/session.tsx'
import { ButtonLink } from '../kit/Button.tsx'
import { hrefOf } from '../shell/navigation.ts'
import { useWords } from '../words/words.tsx'

export function Unmeasured({ gate }: { readonly gate: Gate }) {
  const { space } = useSpace()
  const words = useWords()
  const figures = useRead('getGateFigures', { params: { gateId: gate.id } }).value?.figures
  if (!figures || figures.calibration === 'measured') return null
  return (
    <>
      <p className="small quiet">{words.firstSteps.call.unmeasured(gate.name)}</p>
      <ButtonLink href={hrefOf(dashboardPaths.calibration, { spaceId: space.id, gateId: gate.id })}>
        {words.calibration.title}
      </ButtonLink>
    </>
  )
}
