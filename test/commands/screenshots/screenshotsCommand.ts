// `pnpm screenshots`: pictures of every page and mail. Its clouds have a clock that stands and a seed for all that is random, so that
// two runs write the same pictures.

import { mkdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { startChromium } from '../../browser/chromium.ts'
import type { PastOf, Records } from '../../browser/records.ts'
import { buildStale } from '../../buildOnce.ts'
import { readOptions } from '../../commandLine.ts'
import { calibrationScenes } from './calibrationScenes.ts'
import { freshScenes } from './freshScenes.ts'
import { gateScenes } from './gateScenes.ts'
import { guestScenes } from './guestScenes.ts'
import { installerScenes } from './installerScenes.ts'
import { shootKit } from './kitScreens.ts'
import { shootMails } from './mailScreens.ts'
import { documentScenes, pageScenes } from './pageScenes.ts'
import { differences, writeIndex } from './pictureIndex.ts'
import { month, recordScenes } from './recordScenes.ts'
import { type Scene, serveScenes, shootScenes } from './scenes.ts'
import { writeStrip } from './strip.ts'
import { allVariants, fewVariants, type Studio } from './studio.ts'

const help = `Usage: pnpm screenshots [--to FOLDER] [--only TEXT] [--all] [--scale N] [--against FOLDER]

Writes a picture of each state of the pages and of each mail, and an index.html that shows them side by side.

  --to FOLDER        where the pictures are written (.callgate/screenshots)
  --only TEXT        only pictures whose name contains TEXT
  --all              each page in English and Romanian at 360, 390 and 1280 pixels, light and dark, the guest's page in
                     Ukrainian too, at 360 in the window of a phone's browser, and the mails in all eight languages; else in
                     English at 390 and 1280, light
  --scale N          pixels of the picture for one of the page (2)
  --against FOLDER   ends with 1 and the names of those that differ from the pictures of an earlier run
  --help             prints this
`

const {
  against,
  all = false,
  only = '',
  scale = '2',
  to = '.callgate/screenshots',
} = readOptions(help, {
  to: { type: 'string' },
  only: { type: 'string' },
  all: { type: 'boolean' },
  scale: { type: 'string' },
  against: { type: 'string' },
})
const folder = resolve(to)
await mkdir(folder, { recursive: true })
process.env['TZ'] = 'Europe/Bucharest'
// A dashboard that is not built, or is older than its sources, would be in the pictures.
await buildStale(['web'])
// Each tile is drawn as a whole: else edges depend on what was drawn in it before.
const browser = await startChromium(['--disable-partial-raster'])
const studio: Studio = {
  browser,
  scale: Number(scale),
  variants: all ? allVariants : fewVariants,
  isWanted: begin => only.startsWith(begin) || begin.includes(only),
  async shoot(name, page) {
    if (!name.includes(only)) return
    const path = join(folder, `${name}.png`)
    await rm(path, { force: true })
    const take = () => page.screenshot({ path, animations: 'disabled' })
    // A busy machine sometimes gives none at once.
    await take().catch(take)
    process.stdout.write(`${name}\n`)
  },
}

/** Takes the pictures of scenes in a cloud of their own, where one of them can be wanted. */
async function shoot(
  begin: string,
  scenesOf: (records: Records) => readonly Scene[] | Promise<readonly Scene[]>,
  past?: PastOf,
): Promise<void> {
  if (!only.startsWith(begin) && !begin.includes(only)) return
  const records = await serveScenes(past)
  try {
    await shootScenes(studio, records, begin, await scenesOf(records))
  } finally {
    await records.cloud.stop()
  }
}

try {
  if (studio.isWanted('kit')) await shootKit(studio)
  if (studio.isWanted('mail')) await shootMails(studio)
  await shoot('docs-', () => documentScenes)
  await shoot('guest-', guestScenes, async () => {})
  await shoot('dash-', pageScenes)
  await shoot('dash-gates-', gateScenes, async () => {})
  await shoot('dash-records-', () => recordScenes, month)
  await shoot('dash-steps-', calibrationScenes)
  await shoot('dash-installer-', installerScenes)
  await shoot('dash-fresh-', freshScenes, async () => {})
  // For the README, where they are .github/pictures/guest.jpg and dashboard.jpg.
  if (all && only === '') {
    const phones = ['ready', 'ringing', 'opened', 'unknown'].map(state => `guest-${state}-en-390`)
    await writeStrip(browser, folder, 'guest', phones, { width: 240, height: 519 })
    await writeStrip(browser, folder, 'dashboard', ['dash-gates-states-en-1280'], { width: 996, height: 703 })
  }
} finally {
  await browser.close()
}
await writeIndex(folder)
if (against !== undefined) {
  const differing = await differences(folder, resolve(against))
  for (const name of differing) process.stdout.write(`differs: ${name}\n`)
  if (differing.length > 0) process.exitCode = 1
}
