// The hours of a schedule: one line for each stretch of a day, or the whole day.

import { limits } from '@callgate/contract/limits'
import type { TimeWindow } from '@callgate/contract/rest/schedule'
import { TextInput } from '@mantine/core'
import { useId, useState } from 'react'
import { IconButton } from '../kit/Button.tsx'
import { icons } from '../kit/icons.tsx'
import { useWords } from '../words/words.tsx'
import { timeTyped, type WindowProblem } from './scheduleForm.ts'

const firstHours: TimeWindow = { from: '08:00', to: '18:00' }

function TimeField(props: {
  readonly label: string
  readonly value: string
  readonly isWrong: boolean
  readonly describedBy: string
  readonly change: (value: string) => void
  readonly leave: () => void
}) {
  const { change, describedBy, isWrong, label, leave, value } = props
  return (
    <TextInput
      className="hours-time"
      aria-label={label}
      aria-describedby={describedBy}
      inputMode="numeric"
      autoComplete="off"
      maxLength={8}
      value={value}
      error={isWrong}
      rightSection={<icons.clock size={18} />}
      rightSectionPointerEvents="none"
      onChange={event => change(event.currentTarget.value)}
      onBlur={() => {
        const time = timeTyped(value)
        if (time !== undefined && time !== value) change(time)
        leave()
      }}
    />
  )
}

function HoursLine(props: {
  readonly window: TimeWindow
  readonly problem: WindowProblem | undefined
  readonly isSent: boolean
  readonly change: (window: TimeWindow) => void
  readonly remove: () => void
}) {
  const { change, isSent, problem, remove, window } = props
  const says = useWords().schedule
  const [wasLeft, setLeft] = useState(false)
  const id = useId()
  const isTold = problem !== undefined && (wasLeft || isSent)
  const [from, to] = [timeTyped(window.from), timeTyped(window.to)]
  const isNight = from !== undefined && to !== undefined && to !== '00:00' && to < from
  const isWrong = (time: string | undefined) => isTold && (problem === 'noLength' || time === undefined)
  const field = { describedBy: id, leave: () => setLeft(true) }
  return (
    <div className="hours-line">
      <div className="hours-fields">
        <TimeField
          label={says.begins}
          value={window.from}
          isWrong={isWrong(from)}
          change={value => change({ ...window, from: value })}
          {...field}
        />
        <span>{says.to}</span>
        <TimeField
          label={says.ends}
          value={window.to}
          isWrong={isWrong(to)}
          change={value => change({ ...window, to: value })}
          {...field}
        />
        <IconButton label={says.removeHours(says.hours(window.from, window.to))} onClick={remove}>
          <icons.remove />
        </IconButton>
      </div>
      <p id={id} className={isTold ? 'editor-wrong' : 'hours-hint small quiet'}>
        {isTold ? (
          says.wrong[problem]
        ) : isNight ? (
          <>
            <icons.night size={16} />
            <span>{says.endsNextMorning}</span>
          </>
        ) : null}
      </p>
    </div>
  )
}

/** `problems` has one entry for each window. */
export function HoursFields(props: {
  readonly windows: readonly TimeWindow[]
  readonly problems: readonly (WindowProblem | undefined)[]
  readonly isSent: boolean
  readonly change: (windows: readonly TimeWindow[]) => void
}) {
  const { change, isSent, problems, windows } = props
  const says = useWords().schedule
  return (
    <fieldset className="group editor-part">
      <legend className="editor-label">{says.between}</legend>
      {windows.length === 0 && <p className="quiet">{says.wholeDay}</p>}
      {windows.map((window, place) => (
        <HoursLine
          // Lines are identified by their place only.
          key={String(place)}
          window={window}
          problem={problems[place]}
          isSent={isSent}
          change={changed => change(windows.with(place, changed))}
          remove={() => change(windows.toSpliced(place, 1))}
        />
      ))}
      {windows.length < limits.schedule.timeWindows.most && (
        <button
          type="button"
          className="editor-add"
          onClick={() => change([...windows, windows.length === 0 ? firstHours : { from: '', to: '' }])}
        >
          <icons.add size={16} />
          {windows.length === 0 ? says.setHours : says.moreHours}
        </button>
      )}
    </fieldset>
  )
}
