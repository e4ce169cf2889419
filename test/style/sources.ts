// The source files that the rules of the style check.

import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Facts, factsOf } from './facts.ts'

export const top = fileURLToPath(new URL('../..', import.meta.url))

function sourcesIn(folder: string): string[] {
  return readdirSync(`${top}${folder}`, { withFileTypes: true }).flatMap(entry => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return ['node_modules', 'dist'].includes(entry.name) ? [] : sourcesIn(path)
    return /\.tsx?$/.test(entry.name) ? [path] : []
  })
}

/** The path of every TypeScript file, from the top of the repository. */
export const paths: readonly string[] = [
  ...sourcesIn('packages'),
  ...sourcesIn('test'),
  ...sourcesIn('deploy'),
]

/** The facts of every source, read once. */
export const allFacts: readonly Facts[] = paths.map(path =>
  factsOf(path, readFileSync(`${top}${path}`, 'utf8')),
)
