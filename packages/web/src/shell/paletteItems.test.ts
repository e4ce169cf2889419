import { wholeWords } from '@callgate/contract/wholeWords'
import { describe, expect, it } from 'vitest'
import { sessionOf } from '../client/spaceData.kit.ts'
import { en } from '../words/en.ts'
import { fits, pageItems, placeAfter } from './paletteItems.ts'

it.each([
  ['', true],
  ['nord', true],
  ['NÓRD', true],
  ['lalelelor nord', true],
  ['ord', true],
  ['sud', false],
  ['nord sud', false],
])('finds “%s” in a name and what stands beside it: %s', (text, isFound) => {
  expect(fits({ name: 'Poarta de nord', more: 'Strada Lalelelor', href: '/' }, text)).toBe(isFound)
})

it('finds a name with accents by one without, and the other way round', () => {
  expect(fits({ name: 'Ștefan Țepeș', href: '/' }, 'stefan tepes')).toBe(true)
  expect(fits({ name: 'Stefan', href: '/' }, 'Ștefan')).toBe(true)
})

it('finds a page whose name the build has joined', () => {
  expect(fits({ name: wholeWords('Gateway-uri'), href: '/' }, 'gateway-uri')).toBe(true)
})

it('has each page once, and that of the users for owners alone', () => {
  const [space] = sessionOf().spaces
  if (!space) throw new Error('the session has a Space')
  const hrefs = pageItems(space, en).map(({ href }) => href)
  expect(new Set(hrefs).size).toBe(hrefs.length)
  const isUsers = ({ href }: { readonly href: string }) => href.endsWith('/settings/users')
  expect(pageItems({ ...space, role: 'owner' }, en).some(isUsers)).toBe(true)
  expect(pageItems({ ...space, role: 'admin' }, en).some(isUsers)).toBe(false)
})

describe('an arrow', () => {
  it.each([
    ['ArrowDown', 0, 3, 1],
    ['ArrowDown', 2, 3, 0],
    ['ArrowUp', 0, 3, 2],
    ['ArrowUp', 2, 3, 1],
    ['ArrowDown', 0, 0, undefined],
    ['Enter', 0, 3, undefined],
  ])('%s leads from %s of %s to %s', (key, place, count, next) => {
    expect(placeAfter(key, place, count)).toBe(next)
  })
})
