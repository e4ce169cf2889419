import type { ApiKeyView } from '@callgate/contract/app/apiKey'
import { scopeNames } from '@callgate/contract/rest/scope'
import { expect, it } from 'vitest'
import { en } from '../words/en.ts'
import { isOver, sayEnd, sayRequests, sayRights } from './keyWords.ts'

const nowMs = Date.parse('2026-03-20T12:00:00.000Z')
const reader = { words: en, times: { locale: 'en-GB', zone: 'Europe/Bucharest' }, nowMs }
const key: ApiKeyView = {
  id: 'key_1',
  name: 'Reception desk',
  shownPrefix: 'svc_live_3kQ9',
  scopes: ['gates:read'],
  gateIds: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: null,
  madeById: null,
  uses: new Array(30).fill(0),
}

it('shows when a key ends or has ended, in the zone of the Space', () => {
  expect(sayEnd(key, reader)).toBe('Never ends')
  expect(sayEnd({ ...key, expiresAt: '2026-12-31T22:30:00.000Z' }, reader)).toBe('1 Jan 2027')
  expect(sayEnd({ ...key, expiresAt: '2026-03-19T12:00:00.000Z' }, reader)).toBe('ended 19 Mar 2026')
  const revokedAt = '2026-03-18T12:00:00.000Z'
  expect(sayEnd({ ...key, expiresAt: '2026-03-19T12:00:00.000Z', revokedAt }, reader)).toBe(
    'revoked 18 Mar 2026',
  )
})

it('treats a key as ended from the moment of its end', () => {
  const ending = { ...key, expiresAt: '2026-03-20T12:00:00.000Z' }
  expect(isOver(ending, nowMs - 1)).toBe(false)
  expect(isOver(ending, nowMs)).toBe(true)
  expect(isOver(key, nowMs)).toBe(false)
})

it('names one or two rights, and sums up more', () => {
  expect(sayRights(['gates:open'], reader)).toBe('')
  expect(sayRights(['gates:read', 'gates:open', 'history:read'], reader)).toBe(
    'See gates, Read openings and activity',
  )
  expect(sayRights(['gates:read', 'gates:write', 'history:read', 'gates:open'], reader)).toBe('3 rights')
  const butEmail = scopeNames.filter(scope => scope !== 'members:read_email')
  expect(sayRights(butEmail, reader)).toBe('All but e-mail addresses')
  // It cannot open, so it is not all.
  expect(
    sayRights(
      scopeNames.filter(scope => scope !== 'gates:open'),
      reader,
    ),
  ).toBe('8 rights')
  expect(sayRights(scopeNames, reader)).toBe('All rights')
})

it('counts the requests of all days', () => {
  expect(sayRequests(key, reader)).toBe('0 requests in 30 days')
  expect(sayRequests({ uses: [0, 1] }, reader)).toBe('1 request in 30 days')
  expect(sayRequests({ uses: [1_000, 284] }, reader)).toBe('1,284 requests in 30 days')
})
