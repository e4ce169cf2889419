// The first or last day of a schedule, with a time of day where that is not midnight.

import { useState } from 'react'
import { DateField } from '../kit/DateField.tsx'
import { dayTexts } from '../kit/dayTexts.ts'
import { dayBeside, wallOf } from '../words/time.ts'
import { useWords } from '../words/words.tsx'
import { MomentField } from './MomentField.tsx'

const isMidnight = (wall: string) => wall === '' || wall.slice(11, 16) === '00:00'

/** For a person, the end is the last whole day before an end at midnight. */
const shownDay = (wall: string, isEnd: boolean) =>
  wall === '' ? '' : isEnd ? dayBeside(wall.slice(0, 10), -1) : wall.slice(0, 10)
const boundOfDay = (day: string, isEnd: boolean) =>
  day === '' ? '' : `${isEnd ? dayBeside(day, 1) : day}T00:00`

export function BoundField(props: {
  readonly label: string
  /** The read value, or a wall clock; empty: no limit. */
  readonly bound: string
  readonly zone: string
  readonly isEnd: boolean
  /** It includes a time of day. */
  readonly hasTime: boolean
  readonly change: (bound: string) => void
}) {
  const { bound, change, hasTime, isEnd, label, zone } = props
  const words = useWords()
  const says = words.schedule
  const wall = bound === '' ? '' : (wallOf(bound, zone) ?? '')
  const [isTimed, setTimed] = useState(!isMidnight(wall))
  const withTime = hasTime || isTimed || !isMidnight(wall)
  const noLimit = { ...(!hasTime && { none: dayTexts(words).noLimit }) }
  return (
    <div className="bound">
      {withTime ? (
        <MomentField
          label={label}
          value={wall}
          usualTime={isEnd ? '18:00' : '08:00'}
          change={change}
          {...noLimit}
        />
      ) : (
        <DateField
          label={label}
          value={shownDay(wall, isEnd)}
          hint={isEnd && wall !== '' ? says.endOfDay : undefined}
          change={day => change(boundOfDay(day, isEnd))}
          {...noLimit}
        />
      )}
      {!hasTime && wall !== '' && (
        <button
          type="button"
          className="link small"
          onClick={() => {
            setTimed(!withTime)
            if (withTime) change(boundOfDay(wall.slice(0, 10), isEnd))
          }}
        >
          {withTime ? says.wholeDays : says.withTime}
        </button>
      )}
    </div>
  )
}
