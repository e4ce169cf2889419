// The editable part of a proposed profile, before it is stored: the mode, the times of that mode, and the time to join.

import type { CalibrationCall } from '@callgate/contract/app/calibration'
import type { CallProfile } from '@callgate/contract/call/callProfile'
import { limits } from '@callgate/contract/limits'
import { isWhole, secondsOf } from '../form/checks.ts'
import { FormField } from '../form/FormField.tsx'
import type { Fields } from '../form/fields.ts'
import type { Form } from '../form/useForm.ts'
import { Banner } from '../kit/Banner.tsx'
import { useWords, type Words } from '../words/words.tsx'
import {
  contradictions,
  outOfLimits,
  type ProposalValues,
  proposedModes,
  type TimeName,
  timesOf,
} from './proposalFields.ts'

/** The chosen mode and the typed texts, in seconds. */
export type TypedProposal = Pick<ProposalValues, 'mode'> &
  ProposalValues['times'] & { readonly coolDownS: string }

const proposalOf = (values: TypedProposal): ProposalValues => ({ mode: values.mode, times: values })

interface Proposed {
  readonly profile: CallProfile
  readonly calls: readonly CalibrationCall[]
}

/** How the typed values contradict the test calls. */
const against = ({ calls, profile }: Proposed, values: TypedProposal) =>
  contradictions(profile, proposalOf(values), calls)

export function fieldsOfProposal(words: Words, proposed: Proposed): Fields<TypedProposal> {
  const says = words.calibration
  const time = (name: TimeName) => ({
    label: says.edit.times[name],
    check(typed: string, { mode }: TypedProposal) {
      const limit = timesOf(mode).includes(name) ? outOfLimits(name, typed) : undefined
      return limit && says.edit.between(limit.least, limit.most)
    },
    input: { inputMode: 'decimal' } as const,
  })
  const { joinHint, joinS, mode } = words.gate.profile
  // Nobody means 0 beside a gate that has just moved.
  const limit = { ...secondsOf(limits.profile.coolDownMs), least: 1 }
  return {
    mode: {
      label: mode,
      choices: proposedModes.map(value => ({ value, label: words.gate.modeNames[value] })),
      // The other contradictions only cause a warning.
      check: (_, values) => (against(proposed, values).includes('order') ? says.against.order : undefined),
    },
    reactMinMs: time('reactMinMs'),
    reactMaxMs: time('reactMaxMs'),
    ringTimeMs: time('ringTimeMs'),
    ringHangupMs: time('ringHangupMs'),
    holdMs: time('holdMs'),
    coolDownS: {
      label: joinS,
      hint: joinHint(limit.least, limit.most),
      check: text => (isWhole(text, limit) ? undefined : words.form.between(limit.least, limit.most)),
      input: { inputMode: 'numeric' },
    },
  }
}

export function ProposalForm({
  form,
  ...proposed
}: Proposed & {
  readonly form: Form<TypedProposal>
}) {
  const { against: warns } = useWords().calibration
  const said = against(proposed, form.values)
  return (
    <>
      <FormField form={form} name="mode" />
      {timesOf(form.values.mode).map(name => (
        <FormField key={name} form={form} name={name} />
      ))}
      <div role="status">
        {said.length > 0 && (
          <Banner tone="look">{said.map(contradiction => warns[contradiction]).join(' ')}</Banner>
        )}
      </div>
    </>
  )
}
