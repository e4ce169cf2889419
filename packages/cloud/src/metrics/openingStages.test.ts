import { expect, it } from 'vitest'
import { stageReader } from './openingStages.ts'

function reader() {
  const told: (readonly [string, number])[] = []
  const stages = stageReader({
    stage: (stage, tookMs) => told.push([stage, tookMs]),
    whole: (outcome, tookMs) => told.push([outcome, tookMs]),
  })
  const at = (atMs: number, point: string, more: object = {}) =>
    stages.take({ point, openingId: 'open_1', ...more }, atMs)
  return { at, told, stages }
}

it('measures each stage, and the whole opening', () => {
  const { at, told } = reader()
  at(105, 'pressed', { sinceMs: 100, outcome: 'lead' })
  at(106, 'hinted')
  at(2_106, 'hinted')
  at(2_206, 'claim')
  at(2_216, 'granted', { outcome: 'granted' })
  at(5_216, 'ringing')
  at(9_216, 'ended', { outcome: 'completed', reason: 'rejected_after_ring' })
  at(9_300, 'ended', { outcome: 'completed' })
  expect(told).toEqual([
    ['press', 5],
    ['hint', 1],
    ['claim', 2_100],
    ['grant', 10],
    ['dial', 3_000],
    ['call', 7_000],
    ['completed', 9_116],
  ])
})

it('restarts the stage of the claim after a refused claim, and leaves out stages that did not happen', () => {
  const { at, told } = reader()
  at(0, 'pressed', { sinceMs: 0 })
  at(100, 'claim')
  at(110, 'granted', { outcome: 'expired' })
  at(300, 'claim')
  at(310, 'granted', { outcome: 'granted' })
  at(400, 'claim')
  at(410, 'granted', { outcome: 'granted' })
  at(90_000, 'ended', { outcome: 'timeout' })
  expect(told).toEqual([
    ['press', 0],
    ['claim', 100],
    ['claim', 300],
    ['grant', 10],
    ['call', 89_690],
    ['timeout', 90_000],
  ])
})

it('drops the oldest opening beyond its limit, and ignores an opening from before', () => {
  const { stages, told } = reader()
  stages.take({ point: 'ended', openingId: 'open_0', outcome: 'failed' }, 1)
  for (let place = 1; place <= 10_001; place++)
    stages.take({ point: 'pressed', openingId: `open_${place}`, sinceMs: place }, place)
  told.length = 0
  for (const place of [1, 2, 10_001])
    stages.take({ point: 'ended', openingId: `open_${place}`, outcome: 'failed' }, 20_000)
  expect(told).toEqual([
    ['failed', 19_998],
    ['failed', 9_999],
  ])
})
