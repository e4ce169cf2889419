// The result of the test calls, and the decision on it: save, do not save, or start again.

import type { Calibration, CalibrationCall } from '@callgate/contract/app/calibration'
import { dashboardPaths } from '@callgate/contract/app/dashboardPaths'
import type { CallProfile } from '@callgate/contract/call/callProfile'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { useCall } from '../client/connection.tsx'
import { useChange } from '../client/reading.tsx'
import { useSpace } from '../client/session.tsx'
import { useSending } from '../confirm/useSending.ts'
import { FormField } from '../form/FormField.tsx'
import { useForm } from '../form/useForm.ts'
import { letInTexts } from '../gates/letInTexts.ts'
import { Banner } from '../kit/Banner.tsx'
import { Button, ButtonLink } from '../kit/Button.tsx'
import { Trouble } from '../kit/Trouble.tsx'
import { hrefOf } from '../shell/navigation.ts'
import { sayProblem } from '../words/problems.ts'
import { seconds } from '../words/time.ts'
import { useWords, type Words } from '../words/words.tsx'
import { fieldsOfProposal, ProposalForm } from './ProposalForm.tsx'
import { changesOf, coolDownOf, typedProfile, valuesOfProposal } from './proposalFields.ts'

/** Where the same calls would fail again: something else comes first. */
const notAgain: readonly string[] = [
  'never_moved',
  'differs',
  'modem_blind',
  'no_ringing',
  'ended_by_network',
]

type Proposal = NonNullable<Calibration['proposal']>

/** The parts of the profile that are worth a sentence. */
function sayProfile(profile: CallProfile, words: Words): readonly string[] {
  const says = words.calibration
  // A number stays on a line with its unit.
  const at = (ms: number) => seconds(ms, words.locale).replace(' ', '\u00a0')
  const { holdMs, mode, reactMaxMs, reactMinMs, ringHangupMs, silentAlerting } = profile
  return [
    ...(mode === 'ring' ? [says.ringsFor(at(ringHangupMs))] : []),
    ...(mode === 'answer_hold' ? [says.holdsFor(at(holdMs))] : []),
    ...(mode !== 'ring' && mode !== 'answer_hold' ? [says.window(at(reactMinMs), at(reactMaxMs))] : []),
    ...(silentAlerting ? [says.silent] : []),
    ...(profile.discriminating ? [] : [says.alike]),
  ]
}

/** Ends the calibration, and starts another one where `isAgain`. */
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

interface ProposedProps {
  readonly gateId: string
  readonly profile: CallProfile
  readonly calls: readonly CalibrationCall[]
  readonly refuse: () => void
  readonly accepted: () => void
  /** Draws the profile as it is typed. */
  readonly draw: (typed: CallProfile | undefined) => void
}

function Proposed({ accepted, calls, draw, gateId, profile, refuse }: ProposedProps) {
  const words = useWords()
  const says = words.calibration
  const accept = useChange('acceptCalibration')
  const [isEditing, setEditing] = useState(false)
  const { mode, times } = valuesOfProposal(profile, words.locale)
  const form = useForm({
    fields: fieldsOfProposal(words, { profile, calls }),
    start: { values: { mode, ...times, coolDownS: String(coolDownOf(profile, calls)) }, etag: undefined },
    send({ values }) {
      const changes = changesOf(profile, { mode: values.mode, times: values })
      const body = { profile: { ...changes, coolDownMs: Number(values.coolDownS) * 1_000 } }
      return accept({ params: { gateId }, body })
    },
    done: accepted,
  })
  const typed = typedProfile(profile, { mode: form.values.mode, times: form.values })
  const drawn = JSON.stringify(typed)
  useEffect(() => {
    draw(JSON.parse(drawn))
    return () => draw(undefined)
  }, [draw, drawn])
  const { modes } = words.gate
  return (
    <section className="card calibration-parts">
      <h2>{says.found}</h2>
      <p>
        <b>{modes[typed.mode as keyof typeof modes]}</b> {sayProfile(typed, words).join(' ')}
      </p>
      {isEditing ? (
        <ProposalForm form={form} profile={profile} calls={calls} />
      ) : (
        <button type="button" className="link target calibration-edit" onClick={() => setEditing(true)}>
          {says.edit.open}
        </button>
      )}
      <FormField form={form} name="coolDownS" />
      <Trouble form={form} />
      <div className="calibration-answers">
        <Button look="filled" isBig isWide busy={form.isBusy ? says.saving : undefined} onClick={form.send}>
          {says.accept}
        </Button>
        <Button isBig isWide onClick={refuse}>
          {says.refuse}
        </Button>
      </div>
    </section>
  )
}

/** Where another way than new test calls begins: the number may be unknown to the module, or the times are typed. */
function Other(props: { readonly gateHref: string; readonly isUnknown: boolean; readonly isNext: boolean }) {
  const { gateHref, isNext, isUnknown } = props
  const words = useWords()
  return (
    <ButtonLink
      look={isNext ? 'filled' : 'outlined'}
      isBig
      isWide
      href={`${gateHref}#${isUnknown ? 'let-in' : 'takes'}`}
    >
      {isUnknown ? letInTexts(words).title : words.calibration.byHand}
    </ButtonLink>
  )
}

export function Decision(props: {
  readonly gateId: string
  readonly calls: readonly CalibrationCall[]
  readonly proposal: Proposal
  readonly accepted: () => void
  readonly draw: ProposedProps['draw']
  readonly restarted: () => void
}) {
  const { accepted, calls, draw, gateId, proposal, restarted } = props
  const words = useWords()
  const says = words.calibration
  const { space } = useSpace()
  const gateHref = hrefOf(dashboardPaths.gate, { spaceId: space.id, gateId })
  const end = useEnd(gateId, gateHref)
  const { failure, isBusy, send } = useSending()
  async function finish(isAgain: boolean) {
    const result = await send(() => end(isAgain))
    if (result?.ok && isAgain) restarted()
  }
  const trouble = failure && <Banner tone="shut">{sayProblem(failure, words)}</Banner>
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
          draw={draw}
          refuse={() => void finish(false)}
        />
        {trouble}
      </>
    )
  const isOther = why !== null && notAgain.includes(why)
  const again = (
    <Button
      key="again"
      look={isOther ? 'outlined' : 'filled'}
      isBig
      isWide
      busy={isBusy ? says.starting : undefined}
      onClick={() => void finish(true)}
    >
      {says.again}
    </Button>
  )
  const other = <Other key="other" gateHref={gateHref} isUnknown={why === 'never_moved'} isNext={isOther} />
  return (
    <section className="card calibration-parts">
      <Banner tone="look" title={says.cannotTell}>
        {why !== null && says.reasons[why]}
      </Banner>
      {trouble}
      {isOther ? [other, again] : [again, other]}
    </section>
  )
}
