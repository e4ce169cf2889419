// The style sheets of the dashboard: a sheet that one page has loaded applies to the next page too.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { top } from './sources.ts'

const folder = join(top, 'packages/web/src')
/** It changes the parts of others when a page is printed. */
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
  name => name.endsWith('.css') && name !== 'kit/printSheet.css',
)

/** The classes that a style sheet styles itself: selectors of one class alone. */
function classesOf(css: string): readonly string[] {
  const selectors = css
    .replaceAll(/\/\*[\s\S]*?\*\/|\([^()]*\)/g, '')
    .split(/[{}]/)
    .flatMap(part => part.split(','))
  return [...new Set(selectors.map(selector => selector.trim()))].filter(name => /^\.[\w-]+$/.test(name))
}

it('finds the classes of a style sheet', () => {
  expect(
    classesOf(
      '.a, .b > i { top: 0 } /* .c {} */ @media print { .d { top: 0 } } .e:is(.f, .g, .h) { top: 0 }',
    ),
  ).toEqual(['.a', '.d'])
})

it('gives each class its look in one file', () => {
  const homes = new Map<string, string[]>()
  for (const name of files)
    for (const found of classesOf(readFileSync(join(folder, name), 'utf8')))
      homes.set(found, [...(homes.get(found) ?? []), name])
  expect(homes.size).toBeGreaterThan(100)
  expect([...homes].filter(([, names]) => names.length > 1)).toEqual([])
})
