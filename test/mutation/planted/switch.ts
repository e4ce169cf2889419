// The switch of the test build: a source file with planted bugs becomes a module that takes the variant that the
// environment names, or the original. So all variants are in one build, and a test file runs with any of them.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Vite } from 'vitest/node'
import type { PlantedBug } from './plantedBug.ts'

export const repository = join(import.meta.dirname, '../../..')
const packages = join(repository, 'packages')

/** Where the source file of a bug is loaded as it is, or with the bug of that place in the list. */
const variantId = /^(.+)\?(?:original|planted=(.*))$/

/** The id of a test file that runs with the bug of that place in the list, or with none. */
export const testId = (file: string, place: number | 'none') => `${join(packages, file)}?planted=${place}`
/** The place in the list, from the id of a test file. */
export const placeOf = (id: string) => Number(variantId.exec(id)?.[2])

/** The source with the bug in it; throws when its text is gone or stands there twice. */
export function planted(
  source: string,
  { file, find, name, replace }: Pick<PlantedBug, 'file' | 'find' | 'name' | 'replace'>,
): string {
  const count = source.split(find).length - 1
  if (count !== 1) throw new Error(`the bug "${name}" has ${count} places in ${file}, not one`)
  return source.replace(find, () => replace)
}

/** A test file with a bug. The modules of the run before it are forgotten, so that the switches choose again. */
const testWithBug = (path: string, place: string) => `import { vi } from 'vitest'
vi.resetModules()
process.env.PLANTED = '${place}'
await import('${path}')`

/** The exports are found by their text: where one is missed, an import fails, which catches no bug. */
function switchModule(path: string, source: string, places: readonly number[]): string {
  const names = [...source.matchAll(/^export (?:async )?(?:function\*?|class|const) (\w+)/gm)]
  return `const variants = { ${places.map(place => `${place}: () => import('${path}?planted=${place}')`)} }
const original = () => import('${path}?original')
export const { ${names.map(([, name]) => name)} } = await (variants[process.env.PLANTED] ?? original)()`
}

/** The plugin that plants. */
export function plantedBugs(bugs: readonly PlantedBug[]): Vite.Plugin {
  const paths = bugs.map(({ file }) => join(packages, file))
  return {
    name: 'planted bugs',
    enforce: 'pre',
    resolveId: id => (variantId.test(id) ? id : undefined),
    async load(id) {
      const [, path = id, place] = variantId.exec(id) ?? []
      if (!paths.includes(path)) return place && testWithBug(path, place)
      const source = await readFile(path, 'utf8')
      const bug = bugs[Number(place)]
      if (bug) return planted(source, bug)
      const places = [...paths.keys()].filter(at => paths[at] === path)
      return path === id ? switchModule(path, source, places) : source
    },
  }
}
