// What every part of the pictures gets: the browser, which pictures are wanted, and how one is taken.

import type { Language } from '@callgate/contract/language'
import type { Browser, Page } from 'playwright-core'

export type Scheme = 'light' | 'dark'

export const dashboardLanguages: readonly PageLanguage[] = ['en', 'ro']
/** Ukrainian, in which words are long and letters of another script, is one of the guests' eight. */
export type PageLanguage = 'en' | 'ro' | 'uk'

/** The variants of each page that are taken. */
export interface Variants {
  readonly languages: readonly PageLanguage[]
  /** Those of the mails. */
  readonly mailLanguages: readonly Language[]
  readonly widths: readonly number[]
  readonly schemes: readonly Scheme[]
}

export const fewVariants: Variants = {
  languages: ['en'],
  mailLanguages: ['en'],
  widths: [390, 1280],
  schemes: ['light'],
}

export const allVariants: Variants = {
  languages: [...dashboardLanguages, 'uk'],
  mailLanguages: ['en', 'ro', 'hu', 'de', 'fr', 'it', 'es', 'uk'],
  widths: [360, 390, 1280],
  schemes: ['light', 'dark'],
}

export interface Studio {
  readonly browser: Browser
  /** Pixels of the picture for one pixel of the page. */
  readonly scale: number
  readonly variants: Variants
  /** Whether a name that begins so can be wanted: a part without such a name is not run at all. */
  isWanted(begin: string): boolean
  /** Takes a picture of the window. */
  shoot(name: string, page: Page): Promise<void>
}

/** Chromium draws no picture that is much higher, in pixels of the page. The reference is. */
const highest = 8_000

/** Makes the window as high as its page: what stands at the bottom of the window stands at the end of the picture. */
export async function fitWindow(page: Page): Promise<void> {
  const height = await page.evaluate<number>('document.documentElement.scrollHeight')
  const { width = 0 } = page.viewportSize() ?? {}
  await page.setViewportSize({ width, height: Math.min(height, highest) })
}

/** The name of a variant: `mail-alert-ro-360-dark`. */
export const variantName = (name: string, language: Language, width: number, scheme: Scheme) =>
  `${name}-${language}-${width}${scheme === 'dark' ? '-dark' : ''}`
