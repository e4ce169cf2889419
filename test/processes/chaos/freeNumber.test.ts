// Which numbers a trial may press: none whose press would be joined, or answered from an earlier call.

import Sqlite from 'better-sqlite3'
import { afterEach, expect, it } from 'vitest'
import { freeNumbers } from './freeNumber.ts'

const phoneNumber = '+40722000101'
const heardMs = 1_000_000
const asked = { phoneNumber, coolDownMs: 5_000, heardMs, nowMs: heardMs + 60_000, servingSinceMs: 0 }

const database = new Sqlite(':memory:')
database.exec('create table "openings" ("phoneNumber", "lockedNumber", "grantedAt")')
const isFree = freeNumbers(database)
afterEach(() => void database.exec('delete from "openings"'))

function opening(row: { lockedNumber?: string; grantedAt?: string }) {
  const { grantedAt = null, lockedNumber = null } = row
  database.prepare('insert into "openings" values (?, ?, ?)').run(phoneNumber, lockedNumber, grantedAt)
}
const called = { grantedAt: '2026-01-01T00:00:00.000Z' }

it('is free when it was never called', () => {
  opening({})
  expect(isFree({ ...asked, nowMs: heardMs, servingSinceMs: heardMs })).toBe(true)
})

it('is not free while it is locked', () => {
  opening({ ...called, lockedNumber: phoneNumber })
  expect(isFree(asked)).toBe(false)
})

it('is free when the cool-down of its last call is over', () => {
  opening(called)
  expect(isFree({ ...asked, nowMs: heardMs + 5_000 })).toBe(false)
  expect(isFree({ ...asked, nowMs: heardMs + 5_001 })).toBe(true)
})

it('is not free in the cool-down after a restart of the cloud, however long ago its last call was', () => {
  opening(called)
  const servingSinceMs = heardMs + 3_600_000
  expect(isFree({ ...asked, servingSinceMs, nowMs: servingSinceMs + 5_000 })).toBe(false)
  expect(isFree({ ...asked, servingSinceMs, nowMs: servingSinceMs + 5_001 })).toBe(true)
})
