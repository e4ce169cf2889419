import { type FakeWorld, fakeWorld } from '@callgate/world/fake'
import { moment } from '@callgate/world/world'
import { beforeEach, describe, expect, it } from 'vitest'
import { awakeForMs, type BeatsAside, beatsAside } from './beatsAside.ts'

const letters = (letter: string) => letter.repeat(22)
const known = {
  gatewayId: 'gw_1',
  spaceId: 'space_1',
  bootId: letters('A'),
  body: '{"online":true,"facts":7}',
}

let world: FakeWorld
let owned: Set<string>
let aside: BeatsAside
let handled: number[]
let number: number
beforeEach(() => {
  world = fakeWorld(1)
  owned = new Set()
  aside = beatsAside({ world, replica: { isAlone: false, owns: id => owned.has(id) } })
  handled = []
  number = 0
  aside.know(known)
})

/** Whether the next beat is kept. */
function keep(more: object = {}): boolean {
  const { bootId, body, gatewayId } = known
  const sent = { type: 'beat', keyId: 'k', signature: 's', gatewayId, bootId, body, ...more } as const
  number += 1
  const own = number
  return aside.keep(sent, moment(world), async () => void handled.push(own))
}

describe('a beat of a gateway that another cloud owns', () => {
  it('is kept, and handled in order when its Space is needed', async () => {
    expect([keep(), keep(), keep()]).toEqual([true, true, true])
    await aside.wake('space_2')
    expect(handled).toEqual([])
    await aside.wake(known.spaceId)
    expect(handled).toEqual([1, 2, 3])
    await aside.wake(known.spaceId)
    expect(handled).toHaveLength(3)
  })

  it.each([
    ['of another boot', { bootId: letters('B') }],
    ['without a boot', { bootId: undefined }],
    ['with other facts', { body: '{"online":true,"facts":8}' }],
    ['with all facts, as from an older daemon', { body: '{"online":true}' }],
    ['that is a goodbye', { body: '{"online":false,"facts":7}' }],
    ['that answers a challenge', { nonce: letters('N') }],
    ['that is far too long', { body: `{"online":true,"facts":7,"x":"${'x'.repeat(3_000)}"}` }],
    ['of a gateway that this cloud does not know', { gatewayId: 'gw_2' }],
  ])('%s is not kept', (_name, more) => {
    expect(keep(more)).toBe(false)
  })

  it('is not kept by the cloud that owns the gateway now, nor after a beat that has to be handled', () => {
    owned.add(known.gatewayId)
    expect(keep()).toBe(false)
    owned.clear()
    expect(keep()).toBe(true)
    aside.forget(known.gatewayId)
    expect(keep()).toBe(false)
  })

  it('is not kept while its Space is needed', async () => {
    await aside.wake(known.spaceId)
    await world.advance(awakeForMs - 1)
    expect(keep()).toBe(false)
    await world.advance(1)
    expect(keep()).toBe(true)
  })

  it('pushes out only one that does not show any more that its gateway is online', async () => {
    for (let sent = 0; sent < 5; sent++) {
      expect(keep()).toBe(true)
      await world.advance(10_000)
    }
    await aside.release(known.gatewayId)
    expect(handled).toEqual([2, 3, 4, 5])
  })

  it('has to be handled at once where faster ones than those of a gateway come', async () => {
    for (let sent = 0; sent < 4; sent++) {
      expect(keep()).toBe(true)
      await world.advance(7_000)
    }
    expect(keep()).toBe(false)
    await aside.release(known.gatewayId)
    expect(handled).toEqual([1, 2, 3, 4])
  })

  it('holds up nobody for longer than a second', async () => {
    const { body, bootId, gatewayId } = known
    const sent = { type: 'beat', keyId: 'k', signature: 's', gatewayId, bootId, body } as const
    expect(aside.keep(sent, moment(world), () => new Promise(() => {}))).toBe(true)
    const states: string[] = []
    // The second one waits for the same beat.
    for (const name of ['one', 'other']) void aside.wake(known.spaceId).then(() => states.push(name))
    await world.advance(999)
    expect(states).toEqual([])
    await world.advance(1)
    expect(states).toEqual(['one', 'other'])
  })
})

it('tells how long ago the last kept beat came', async () => {
  expect(aside.agoMs(known.gatewayId)).toBeUndefined()
  keep()
  await world.advance(4_000)
  expect(Math.round(aside.agoMs(known.gatewayId) ?? 0)).toBe(4_000)
})
