// The switch of the test build: a source file with mutants becomes a module that loads the variant named by the environment, or
// the original, so one build contains all variants, and a test file runs with any of them.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Vite } from 'vitest/node'
import type { Mutant } from './mutant.ts'

export const repository = join(import.meta.dirname, '../../..')
const packages = join(repository, 'packages')

/** The path under which the source file of a mutant is loaded unchanged, or with the mutant of that place in the list. */
const variantId = /^(.+)\?(?:original|mutant=(.*))$/

/** The id of a test file that runs with the mutant of that place in the list, or with none. */
export const testId = (file: string, place: number | 'none') => `${join(packages, file)}?mutant=${place}`
/** The place in the list, from the id of a test file. */
export const placeOf = (id: string) => Number(variantId.exec(id)?.[2])

/** The source with the mutant in it; throws when its text is missing or occurs twice. */
export function applyMutant(
  source: string,
  { file, find, name, replace }: Pick<Mutant, 'file' | 'find' | 'name' | 'replace'>,
): string {
  const count = source.split(find).length - 1
  if (count !== 1) throw new Error(`the mutant "${name}" has ${count} places in ${file}, not one`)
  return source.replace(find, () => replace)
}

/** A test file with a mutant. The modules of the run before it are forgotten, so that the switches choose again. */
const testWithMutant = (path: string, place: string) => `import { vi } from 'vitest'
vi.resetModules()
process.env.MUTANT = '${place}'
await import('${path}')`

/** The exports are found by their text: a missed one makes an import fail, which catches no mutant. */
function switchModule(path: string, source: string, places: readonly number[]): string {
  const names = [...source.matchAll(/^export (?:async )?(?:function\*?|class|const) (\w+)/gm)]
  return `const variants = { ${places.map(place => `${place}: () => import('${path}?mutant=${place}')`)} }
const original = () => import('${path}?original')
export const { ${names.map(([, name]) => name)} } = await (variants[process.env.MUTANT] ?? original)()`
}

/** The plugin that applies the mutants. */
export function activeMutants(mutants: readonly Mutant[]): Vite.Plugin {
  const paths = mutants.map(({ file }) => join(packages, file))
  return {
    name: 'mutants',
    enforce: 'pre',
    resolveId: id => (variantId.test(id) ? id : undefined),
    async load(id) {
      const [, path = id, place] = variantId.exec(id) ?? []
      if (!paths.includes(path)) return place && testWithMutant(path, place)
      const source = await readFile(path, 'utf8')
      const mutant = mutants[Number(place)]
      if (mutant) return applyMutant(source, mutant)
      const places = [...paths.keys()].filter(at => paths[at] === path)
      return path === id ? switchModule(path, source, places) : source
    },
  }
}
