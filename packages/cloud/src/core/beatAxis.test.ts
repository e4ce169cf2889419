import { historyRanges } from '@callgate/contract/app/gateway'
import { expect, it } from 'vitest'
import { axisOf, columnsOf, historySteps } from './beatHistory.ts'

const nowMs = Date.parse('2026-03-20T12:32:10Z')
const iso = (atMs: number) => new Date(atMs).toISOString()

it('ends with the current period, and has no period that is older than the retention', () => {
  for (const range of Object.values(historyRanges)) {
    const { fromMs, stepS, stretches } = axisOf(range, nowMs)
    expect(fromMs + stretches * stepS * 1000).toBeGreaterThan(nowMs)
    expect(fromMs + (stretches - 1) * stepS * 1000).toBeLessThanOrEqual(nowMs)
    const keptS = historySteps.find(step => step.stepS === stepS)?.keptS ?? 0
    expect(stretches * stepS).toBeLessThanOrEqual(keptS)
  }
})

it('has null where a figure is unknown, and leaves out periods beyond the axis', () => {
  const axis = axisOf({ stepS: 60, stretches: 3 }, nowMs)
  const said = { signalDbm: -71, supplyMv: null, worstRegistration: 3 }
  const kept = [
    { startsAt: iso(axis.fromMs), onlineMs: 59_600, ...said },
    { startsAt: iso(axis.fromMs + 120_000), onlineMs: 10_000, ...said, worstRegistration: null },
    { startsAt: iso(axis.fromMs + 180_000), onlineMs: 1, ...said },
  ]
  expect(columnsOf(kept, axis)).toEqual({
    onlineS: [60, null, 10],
    signalDbm: [-71, null, -71],
    supplyMv: [null, null, null],
    registration: ['searching', null, null],
  })
})
