// The members in the pictures.

const everyDay = [0, 1, 2, 3, 4, 5, 6]
const week = (type: string, from: string, to: string, more: object = {}) => ({
  type,
  timeWindows: [{ from, to }],
  ...more,
})

/** Bodies of the REST API. */
export function people([courtyard, barrier, parking]: readonly string[]) {
  const visit = { type: 'one-shot', startsAt: '2026-03-18T10:00', expiresAt: '2026-03-18T12:00' }
  const to = (gateId: string | undefined, schedules?: readonly object[], maxUsage?: number) => ({
    gateId,
    ...(schedules && { schedules }),
    ...(maxUsage && { maxUsage }),
  })
  const nights = week('custom', '22:00', '06:00', { daysOfWeek: [5, 6], expiresAt: '2027-07-01T00:00' })
  return [
    {
      name: 'Ana Pop',
      note: 'Apartment 12',
      phone: '+40 733 555 010',
      email: 'ana.pop@example.com',
      accesses: [to(courtyard, [week('weekdays', '07:00', '19:00'), nights], 10), to(barrier)],
    },
    {
      name: 'Ion Marin',
      note: 'Bakery, mornings',
      accesses: [to(barrier, [week('custom', '05:30', '08:00', { daysOfWeek: [1, 2, 3, 4, 5, 6] })])],
    },
    {
      name: 'Courier, north tour',
      note: 'Shared phone',
      accesses: [to(courtyard, [week('weekdays', '08:00', '18:00')])],
    },
    { name: 'Elena Stan', note: 'Apartment 3', accesses: [to(courtyard), to(barrier), to(parking)] },
    {
      name: 'Віктор Ткаченко',
      note: 'Roof works',
      accesses: [
        to(courtyard, [week('weekdays', '07:00', '17:00', { startsAt: '2026-03-23T00:00' })]),
        to(barrier, [week('weekdays', '07:00', '17:00', { startsAt: '2026-03-23T00:00' })]),
      ],
    },
    { name: 'Kovács Péter', note: 'Viewing, one visit', accesses: [to(courtyard, [visit], 1)] },
    {
      name: 'Dana Ionescu',
      note: 'Nanny',
      accesses: [to(courtyard, [week('weekdays', '07:30', '17:30', { expiresAt: '2026-03-01T00:00' })])],
    },
    {
      name: 'Night guard',
      note: 'Gate house',
      accesses: [to(parking, [week('custom', '22:00', '06:00', { daysOfWeek: everyDay })])],
    },
  ]
}
