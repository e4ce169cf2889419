// `pnpm screenshots`: pictures of the running product, with a real demo and real openings of the simulator, so it takes some
// minutes. Every clock begins at the same moment.

import { mkdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { startChromium } from '../../browser/chromium.ts'
import { readOptions } from '../../commandLine.ts'
import { startDemo } from '../../processes/endToEnd/demoProcess.ts'
import { shootCalibration } from './calibrationScreens.ts'
import { dashboardStudio, shootFirstSteps } from './dashboardScreens.ts'
import { shootGates } from './gateScreens.ts'
import { furnish, type Studio, shootGuest } from './guestScreens.ts'
import { shootInstaller } from './installerScreens.ts'
import { shootKeys } from './keyScreens.ts'
import { shootKit } from './kitScreens.ts'
import { shootMails } from './mailScreens.ts'
import { shootMembers } from './memberScreens.ts'
import { setPictureTime, withPictureTime } from './pictureTime.ts'
import { shootRecords } from './recordScreens.ts'
import { writeStrip } from './strip.ts'

const help = `Usage: pnpm screenshots [--to FOLDER] [--only TEXT] [--scale N]

Starts the demo with its simulator, opens its gates as guests do, and writes a picture of each state of the pages.

  --to FOLDER   where the pictures are written (.callgate/screenshots)
  --only TEXT   only pictures whose name contains TEXT
  --scale N     pixels of the picture for one of the page (2)
  --help        prints this
`

const {
  only = '',
  scale = '2',
  to = '.callgate/screenshots',
} = readOptions(help, {
  to: { type: 'string' },
  only: { type: 'string' },
  scale: { type: 'string' },
})
const folder = resolve(to)
await mkdir(folder, { recursive: true })
const browser = withPictureTime(await startChromium(), setPictureTime())
const bare: Omit<Studio, 'demo'> = {
  browser,
  scale: Number(scale),
  async shoot(name, page) {
    if (!name.includes(only)) return
    await rm(join(folder, `${name}.png`), { force: true })
    await page.screenshot({ path: join(folder, `${name}.png`) })
    process.stdout.write(`${name}\n`)
  },
}
/** Whether a name with this beginning can contain `only`: a part without such a name is not run at all. */
const isWanted = (begin: string) => only.startsWith(begin) || begin.includes(only)

// The gates have demos of their own, because their history comes from a fast network.
if (['dash-gates', 'dash-gate-', 'dash-signin', 'dash-empty'].some(isWanted)) await shootGates(bare)
if (isWanted('kit')) await shootKit(bare)
if (isWanted('mail')) await shootMails(bare)
// The records have a cloud of their own, because they need a month.
if (['dash-history', 'dash-gateways'].some(isWanted)) await shootRecords(bare)
if (isWanted('dash-calibration')) await shootCalibration(bare)
if (isWanted('dash-installer')) await shootInstaller(bare)
const demo = await startDemo({ args: [] })
const studio: Studio = { ...bare, demo }
try {
  await furnish(studio)
  if (isWanted('dash-onboarding')) await shootFirstSteps(await dashboardStudio(studio))
  if (isWanted('dash-member')) await shootMembers(await dashboardStudio(studio))
  if (isWanted('dash-keys')) await shootKeys(await dashboardStudio(studio))
  // The guest's part comes last: at its end the modem has no supply.
  if (isWanted('guest')) await shootGuest(studio)
  // For the README, where they are .github/pictures/guest.jpg and dashboard.jpg.
  if (only === '') {
    const phones = ['guest-ready', 'guest-ringing', 'guest-opened', 'guest-unknown']
    await writeStrip(browser, folder, 'guest', phones, { width: 240, height: 493 })
    await writeStrip(browser, folder, 'dashboard', ['dash-gates-1280'], { width: 996, height: 623 })
  }
} finally {
  await browser.close()
  await demo.remove()
}
