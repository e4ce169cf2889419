// The pictures of the members: their list, one member with the hours of the week, and the link on a phone.

import type { Member } from '@callgate/contract/rest/member'
import { type DashboardStudio, phone } from './dashboardScreens.ts'

const everyDay = [0, 1, 2, 3, 4, 5, 6]
const week = (type: string, from: string, to: string, more: object = {}) => ({
  type,
  timeWindows: [{ from, to }],
  ...more,
})

/** The members of the pictures; the first two gates are the courtyard and the barrier. */
function people([courtyard, barrier, parking]: readonly string[]) {
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

async function addPeople({ demo }: DashboardStudio): Promise<string> {
  const made: string[] = []
  for (const body of people(demo.ready.gates.map(({ id }) => id))) {
    const answer = await demo.call('POST', '/api/v1/members', body)
    made.push((answer.body as { member: Member }).member.id)
  }
  return made[0] ?? ''
}

/** Takes every picture of the members. */
export async function shootMembers(studio: DashboardStudio): Promise<void> {
  const { shoot, visit } = studio
  const ana = await addPeople(studio)
  await visit('members', async page => {
    await page.getByRole('link', { name: 'Night guard' }).waitFor()
    await shoot('dash-members-1280', page)
    await page.emulateMedia({ colorScheme: 'dark' })
    await shoot('dash-members-1280-dark', page)
  })
  for (const [name, options] of [
    ['dash-member-1280', { viewport: { width: 1280, height: 1640 } }],
    ['dash-member-390', { viewport: { width: 390, height: 2400 } }],
  ] as const)
    await visit(
      `members/${ana}`,
      async page => {
        await page.getByRole('region', { name: 'The next times' }).getByRole('listitem').nth(9).waitFor()
        await page
          .getByRole('switch', { name: /Yard|Barrier|switched on/ })
          .last()
          .click({ force: true })
        await page.getByLabel('Uses at most').fill('12')
        await page.getByText('2 changes').waitFor()
        await page.evaluate('scrollTo(0, 0)')
        await shoot(name, page)
        await page.emulateMedia({ colorScheme: 'dark' })
        await shoot(`${name}-dark`, page)
      },
      options,
    )
  await visit(
    'members',
    async page => {
      await page.getByRole('link', { name: 'Night guard' }).waitFor()
      await shoot('dash-members-390', page)
    },
    phone,
  )
  await visit(`members/${ana}`, async page => {
    await page.getByRole('button', { name: 'QR', exact: true }).click()
    await page.getByRole('img', { name: 'The link as a QR code' }).waitFor()
    await shoot('dash-member-qr-1280', page)
  })
}
