import { openingSteps } from '@callgate/contract/rest/openingEvent'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openingRow as pressed } from '../opening/openingRow.kit.ts'
import type { OpeningRow } from './opening.ts'
import {
  firstSteps,
  laterSteps,
  type StepEvent,
  stepOfRow,
  stepsOfEnd,
  stepsOfPress,
} from './openingSteps.ts'

const at = '2026-01-05T08:00:00.000Z'
const openingRow = (more: Partial<OpeningRow> = {}): OpeningRow => ({ ...pressed, ...more })
const ended = { status: 'failed', completedAt: at } as const
const event = (seq: number, step: StepEvent['step']): StepEvent => ({ seq, step, at })
const known = { row: openingRow(), events: [], after: undefined, oldestSeq: 1, newestSeq: 9 }

describe('the steps of a press', () => {
  const leader = { ...openingRow(), status: 'initiated' } as const
  const join = (more: object) => stepsOfPress({ kind: 'join', leader: { ...leader, ...more } })

  it('are those that the call has reached already, where the press joins it', () => {
    expect(stepsOfPress({ kind: 'lead' })).toEqual(['asked'])
    expect(join({ gatewayId: null })).toEqual(['asked'])
    expect(join({ gatewayId: 'gw' })).toEqual(['asked', 'calling'])
    expect(join({ gatewayId: 'gw', status: 'connected' })).toEqual(['asked', 'calling', 'ringing'])
  })

  it('end with taken only where the verdict says so', () => {
    expect(stepsOfEnd({ status: 'completed' })).toEqual(['taken', 'ended'])
    for (const status of ['failed', 'timeout'] as const) expect(stepsOfEnd({ status })).toEqual(['ended'])
    const ending = {
      status: 'failed',
      reason: 'busy',
      opened: 'no',
      confidence: 'certain',
      safeToRetry: true,
    }
    expect(stepsOfPress({ kind: 'end', ending, joined: undefined } as never)).toEqual(['asked', 'ended'])
  })
})

describe('the step of a row alone', () => {
  it('is the furthest step that the row shows', () => {
    expect(stepOfRow(openingRow({ calledAt: at }))).toEqual({ step: 'asked', at })
    expect(stepOfRow(openingRow({ grantedAt: at }))).toEqual({ step: 'calling', at })
    expect(stepOfRow(openingRow({ grantedAt: at, status: 'connected' }))).toEqual({ step: 'ringing', at })
    expect(stepOfRow(openingRow(ended))).toEqual({ step: 'ended', at })
  })
})

describe('a new reader', () => {
  const events = [event(2, 'asked'), event(4, 'calling'), event(7, 'ringing')]

  it('gets every step, or after a number those that follow it', () => {
    expect(firstSteps({ ...known, events })).toEqual({ isReset: false, steps: events, isOver: false })
    expect(firstSteps({ ...known, events, after: 4 }).steps).toEqual([events[2]])
    expect(firstSteps({ ...known, events, after: 9 })).toEqual({ isReset: false, steps: [], isOver: false })
  })

  it('gets the newest step alone where events are missing', () => {
    const isReset = { isReset: true, steps: [event(9, 'ringing')], isOver: false }
    // An invalid number, a number of another Space, and a number after which events were deleted.
    for (const [after, oldestSeq] of [
      [null, 1],
      [10, 1],
      [2, 4],
      [8, undefined],
    ] as const)
      expect(firstSteps({ ...known, events, after, oldestSeq }), String(after)).toEqual(isReset)
    expect(firstSteps({ ...known, row: openingRow(ended), oldestSeq: undefined })).toEqual({
      isReset: true,
      steps: [event(9, 'ended')],
      isOver: true,
    })
  })

  it('gets the last of several ends, which corrects the earlier ones', () => {
    const corrected = [...events, event(8, 'ended'), event(10, 'taken'), event(11, 'ended')]
    const of = { ...known, row: openingRow(ended), events: corrected, newestSeq: 11 }
    expect(firstSteps(of).steps.map(({ seq }) => seq)).toEqual([2, 4, 7, 10, 11])
    expect(firstSteps({ ...of, after: 8 }).steps.map(({ seq }) => seq)).toEqual([10, 11])
    expect(firstSteps({ ...of, after: 11 })).toEqual({ isReset: false, steps: [], isOver: true })
  })
})

it('A7: gets no step that it has read, and no earlier one', () => {
  const isLater = laterSteps({ row: openingRow(), events: [event(1, 'asked'), event(3, 'ringing')] })
  const live = [
    event(1, 'asked'),
    event(3, 'ringing'),
    event(4, 'calling'),
    event(5, 'ended'),
    event(6, 'ended'),
  ]
  expect(live.filter(isLater).map(({ seq }) => seq)).toEqual([5])
})

it('A7: gets each step once and in order, wherever the first read ends and the live events begin', () => {
  const someEvents = fc
    .array(fc.constantFrom(...openingSteps.slice(0, 4)), { maxLength: 12 })
    .map(steps => [...steps, 'ended' as const].map((step, place) => event(place + 1, step)))
  const property = fc.property(someEvents, fc.nat(13), fc.nat(13), (events, read, overlap) => {
    const before = events.slice(0, read)
    const row = openingRow(read >= events.length ? ended : {})
    const of = { ...known, row, events: before, newestSeq: before.length }
    const first = firstSteps(of)
    const isLater = laterSteps(of)
    const live = events.slice(Math.max(0, read - overlap)).filter(isLater)
    const told = first.isReset ? live : [...first.steps, ...live]
    const ranks = told.map(({ step }) => openingSteps.indexOf(step))
    expect(ranks).toEqual([...new Set(ranks)].sort((a, b) => a - b))
    expect(told.at(-1)?.step).toBe('ended')
    const best = Math.max(...events.slice(0, -1).map(({ step }) => openingSteps.indexOf(step)), 0)
    if (events.length > 1 && !first.isReset) expect(ranks).toContain(best)
  })
  void fc.assert(property)
})
