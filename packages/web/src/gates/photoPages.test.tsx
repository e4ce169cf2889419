import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { figuresOf, ids, pathOf, sessionOf } from '../client/spaceData.kit.ts'
import { dashboardPages, expectAccessible, on } from '../pages.kit.tsx'
import { middleOf, scaledSize } from './photoFile.ts'

const pages = dashboardPages()
const page = on()
const dialog = page.part('dialog')
const hash = 'h'.repeat(22)
const address = `/app/v1/spaces/${ids.spaceId}/gates/${ids.gateId}/photo/file?hash=${hash}`
const picture = () => document.querySelector(`img[src="${address}"]`)

it('removes the photo of a gate after a question, with the state that was shown', async () => {
  let photo: { hash: string; setAt: string } | null = { hash, setAt: '2026-03-20T12:00:00.000Z' }
  const cloud = await pages.open(pathOf(`gates/${ids.gateId}`), sessionOf({ role: 'admin' }), {
    getGatePhoto: () => ({ status: 200, body: { photo } }),
    setGatePhoto() {
      photo = null
      return { status: 200, body: { photo } }
    },
  })
  await page.says('Guests see it beside the name of the gate.')
  expect(picture()?.getAttribute('alt')).toBe('')
  await expectAccessible()
  await page.press('Remove')
  await expectAccessible()
  await dialog.press('Remove')
  await page.button('Choose a photo')
  expect(cloud.bodies('setGatePhoto')).toEqual([{ jpeg: null }])
  expect(picture()).toBeNull()
})

it('shows the photo on the card of a gate that has one', async () => {
  await pages.open(pathOf('gates'), sessionOf(), {
    listGateFigures: () => ({ status: 200, body: { figures: [figuresOf({ photo: hash })] } }),
  })
  await page.of('heading', 'Courtyard gate')
  expect(picture()?.closest('li')).toBe(screen.getByRole('heading', { name: 'Courtyard gate' }).closest('li'))
  await expectAccessible()
})

it.each([
  ['a photo of a phone', [4000, 3000], [0, 0, 4000, 3000], [640, 480]],
  ['a wide one', [1920, 1080], [240, 0, 1440, 1080], [640, 480]],
  ['a high one', [3000, 4000], [0, 875, 3000, 2250], [640, 480]],
  ['a small one', [400, 400], [0, 50, 400, 300], [400, 300]],
  ['a line', [1000, 1], [499.333, 0, 1.333, 1], [1, 1]],
])('cuts the middle out of %s, and makes nothing larger', (_, [width = 0, height = 0], cut, size) => {
  const part = middleOf({ width, height })
  const rounded = [part.left, part.top, part.width, part.height].map(one => Math.round(one * 1_000) / 1_000)
  expect(rounded).toEqual(cut)
  expect(Object.values(scaledSize(part, 1))).toEqual(size)
})
