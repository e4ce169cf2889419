// The editor of one schedule: its repetition, its hours, and its first and last day.

import { SegmentedControl, TextInput } from '@mantine/core'
import { useId, useState } from 'react'
import { Button } from '../kit/Button.tsx'
import { icons } from '../kit/icons.tsx'
import { useWords } from '../words/words.tsx'
import { BoundField } from './BoundField.tsx'
import { HoursFields } from './HoursFields.tsx'
import {
  problemsOf,
  type Repeats,
  repetitions,
  type ScheduleForm,
  weekDays,
  withRepeats,
} from './scheduleForm.ts'
import './ScheduleEditor.css'

interface Editing {
  readonly form: ScheduleForm
  readonly change: (form: ScheduleForm) => void
}

function DayChoice({ change, form, isSent }: Editing & { readonly isSent: boolean }) {
  const says = useWords().schedule
  const toggle = (day: number) => {
    const days = form.days.includes(day) ? form.days.filter(other => other !== day) : [...form.days, day]
    change({ ...form, days })
  }
  return (
    <fieldset className="group editor-part">
      <legend className="editor-label">{says.startsOn}</legend>
      <div className="day-choice">
        {weekDays.map(day => (
          <button
            key={day}
            type="button"
            aria-pressed={form.days.includes(day)}
            aria-label={says.days[day]}
            onClick={() => toggle(day)}
          >
            {says.dayLetters[day]}
          </button>
        ))}
      </div>
      {isSent && problemsOf(form).days && <p className="editor-wrong">{says.wrong.days}</p>}
    </fieldset>
  )
}

function Zone({ change, form }: Editing) {
  const says = useWords().schedule
  const [isChanging, setChanging] = useState(false)
  const id = useId()
  if (!isChanging)
    return (
      <p className="editor-zone small quiet">
        <icons.language size={16} />
        <span>{says.wallClock(form.timezone)}</span>
        <button type="button" className="link target" onClick={() => setChanging(true)}>
          {says.changeZone}
        </button>
      </p>
    )
  return (
    <div className="editor-zone-change">
      <TextInput
        label={says.zone}
        description={says.zoneHint}
        value={form.timezone}
        list={id}
        autoComplete="off"
        data-autofocus
        onChange={event => change({ ...form, timezone: event.currentTarget.value.trim() })}
      />
      <datalist id={id}>
        {Intl.supportedValuesOf('timeZone').map(name => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <Button look="soft" onClick={() => setChanging(false)}>
        {says.keepZone}
      </Button>
    </div>
  )
}

function Bounds({ change, form, isSent }: Editing & { readonly isSent: boolean }) {
  const says = useWords().schedule
  const isOnce = form.repeats === 'one-shot'
  const { bounds } = problemsOf(form)
  const isTold = bounds === 'order' || (isSent && bounds !== undefined)
  return (
    <div className="editor-part">
      <div className="editor-bounds">
        <BoundField
          label={isOnce ? says.onceFrom : says.notBefore}
          bound={form.startsAt}
          zone={form.timezone}
          isEnd={false}
          hasTime={isOnce}
          change={startsAt => change({ ...form, startsAt })}
        />
        <BoundField
          label={isOnce ? says.onceUntil : says.endsOn}
          bound={form.expiresAt}
          zone={form.timezone}
          isEnd
          hasTime={isOnce}
          change={expiresAt => change({ ...form, expiresAt })}
        />
      </div>
      {isTold && bounds && (
        <p className="editor-wrong" role="alert">
          {says.wrong[bounds]}
        </p>
      )}
    </div>
  )
}

/** `isSent`: saving was tried, so every error shows. `hasNoBounds`: it has neither a first nor a last day, and repeats. */
export function ScheduleEditor(
  props: Editing & {
    readonly isSent: boolean
    readonly hasNoBounds?: true | undefined
    /** Removes it; its name says which one of several. */
    readonly remove: { readonly name: string; readonly go: () => void } | undefined
  },
) {
  const { change, form, hasNoBounds = false, isSent, remove } = props
  const says = useWords().schedule
  const id = useId()
  const hasWeek = form.repeats !== 'always' && form.repeats !== 'one-shot'
  return (
    <div className="editor">
      <div className="editor-part">
        <span className="editor-label" id={id}>
          {says.repeats}
        </span>
        <SegmentedControl
          fullWidth
          withItemsBorders={false}
          aria-labelledby={id}
          value={form.repeats}
          onChange={value => change(withRepeats(form, value as Repeats))}
          data={repetitions
            .filter(value => !hasNoBounds || value !== 'one-shot')
            .map(value => ({ value, label: says.repetitions[value] }))}
        />
      </div>
      {form.repeats === 'custom' && <DayChoice form={form} change={change} isSent={isSent} />}
      {hasWeek && (
        <HoursFields
          windows={form.windows}
          problems={problemsOf(form).windows}
          isSent={isSent}
          change={windows => change({ ...form, windows })}
        />
      )}
      {!hasNoBounds && <Bounds form={form} change={change} isSent={isSent} />}
      <Zone form={form} change={change} />
      {remove && (
        <Button look="quiet" icon={<icons.remove size={18} />} onClick={remove.go}>
          {says.remove(remove.name)}
        </Button>
      )}
    </div>
  )
}
