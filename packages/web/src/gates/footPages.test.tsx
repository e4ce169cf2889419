import { exampleEvidence, exampleOpening } from '@callgate/contract/rest/opening'
import { within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { figuresOf, ids, openingOf, pathOf, sessionOf } from '../client/spaceData.kit.ts'
import { dashboardPages, expectAccessible, on } from '../pages.kit.tsx'

const pages = dashboardPages()
const page = on()

it('offers the test calls of a gate that nobody has measured, and Open last', async () => {
  await pages.open(pathOf('gates'), sessionOf(), {
    listGateFigures: () => ({
      status: 200,
      body: { figures: [figuresOf({ last: openingOf(), calibration: 'none', isNumberKnown: true })] },
    }),
  })
  const open = await page.button('Open Courtyard gate')
  const actions = within(open.parentElement as HTMLElement)
  const calls = actions.getByRole('link', { name: 'Make test calls' })
  expect(open.compareDocumentPosition(calls)).toBe(Node.DOCUMENT_POSITION_PRECEDING)
  expect(calls.getAttribute('href')).toBe(pathOf(`gates/${ids.gateId}/calibration`))
  await expectAccessible()
})

it.each([
  ['likely', 'Opening'],
  ['assumed', 'Probably opening'],
] as const)('says after a press only what the call has shown: %s', async (confidence, says) => {
  const evidence = { ...exampleEvidence, opened: 'likely', confidence } as const
  await pages.open(pathOf('gates'), sessionOf(), {
    openGate: () => ({ status: 202, body: { opened: false, openingId: ids.openingId } }),
    getOpening: () => ({
      status: 200,
      body: { opening: { ...exampleOpening, status: 'completed' }, evidence },
    }),
  })
  await page.press('Open Courtyard gate')
  await page.button(new RegExp(`^${says}`))
})
