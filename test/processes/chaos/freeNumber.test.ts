// The numbers that a trial may press: none whose press would join an earlier call, or be answered from it.

import { expect, it } from 'vitest'
import { isFree } from './freeNumber.ts'

const heardMs = 1_000_000
const asked = {
  phoneNumber: '+40722000101',
  coolDownMs: 5_000,
  heardMs,
  nowMs: heardMs + 60_000,
  servingSinceMs: 0,
}
const number = ({ isLocked = false, wasCalled = false }) => ({
  isLocked: async () => isLocked,
  wasCalled: async () => wasCalled,
})
const called = number({ wasCalled: true })

it('is free when it was never called', async () => {
  expect(await isFree(number({}), { ...asked, nowMs: heardMs, servingSinceMs: heardMs })).toBe(true)
})

it('is not free while it is locked', async () => {
  expect(await isFree(number({ isLocked: true, wasCalled: true }), asked)).toBe(false)
})

it('is free when the cool-down of its last call is over', async () => {
  expect(await isFree(called, { ...asked, nowMs: heardMs + 5_000 })).toBe(false)
  expect(await isFree(called, { ...asked, nowMs: heardMs + 5_001 })).toBe(true)
})

it('is not free in the cool-down after a restart of the cloud, however long ago its last call was', async () => {
  const servingSinceMs = heardMs + 3_600_000
  expect(await isFree(called, { ...asked, servingSinceMs, nowMs: servingSinceMs + 5_000 })).toBe(false)
  expect(await isFree(called, { ...asked, servingSinceMs, nowMs: servingSinceMs + 5_001 })).toBe(true)
})
