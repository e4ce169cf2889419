// The schedules of an access as tabs, of which one is edited; or with the editor of that one.

import { limits } from '@callgate/contract/limits'
import { useState } from 'react'
import { Button } from '../kit/Button.tsx'
import { icons } from '../kit/icons.tsx'
import { useWords } from '../words/words.tsx'
import { ScheduleEditor } from './ScheduleEditor.tsx'
import { anotherForm, isWhole, type ScheduleForm } from './scheduleForm.ts'
import { namesOf } from './sentence.ts'
import './ScheduleTabs.css'

/** Which of the schedules is edited, and a button for another one. */
export function ScheduleTabs(props: {
  readonly forms: readonly ScheduleForm[]
  readonly picked: number
  readonly isSent: boolean
  readonly pick: (place: number) => void
  readonly add: () => void
}) {
  const words = useWords()
  const says = words.schedule
  const { add, forms, isSent, pick, picked } = props
  return (
    <fieldset className="group schedule-tabs" aria-label={says.schedules}>
      {namesOf(forms, words).map((name, place) => (
        <button
          key={name}
          type="button"
          className="schedule-tab"
          aria-pressed={place === picked}
          onClick={() => pick(place)}
        >
          <span className="schedule-swatch" />
          {name}
          {isSent && forms[place] && !isWhole(forms[place]) && <icons.error size={16} />}
        </button>
      ))}
      {forms.length < limits.access.schedules.most && (
        <Button look="quiet" icon={<icons.add size={18} />} onClick={add}>
          {says.another}
        </Button>
      )}
    </fieldset>
  )
}

/** All schedules with the editor of the picked one. */
export function ScheduleList(props: {
  readonly forms: readonly ScheduleForm[]
  readonly isSent: boolean
  readonly timezone: string
  readonly hasNoBounds?: true
  readonly change: (forms: readonly ScheduleForm[]) => void
}) {
  const { change, forms, hasNoBounds, isSent, timezone } = props
  const words = useWords()
  const [chosen, setPicked] = useState(0)
  const picked = Math.min(chosen, forms.length - 1)
  const form = forms[picked]
  function add() {
    setPicked(forms.length)
    change([...forms, anotherForm(timezone)])
  }
  return (
    <>
      <ScheduleTabs forms={forms} picked={picked} isSent={isSent} pick={setPicked} add={add} />
      {form && (
        <ScheduleEditor
          key={picked}
          form={form}
          isSent={isSent}
          hasNoBounds={hasNoBounds}
          change={changed => change(forms.with(picked, changed))}
          remove={
            forms.length > 1
              ? { name: namesOf(forms, words)[picked] ?? '', go: () => change(forms.toSpliced(picked, 1)) }
              : undefined
          }
        />
      )}
    </>
  )
}
