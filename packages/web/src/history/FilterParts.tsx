// The filters that the history and the activity share: gate and time, stored in the address of the page.

import { NativeSelect } from '@mantine/core'
import { useCallback } from 'react'
import { useSearchParams } from 'wouter'
import { useRead } from '../client/reading.tsx'
import type { Reader } from '../gates/gateWords.ts'
import { DateField } from '../kit/DateField.tsx'
import { zoneOf } from '../words/zone.ts'
import { type Filters, filtersOf, searchOf, type Time, todayOf } from './filters.ts'

/** The filters in the address, and a function that changes some of them. */
export function useFilters(): readonly [Filters, (change: Partial<Filters>) => void] {
  const [search, setSearch] = useSearchParams()
  const change = useCallback(
    (change: Partial<Filters>) =>
      setSearch(now => searchOf({ ...filtersOf(now), ...change }), { replace: true }),
    [setSearch],
  )
  return [filtersOf(search), change]
}

interface FilterProps {
  readonly filters: Filters
  readonly change: (change: Partial<Filters>) => void
  readonly reader: Reader
}

export function GateFilter({ change, filters, reader }: FilterProps) {
  const says = reader.words.history
  const gates = useRead('listGates', {})
  const { gateId = '' } = filters
  const known = (gates.value?.gates ?? []).map(({ id, name }) => ({ value: id, label: name }))
  const isKnown = gateId === '' || known.some(({ value }) => value === gateId)
  return (
    <NativeSelect
      className="filter"
      aria-label={says.gate}
      value={gateId}
      onChange={event => change({ gateId: event.currentTarget.value || undefined })}
      data={[
        { value: '', label: says.allGates },
        ...known,
        // A deleted gate may still have records.
        ...(isKnown ? [] : [{ value: gateId, label: gateId }]),
      ]}
    />
  )
}

const choiceOf = (time: Time) => (time.is === 'days' ? `${time.days}d` : time.is)

export function TimeFilter({ change, filters, reader }: FilterProps) {
  const { history: says } = reader.words
  const { time } = filters
  const today = todayOf(zoneOf(reader.times.zone), reader.nowMs)

  function choose(choice: string) {
    if (choice === 'all') return change({ time: { is: 'all' } })
    if (choice === 'dates') return change({ time: { is: 'dates', from: today, to: today } })
    change({ time: { is: 'days', days: Number.parseInt(choice, 10) } })
  }

  /** One that would reverse the range moves the other date with it. */
  function setDate(which: 'from' | 'to', date: string) {
    if (time.is !== 'dates') return
    const typed = { ...time, [which]: date }
    const isRound = typed.from > typed.to
    change({ time: isRound ? { is: 'dates', from: date, to: date } : typed })
  }

  return (
    <>
      <NativeSelect
        className="filter"
        aria-label={says.time}
        value={choiceOf(time)}
        onChange={event => choose(event.currentTarget.value)}
        data={Object.entries(says.times).map(([value, label]) => ({ value, label }))}
      />
      {time.is === 'dates' &&
        (['from', 'to'] as const).map(which => (
          <div key={which} className="filter-date">
            <DateField
              label={says[which]}
              max={today}
              value={time[which]}
              change={date => setDate(which, date)}
            />
          </div>
        ))}
    </>
  )
}
