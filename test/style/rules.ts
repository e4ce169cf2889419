// The rules of the style as functions from a file's facts to findings.

import type { Facts, WordFact } from './facts.ts'
import { fileWords, homes, maxFileLines, maxFunctionLines, maxTestLines, mayImport } from './tables.ts'

export interface Finding {
  readonly line: number
  readonly what: string
}

export interface Rule {
  readonly name: string
  /** What to do about a finding. */
  readonly remedy: string
  check(facts: Facts): Finding[]
}

export interface Violation {
  readonly rule: string
  readonly path: string
  /** `path:line rule: what. remedy` */
  readonly message: string
}

const baseOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)
const isUnit = (path: string) => /\.test\.tsx?$/.test(path)
const isTest = (path: string) => isUnit(path) || path.startsWith('test/')
/** A file that only tests may import. */
const isKit = (path: string) => /\.kit(\.tsx?)?$/.test(path)
const isUnitTest = (path: string) => isUnit(path) && path.startsWith('packages/')
const packageOf = (path: string) => (path.startsWith('packages/') ? path.split('/')[1] : undefined)
const isReal = (path: string) => path === 'packages/world/src/real.ts'
const isEntry = (path: string) => /^(config|main)\.tsx?$/.test(baseOf(path)) || path.startsWith('deploy/')

const find = (facts: readonly WordFact[], pattern: RegExp): Finding[] =>
  facts.filter(fact => pattern.test(fact.word)).map(fact => ({ line: fact.line, what: `\`${fact.word}\`` }))

/** The package that an import leads to; a relative one that leaves its package is `undefined`. */
function targetOf(path: string, specifier: string): { package: string; file: string } | undefined {
  if (specifier.startsWith('@callgate/')) {
    const [, name = '', ...file] = specifier.split('/')
    return { package: name, file: file.join('/') }
  }
  const folders = path.split('/').slice(0, -1)
  for (const step of specifier.split('/')) {
    if (step === '..') folders.pop()
    else if (step !== '.') folders.push(step)
  }
  const own = packageOf(path)
  return own && packageOf(folders.join('/')) === own
    ? { package: own, file: folders.slice(3).join('/') }
    : undefined
}

const libraryOf = (specifier: string) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
const isOurs = (specifier: string) => /^(\.|@callgate\/)/.test(specifier)

function checkImports({ path, imports }: Facts): Finding[] {
  const own = packageOf(path)
  if (!own) return []
  return imports.flatMap(({ specifier, typeOnly, line }) => {
    if (!isOurs(specifier)) return []
    const target = targetOf(path, specifier)
    const finding = { line, what: `${own} imports ${specifier}` }
    if (!target) return [finding]
    const isForTests = isKit(specifier) || (target.package === 'world' && /^fake\b/.test(target.file))
    if (isForTests && !isTest(path) && !isKit(path)) return [finding]
    if (target.package === own) return specifier.startsWith('@') ? [finding] : []
    const allowed = mayImport[own] ?? []
    const isAllowed =
      allowed.includes(target.package) || (typeOnly && allowed.includes(`types:${target.package}`))
    return isAllowed ? [] : [finding]
  })
}

function checkHomes({ path, imports }: Facts): Finding[] {
  return imports.flatMap(({ specifier, typeOnly, line }) => {
    const home = homes[libraryOf(specifier)]
    if (!home || isOurs(specifier) || home.files.test(path)) return []
    if ((home.typesAnywhere && typeOnly) || (home.tests && isTest(path))) return []
    return [{ line, what: `${specifier} is imported` }]
  })
}

function checkCore({ path, imports, syntax }: Facts): Finding[] {
  if (!path.includes('/core/') || isTest(path)) return []
  // The cores of its own room, and those that several rooms share.
  const [own = ''] = /^(?:[^/]+\/)?core\//.exec(path.split('/').slice(3).join('/')) ?? []
  const foreign = imports.filter(({ specifier, typeOnly }) => {
    const target = isOurs(specifier) ? targetOf(path, specifier) : undefined
    if (target?.package === 'contract') return false
    const isCore = target?.file.startsWith('core/') || target?.file.startsWith(own)
    return !(target && specifier.startsWith('.') && (typeOnly || isCore))
  })
  return [
    ...find(syntax, /^(await|async)$/),
    ...foreign.map(({ specifier, line }) => ({ line, what: `${specifier} is imported` })),
  ]
}

/** Figures that are typed on a page, or shown about it. */
const typedLimit = /maxLength=\{\d{2,}|maxLength: \d|\b(At most|Cel mult) \d/

function checkLimits({ path, text }: Facts): Finding[] {
  if (!path.startsWith('packages/web/src/') || isTest(path) || isKit(path)) return []
  return text
    .split('\n')
    .flatMap((line, place) => (typedLimit.test(line) ? [{ line: place + 1, what: line.trim() }] : []))
}

function checkOpening({ path, text }: Facts): Finding[] {
  // A unit test needs none: the file beside it says what is tested.
  if (isUnitTest(path)) return []
  const lines = text.replace(/^#!.*\n/, '').split('\n')
  const length = lines.findIndex(line => !line.startsWith('//'))
  const sentence = lines.slice(0, length).join(' ')
  if (length < 1) return [{ line: 1, what: 'no opening comment' }]
  if (length > 2 || !/^\/\/ .*[.:]$/.test(sentence))
    return [{ line: 1, what: 'the opening comment is not one sentence' }]
  return lines[length] === '' ? [] : [{ line: length + 1, what: 'no empty line after the opening comment' }]
}

/** `phoneNumber` → phone, number. */
const wordsOf = (name: string) =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)

function checkName({ path }: Facts): Finding[] {
  const bad = path
    .split('/')
    .flatMap(wordsOf)
    .find(word => fileWords.has(word))
  if (bad) return [{ line: 1, what: `the name says \`${bad}\`` }]
  return /^index\.tsx?$/.test(baseOf(path)) ? [{ line: 1, what: 'a barrel' }] : []
}

const timers = /^(set(Timeout|Interval|Immediate)|clear(Timeout|Interval|Immediate)|AbortSignal\.timeout)$/
const clocks = /^(new Date|Date\(\)|Date\.now|performance(\.\w+)?|process\.(hrtime|uptime))$/
const randomImports = /^(random|generateKey|getRandomValues|webcrypto)/

function checkWorld({ path, globals, imports }: Facts): Finding[] {
  if (isReal(path) || path.startsWith('test/')) return []
  const random = find(globals, /^(Math\.random|crypto(\.\w+)?)$/)
  // A test may read the real clock and use a random port or key, but it neither sleeps nor draws the values that it tests.
  if (isUnitTest(path)) return [...random, ...find(globals, /^set(Timeout|Interval)$/)]
  const taken = imports.filter(
    ({ specifier, names, typeOnly }) =>
      !typeOnly &&
      (/^(node:)?(timers|perf_hooks)\b/.test(specifier) ||
        (/^(node:)?crypto$/.test(specifier) &&
          names.some(name => randomImports.test(name) || name === '*')) ||
        (/^(node:)?os$/.test(specifier) && names.includes('uptime'))),
  )
  return [
    ...random,
    ...find(globals, timers),
    ...find(globals, clocks),
    ...taken.map(({ specifier, names, line }) => ({ line, what: `${names.join(', ')} of ${specifier}` })),
  ]
}

/** Intl with a zone other than UTC uses Node's rules of time zones, which are as old as the installed Node. */
function checkWallClock({ path, syntax }: Facts): Finding[] {
  if (!path.startsWith('packages/') || isTest(path) || isKit(path)) return []
  // A browser has rules of its own, which its updates renew.
  if (['packages/cloud/src/text/zonedTime.ts', 'packages/web/src/words/time.ts'].includes(path)) return []
  return find(syntax, /^zoned date$/).map(({ line }) => ({
    line,
    what: 'a date is formatted, and not in UTC',
  }))
}

function checkProcess({ path, globals, imports }: Facts): Finding[] {
  if (isEntry(path) || isReal(path) || isTest(path) || isKit(path)) return []
  const taken = imports.filter(({ specifier }) => /^(node:)?process$/.test(specifier))
  return [
    ...find(globals, /^(process|console)(\.|$)/),
    ...taken.map(({ specifier, line }) => ({ line, what: `${specifier} is imported` })),
  ]
}

export const rules: readonly Rule[] = [
  {
    name: 'file length',
    remedy: `Split it by noun: a file has up to ${maxFileLines} lines, a test's up to ${maxTestLines}.`,
    check: ({ path, lineCount }) =>
      lineCount > (isTest(path) ? maxTestLines : maxFileLines)
        ? [{ line: 1, what: `${lineCount} lines` }]
        : [],
  },
  {
    name: 'function length',
    remedy: `Name its parts: a function has up to ${maxFunctionLines} lines.`,
    check: ({ functions }) =>
      functions
        .filter(({ lines }) => lines > maxFunctionLines)
        .map(({ line, lines, name }) => ({ line, what: `${name} has ${lines} lines` })),
  },
  {
    name: 'import table',
    remedy:
      'See the table in test/style/tables.ts; within a package import relatively; the fake world is for tests.',
    check: checkImports,
  },
  {
    name: 'one home per library',
    remedy: 'Use what its home (test/style/tables.ts) exports.',
    check: checkHomes,
  },
  {
    name: 'pure core',
    remedy:
      'Keep core/ pure: it computes from what it is given, the contract, other cores and types of its package.',
    check: checkCore,
  },
  {
    name: 'world',
    remedy:
      'Take a World (packages/world/src/world.ts). In a test, move the fake clock, or wait until something has happened.',
    check: checkWorld,
  },
  {
    name: 'process',
    remedy:
      'Take what is needed as an argument. Only main.ts, config.ts, deploy, packages/world/src/real.ts and tests use the process and the console.',
    check: checkProcess,
  },
  {
    name: 'wall clock',
    remedy: 'Ask packages/cloud/src/text/zonedTime.ts, which has the rules that schedules are decided by.',
    check: checkWallClock,
  },
  {
    name: 'type name',
    remedy: 'Name it by a noun of the domain that nothing else has, so that a search finds it.',
    check: ({ syntax }) => find(syntax, /^type (Asked|Given|Parts|Place|Seen|Standing|Told)$/),
  },
  { name: 'any', remedy: 'Use unknown and a guard.', check: ({ syntax }) => find(syntax, /^any$/) },
  {
    name: 'no test left out',
    remedy: 'Repair the test. Where the machine lacks something, skip inside the test, with the reason.',
    check: ({ syntax }) => find(syntax, /\.(only|skip|todo|fails|skipIf|runIf)$/),
  },
  {
    name: 'no barrels',
    remedy: 'Import each thing from the file that has it.',
    check: ({ syntax }) => find(syntax, /^export \*$/),
  },
  {
    name: 'no default exports',
    remedy: 'Export it by its name.',
    check: ({ path, syntax }) => (/\.config\.ts$/.test(path) ? [] : find(syntax, /^export default$/)),
  },
  {
    name: 'file name',
    remedy: 'Name it by its noun: packages/cloud/docs/architecture.md has the words.',
    check: checkName,
  },
  {
    name: 'topics',
    remedy: 'Ask packages/contract/src/wire/topics.ts for the topic.',
    check: ({ path, strings }) =>
      /^packages\/contract\/src\/wire\/topics(\.test)?\.ts$/.test(path) ? [] : find(strings, /\bgw\/v\d/),
  },
  {
    name: 'opening comment',
    remedy: 'Open the file with one sentence that says what it is, then an empty line.',
    check: checkOpening,
  },
  {
    name: 'no silencing',
    remedy: 'Repair what the tool complains about.',
    check: ({ comments }) => find(comments, /@ts-(ignore|expect-error|nocheck)|biome-ignore|eslint-disable/),
  },
  {
    name: 'no open tasks',
    remedy: 'Do it, or make it an issue.',
    check: ({ comments }) => find(comments, /\b(TODO|FIXME|XXX)\b/),
  },
  {
    name: 'machine paths',
    remedy: 'Give the path from the top of the repository.',
    check: ({ strings, comments }) => find([...strings, ...comments], /(^|[\s"'`(:=])\/(work|root)\//),
  },
  {
    name: 'limits',
    remedy:
      'Take it from packages/contract/src/limits.ts, which the schemas use; a text gets it as a parameter.',
    check: checkLimits,
  },
  {
    name: 'no module state',
    remedy: 'Keep it in an object that main makes.',
    check: ({ path, syntax }) => (isTest(path) ? [] : find(syntax, /^let$/)),
  },
]

/** Everything that is wrong with one file, in the order of the rules. */
export function violationsOf(facts: Facts): Violation[] {
  return rules.flatMap(rule =>
    rule.check(facts).map(({ line, what }) => ({
      rule: rule.name,
      path: facts.path,
      message: `${facts.path}:${line} ${rule.name}: ${what}. ${rule.remedy}`,
    })),
  )
}
