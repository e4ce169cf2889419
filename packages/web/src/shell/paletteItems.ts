// What the palette offers: the gates, members and pages that fit a text, and which of them a key chooses.

import { dashboardPaths } from '@callgate/contract/app/dashboardPaths'
import type { UserSpace } from '@callgate/contract/app/session'
import type { Words } from '../words/words.tsx'
import { destinations, hrefOf } from './navigation.ts'

export interface Item {
  readonly href: string
  readonly name: string
  /** Beside the name. */
  readonly more?: string
}

/** The letters of a text without case, accents, and the sign that joins words in the texts of the build. */
const lettersOf = (text: string) =>
  text
    .normalize('NFD')
    .replace(/[\p{M}\u2060]/gu, '')
    .toLocaleLowerCase()

/** Whether each word of `text` begins or stands within one of the words of the item. */
export function fits({ more = '', name }: Item, text: string): boolean {
  const letters = lettersOf(`${name} ${more}`)
  return lettersOf(text)
    .split(/\s+/)
    .every(word => letters.includes(word))
}

/** The parts of the settings, beside the first one, which the rail has. */
const parts = ['users', 'alertChoices', 'accessTemplates', 'apiKeys', 'webhooks', 'plan'] as const

/** The pages of the Space, and the own account. Only owners have the page of the users. */
export function pageItems({ id: spaceId, role }: UserSpace, words: Words): readonly Item[] {
  const { account, frame, settings } = words
  return [
    ...destinations.map(({ name, path }) => ({ name: frame.pages[name], href: hrefOf(path, { spaceId }) })),
    ...parts
      .filter(part => part !== 'users' || role === 'owner')
      .map(part => ({
        name: settings.part[part],
        more: frame.pages.settings,
        href: hrefOf(dashboardPaths[part], { spaceId }),
      })),
    { name: account.open, href: dashboardPaths.account },
  ]
}

/** The place that a key leads to among `count` items, from `place`; undefined for another key. */
export function placeAfter(key: string, place: number, count: number): number | undefined {
  if (count === 0) return undefined
  if (key === 'ArrowDown') return (place + 1) % count
  if (key === 'ArrowUp') return (place - 1 + count) % count
  return undefined
}
