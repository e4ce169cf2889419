// The maps for people: each path, identifier and command in the README's tables and the recipes exists.

import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { allFacts, paths, top } from './sources.ts'

interface Map {
  readonly path: string
  /** The headings whose tables are a map; undefined: all of them. */
  readonly sections?: readonly string[]
}

const maps: readonly Map[] = [
  { path: 'README.md', sections: ['Where is what', 'Where to change what'] },
  { path: 'packages/cloud/docs/architecture.md', sections: ['The way of one opening'] },
  { path: 'packages/cloud/docs/recipes.md' },
]

const recipes = 'packages/cloud/docs/recipes.md'

/** The cells of a row that name something; the first cell of the README's rows is a question in words. */
interface Row {
  readonly line: number
  readonly text: string
}

/** Rows of tables, and sentences between them, below the headings that count. */
function rowsOf(text: string, sections: readonly string[] | undefined): Row[] {
  let heading = ''
  return text.split('\n').flatMap((line, at) => {
    heading = /^## (.+)$/.exec(line)?.[1] ?? heading
    const counts = sections === undefined ? heading !== '' : sections.includes(heading)
    if (!counts || line.startsWith('#')) return []
    const isTable = line.startsWith('|')
    if (sections === undefined) return [{ line: at + 1, text: line }]
    return isTable ? [{ line: at + 1, text: line.split('|').slice(2).join('|') }] : []
  })
}

const isPath = (word: string) =>
  /^[\w.@-]+(?:\/[\w.@-]+)+$|^[\w.-]+\.(?:css|js|json|md|tsx?|ya?ml)$/.test(word)
const isName = (word: string) => /^[A-Za-z]\w*$/.test(word)

/** The target of a word: from the top, from `packages`, or beside the path before it in the row. */
function placeOf(word: string, before: string | undefined): string | undefined {
  const beside = before === undefined ? [] : [join(/\.\w+$/.test(before) ? dirname(before) : before, word)]
  const places = word.includes('/') ? [word, `packages/${word}`] : [...beside, word]
  return places.find(place => existsSync(join(top, place)))
}

const textsIn = (place: string): string[] =>
  statSync(join(top, place)).isDirectory()
    ? paths.filter(path => path.startsWith(`${place}/`)).map(path => readFileSync(join(top, path), 'utf8'))
    : [readFileSync(join(top, place), 'utf8')]

/** Whether one of the files declares the name: as a value, a type, a method or a member. */
const declares = (place: string, name: string) => {
  const declared = new RegExp(
    String.raw`\b(?:class|const|enum|function|interface|let|type)\s+${name}\b|^\s*(?:async |readonly |static )*#?${name}\??\s*[:(<,]|[{,]\s*${name}\s*:`,
    'm',
  )
  return textsIn(place).some(text => declared.test(text))
}

const scripts: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(join(top, 'package.json'), 'utf8'),
).scripts
const wordsOfCommands = new Set(
  allFacts
    .filter(({ path }) => path.startsWith('packages/cloud/src/cli/'))
    .flatMap(({ strings }) => strings.flatMap(({ word }) => word.split(' '))),
)

/** The error in a command; undefined where it exists. */
function wrongCommand(word: string): string | undefined {
  const [program = '', ...rest] = word.split(' ')
  if (program === 'pnpm')
    return scripts[rest[0] ?? ''] === undefined ? `there is no script "${rest[0]}"` : undefined
  if (program === 'npx') {
    const lost = rest.find(part => part.includes('/') && !existsSync(join(top, part)))
    return lost === undefined ? undefined : `there is no ${lost}`
  }
  if (program !== 'callgate') return 'neither a path, nor a name, nor a command of pnpm or callgate'
  const unknown = rest.find(part => /^[a-z]/.test(part) && !wordsOfCommands.has(part))
  return unknown === undefined ? undefined : `callgate has no command "${unknown}"`
}

/** Every word in backticks of a row that leads nowhere, with the reason. */
function wrongIn(row: string): string[] {
  const words = [...row.matchAll(/`([^`]+)`/g)].map(({ 1: word = '', index }) => ({ word, index }))
  const placesBefore: (string | undefined)[] = []
  for (const { word } of words) {
    const last = placesBefore.at(-1)
    placesBefore.push(isPath(word) ? placeOf(word, last) : last)
  }
  return words.flatMap(({ index, word }, at) => {
    // A served address.
    if (word.startsWith('/')) return []
    if (isPath(word))
      return placeOf(word, at === 0 ? undefined : placesBefore[at - 1]) === undefined
        ? [`${word}: no such file`]
        : []
    if (!isName(word)) {
      const wrong = wrongCommand(word)
      return wrong === undefined ? [] : [`${word}: ${wrong}`]
    }
    // "`name` in `path`" and "`name` of `path`" belong to the next path, all other names to the one before.
    const next = /^`[^`]+`(?:(?:, | and )`\w+`)* (?:in|of) `([^`]+)`/.exec(row.slice(index))?.[1]
    const place = next === undefined ? placesBefore[at] : placeOf(next, placesBefore[at])
    if (place === undefined) return [`${word}: no file is named with it`]
    return declares(place, word) ? [] : [`${word}: ${place} does not declare it`]
  })
}

describe.each(maps)('the map in $path', ({ path, sections }) => {
  it('names only paths, identifiers and commands that are there', () => {
    const rows = rowsOf(readFileSync(join(top, path), 'utf8'), sections)
    expect(rows.length).toBeGreaterThan(10)
    expect(rows.flatMap(({ line, text }) => wrongIn(text).map(wrong => `${path}:${line} ${wrong}`))).toEqual(
      [],
    )
  })
})

it('the README leads to each recipe, and each row of "Where to change what" to one', () => {
  const text = readFileSync(join(top, recipes), 'utf8')
  const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  )
  const readme = readFileSync(join(top, 'README.md'), 'utf8')
  const [, section = ''] = readme.split('## Where to change what\n')
  const rows = (section.split('\n## ')[0] ?? '').split('\n').filter(line => /^\| [^-T]/.test(line))
  const led = rows.map(row => /recipes\.md#([\w-]+)/.exec(row)?.[1] ?? row)
  expect(led).toEqual(headings)
})

it('the README and CONTRIBUTING name each script that a person types, and no other', () => {
  const guide = readFileSync(join(top, '.github/CONTRIBUTING.md'), 'utf8')
  const inReadme = [...readFileSync(join(top, 'README.md'), 'utf8').matchAll(/^npx -y pnpm@\S+ (\S+)/gm)]
  const inGuide = [...guide.matchAll(/^\| `([\w:]+)[^`]*` \|/gm)]
  const named = new Set([...inReadme, ...inGuide].map(([, name = '']) => name))
  expect([...named].filter(name => scripts[name] === undefined)).toEqual([])
  // Scripts that are parts of others.
  const parts = /^check:|on-postgres$|^build:web$/
  expect(Object.keys(scripts).filter(name => !named.has(name) && !parts.test(name))).toEqual([])
})

it('finds what is not there, and says what it is', () => {
  const rows: readonly (readonly [row: string, wrong: readonly string[]])[] = [
    ['`contract/src/rest/gate.ts` has `Gate`, and `pnpm test` runs', []],
    ['`Gate` in `contract/src/rest/gate.ts`, `member.ts`', []],
    ['`callgate plan set`, `test/style/tables.ts` (`mayImport`)', []],
    ['`contract/src/rest/gates.ts`', ['contract/src/rest/gates.ts: no such file']],
    ['`contract/src/rest/gate.ts`, `gates.ts`', ['gates.ts: no such file']],
    [
      '`contract/src/rest/activity.ts` (`gateFields`)',
      ['gateFields: packages/contract/src/rest/activity.ts does not declare it'],
    ],
    ['`Gate`', ['Gate: no file is named with it']],
    ['`pnpm tests`', ['pnpm tests: there is no script "tests"']],
    ['`npx vitest run test/none`', ['npx vitest run test/none: there is no test/none']],
    ['`callgate plan sit`', ['callgate plan sit: callgate has no command "sit"']],
    ['`NO CARRIER`', ['NO CARRIER: neither a path, nor a name, nor a command of pnpm or callgate']],
  ]
  for (const [row, wrong] of rows) expect(wrongIn(row)).toEqual(wrong)
})
