// The first steps of a Space, from nothing to the first opening, each ticked by what has really happened.

import { dashboardPaths } from '@callgate/contract/app/dashboardPaths'
import { type ReactNode, useState } from 'react'
import { useSpace } from '../client/session.tsx'
import { claimsOf, sayStepsDone } from '../gates/claims.ts'
import { gatewayOfSteps, type StepName, stepNames, stepsDone, useFirstSteps } from '../gates/firstSteps.ts'
import { GateForm } from '../gates/GateForm.tsx'
import { useReader } from '../gates/useGateReader.ts'
import { AddGateway } from '../gateways/AddGateway.tsx'
import { EditGateway } from '../gateways/EditGateway.tsx'
import { ButtonLink } from '../kit/Button.tsx'
import { Page } from '../kit/Page.tsx'
import { StepBar } from '../kit/StepBar.tsx'
import { NotRead, Skeleton } from '../kit/states.tsx'
import { hrefOf } from '../shell/navigation.ts'
import { useWords } from '../words/words.tsx'
import { GatewayFacts } from './GatewayFacts.tsx'
import { OnPhone } from './OnPhone.tsx'
import { CallStep, GateStep, GatewayStep, LinkStep, NumberStep, SpaceStep, type StepProps } from './steps.tsx'
import '../gates/gates.css'
import '../gates/timeline.css'
import './firstSteps.css'

type StepQuestion = Parameters<StepProps['ask']>[0]

const shownAs: Readonly<Record<StepName, (props: StepProps) => ReactNode>> = {
  space: SpaceStep,
  gateway: GatewayStep,
  gate: GateStep,
  number: NumberStep,
  call: CallStep,
  link: LinkStep,
}

type Read = NonNullable<ReturnType<typeof useFirstSteps>['happened']>

function Steps({ happened, ask }: { readonly happened: Read; readonly ask: StepProps['ask'] }) {
  const reader = useReader()
  const says = reader.words.firstSteps
  const { mode } = useSpace().space
  const done = stepsDone(happened)
  const now = stepNames.find(name => !done[name])
  const count = stepNames.filter(name => done[name]).length
  const shown = gatewayOfSteps(happened.gateways)
  return (
    <>
      <div className="steps-bar">
        <StepBar done={count} of={stepNames.length} />
      </div>
      <div className="steps-columns">
        <ol className="steps">
          {stepNames.map((name, place) => {
            const Shown = shownAs[name]
            const state = done[name] ? 'done' : name === now ? 'now' : 'later'
            return (
              <Shown key={name} {...happened} place={place + 1} state={state} reader={reader} ask={ask} />
            )
          })}
        </ol>
        <div className="steps-side">
          {/* The gateway of a sandbox has no SIM card, and so no facts. */}
          {shown && mode === 'live' && <GatewayFacts gateway={shown} reader={reader} />}
          {!done.call && (
            <section className="steps-before">
              <h2>{says.before}</h2>
              <p className="small">{says.beforeWhy}</p>
            </section>
          )}
        </div>
      </div>
    </>
  )
}

export function FirstStepsPage() {
  const words = useWords()
  const { firstSteps: says, frame } = words
  const { space } = useSpace()
  const { failed, happened } = useFirstSteps()
  const [asked, setAsked] = useState<StepQuestion>()
  const close = () => setAsked(undefined)
  const done = happened && stepsDone(happened)
  const count = done && stepNames.filter(name => done[name]).length
  const isOver = count === stepNames.length
  const gatewayId = happened && gatewayOfSteps(happened.gateways)?.id
  return (
    <Page
      title={says.title}
      says={
        happened &&
        count !== undefined &&
        (isOver ? sayStepsDone(claimsOf(happened), words) : says.says(count, stepNames.length))
      }
      actions={
        isOver ? (
          <ButtonLink look="filled" href={hrefOf(dashboardPaths.gates, { spaceId: space.id })}>
            {frame.toGates}
          </ButtonLink>
        ) : (
          happened && <OnPhone />
        )
      }
    >
      {failed && <NotRead what={says.title} of={failed} />}
      {!happened && !failed && <Skeleton bars={[80, 81, 82, 180]} />}
      {happened && <Steps happened={happened} ask={setAsked} />}
      {asked === 'gateway' && <AddGateway close={close} />}
      {asked === 'gate' && <GateForm close={close} />}
      {asked === 'number' && gatewayId !== undefined && <EditGateway gatewayId={gatewayId} close={close} />}
    </Page>
  )
}
