// Photos of gates for the pictures: the browser of the page paints them, because nothing else here writes a JPEG file.

import { putPhoto } from '@callgate/cloud/gate/gatePhotos.kit'
import type { Page } from 'playwright-core'
import type { Records } from '../../browser/records.ts'

/** A gate between two walls, under a sky of the given hue. */
const painted = (hue: number) => `(() => {
  const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 480 })
  const pen = canvas.getContext('2d')
  const fill = (colour, ...box) => { pen.fillStyle = colour; pen.fillRect(...box) }
  fill('hsl(${hue} 45% 78%)', 0, 0, 640, 300)
  fill('hsl(${hue} 12% 46%)', 0, 300, 640, 180)
  fill('hsl(28 28% 62%)', 0, 130, 120, 230)
  fill('hsl(28 28% 56%)', 520, 130, 120, 230)
  for (let x = 130; x < 510; x += 26) fill('hsl(${hue} 30% 22%)', x, 150, 12, 205)
  for (const y of [165, 325]) fill('hsl(${hue} 30% 22%)', 120, y, 400, 12)
  return canvas.toDataURL('image/jpeg', 0.8).split(',')[1]
})()`

/** Gives each gate a photo. */
export async function givePhotos(
  { cloud: { database } }: Records,
  page: Page,
  spaceId: string,
  gateIds: readonly string[],
): Promise<void> {
  for (const [place, gateId] of gateIds.entries()) {
    const bytes = Buffer.from(await page.evaluate<string>(painted(205 - 55 * place)), 'base64')
    await putPhoto(database, { spaceId, gateId }, bytes)
  }
}
