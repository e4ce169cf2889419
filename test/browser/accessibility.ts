// The findings of axe-core on a page, by the rules of WCAG 2.2 A and AA, and its best practices.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * The colour schemes, and the rules for each. The second scheme has the same elements in other colours, so only the rules about
 * colours are checked again. Nothing is loaded again for axe-core: no page has sound or foreign styles.
 */
const schemes = [
  { colorScheme: 'light', options: { resultTypes: ['violations'], preload: false } },
  {
    colorScheme: 'dark',
    options: {
      resultTypes: ['violations'],
      preload: false,
      runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
    },
  },
] as const

/** A page that is still loading cannot be checked. The kit's page shows a skeleton permanently. */
async function waitUntilShown(page: Page): Promise<void> {
  await page.locator('main h1').first().waitFor({ state: 'attached' })
  await page.locator('main:not(.kit) .skeleton').first().waitFor({ state: 'detached' })
}

/** Waits for the page's heading and content. Fails where axe-core finds something in one of the two colour schemes. */
export async function expectAccessible(page: Page): Promise<void> {
  await waitUntilShown(page)
  // Not run as a script of the page, whose policy would forbid it.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(`${axe};undefined`)
  for (const { colorScheme, options } of schemes) {
    await page.emulateMedia({ colorScheme })
    const { violations } = (await page.evaluate(
      `axe.run(document, ${JSON.stringify(options)})`,
    )) as AxeResults
    const found = violations.map(({ help, id, nodes }) => ({
      rule: id,
      help,
      nodes: nodes.map(({ failureSummary, html }) => ({ html, why: failureSummary })),
    }))
    expect(found, `found by axe-core in ${colorScheme} colours`).toEqual([])
  }
}
