import type { Task, TaskReport } from '@callgate/contract/wire/tasks'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  mostTasks,
  stepTasks,
  type TaskEffect,
  type TaskEvent,
  type TasksState,
  tasksState,
  tasksWakeInMs,
} from './tasks.ts'

const idOf = (letter: string) => `task_${letter.repeat(26)}`
const taskOf = (letter: string): Task => ({ taskId: idOf(letter), kind: 'ussd', code: '*100#' })
const doneOf = (letter: string): TaskReport => ({
  taskId: idOf(letter),
  kind: 'ussd',
  state: 'done',
  answer: { text: 'Credit', isMenu: false },
})
const at = (ms: number) => ({ monotonicMs: ms, sinceBootMs: ms })

/** Passes events, each with its time, and returns the state and the effects. */
function played(...events: readonly (readonly [ms: number, event: TaskEvent])[]) {
  let state = tasksState('boot')
  const effects: TaskEffect[] = []
  for (const [ms, event] of events) {
    const taken = stepTasks(state, event, at(ms))
    state = taken.state
    effects.push(...taken.effects)
  }
  return { state, effects, types: effects.map(({ type }) => type) }
}
const beat = (seq: number): TaskEvent => ({ type: 'beat', seq })
const asked = (letter: string, seq = 1, bootId = 'boot'): TaskEvent => ({
  type: 'task',
  bootId,
  seq,
  task: taskOf(letter),
})
const ended = (letter: string): TaskEvent => ({ type: 'ended', told: doneOf(letter) })
const openings = (hasOpening: boolean): TaskEvent => ({ type: 'openings', hasOpening })

describe('a task', () => {
  it('begins at once, and is reported once it has ended', () => {
    const { effects } = played([0, beat(1)], [5, asked('a')], [9, ended('a')])
    expect(effects).toEqual([
      { type: 'run', task: taskOf('a') },
      { type: 'tell', told: doneOf('a') },
    ])
  })

  it('T2: that is repeated is reported again, and does not run again', () => {
    const again: readonly [number, TaskEvent][] = [
      [6, asked('a')],
      [9, ended('a')],
      // Also long after the beat that it names.
      [900_000, asked('a')],
    ]
    expect(played([0, beat(1)], [5, asked('a')], ...again).types).toEqual(['run', 'tell', 'tell'])
  })

  it.each([
    ['for another boot', asked('a', 1, 'other'), 10],
    ['that names no beat', asked('a', 7), 10],
    ['whose beat is older than a minute', asked('a'), 60_001],
  ])('T2: %s has no effect', (_, event, ms) => {
    expect(played([0, beat(1)], [ms, event]).types).toEqual(['ignored'])
  })

  it('counts time in which the machine was suspended', () => {
    const heard = stepTasks(tasksState('boot'), beat(1), at(0)).state
    const late = stepTasks(heard, asked('a'), { monotonicMs: 5, sinceBootMs: 60_001 })
    expect(late.effects.map(({ type }) => type)).toEqual(['ignored'])
  })

  it('T1: waits while an opening waits or runs, and is given up after 45 s', () => {
    const waiting = played([0, beat(1)], [1, openings(true)], [2, asked('a')])
    expect(waiting.types).toEqual([])
    expect(tasksWakeInMs(waiting.state, at(2))).toBe(45_001)
    expect(stepTasks(waiting.state, openings(false), at(44_000)).effects).toEqual([
      { type: 'run', task: taskOf('a') },
    ])
    const { effects } = stepTasks(waiting.state, { type: 'timePassed' }, at(45_003))
    expect(effects).toEqual([
      { type: 'tell', told: { taskId: idOf('a'), state: 'not_done', reason: 'openings_first' } },
    ])
  })

  it('T1: ends early when an opening comes', () => {
    const { types } = played([0, beat(1)], [1, asked('a')], [2, openings(true)], [3, openings(true)])
    expect(types).toEqual(['run', 'cancel'])
  })

  it('is refused while another one runs', () => {
    const { effects } = played(
      [0, beat(1)],
      [1, asked('a')],
      [2, asked('b')],
      [3, ended('b')],
      [4, ended('a')],
    )
    expect(effects.slice(1)).toEqual([
      { type: 'tell', told: { taskId: idOf('b'), state: 'not_done', reason: 'busy' } },
      { type: 'tell', told: doneOf('a') },
    ])
  })

  it('is given up when the daemon stops', () => {
    const stopped = { type: 'tell', told: { taskId: idOf('a'), state: 'not_done', reason: 'stopped' } }
    expect(played([0, beat(1)], [1, openings(true)], [2, asked('a')], [3, { type: 'stop' }]).effects).toEqual(
      [stopped],
    )
    expect(played([0, beat(1)], [1, { type: 'stop' }], [2, asked('a')]).effects).toEqual([stopped])
    expect(played([0, beat(1)], [1, asked('a')], [2, { type: 'stop' }]).types).toEqual(['run', 'cancel'])
  })

  it('is ignored when the memory of earlier tasks is full', () => {
    const known = Array.from({ length: mostTasks }, (_, place) => ({
      taskId: String(place),
      told: undefined,
    }))
    const full: TasksState = { ...played([0, beat(1)]).state, known }
    expect(stepTasks(full, asked('a'), at(1)).effects.map(({ type }) => type)).toEqual(['ignored'])
  })

  it('runs once, alone, and never begins beside an opening, with any events', () => {
    const letter = fc.constantFrom('a', 'b', 'c')
    const event = fc.oneof(
      fc.integer({ min: 1, max: 3 }).map(beat),
      fc.tuple(letter, fc.integer({ min: 1, max: 3 })).map(([one, seq]) => asked(one, seq)),
      letter.map(ended),
      fc.boolean().map(openings),
      fc.constant<TaskEvent>({ type: 'timePassed' }),
    )
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: 30_000 }), event)), moves => {
        let state = tasksState('boot')
        let ms = 0
        const ran: string[] = []
        for (const [later, next] of moves) {
          ms += later
          const wasRunning = state.work.phase === 'running' && next.type !== 'ended'
          const taken = stepTasks(state, next, at(ms))
          state = taken.state
          for (const effect of taken.effects) {
            if (effect.type !== 'run') continue
            expect([wasRunning, state.hasOpening]).toEqual([false, false])
            ran.push(effect.task.taskId)
          }
        }
        expect(new Set(ran).size).toBe(ran.length)
      }),
    )
  })
})
