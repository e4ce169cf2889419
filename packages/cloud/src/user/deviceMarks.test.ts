// Device marks: the account that a mark belongs to, and how long it is valid.

import { fakeWorld } from '@callgate/world/fake'
import { expect, it } from 'vitest'
import { createSeal } from '../secrets/sealing.ts'
import { createDeviceMarks } from './deviceMarks.ts'

const dayMs = 24 * 3_600_000
const user = { id: 'user_a', passwordHash: 'hash', totpEnabledAt: null }

function rig() {
  const world = fakeWorld(1)
  const seal = createSeal(world, new Map([[1, new Uint8Array(32)]]))
  return { world, marks: createDeviceMarks({ seal, world }) }
}

it('counts a mark for 180 days', async () => {
  const { marks, world } = rig()
  const mark = marks.make(user)
  await world.advance(180 * dayMs - 1)
  expect(marks.read(mark, user)).toMatch(/^[\w-]{22}$/)
  await world.advance(1)
  expect(marks.read(mark, user)).toBeUndefined()
})

it('keeps the id of a browser that gets a new mark', async () => {
  const { marks, world } = rig()
  const first = marks.make(user)
  await world.advance(100 * dayMs)
  const second = marks.make(user, marks.read(first, user))
  expect(marks.read(second, user)).toBe(marks.read(first, user))
  await world.advance(100 * dayMs)
  expect(marks.read(first, user)).toBeUndefined()
  expect(marks.read(second, user)).toBeDefined()
})
