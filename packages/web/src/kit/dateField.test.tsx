import { screen } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { accessOf, ids, memberOf, pathOf, sessionOf } from '../client/spaceData.kit.ts'
import { noTimes } from '../members/members.kit.ts'
import { dashboardPages, expectAccessible, on } from '../pages.kit.tsx'

const pages = dashboardPages()
const page = on()

/** Shows the hours of an access that ends at the end of 30 June. */
const open = (language: 'en' | 'ro' = 'en') =>
  pages.open(pathOf(`members/${ids.memberId}`), sessionOf({ language }), {
    getMemberView: () => ({
      status: 200,
      body: {
        member: memberOf({
          accesses: [
            accessOf({
              schedules: [{ type: 'always', expiresAt: '2026-07-01T00:00', timezone: 'Europe/Bucharest' }],
            }),
          ],
        }),
      },
    }),
    previewSchedules: noTimes,
  })

// Friday, 14:32 in Bucharest.
beforeEach(() => void vi.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-03-20T12:32:00Z')))

it('shows and reads a day in the language of the page, and goes back from what is none', async () => {
  await open()
  expect(await page.typed('Ends')).toBe('30 Jun 2026')
  expect(((await page.field('Not before')) as HTMLInputElement).placeholder).toBe('no limit')
  await page.fill('Ends', '31 Jun 2026')
  await page.says('“31 Jun 2026” is not a date. Type one such as 30 Jun 2026.')
  expect(await page.typed('Ends')).toBe('30 Jun 2026')
  await expectAccessible()
  await page.fill('Ends', '1.7.26')
  expect(await page.typed('Ends')).toBe('1 Jul 2026')
  await page.says(/^until the end of 1 July 2026\.$/)
  await page.fill('Ends', '')
  await page.says('Any time.')
})

it('speaks Romanian', async () => {
  await open('ro')
  const [end] = await screen.findAllByDisplayValue('30 iun. 2026')
  expect(end).toBeDefined()
  await page.says(/^până la sfârșitul zilei de 30 iunie 2026\.$/)
})

it('chooses a day by the keyboard, and gives the focus back', async () => {
  await open()
  await page.press('Ends: change 30 Jun 2026')
  const calendar = page.part('dialog')
  await calendar.says('June')
  await expect.poll(() => document.activeElement?.getAttribute('aria-label')).toBe('Tuesday, 30 June 2026')
  await expectAccessible()
  await page.key('{PageDown}{ArrowLeft}{ArrowUp}')
  await expect.poll(() => document.activeElement?.getAttribute('aria-label')).toBe('Wednesday, 22 July 2026')
  await page.key('{Shift>}{PageDown}{/Shift}{Home}{Enter}')
  expect(await page.typed('Ends')).toBe('19 Jul 2027')
  await expect.poll(() => document.activeElement?.getAttribute('aria-label')).toBe('Ends: change 19 Jul 2027')
})

it('takes the limit away, and closes by Escape without a change', async () => {
  await open()
  await page.press('Ends: change 30 Jun 2026')
  await page.key('{ArrowRight}{Escape}')
  expect(await page.typed('Ends')).toBe('30 Jun 2026')
  await page.press('Ends: change 30 Jun 2026')
  await page.press('no limit')
  expect(await page.typed('Ends')).toBe('')
  await page.says('Any time.')
})
