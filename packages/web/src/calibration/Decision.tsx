// What the test calls show, and what becomes of it: saved, not saved, or started again.

import type { Calibration, CalibrationCall } from '@callgate/contract/app/calibration'
import { dashboardPaths } from '@callgate/contract/app/dashboardPaths'
import type { CallProfile } from '@callgate/contract/call/callProfile'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useCall, useChange } from '../client/reading.tsx'
import { useSpace } from '../client/session.tsx'
import { Banner } from '../kit/Banner.tsx'
import { Button, ButtonLink } from '../kit/Button.tsx'
import { Field } from '../kit/Field.tsx'
import { hrefOf } from '../shell/navigation.ts'
import { sayProblem } from '../words/problems.ts'
import { seconds } from '../words/time.ts'
import { useWords, type Words } from '../words/words.tsx'
import { ProposalForm } from './ProposalForm.tsx'
import { changesOf, contradictions, outOfBounds, timesOf, valuesOfProposal } from './proposalFields.ts'

type Proposal = NonNullable<Calibration['proposal']>

/** What of the profile is worth a sentence. */
function sayProfile(profile: CallProfile, words: Words): readonly string[] {
  const says = words.calibration
  const at = (ms: number) => seconds(ms, words.locale)
  const { holdMs, mode, reactMaxMs, reactMinMs, ringHangupMs, silentAlerting } = profile
  return [
    ...(mode === 'ring' ? [says.ringsFor(at(ringHangupMs))] : []),
    ...(mode === 'answer_hold' ? [says.holdsFor(at(holdMs))] : []),
    ...(mode !== 'ring' && mode !== 'answer_hold' ? [says.window(at(reactMinMs), at(reactMaxMs))] : []),
    ...(silentAlerting ? [says.silent] : []),
    ...(profile.discriminating ? [] : [says.alike]),
  ]
}

/** Ends the calibration, and begins another one where `isAgain`. */
function useEnd(gateId: string, to: string) {
  const end = useChange('endCalibration')
  const call = useCall()
  const [, go] = useLocation()
  return async (isAgain: boolean) => {
    const params = { gateId }
    if (isAgain) await call('endCalibration', { params })
    const result = isAgain ? await call('startCalibration', { params }) : await end({ params })
    if (!isAgain && result.ok) go(to)
    return result
  }
}

const isJoin = (text: string) => /^\d{1,2}$/.test(text.trim()) && Number(text) <= 60

interface ProposedProps {
  readonly gateId: string
  readonly profile: CallProfile
  readonly calls: readonly CalibrationCall[]
  readonly refuse: () => void
  readonly accepted: () => void
}

function Proposed({ accepted, calls, gateId, profile, refuse }: ProposedProps) {
  const words = useWords()
  const says = words.calibration
  const accept = useChange('acceptCalibration')
  const [join, setJoin] = useState(String(profile.coolDownMs / 1_000))
  const [values, setValues] = useState(() => valuesOfProposal(profile))
  const [isEditing, setEditing] = useState(false)
  const [isSent, setSent] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [trouble, setTrouble] = useState<string>()
  const against = contradictions(profile, values, calls)
  const isWrong = timesOf(values.mode).some(name => outOfBounds(name, values.times[name]))
  const check = (text: string) => (isJoin(text) ? undefined : says.joinWrong)
  async function save() {
    setSent(true)
    if (!isJoin(join) || isWrong || against.includes('order')) return
    setBusy(true)
    const body = { profile: { ...changesOf(profile, values), coolDownMs: Number(join) * 1_000 } }
    const result = await accept({ params: { gateId }, body })
    setBusy(false)
    if (result.ok) return accepted()
    setTrouble(sayProblem(result, words))
  }
  const { modes } = words.gate
  return (
    <section className="card calibration-parts">
      <h2>{says.found}</h2>
      <p>
        <b>{modes[profile.mode as keyof typeof modes]}</b> {sayProfile(profile, words).join(' ')}
      </p>
      {isEditing ? (
        <ProposalForm values={values} change={setValues} isSent={isSent} against={against} />
      ) : (
        <Button look="soft" onClick={() => setEditing(true)}>
          {says.edit.open}
        </Button>
      )}
      <Field
        label={words.gate.profile.joinS}
        hint={words.gate.profile.joinHint}
        value={join}
        change={setJoin}
        check={check}
        isSent={isSent}
        input={{ inputMode: 'numeric' }}
      />
      <div role="alert">{trouble !== undefined && <Banner tone="shut">{trouble}</Banner>}</div>
      <Button look="filled" isBig isWide busy={isBusy ? says.saving : undefined} onClick={() => void save()}>
        {says.accept}
      </Button>
      <Button isWide onClick={refuse}>
        {says.refuse}
      </Button>
    </section>
  )
}

export function Decision(props: {
  readonly gateId: string
  readonly calls: readonly CalibrationCall[]
  readonly proposal: Proposal
  readonly accepted: () => void
  readonly restarted: () => void
}) {
  const { accepted, calls, gateId, proposal, restarted } = props
  const words = useWords()
  const says = words.calibration
  const { space } = useSpace()
  const gateHref = hrefOf(dashboardPaths.gate, { spaceId: space.id, gateId })
  const end = useEnd(gateId, gateHref)
  const [isBusy, setBusy] = useState(false)
  const [trouble, setTrouble] = useState<string>()
  async function finish(isAgain: boolean) {
    setBusy(true)
    const result = await end(isAgain)
    setBusy(false)
    if (!result.ok) return setTrouble(sayProblem(result, words))
    if (isAgain) restarted()
  }
  const { profile, why } = proposal
  if (profile)
    return (
      <>
        <Proposed
          key={JSON.stringify(profile)}
          gateId={gateId}
          profile={profile}
          calls={calls}
          accepted={accepted}
          refuse={() => void finish(false)}
        />
        {trouble !== undefined && <Banner tone="shut">{trouble}</Banner>}
      </>
    )
  return (
    <section className="card calibration-parts">
      <Banner tone="look" title={says.cannotTell}>
        {why !== null && says.reasons[why]}
      </Banner>
      {trouble !== undefined && <Banner tone="shut">{trouble}</Banner>}
      <Button
        look="filled"
        isBig
        isWide
        busy={isBusy ? says.starting : undefined}
        onClick={() => void finish(true)}
      >
        {says.again}
      </Button>
      {why === 'never_moved' ? (
        <ButtonLink href={`${gateHref}#let-in`} isWide>
          {words.letIn.title}
        </ButtonLink>
      ) : (
        <ButtonLink href={`${gateHref}#takes`} isWide>
          {says.byHand}
        </ButtonLink>
      )}
    </section>
  )
}
