import type { AccessTemplate } from '@callgate/contract/app/accessTemplate'
import { exampleMember } from '@callgate/contract/rest/member'
import { beforeEach, expect, it, vi } from 'vitest'
import type { Answers } from '../client/fakeCloud.kit.ts'
import { another, gateOf, ids, pathOf, sessionOf } from '../client/spaceData.kit.ts'
import { noTimes } from '../members/members.kit.ts'
import { dashboardPages, expectAccessible, noDialog, on } from '../pages.kit.tsx'

const pages = dashboardPages()
const page = on()
const dialog = page.part('dialog')
const gates = ['Courtyard gate', 'Yard barrier'].map((name, place) =>
  gateOf({ id: another(ids.gateId, place), name }),
)
const guest: AccessTemplate = {
  name: 'Weekend guest',
  gateIds: [gates[1]?.id ?? ''],
  schedules: [{ type: 'weekends', timezone: 'Europe/Bucharest' }],
  endsAfterDays: 3,
  maxUsage: 10,
}

// Friday, 14:32 in Bucharest.
beforeEach(() => void vi.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-03-20T12:32:00Z')))

/** A Space with these templates, in the state of the last save. */
function space(first: readonly AccessTemplate[] = []) {
  let templates = [...first]
  return {
    listGates: () => ({ status: 200, body: { gates } }),
    listAccessTemplates: () => ({ status: 200, body: { templates } }),
    saveAccessTemplates({ body }) {
      templates = body.templates as AccessTemplate[]
      return { status: 200, body: { templates } }
    },
    previewSchedules: noTimes,
  } satisfies Answers
}

it('adds, changes and removes a template', async () => {
  const cloud = await pages.open(pathOf('settings/templates'), sessionOf(), space([guest]))
  await page.says('Changing a template changes no access')
  await page.says('Yard barrier · for 3 days · 10 uses at most')
  await expectAccessible()
  await page.press('Add template')
  await dialog.fill('Name', 'weekend GUEST')
  await dialog.says('There is a template with this name.')
  await dialog.fill('Name', 'Cleaner')
  await dialog.fill('Ends after so many days', '0')
  await dialog.says('Type a whole number from 1 to 3650, or nothing.')
  await dialog.fill('Ends after so many days', '')
  await dialog.tap('Mon–Fri')
  await expectAccessible()
  await dialog.press('Save')
  await noDialog()
  await page.says('no fixed gate · no end · no limit')
  await page.press('Edit Weekend guest')
  await dialog.check('Courtyard gate')
  await dialog.press('Save')
  await noDialog()
  await page.press('Edit Cleaner')
  await dialog.press('Remove the template')
  await dialog.says('Accesses that were given by it stay as they are.')
  // Who thinks better of it is back in the form, and nothing is removed.
  await dialog.press('Cancel')
  await dialog.field('Ends after so many days')
  expect(cloud.count('saveAccessTemplates')).toBe(2)
  await dialog.press('Remove the template')
  await expectAccessible()
  await dialog.press('Remove the template')
  await noDialog()
  const hours = {
    type: 'weekdays',
    timeWindows: [{ from: '08:00', to: '18:00' }],
    timezone: 'Europe/Bucharest',
  }
  const cleaner = { name: 'Cleaner', gateIds: [], schedules: [hours], endsAfterDays: null, maxUsage: null }
  const changed = { ...guest, gateIds: [gates[1]?.id, gates[0]?.id] }
  expect(cloud.bodies('saveAccessTemplates').map(({ templates }) => templates)).toEqual([
    [guest, cleaner],
    [changed, cleaner],
    [changed],
  ])
})

it('gives the accesses of a template to a new member, and fills in those of another one', async () => {
  const cloud = await pages.open(pathOf('members/new'), sessionOf(), {
    ...space([guest, { ...guest, name: 'Cleaner', gateIds: [], endsAfterDays: null, maxUsage: null }]),
    createMember: () => ({ status: 201, body: { member: { ...exampleMember, id: ids.memberId } } }),
    getMemberView: () => ({ problem: 'not_found', message: 'It is not looked at.' }),
  })
  await page.fill('Name', 'Ana Pop')
  const choice = page.part('region', 'Gates')
  await choice.press('Take from a template')
  await page.choose('menuitem', 'Weekend guest')
  await page.says('10 of 10 uses left')
  await choice.check('Courtyard gate')
  const card = page.part('region', 'Courtyard gate')
  await card.press('More for Courtyard gate')
  await page.choose('menuitem', 'Cleaner')
  await page.press('Add member')
  await page.says('There is no such member')
  const weekend = { type: 'weekends', timezone: 'Europe/Bucharest' }
  expect(cloud.bodies('createMember')).toMatchObject([
    {
      accesses: [
        { gateId: gates[0]?.id, maxUsage: null, schedules: [weekend] },
        { gateId: gates[1]?.id, maxUsage: 10, schedules: [{ ...weekend, expiresAt: '2026-03-23T00:00' }] },
      ],
    },
  ])
})
