// Cuts the fonts of the dashboard: each file gets the characters and weights of its rule in the stylesheet, and no more.

import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import subsetFont from 'subset-font'
import type { Plugin } from 'vite'

/** Accents, kerning, and figures of one width. The rest is for what no page writes, such as arrows made of hyphens. */
const keepFeatures = ['ccmp', 'kern', 'locl', 'mark', 'mkmk', 'tnum']

/** The characters of a `unicode-range`. */
function charactersOf(range: string): string {
  const spans = range.matchAll(/U\+([0-9A-F]+)(?:-([0-9A-F]+))?/g)
  const codes = [...spans].flatMap(([, first = '', last = first]) => {
    const from = Number.parseInt(first, 16)
    return Array.from({ length: Number.parseInt(last, 16) - from + 1 }, (_, place) => from + place)
  })
  return String.fromCodePoint(...codes)
}

function valueIn(rule: string, descriptor: RegExp): string {
  const value = descriptor.exec(rule)?.[1]
  if (value === undefined) throw new Error(`a font has no ${descriptor.source}: ${rule}`)
  return value
}

/** The font of a rule, cut to it. */
async function cut(rule: string, whole: Buffer): Promise<Uint8Array> {
  const [min = 0, max = 0] = valueIn(rule, /font-weight:([^;]+)/)
    .trim()
    .split(/\s+/)
    .map(Number)
  const text = charactersOf(valueIn(rule, /unicode-range:([^;]+)/))
  // A constant, because the types of the library do not know the features yet.
  const options = { targetFormat: 'woff2', keepFeatures, variationAxes: { wght: { min, max } } } as const
  return subsetFont(whole, text, options)
}

/** Puts the cut fonts of each `@font-face` into `folder`, for the build. `files` are the fonts that it has read. */
export function cutFonts(folder: string): { readonly plugin: Plugin; readonly files: readonly string[] } {
  const files: string[] = []
  const plugin: Plugin = {
    name: 'cutFonts',
    enforce: 'pre',
    async transform(css, id) {
      if (!id.endsWith('/fonts.css')) return undefined
      await mkdir(folder, { recursive: true })
      const rules = css.match(/@font-face\s*\{[^}]*\}/g) ?? []
      const made = await Promise.all(
        rules.map(async (rule, place) => {
          const url = valueIn(rule, /url\("([^"]+)"\)/)
          const source = await this.resolve(url, id)
          if (!source) throw new Error(`there is no font ${url}`)
          files.push(source.id)
          const path = join(folder, `${place}-${basename(url)}`)
          await writeFile(path, await cut(rule, await readFile(source.id)))
          return { rule, cutRule: rule.replace(url, path) }
        }),
      )
      return made.reduce((sum, { cutRule, rule }) => sum.replace(rule, cutRule), css)
    },
  }
  return { plugin, files }
}
