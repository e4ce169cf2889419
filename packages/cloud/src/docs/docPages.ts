// The hand-written pages of the documentation: Markdown files of this package, read at the first request.

import { readFile } from 'node:fs/promises'
import { isHelpedByAnother, passesByItself } from '@callgate/contract/call/advice'
import { type ReasonWord, reasons } from '@callgate/contract/call/reason'
import { scopeNames, scopes } from '@callgate/contract/rest/scope'
import { type MagicName, magicEnds, magicNames, magicNumber } from '@callgate/contract/sandbox/magicNumbers'
import { activityTable } from './activityTable.ts'
import { eventTable } from './eventTable.ts'
import { lengthTable } from './lengthTable.ts'

/** The served files of the folder `docs`, by their group in the rail. The other pages are for operators and developers. */
export const pageGroups = {
  Start: ['start', 'sandbox', 'compare'],
  Open: ['opening', 'promises', 'errors'],
  Manage: ['members', 'schedules', 'limits', 'calibration', 'alerts', 'events', 'webhooks'],
  Reference: ['conventions', 'client', 'python'],
} as const
export type PageName = (typeof pageGroups)[keyof typeof pageGroups][number]
export const pageNames: readonly PageName[] = Object.values(pageGroups).flat()

/** The data for testing another implementation of schedules. */
export const vectorsFile = 'schedule-vectors.json'

export interface Page {
  readonly name: PageName
  readonly title: string
  readonly markdown: string
}

/** Beside a bundle (deploy/bundle.ts copies it there), or in the repository. */
const folders = [new URL('./docs/', import.meta.url), new URL('../../docs/', import.meta.url)]

/** The text of one file of the folder; undefined when neither place has it. */
export async function readDoc(name: string): Promise<string | undefined> {
  for (const folder of folders) {
    const text = await readFile(new URL(name, folder), 'utf8').catch(() => undefined)
    if (text !== undefined) return text
  }
  return undefined
}

/** The table of reasons, made from the contract, so that the page cannot miss one. */
function reasonTable(): string {
  const words = Object.keys(reasons) as ReasonWord[]
  const isWorth = (word: ReasonWord) => {
    if (isHelpedByAnother(word)) return 'where another gateway is asked next'
    return passesByItself(word) ? 'yes' : ''
  }
  const row = (word: ReasonWord) => `| \`${word}\` | ${reasons[word]} | ${isWorth(word)} |`
  return ['| `reason` | What it says | Worth a retry |', '|--|--|--|', ...words.map(row)].join('\n')
}

/** The table of the numbers of a sandbox, made from the contract. */
function magicTable(): string {
  const row = (name: MagicName) =>
    `| \`${magicNumber(name)}\` | ${magicEnds[name].says} | \`${magicEnds[name].reason}\` |`
  return ['| Number | What happens | `reason` |', '|--|--|--|', ...magicNames.map(row)].join('\n')
}

/** The table of scopes, made from the contract. */
const scopeTable = () =>
  [
    '| Scope | What it allows |',
    '|--|--|',
    ...scopeNames.map(name => `| \`${name}\` | ${scopes[name]} |`),
  ].join('\n')

/** Stands in the files for the address of the service. */
const exampleAddress = 'https://gates.example.com'

/** One page, whose examples are for the service at `address`; undefined when its file is missing. */
export async function readPage(name: PageName, address: string): Promise<Page | undefined> {
  const text = await readDoc(`${name}.md`)
  if (text === undefined) return undefined
  const title = /^# (.+)$/m.exec(text)?.[1] ?? name
  const whole = text
    .replace('<!-- every reason -->', reasonTable())
    .replace('<!-- every action -->', activityTable())
    .replace('<!-- every event -->', eventTable())
    .replace('<!-- every scope -->', scopeTable())
    .replace('<!-- every length -->', lengthTable())
    .replace('<!-- every number of a sandbox -->', magicTable())
    .replaceAll(exampleAddress, address)
  return { name, title, markdown: whole }
}
