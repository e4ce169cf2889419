import type { GatewayUpdate } from '@callgate/contract/app/update'
import { updateCauses } from '@callgate/contract/releaseWords'
import { expect, it } from 'vitest'
import { en } from '../words/en.ts'
import { ro } from '../words/ro.ts'
import { type Leave, sayCause, sayOffer } from './updateWords.ts'

const at = '2026-03-27T10:00:00.000Z'
const none: GatewayUpdate = {
  gatewayId: 'gw_a',
  version: '0.1.0',
  canUpdate: true,
  offered: null,
  allowed: null,
  askedAt: null,
  last: null,
}
const offered = { ...none, offered: { version: '0.2.0', notes: null } }
const owner = { isOwner: true, hasHours: false }

it.each<readonly [string | undefined, GatewayUpdate, Leave]>([
  [undefined, none, owner],
  ['Update to 0.2.0 waits for your permission', offered, owner],
  ['Update to 0.2.0 waits for an owner', offered, { ...owner, isOwner: false }],
  ['Updates to 0.2.0 by itself', offered, { ...owner, hasHours: true }],
  ['Update to 0.2.0 is allowed', { ...offered, allowed: { version: '0.2.0', at } }, owner],
  // The permission was for another version.
  ['Update to 0.2.0 waits for your permission', { ...offered, allowed: { version: '0.1.9', at } }, owner],
  ['Update to 0.2.0 at the gateway itself', { ...offered, canUpdate: false }, owner],
  // The requested version may differ from the version that is offered by now.
  ['Updating now', { ...offered, askedAt: at }, owner],
  ['Updating now', { ...none, askedAt: at }, owner],
])('describes %s', (says, update, leave) => {
  expect(sayOffer(update, leave, en)).toBe(says)
  expect(sayOffer(update, leave, ro) === undefined).toBe(says === undefined)
})

it.each(updateCauses)('describes what happened and what to do in each language: %s', cause => {
  const last = { version: '0.2.0', state: 'refused', why: 'in English', cause, at } as const
  const said = [en, ro].map(words => sayCause(last, words))
  expect(new Set(said).size).toBe(2)
  for (const text of said) expect(text).toMatch(/^\S.*\. \S.*\.$/)
})

it('describes the reports of an older gateway, and of a newer one', () => {
  const last = { version: '0.2.0', state: 'refused', why: 'the disk is full', cause: null, at }
  expect(sayCause(last, ro)).toBe('Gateway-ul spune: the disk is full')
  expect(sayCause({ ...last, cause: 'toString' }, en)).toBe('The gateway says: the disk is full')
  expect(sayCause({ ...last, why: null }, en)).toBeUndefined()
})
