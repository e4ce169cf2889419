// The modules that a command of the operator loads before it works: each needs a file access, so a few more make it slow.

import { existsSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, it } from 'vitest'
import { allFacts, top } from './sources.ts'

const factsByPath = new Map(allFacts.map(facts => [facts.path, facts]))

/** The file of ours that a specifier names; undefined for a library. */
function fileOf(specifier: string, from: string): string | undefined {
  if (specifier.startsWith('.')) return normalize(join(dirname(from), specifier))
  const [, name, file] = /^@callgate\/(\w+)\/(.+)$/.exec(specifier) ?? []
  return name === undefined ? undefined : `packages/${name}/src/${file}.ts`
}

/** The libraries that are loaded with these files of the cloud, without later imports. */
function librariesOf(...files: readonly string[]): readonly string[] {
  const seen = new Set<string>()
  const libraries = new Set<string>()
  const visit = (path: string) => {
    if (seen.has(path)) return
    seen.add(path)
    for (const { isLater, specifier, typeOnly } of factsByPath.get(path)?.imports ?? []) {
      if (typeOnly || isLater) continue
      const file = fileOf(specifier, path)
      if (file !== undefined) visit(file)
      else if (!specifier.startsWith('node:')) libraries.add(specifier)
    }
  }
  for (const file of files) {
    const path = `packages/cloud/src/${file}.ts`
    expect(existsSync(join(top, path)), path).toBe(true)
    visit(path)
  }
  return [...libraries].sort()
}

it('loads no more for the help than what reads options and the configuration', () => {
  expect(librariesOf('main')).toEqual(['commander', 'env-schema', 'pino'])
})

/** The libraries that serve the API, carry messages, know numbers, and send mails. */
const forServing = [
  '@koa/router',
  'aedes',
  'helmet',
  'koa',
  'libphonenumber-js/max',
  'marked',
  'mqtt',
  'nodemailer/lib/smtp-connection',
]

it.each(['spaceCommands', 'keyCommands', 'gatewayCommands', 'mailCommands'])(
  'loads for %s what opens the data, and nothing that serves',
  file => {
    const libraries = librariesOf('main', 'cli/perform', `cli/${file}`)
    expect(libraries).toEqual(expect.arrayContaining(['better-sqlite3', 'knex']))
    expect(libraries.filter(library => forServing.includes(library))).toEqual([])
  },
)

it('loads all of that for serve alone', () => {
  expect(librariesOf('main', 'cli/serve')).toEqual(expect.arrayContaining(forServing))
})
