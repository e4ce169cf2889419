import { callProfile } from '@callgate/contract/call/callProfile'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { leftOfCall, queueOf } from './queue.ts'

const press = (openingId: string, gatewayIds: readonly string[] = ['gw_1'], takesMs = 10_000) => ({
  openingId,
  gatewayIds,
  takesMs,
})
const call = (leftMs: number, gatewayId = 'gw_1') => ({ gatewayId, leftMs })
const mine = { openingId: 'open_c', ageMs: 1_000 }

it('is undefined where a gateway is free, or no gateway could call', () => {
  expect(queueOf(mine, { calls: [], waiting: [press('open_c')] })).toBeUndefined()
  const both = [press('open_c', ['gw_1', 'gw_2'])]
  expect(queueOf(mine, { calls: [call(8_000)], waiting: both })).toBeUndefined()
  expect(queueOf(mine, { calls: [call(8_000)], waiting: [press('open_c', [])] })).toBeUndefined()
  expect(queueOf(mine, { calls: [call(8_000)], waiting: [] })).toBeUndefined()
})

it('says that a press is next, and in how long', () => {
  const waiting = [press('open_c')]
  expect(queueOf(mine, { calls: [call(7_500)], waiting })).toEqual({ ahead: 1, aboutS: 8, inTime: true })
  expect(queueOf(mine, { calls: [call(11_500)], waiting })).toEqual({ ahead: 1, aboutS: 12, inTime: false })
})

it('counts the earlier presses that wait too, and not the later ones', () => {
  const waiting = [press('open_d'), press('open_c'), press('open_a', ['gw_1'], 2_000)]
  expect(queueOf(mine, { calls: [call(3_000)], waiting })).toEqual({ ahead: 2, aboutS: 5, inTime: true })
})

it('uses the gateway that is free first', () => {
  const waiting = [press('open_a', ['gw_1', 'gw_2']), press('open_c', ['gw_1', 'gw_2'])]
  const calls = [call(3_000), call(9_000, 'gw_2')]
  // The first of them waits for gw_1, and then gw_2 is free sooner.
  expect(queueOf(mine, { calls, waiting })).toEqual({ ahead: 1, aboutS: 9, inTime: true })
})

it('grows with each earlier press, whatever its gateways, and is the same in any order of the rows', () => {
  const gatewayIds = fc.subarray(['gw_1', 'gw_2', 'gw_3'], { minLength: 1 })
  const waits = fc.uniqueArray(
    fc.record({
      openingId: fc.constantFrom(...'abdefg').map(one => `open_${one}`),
      gatewayIds,
      takesMs: fc.integer({ min: 1, max: 30_000 }),
    }),
    { selector: one => one.openingId },
  )
  const calls = fc.subarray(['gw_1', 'gw_2', 'gw_3']).map(ids => ids.map(id => call(5_000, id)))
  let queued = 0
  fc.assert(
    fc.property(waits, calls, gatewayIds, (others, running, own) => {
      const waiting = [...others, press('open_c', own)]
      const queue = queueOf(mine, { calls: running, waiting })
      expect(queueOf(mine, { calls: running, waiting: waiting.toReversed() })).toEqual(queue)
      const before = others.filter(({ openingId }) => openingId < 'open_c')
      expect(queueOf(mine, { calls: running, waiting: [...before, press('open_c', own)] })).toEqual(queue)
      const [, ...fewer] = before
      const sooner = queueOf(mine, { calls: running, waiting: [...fewer, press('open_c', own)] })
      if (own.length === 1 && before.every(one => one.gatewayIds.length === 1))
        expect(sooner?.aboutS ?? 0).toBeLessThanOrEqual(queue?.aboutS ?? 0)
      expect(queue?.ahead ?? 0).toBeLessThanOrEqual(before.length + running.length)
      if (queue) queued += 1
    }),
    { numRuns: 500, seed: 20_260_105 },
  )
  expect(queued).toBeGreaterThan(100)
})

it('expects a call to end as usual, and one that rings on to ring out', () => {
  const profile = callProfile({ mode: 'reject' })
  expect(leftOfCall(profile, { agoMs: 4_000, takesMs: 12_000 })).toBe(8_000)
  expect(leftOfCall(profile, { agoMs: 13_000, takesMs: 12_000 })).toBe(25_000)
  expect(leftOfCall(profile, { agoMs: 60_000, takesMs: 12_000 })).toBe(1_000)
  expect(leftOfCall(callProfile({ mode: 'ring' }), { agoMs: 13_000, takesMs: 12_000 })).toBe(7_000)
})
