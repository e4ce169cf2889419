// Pictures side by side in one file, small enough for the README.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'

const gap = 12

/** A picture in the file, in pixels. */
export interface ImageSize {
  readonly width: number
  readonly height: number
}

/** Writes `folder`/`name`.jpg from pictures of that folder. */
export async function writeStrip(
  browser: Browser,
  folder: string,
  name: string,
  pictures: readonly string[],
  { height, width }: ImageSize,
): Promise<void> {
  const images = await Promise.all(
    pictures.map(async picture => {
      const data = (await readFile(join(folder, `${picture}.png`))).toString('base64')
      return `<img width="${width}" height="${height}" src="data:image/png;base64,${data}">`
    }),
  )
  const whole = { width: pictures.length * (width + gap) - gap, height }
  const page = await browser.newPage({ viewport: whole })
  // The content is there when its pictures are.
  await page.setContent(
    `<body style="margin:0;display:flex;gap:${gap}px;background:#d3d9d4">${images.join('')}`,
  )
  await page.screenshot({ path: join(folder, `${name}.jpg`), type: 'jpeg', quality: 85 })
  await page.close()
}
