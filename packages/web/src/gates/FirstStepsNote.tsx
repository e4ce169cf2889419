// The link back to the first steps, above the gates, until all of them are done.

import { dashboardPaths } from '@callgate/contract/app/dashboardPaths'
import { useSpace } from '../client/session.tsx'
import { ButtonLink } from '../kit/Button.tsx'
import { StepBar } from '../kit/StepBar.tsx'
import { hrefOf } from '../shell/navigation.ts'
import { useWords } from '../words/words.tsx'
import { stepNames, stepsDone, useFirstSteps } from './firstSteps.ts'

export function FirstStepsNote() {
  const { firstSteps: says } = useWords()
  const { space } = useSpace()
  const { happened } = useFirstSteps()
  if (!happened) return null
  const steps = stepsDone(happened)
  const done = stepNames.filter(name => steps[name]).length
  if (done === stepNames.length) return null
  return (
    <section className="card steps-note" aria-label={says.title}>
      <div>
        <b>{says.title}</b>
        <p className="small quiet">{says.of(done, stepNames.length)}</p>
      </div>
      <StepBar done={done} of={stepNames.length} />
      <ButtonLink href={hrefOf(dashboardPaths.firstSteps, { spaceId: space.id })}>{says.goOn}</ButtonLink>
    </section>
  )
}
