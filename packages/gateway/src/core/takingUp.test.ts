import { beatEveryMs, firstBeatsEveryMs } from '@callgate/contract/wire/timing'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { beatSent, challenged, reconnected, type TakingUp, takenUp, unknownToTheCloud } from './takingUp.ts'

it('answers a challenge at once, and again only when it is another', () => {
  const first = challenged(unknownToTheCloud, 'n', 1)
  expect(first).toMatchObject({ does: 'answer', state: { nonce: 'n' } })
  expect(challenged(first.state, 'n', 2).does).toBe('nothing')
  expect(challenged(first.state, 'm', 2)).toMatchObject({ does: 'answer', state: { nonce: 'm' } })
})

it('beats soon, then less often, until it is taken up', () => {
  let state: TakingUp = unknownToTheCloud
  const pauses = Array.from({ length: 5 }, () => {
    const { beatInMs } = state
    state = beatSent(state)
    return beatInMs
  })
  expect(pauses).toEqual([2_000, 4_000, 8_000, 10_000, 10_000])
  expect(reconnected(state).beatInMs).toBe(firstBeatsEveryMs)
  expect(reconnected(takenUp(state, 5)).beatInMs).toBe(beatEveryMs)
})

it('is forgotten where a beat is challenged that was sent after it was taken up, not by what is played back', () => {
  const state = takenUp(challenged(unknownToTheCloud, 'n', 1).state, 7)
  expect(state.nonce).toBeUndefined()
  expect(challenged(state, 'm', 7).does).toBe('nothing')
  expect(challenged(state, 'm', undefined).does).toBe('nothing')
  expect(challenged(state, 'm', 8).does).toBe('forgotten')
})

it('answers nothing any more once it was taken up, whatever comes', () => {
  const heard = fc.record({ nonce: fc.string(), seq: fc.option(fc.nat(), { nil: undefined }) })
  fc.assert(
    fc.property(fc.array(heard), fc.nat(), (all, lastSeq) => {
      let state = takenUp(unknownToTheCloud, lastSeq)
      for (const { nonce, seq } of all) {
        const said = challenged(state, nonce, seq)
        expect(said.does).not.toBe('answer')
        state = beatSent(takenUp(said.state, lastSeq + 100))
        expect(state).toEqual({ takenUpAtSeq: lastSeq, beatInMs: beatEveryMs })
      }
    }),
  )
})
