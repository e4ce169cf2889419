// What of a proposed profile may be changed before it is stored: the mode, and the times of that mode.

import { NativeSelect } from '@mantine/core'
import { Banner } from '../kit/Banner.tsx'
import { Field } from '../kit/Field.tsx'
import { useWords } from '../words/words.tsx'
import { outOfBounds, type ProposalValues, proposedModes, type TimeName, timesOf } from './proposalFields.ts'

export function ProposalForm(props: {
  readonly values: ProposalValues
  readonly change: (values: ProposalValues) => void
  readonly isSent: boolean
  readonly against: readonly ('mode' | 'calls' | 'order')[]
}) {
  const { against, change, isSent, values } = props
  const words = useWords()
  const { against: warns, edit: says } = words.calibration
  const { modeNames } = words.gate
  const type = (name: TimeName) => (typed: string) =>
    change({ ...values, times: { ...values.times, [name]: typed } })
  const check = (name: TimeName) => (typed: string) => {
    const bounds = outOfBounds(name, typed)
    return bounds && says.between(...bounds)
  }
  return (
    <>
      <NativeSelect
        label={words.gate.profile.mode}
        value={values.mode}
        onChange={event => change({ ...values, mode: event.currentTarget.value })}
        data={proposedModes.map(value => ({ value, label: modeNames[value] }))}
      />
      {timesOf(values.mode).map(name => (
        <Field
          key={name}
          label={says.times[name]}
          value={values.times[name]}
          change={type(name)}
          check={check(name)}
          isSent={isSent}
          input={{ inputMode: 'decimal' }}
        />
      ))}
      <div role="status">
        {against.length > 0 && (
          <Banner tone="look">{against.map(contradiction => warns[contradiction]).join(' ')}</Banner>
        )}
      </div>
    </>
  )
}
