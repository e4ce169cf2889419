import fc from 'fast-check'
import { expect, it } from 'vitest'
import { anySchedule } from './schedule.kit.ts'
import { formOf, newForm } from './scheduleForm.ts'
import { barsOf, dayMinutes, rowMinutes } from './weekBars.ts'

/** The minutes of a week in a schedule's windows, counted one by one. */
function minutesSaid(form: ReturnType<typeof formOf>): ReadonlySet<number> {
  const days = { weekdays: [1, 2, 3, 4, 5], weekends: [0, 6], always: [0, 1, 2, 3, 4, 5, 6] }
  const said = new Set<number>()
  if (form.repeats === 'one-shot') return said
  const isAlways = form.repeats === 'always' || form.windows.length === 0
  const windows = isAlways ? [{ from: '00:00', to: '00:00' }] : form.windows
  for (const day of form.repeats === 'custom' ? form.days : days[form.repeats])
    for (const { from, to } of windows) {
      const at = (clock: string) => Number(clock.split(':')[0]) * 60 + Number(clock.split(':')[1])
      let minute = at(from)
      do {
        said.add((day * dayMinutes + minute) % (7 * dayMinutes))
        minute += 1
        // The last minute of a day that ends at 23:59 belongs to it.
      } while (minute % dayMinutes !== (to === '23:59' ? 0 : at(to)))
    }
  return said
}

it('covers exactly the minutes of the windows', () => {
  fc.assert(
    fc.property(anySchedule, schedule => {
      const form = formOf(schedule)
      const covered = new Set<number>()
      for (const { day, from, to } of barsOf(form)) {
        expect(from).toBeLessThan(to)
        expect(to).toBeLessThanOrEqual(rowMinutes)
        for (let minute = from; minute < Math.min(to, dayMinutes); minute++)
          covered.add(day * dayMinutes + minute)
      }
      expect(covered).toEqual(minutesSaid(form))
    }),
    { numRuns: 100 },
  )
})

it('shows a night in one piece, and again in the morning after', () => {
  const night = { ...newForm('Europe/Bucharest'), repeats: 'custom', days: [6] } as const
  expect(barsOf({ ...night, windows: [{ from: '22:00', to: '06:00' }] })).toEqual([
    { day: 6, from: 1320, to: 1800, isCarried: false, starts: '22:00', ends: '06:00' },
    { day: 0, from: 0, to: 360, isCarried: true, starts: '22:00', ends: '06:00' },
  ])
  // A window that continues after six is cut at the end of its row, and whole in the next row.
  const [own, carried] = barsOf({ ...night, windows: [{ from: '22:00', to: '14:00' }] })
  expect([own?.to, carried?.to]).toEqual([rowMinutes, 14 * 60])
})

it('shows nothing of a window that is not completely typed', () => {
  const form = {
    ...newForm('Europe/Bucharest'),
    repeats: 'weekdays',
    windows: [{ from: '22:00', to: '' }],
  } as const
  expect(barsOf(form)).toEqual([])
})
