// Scenes: pages of a cloud that a set clock and a seed make the same in each run, each in every wanted variant.

import { createServer } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { limitsInMemory } from '@callgate/cloud/limit/limits'
import { newUser } from '@callgate/cloud/user/user.kit'
import { realWorld } from '@callgate/world/real'
import type { BrowserContext, Page, Request, Route } from 'playwright-core'
import { nowText, type PastOf, type Records, serveRecords } from '../../browser/records.ts'
import { stillWorld } from '../../browser/setWorlds.ts'
import { dashboardLanguages, fitWindow, type PageLanguage, type Studio, variantName } from './studio.ts'

/** A state of the tables, the page that shows it, and the actions before the picture. */
export interface Scene {
  readonly name: string
  /** In the Space; from the top with a slash. */
  readonly path: string
  /** Before the page is opened. */
  readonly put?: () => Promise<unknown>
  /** When the page is there. */
  readonly act?: (page: Page) => Promise<unknown>
  /** After the pictures. */
  readonly undo?: () => Promise<unknown>
  readonly isSignedOut?: true
  /** No second passes on the page but those that `act` lets pass. Without it only the time of day stands. */
  readonly hasStillClock?: true
  /** Only its window is taken: the whole page is too long for a picture. */
  readonly isLong?: true
  /** At 360 pixels in the window that the bars of a phone's browser leave, as the phone shows it: other pages are read by scrolling. */
  readonly isOnPhone?: true
  /** The languages of its reader; without it those of the dashboard. */
  readonly languages?: readonly PageLanguage[]
}

/** The port of these clouds, because their addresses can be read in some pictures. */
const port = 26_480

const locales = { en: 'en-GB', ro: 'ro-RO', uk: 'uk-UA' } as const
const heights: Readonly<Record<number, number>> = { 360: 740, 390: 844, 1280: 800 }
const phone = { width: 360, height: 640 }

/** Waits while another run of the pictures has the port. */
async function portIsFree(): Promise<void> {
  for (;;) {
    const probe = createServer()
    const isFree = await new Promise<boolean>(resolve => {
      probe.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true))
    })
    if (isFree) return new Promise(resolve => probe.close(() => resolve()))
    await setTimeout(200)
  }
}

/** A cloud for scenes, in a Space with the name of the pictures. */
export async function serveScenes(past?: PastOf): Promise<Records> {
  await portIsFree()
  const world = stillWorld()
  const { monotonicMs } = realWorld({ logLevel: 'silent' })
  // A minute of the limits takes a second: a picture needs more readings than a person.
  const limits = limitsInMemory({ ...world, monotonicMs: () => 60 * monotonicMs() })
  const records = await serveRecords(past, { world, port, limits })
  const { cloud, tenant } = records
  await cloud.database.knex('spaces').where({ id: tenant.spaceId }).update({ name: 'Casa Lalelelor' })
  return records
}

/** How long a scene may wait for one thing, in milliseconds: a part of it that is lost costs no half minute for each variant. */
const longestMs = 20_000
/** Removes the member and the key that a picture has added, which the next one would list. Calls stay: their reports are kept for good. */
async function removeNews({ cloud: { database } }: Records): Promise<void> {
  const { knex } = database
  const ofMembers = knex('members').where({ name: 'Sanda Ilie' })
  await knex('accesses').whereIn('memberId', ofMembers.clone().select('id')).delete()
  await ofMembers.delete()
  await knex('apiKeys').where({ name: 'Reception tablet' }).delete()
}

/** How long the page must be at rest, in milliseconds. */
const restMs = 120

/** The page has its content, its fonts and its images. */
const hasArrived = `document.querySelector('h1') !== null && document.querySelector('.skeleton') === null
  && document.fonts.status === 'loaded' && Array.from(document.images).every(one => one.complete)`

/** Waits until the page has arrived, and every request but the stream of events and a press is answered. */
async function arrived(page: Page, open: ReadonlySet<Request>): Promise<void> {
  const step = 40
  for (let restedMs = 0, waitedMs = 0; restedMs < restMs; waitedMs += step) {
    if (waitedMs > longestMs) throw new Error('the page does not come to rest')
    await page.waitForTimeout(step)
    restedMs = open.size === 0 && (await page.evaluate<boolean>(hasArrived)) ? restedMs + step : 0
  }
}

function requestsOf(page: Page): ReadonlySet<Request> {
  const open = new Set<Request>()
  const end = (request: Request) => void open.delete(request)
  page.on('request', request => void (/\/(events|open)$/.test(request.url()) || open.add(request)))
  page.on('requestfinished', end)
  page.on('requestfailed', end)
  return open
}

/**
 * On a busy machine a font may come too late to be used at all: here every text waits for its own. And a change of the scheme is
 * there at once, so that no picture shows a colour on its way to another.
 */
async function withoutDelays(route: Route): Promise<void> {
  const response = await route.fetch()
  const body = (await response.text()).replace(/font-display:\s*\w+/g, 'font-display:block')
  await route.fulfill({ response, body: `${body}\n*, ::before, ::after { transition: none !important }` })
}

/** A browser in which the owner is signed in. */
interface SignedIn {
  readonly language: PageLanguage
  readonly width: number
  readonly context: BrowserContext
  readonly cookie: { readonly name: string; readonly value: string; readonly url: string }
}

/** A browser for each language and width. */
async function signedInBrowsers(
  { browser, scale, variants }: Studio,
  { cloud: { base, database }, tenant, world }: Records,
): Promise<readonly SignedIn[]> {
  const { spaceId } = tenant
  const owner = await newUser(
    { database, world },
    { email: 'mihai@example.com', spaceId, name: 'Mihai Radu' },
  )
  const cookie = { name: 'sid', value: owner.token, url: base }
  const signedIn: SignedIn[] = []
  for (const language of variants.languages)
    for (const width of variants.widths) {
      const context = await browser.newContext({
        baseURL: base,
        viewport: { width, height: heights[width] ?? 800 },
        deviceScaleFactor: scale,
        locale: locales[language],
        timezoneId: 'Europe/Bucharest',
        reducedMotion: 'reduce',
        // The light picture comes first. So all of it is drawn anew, in the window of the picture.
        colorScheme: 'dark',
      })
      context.setDefaultTimeout(longestMs)
      await context.route(/\.css$/, withoutDelays)
      signedIn.push({ language, width, context, cookie })
    }
  return signedIn
}

/** One scene in one browser, in every wanted scheme. */
async function shootScene(
  { shoot, variants }: Studio,
  { context, cookie, language, width }: SignedIn,
  { act, hasStillClock, isLong, isOnPhone, isSignedOut, path, put, undo }: Scene,
  { name, undoNews }: { readonly name: string; readonly undoNews: () => Promise<void> },
): Promise<void> {
  await context.clearCookies()
  if (!isSignedOut) await context.addCookies([cookie])
  const now = new Date(nowText)
  await (hasStillClock ? context.clock.pauseAt(now) : context.clock.setFixedTime(now))
  await put?.()
  const page = await context.newPage()
  const isInBars = isOnPhone && width === phone.width
  if (isInBars) await page.setViewportSize(phone)
  try {
    const open = requestsOf(page)
    await page.goto(path)
    await arrived(page, open)
    await act?.(page)
    await arrived(page, open)
    if (!isLong && !isInBars) await fitWindow(page)
    // Images that were below the window come now. What lies below one is drawn until it was drawn once.
    await arrived(page, open)
    if (await page.evaluate<boolean>('document.images.length > 0')) await page.screenshot()
    for (const colorScheme of variants.schemes) {
      await page.emulateMedia({ colorScheme })
      await shoot(variantName(name, language, width, colorScheme), page)
    }
  } finally {
    await page.close()
    await context.setOffline(false)
    await undo?.()
    await undoNews()
  }
}

/**
 * Takes the pictures of `scenes`, in their order: what one leaves behind is there for the next. A scene that fails is named, and the
 * others go on.
 */
export async function shootScenes(
  studio: Studio,
  records: Records,
  begin: string,
  scenes: readonly Scene[],
): Promise<void> {
  const browsers = await signedInBrowsers(studio, records)
  const undoNews = () => removeNews(records)
  for (const scene of scenes) {
    const name = begin + scene.name
    if (!studio.isWanted(name)) continue
    const path = scene.path.startsWith('/') ? scene.path : `/spaces/${records.tenant.spaceId}/${scene.path}`
    for (const signedIn of browsers) {
      if (!(scene.languages ?? dashboardLanguages).includes(signedIn.language)) continue
      // A call may have taken some seconds.
      records.world.setClock(nowText)
      await records.cloud.database.knex('users').update({ language: signedIn.language })
      await shootScene(studio, signedIn, { ...scene, path }, { name, undoNews }).catch((error: Error) => {
        process.exitCode = 1
        process.stderr.write(`${name} ${signedIn.language} ${signedIn.width}: ${error.message}\n`)
      })
    }
  }
  for (const { context } of browsers) await context.close()
}
