// Comments and pages cite only what is in the repository.

import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { allFacts, top } from './sources.ts'

const notOurs = ['.callgate', '.git', 'coverage', 'dist', 'node_modules']

function filesIn(folder: string): string[] {
  return readdirSync(join(top, folder), { withFileTypes: true }).flatMap(entry => {
    const path = join(folder, entry.name)
    if (!entry.isDirectory()) return [path]
    return notOurs.includes(entry.name) ? [] : filesIn(path)
  })
}

const files = filesIn('')
const textOf = (path: string) => readFileSync(join(top, path), 'utf8')

/** Pages, and the traces of modems, which name their sources. The specification is a copy. */
const pages = files
  .filter(path => /\.(?:md|trace)$/.test(path) && !path.endsWith('/gate-access-api.md'))
  .map(path => ({ path, text: textOf(path) }))

/** Files that only a command writes. */
const written = /^client\.d\.ts$|\/dist$/

const address = /\bhttps?:\/\/\S+/g
const folderName = /(?<![\w/.@-])(?:deploy|packages|test)\/[\w-]+(?:\/[\w-]+)*(?![\w./*{<…-])/g
const fileName = /(?<![\w*}>/.-])(?:[\w.-]+\/)*[\w.-]*\w\.(?:md|tsx?)\b(?!\/)/g

/** The files and folders that a text names; `*Bugs.ts` and addresses of sites name none. */
function citedIn(text: string): string[] {
  const ours = text.replaceAll(address, '')
  const words = [...ours.matchAll(fileName), ...ours.matchAll(folderName)]
  return words.map(([word]) => word.replace(/^(?:\.{1,2}\/)+/, ''))
}

/** Whether the repository has a file of that name, in those folders, or such a folder. */
const isThere = (cited: string) =>
  written.test(cited) ||
  files.some(path => path === cited || path.endsWith(`/${cited}`) || path.startsWith(`${cited}/`))

const missingIn = (text: string) => citedIn(text).filter(cited => !isThere(cited))

/** The anchors of a page's headings, as a viewer of pages makes them. */
function anchorsOf(text: string): string[] {
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading)
  return headings.map(heading =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

/** Links to other sites, and to the served documentation, are left out. */
function linksOf(text: string): { to: string; anchor: string | undefined }[] {
  return [...text.matchAll(/\]\((?!\w+:|\/)([^)#\s]*)(?:#([^)\s]*))?\)/g)].map(([, to = '', anchor]) => ({
    to,
    anchor,
  }))
}

function isBroken(path: string, { anchor, to }: { to: string; anchor: string | undefined }): boolean {
  const target = to === '' ? path : join(dirname(path), to)
  if (!files.includes(target)) return !files.some(file => file.startsWith(`${target}/`))
  return anchor !== undefined && !anchorsOf(textOf(target)).includes(anchor)
}

it('the files and pages are found', () => {
  expect(files).toContain('test/style/style.test.ts')
  expect(pages.map(({ path }) => path)).toContain('README.md')
})

it('comments cite files that are there', () => {
  const missing = allFacts.flatMap(({ comments, path }) =>
    comments.flatMap(({ line, word }) => missingIn(word).map(cited => `${path}:${line} cites ${cited}`)),
  )
  expect(missing).toEqual([])
})

it('pages cite files that are there', () => {
  const missing = pages.flatMap(({ path, text }) => missingIn(text).map(cited => `${path} cites ${cited}`))
  expect(missing).toEqual([])
})

it('links of pages lead to what is there', () => {
  const broken = pages.flatMap(({ path, text }) =>
    linksOf(text)
      .filter(link => isBroken(path, link))
      .map(({ anchor, to }) => `${path} links to ${to}${anchor === undefined ? '' : `#${anchor}`}`),
  )
  expect(broken).toEqual([])
})

/** A heading and its page, in the form of programs: `see "Failover" in databases.md`. */
const namedHeading = /"([^"]+)" in ([\w-]+\.md)\b/g

/** The headings in a printed text that no page of that name has. */
function lostHeadings(text: string): string[] {
  return [...text.matchAll(namedHeading)].flatMap(([, heading = '', page = '']) => {
    const named = pages.filter(({ path }) => path.endsWith(`/${page}`))
    const isThere = named.some(({ text: whole }) =>
      whole.match(/^#+ .+$/gm)?.some(line => line.endsWith(` ${heading}`)),
    )
    return isThere ? [] : [`"${heading}" in ${page}`]
  })
}

/** Links to the served documentation, with their pages and headings. */
const servedLink = /\/docs\/([\w-]+)#([\w-]+)/g

/** The links of a printed text to served pages that do not exist, or lack the heading. The reference makes its own. */
function lostLinks(text: string): string[] {
  return [...text.matchAll(servedLink)].flatMap(([link, page = '', anchor = '']) => {
    const path = `packages/cloud/docs/${page}.md`
    const isThere = files.includes(path) && anchorsOf(textOf(path)).includes(anchor)
    return isThere || page === 'reference' ? [] : [link]
  })
}

it('texts that a program prints name pages and headings that are there', () => {
  const printed = allFacts.filter(({ path }) => !/^test\/style\/|\.test\.ts$/.test(path))
  const missing = printed.flatMap(({ path, strings }) =>
    strings.flatMap(({ line, word }) => [
      ...citedIn(word)
        .filter(cited => cited.endsWith('.md') && !isThere(cited))
        .map(cited => `${path}:${line} names ${cited}`),
      ...[...lostHeadings(word), ...lostLinks(word)].map(lost => `${path}:${line} names ${lost}`),
    ]),
  )
  expect(missing).toEqual([])
  expect(lostHeadings('see "Failover" in databases.md')).toEqual([])
  expect(lostHeadings('see "None" in databases.md, and "Failover" in none.md')).toEqual([
    '"None" in databases.md',
    '"Failover" in none.md',
  ])
  const links = 'see /docs/opening#reasons, /docs/reference#tag, /docs/opening#none and /docs/none#reasons'
  expect(lostLinks(links)).toEqual(['/docs/opening#none', '/docs/none#reasons'])
})

it('settings that are delivered cite files that are there', () => {
  const delivered = files.filter(path =>
    /^(?:\.github|deploy)\/.*\.(?:conf|service|sh|timer|ya?ml)$/.test(path),
  )
  expect(delivered).toContain('deploy/cloud/alerts.yml')
  const missing = delivered.flatMap(path => missingIn(textOf(path)).map(cited => `${path} cites ${cited}`))
  expect(missing).toEqual([])
})

it('finds what is missing, and leaves out words that name no file', () => {
  const text =
    'main.ts, core/permit.ts, ../docs/none.md, core/none.ts, *Bugs.ts, {noun}.ts, https://a.test/b.md, client.d.ts, test/none, test/*'
  expect(missingIn(text)).toEqual(['docs/none.md', 'core/none.ts', 'test/none'])
  const links = linksOf(
    '[a](test/README.md#the-suites) [b](#none) [c](none.md) [d](/docs) [e](test) [f](https://a.test)',
  )
  expect(
    links.filter(link => isBroken('README.md', link)).map(({ anchor, to }) => `${to}#${anchor}`),
  ).toEqual(['#none', 'none.md#undefined'])
})
