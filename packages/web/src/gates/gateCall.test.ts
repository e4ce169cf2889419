import type { OpeningRecord } from '@callgate/contract/app/openingRecord'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Step } from '../kit/openingLook.ts'
import { openingLook } from '../kit/openingLook.ts'
import { en } from '../words/en.ts'
import {
  accepted,
  asFarAs,
  figuresShown,
  type GateCall,
  listed,
  noCall,
  pressed,
  refused,
  rested,
  told,
  unanswered,
} from './gateCall.ts'
import { exampleFigures, lastOpening } from './gateFigures.kit.ts'
import { badgeOf } from './gateState.ts'
import type { EndedPress } from './press.ts'

const userId = 'user_1'
const steps: readonly Step[] = ['asked', 'calling', 'ringing']

const ended: EndedPress = { is: 'ended', class: 'opened', reason: null, safeToRetry: false, readyAtMs: 0 }

/** An opening at this step of its call; 3: it has ended. */
const record = (id: string, step: number, by = 'user_2'): OpeningRecord => ({
  ...lastOpening,
  id,
  class: step === 3 ? 'opened' : 'running',
  step: steps[step] ?? null,
  by: { kind: 'user', id: by },
})

const press = (call: GateCall) => pressed(call, { sinceMs: 0, gateId: 'gate_1', userId })
const isRunning = ({ newest }: GateCall) => newest?.class === 'running'

/** What each part of a card shows of a call. */
function parts(call: GateCall) {
  const shown = figuresShown(exampleFigures, call)
  if (!shown?.last) throw new Error('nothing is shown')
  return {
    badge: badgeOf({ isActive: true }, shown, { caller: 'ready', words: en }).word,
    lit: openingLook(shown.last).lit,
    tick: shown.ticks.at(-1)?.class,
    button: call.press.is === 'running' ? call.press.step : call.press.is,
  }
}

it('shows one step in badge, ring, bar and button', () => {
  const asked = press(listed(noCall, record('open_1', 3), userId))
  expect(parts(asked)).toEqual({ badge: 'Asked', lit: 1, tick: 'running', button: 'asked' })
  const ringing = told(accepted(asked, 'open_2'), { openingId: 'open_2', callId: 'open_2', step: 'ringing' })
  expect(parts(ringing)).toEqual({ badge: 'Ringing', lit: 3, tick: 'running', button: 'ringing' })
  // The list was read earlier.
  expect(listed(ringing, record('open_2', 1, userId), userId)).toBe(ringing)
  const over = told(ringing, { openingId: 'open_2', end: ended })
  expect(parts(over)).toEqual({ badge: 'Ready', lit: 4, tick: 'opened', button: 'ended' })
  // It has ended for good, also after the button has shown it.
  const after = listed(rested(over), record('open_2', 2, userId), userId)
  expect(parts(after)).toEqual({ badge: 'Ready', lit: 4, tick: 'opened', button: 'ready' })
})

it('shows the step of the call that the press joins, also after that has ended first', () => {
  const joining = press(listed(noCall, record('open_1', 2), userId))
  expect(joining.press).toMatchObject({ step: 'ringing' })
  const joined = told(accepted(joining, 'open_2'), { openingId: 'open_2', callId: 'open_1', step: 'calling' })
  expect(joined.press).toMatchObject({ step: 'ringing' })
  expect(told(joined, { openingId: 'open_2', callId: 'open_1', step: 'asked' })).toBe(joined)
})

it('shows the step of its own call where the press joined none', () => {
  const joining = press(listed(noCall, record('open_1', 2), userId))
  const own = told(accepted(joining, 'open_2'), { openingId: 'open_2', callId: 'open_2', step: 'asked' })
  expect(own.press).toMatchObject({ step: 'asked' })
  expect(own.newest).toMatchObject({ id: 'open_2', step: 'asked' })
})

it('shows what was before where a press led to nothing', () => {
  const before = listed(noCall, record('open_1', 3), userId)
  const lost = refused(unanswered(press(before)), { is: 'not_sent', why: 'lost', waitS: 0 })
  expect(lost.newest).toBe(before.newest)
  expect(figuresShown(exampleFigures, lost)?.last?.id).toBe('open_1')
})

it('follows a call of the reader that still runs, as after the page was loaded again', () => {
  const found = listed(noCall, record('open_1', 1, userId), userId)
  expect(found).toMatchObject({ openingId: 'open_1', press: { is: 'running', step: 'calling' } })
  expect(listed(noCall, record('open_1', 1), userId).press.is).toBe('ready')
})

it('shows an opening of a list as far as it is known', () => {
  const known = { newest: record('open_1', 2) }
  expect(asFarAs(record('open_1', 0), known).step).toBe('ringing')
  expect(asFarAs(record('open_0', 0), known).step).toBe('asked')
  expect(asFarAs(record('open_1', 3), known).class).toBe('opened')
})

it('shows a newer call in all parts, also while the button shows the end of the press', () => {
  const over = told(listed(noCall, record('open_1', 0, userId), userId), { openingId: 'open_1', end: ended })
  const newer = listed(over, record('open_2', 0), userId)
  expect(parts(newer)).toEqual({ badge: 'Asked', lit: 1, tick: 'running', button: 'ready' })
})

it('counts a call that the list has not counted yet', () => {
  const call = told(accepted(press(noCall), 'open_2'), {
    openingId: 'open_2',
    end: { ...ended, class: 'unknown' },
  })
  const { outcomes } = figuresShown(exampleFigures, call) ?? exampleFigures
  expect(outcomes).toMatchObject({ calls: 2, unknownInRow: 1, last: 'unknown' })
  const denied = told(accepted(press(noCall), 'open_2'), {
    openingId: 'open_2',
    end: { ...ended, class: 'denied' },
  })
  expect(figuresShown(exampleFigures, denied)?.outcomes).toEqual(exampleFigures.outcomes)
})

/** One thing that reaches the page: an answer of a list or about an opening, as it was at a step, or what the person does. */
type Event =
  | { readonly is: 'list' | 'opening'; readonly of: number; readonly step: number }
  | { readonly is: 'press' | 'accept' | 'lose' | 'rest' }

const anyEvent: fc.Arbitrary<Event> = fc.oneof(
  fc.record({
    is: fc.constantFrom('list' as const, 'opening' as const),
    of: fc.integer({ min: 1, max: 4 }),
    step: fc.integer({ min: 0, max: 3 }),
  }),
  fc.record({ is: fc.constantFrom('press' as const, 'accept' as const, 'lose' as const, 'rest' as const) }),
)

/** The openings in their order: those with an odd number are of the reader. */
function after(call: GateCall, event: Event): GateCall {
  const isPressing = call.press.is === 'running' || call.press.is === 'checking'
  const own = Number(call.before?.id.at(-1) ?? 0) + 1
  switch (event.is) {
    case 'list':
      return listed(
        call,
        record(`open_${event.of}`, event.step, event.of % 2 === 1 ? userId : 'user_2'),
        userId,
      )
    case 'opening': {
      const openingId = `open_${event.of}`
      const step = steps[event.step]
      return told(call, step ? { openingId, callId: openingId, step } : { openingId, end: ended })
    }
    case 'press':
      return isPressing ? call : press(call)
    case 'accept':
      return isPressing && call.openingId === undefined ? accepted(call, `open_${own}`) : call
    case 'lose':
      return unanswered(call)
    case 'rest':
      return isPressing ? call : rested(call)
  }
}

it('never goes back, and its parts never differ, in any order of answers, events and presses', () => {
  fc.assert(
    fc.property(fc.array(anyEvent, { maxLength: 40 }), events => {
      let call = noCall
      const furthest = new Map<string, number>()
      for (const event of events) {
        const before = call
        call = after(call, event)
        if (!call.newest) continue
        const { badge, lit, tick, button } = parts(call)
        // All parts are of one step.
        const running = isRunning(call)
        expect(tick === 'running').toBe(running)
        if (call.press.is === 'running') {
          expect(badge).toBe(en.openings.steps[call.press.step])
          expect([running, lit]).toEqual([true, steps.indexOf(call.press.step) + 1])
        } else if (button === 'ended') expect(badge).toBe('Ready')
        // One opening goes on, and an older one does not come back.
        const { id } = call.newest
        const isOwnKnown = call.callId === undefined || call.callId === id
        if (id === '' || !isOwnKnown) continue
        const rank = running ? lit : 4
        const joins = before.callId !== undefined && before.callId !== id
        if (!joins) expect(rank).toBeGreaterThanOrEqual(furthest.get(id) ?? 0)
        furthest.set(id, rank)
        for (const [older, reached] of furthest) if (older > id) expect(reached).toBe(0)
      }
    }),
  )
})
