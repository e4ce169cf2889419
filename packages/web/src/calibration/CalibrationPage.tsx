// The calibration of a gate, on a phone beside the gate: one thing to press at a time.

import type { Calibration, CalibrationAnswer, CalibrationCall } from '@callgate/contract/app/calibration'
import { dashboardPaths } from '@callgate/contract/app/dashboardPaths'
import type { CallProfile } from '@callgate/contract/call/callProfile'
import { type ReactNode, useState } from 'react'
import { useParams } from 'wouter'
import { useChange, useRead } from '../client/reading.tsx'
import { useSpace } from '../client/session.tsx'
import { useSending } from '../confirm/useSending.ts'
import { sayCalled } from '../gates/lateClaims.ts'
import { Banner } from '../kit/Banner.tsx'
import { Button, ButtonLink } from '../kit/Button.tsx'
import { Above, Page } from '../kit/Page.tsx'
import { Ring } from '../kit/Ring.tsx'
import { NotRead, Skeleton } from '../kit/states.tsx'
import { Trouble } from '../kit/Trouble.tsx'
import { hrefOf } from '../shell/navigation.ts'
import { useWords } from '../words/words.tsx'
import { CallList } from './CallList.tsx'
import { Checks } from './Checks.tsx'
import { Decision } from './Decision.tsx'
import { MovedQuestion } from './MovedQuestion.tsx'
import { MakeCall, type Pressed, PressOutcome, RunningCall } from './TestCallStep.tsx'
import './calibration.css'

const needed = 3
/** Calls and answers come as events. Between them only the remaining time changes. */
const often = { everyMs: 2_000, liveEveryMs: 5_000 }

type Checked = Pick<CalibrationAnswer, 'checks'>

function Begin({ checks, gateId }: Checked & { readonly gateId: string }) {
  const says = useWords().calibration
  const start = useChange('startCalibration')
  const { failure, isBusy, send } = useSending()
  const begin = () => void send(() => start({ params: { gateId } }))
  return (
    <section className="card calibration-parts">
      <h2>{says.what}</h2>
      <p>{says.why}</p>
      <Banner tone="look" title={says.stand}>
        {says.standWhy}
      </Banner>
      <Checks {...checks} />
      <p className="small quiet">{says.forward}</p>
      <Trouble form={{ failure }} />
      <Button look="filled" isBig isWide busy={isBusy ? says.starting : undefined} onClick={begin}>
        {says.start}
      </Button>
    </section>
  )
}

/** The number of a call among those that count; one that says nothing is made again. */
const numberOf = (calls: readonly CalibrationCall[], call: CalibrationCall) =>
  calls.filter(({ end, isHidden }) => end !== 'unclear' && !isHidden).indexOf(call) + 1

/** Which of the three calls is next, runs, or is asked about, beside a ring of the three. */
function Head(props: { readonly number: number; readonly isRunning?: boolean; readonly title: string }) {
  const { isRunning = false, number, title } = props
  return (
    <div className="calibration-head">
      <Ring arcs={3} lit={isRunning ? number : number - 1} tone="call" size={64} isLive={isRunning}>
        <b>{number}</b>
      </Ring>
      <h2>{title}</h2>
    </div>
  )
}

/** The head of the call that is next or runs. */
function CallHead({ calls, callsLeft, isRunning }: Calibration & { readonly isRunning: boolean }) {
  const says = useWords().calibration
  const done = needed - callsLeft
  const number = Math.min(needed, done + 1)
  const isExtra = calls.filter(({ end }) => end !== null).length > done
  const title = isExtra && callsLeft === 1 ? says.callMore : says.callOf(number)
  return <Head number={number} isRunning={isRunning} title={title} />
}

/** The head of the question what was seen. */
function AskHead({
  asked,
  calls,
}: {
  readonly asked: CalibrationCall
  readonly calls: Calibration['calls']
}) {
  const says = useWords().calibration
  const number = numberOf(calls, asked)
  if (asked.isHidden) return <h2>{says.askHidden}</h2>
  return <Head number={Math.min(needed, number)} title={says.ask(number)} />
}

function Part(props: { readonly title: string; readonly why: string; readonly children: ReactNode }) {
  return (
    <section className="card calibration-parts">
      <h2>{props.title}</h2>
      <p className="small quiet">{props.why}</p>
      {props.children}
    </section>
  )
}

interface Going extends Checked {
  readonly gateId: string
  readonly calibration: Calibration
  readonly readAtMs: number
  readonly accepted: () => void
}

function GoingOn({ accepted, calibration, checks, gateId, readAtMs }: Going) {
  const says = useWords().calibration
  const [pressed, setPressed] = useState<Pressed>()
  const [corrected, setCorrected] = useState<CalibrationCall>()
  const [drawn, setDrawn] = useState<CallProfile>()
  const { calls, proposal, restMs, step } = calibration
  const running = calls.find(({ end }) => end === null)
  const unanswered = calls.find(({ end, hasMoved }) => end !== null && end !== 'unclear' && hasMoved === null)
  const asked = corrected ?? (step === 'answer' ? unanswered : undefined)
  const mayHide = proposal?.profile && !calls.some(({ hasMoved, isHidden }) => isHidden && hasMoved !== null)
  const outcome = pressed && <PressOutcome openingId={pressed.openingId} calls={calls} />
  const make = (isHidden: boolean) => (
    <MakeCall gateId={gateId} isHidden={isHidden} pauseMs={restMs} readAtMs={readAtMs} pressed={setPressed} />
  )
  const noted = (openingId: string) => (pressed?.openingId === openingId ? pressed.movedS : undefined)
  return (
    <>
      <div className="calibration-now">
        {running && (
          <section className="card calibration-parts">
            <CallHead {...calibration} isRunning />
            <RunningCall
              openingId={running.openingId}
              pressed={pressed?.openingId === running.openingId ? pressed : undefined}
              noteMoved={movedS => setPressed(before => before && { ...before, movedS })}
            />
          </section>
        )}
        {!running && asked && (
          <section className="card">
            <MovedQuestion
              key={asked.openingId}
              gateId={gateId}
              openingId={asked.openingId}
              afterS={asked.afterS ?? noted(asked.openingId)}
              head={<AskHead asked={asked} calls={calls} />}
              done={() => setCorrected(undefined)}
            />
          </section>
        )}
        {!running && !asked && step === 'call' && (
          <section className="card calibration-parts">
            <CallHead {...calibration} isRunning={false} />
            <Checks {...checks} />
            <p>{says.callWhy}</p>
            {make(false)}
            {outcome}
          </section>
        )}
        {!running && !asked && proposal && (
          <Decision
            gateId={gateId}
            calls={calls}
            proposal={proposal}
            accepted={accepted}
            draw={setDrawn}
            restarted={() => setPressed(undefined)}
          />
        )}
        {!running && !asked && mayHide && (
          <Part title={says.tryHidden} why={says.tryHiddenWhy}>
            {make(true)}
            {outcome}
          </Part>
        )}
      </div>
      <CallList calls={calls} profile={drawn ?? proposal?.profile ?? undefined} correct={setCorrected} />
    </>
  )
}

export function CalibrationPage() {
  const { gateId = '' } = useParams<{ gateId: string }>()
  const { space } = useSpace()
  const words = useWords()
  const says = words.calibration
  const gate = useRead('getGate', { params: { gateId } })
  const read = useRead('getCalibration', { params: { gateId } }, often)
  const called = useRead('getGateFigures', { params: { gateId } })
  const [isAccepted, setAccepted] = useState(false)
  const href = hrefOf(dashboardPaths.gate, { spaceId: space.id, gateId })
  const failed = gate.failure ? gate : read.failure ? read : undefined
  const calibration = read.value?.calibration
  let shown: ReactNode = <Skeleton bars={[40, 200]} />
  if (isAccepted)
    shown = (
      <section className="card calibration-parts">
        <Banner tone="open">{says.saved}</Banner>
        <ButtonLink href={href} look="filled" isBig isWide>
          {says.back}
        </ButtonLink>
      </section>
    )
  else if (calibration)
    shown = (
      <GoingOn
        key={calibration.startedAt}
        gateId={gateId}
        calibration={calibration}
        checks={read.value.checks}
        readAtMs={read.readAtMs}
        accepted={() => setAccepted(true)}
      />
    )
  else if (read.value) shown = <Begin gateId={gateId} checks={read.value.checks} />
  else if (failed) shown = <NotRead what={says.title} of={failed} />
  return (
    <Page
      title={says.title}
      says={
        gate.value &&
        called.value &&
        // The calls of a calibration that goes on say more than those before it.
        (calibration ? says.of : sayCalled(gate.value.gate, called.value.figures, words))
      }
      above={<Above href={href}>{gate.value?.gate.name ?? words.frame.pages.gates}</Above>}
    >
      <div className="calibration">{shown}</div>
    </Page>
  )
}
