import { expect, it } from 'vitest'
import { fakeWorld } from './fake.ts'
import { newId } from './ids.ts'

it('sorts by creation, also within a millisecond', async () => {
  const world = fakeWorld(1)
  const ids: string[] = []
  for (let millisecond = 0; millisecond < 5; millisecond++) {
    for (let place = 0; place < 200; place++) ids.push(newId(world, 'gate'))
    await world.advance(1)
  }
  expect([...ids].sort()).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
  for (const id of ids) expect(id).toMatch(/^gate_[0-9a-hjkmnp-tv-z]{26}$/)
})
