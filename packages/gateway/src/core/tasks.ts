// Tasks at the gateway: which one is accepted, when it begins, and that it runs once; (state, event, time) → (state, effects),
// pure.

import type { Task, TaskFailure, TaskReport } from '@callgate/contract/wire/tasks'
import { taskFreshMs, taskWaitsMs } from '@callgate/contract/wire/timing'
import { ageMs, type Time } from './openerState.ts'

/** How many tasks one boot accepts. Later ones are refused, because a forgotten task could run twice. */
export const mostTasks = 1_000
/** More beats than are sent in 60 s. */
const mostBeats = 64

interface Known {
  readonly taskId: string
  /** How the task ended; undefined while it waits or runs. */
  readonly told: TaskReport | undefined
}

export interface TasksState {
  readonly bootId: string
  /** Oldest first. */
  readonly beats: readonly { readonly seq: number; readonly at: Time }[]
  readonly known: readonly Known[]
  readonly work:
    | { readonly phase: 'idle' }
    | { readonly phase: 'waiting'; readonly task: Task; readonly since: Time }
    | { readonly phase: 'running'; readonly task: Task }
  /** Whether an opening waits or runs. */
  readonly hasOpening: boolean
  readonly isStopping: boolean
}

interface EventFields {
  beat: { readonly seq: number }
  /** A task with a valid signature, for this gateway. */
  task: { readonly bootId: string; readonly seq: number; readonly task: Task }
  openings: { readonly hasOpening: boolean }
  ended: { readonly told: TaskReport }
  timePassed: object
  stop: object
}
type EventType = keyof EventFields
export type TaskEvent<Type extends EventType = EventType> = {
  [T in Type]: { readonly type: T } & EventFields[T]
}[Type]

export type TaskEffect =
  /** Answered by `ended`. */
  | { readonly type: 'run'; readonly task: Task }
  /**
   * Ends what uses the modem as soon as possible, because an opening waits. `isStop`: ends everything, because the daemon stops.
   * Answered by `ended` as well.
   */
  | { readonly type: 'cancel'; readonly isStop: boolean }
  | { readonly type: 'tell'; readonly told: TaskReport }
  | { readonly type: 'ignored'; readonly taskId: string; readonly why: string }

interface Step {
  readonly state: TasksState
  readonly effects: readonly TaskEffect[]
}

export const tasksState = (bootId: string): TasksState => ({
  bootId,
  beats: [],
  known: [],
  work: { phase: 'idle' },
  hasOpening: false,
  isStopping: false,
})

const same = (state: TasksState): Step => ({ state, effects: [] })
const notDone = (taskId: string, reason: TaskFailure): TaskReport => ({ taskId, state: 'not_done', reason })

/** Ends the task: reports it, and remembers its answer. */
function finished(state: TasksState, told: TaskReport): Step {
  const others = state.known.filter(({ taskId }) => taskId !== told.taskId)
  const known = [...others, { taskId: told.taskId, told }]
  return { state: { ...state, known, work: { phase: 'idle' } }, effects: [{ type: 'tell', told }] }
}

/** Accepts a task that is new and in time. */
function taken(state: TasksState, task: Task, at: Time): Step {
  const { taskId } = task
  const { known, work } = state
  if (known.length >= mostTasks)
    return { state, effects: [{ type: 'ignored', taskId, why: 'this start of the daemon has had too many' }] }
  const noted = { ...state, known: [...known, { taskId, told: undefined }] }
  if (work.phase === 'idle' && !state.isStopping)
    return same({ ...noted, work: { phase: 'waiting', task, since: at } })
  const told = notDone(taskId, state.isStopping ? 'stopped' : 'busy')
  return { state: { ...finished(noted, told).state, work }, effects: [{ type: 'tell', told }] }
}

function receive(state: TasksState, { bootId, seq, task }: TaskEvent<'task'>, at: Time): Step {
  const { taskId } = task
  const ignored = (why: string): Step => ({ state, effects: [{ type: 'ignored', taskId, why }] })
  if (bootId !== state.bootId) return ignored('it is for another start of the daemon')
  const before = state.known.find(one => one.taskId === taskId)
  if (before) return { state, effects: before.told ? [{ type: 'tell', told: before.told }] : [] }
  const beat = state.beats.find(one => one.seq === seq)
  if (!beat || ageMs(beat.at, at) > taskFreshMs) return ignored('it names no beat of the last minute')
  return taken(state, task, at)
}

function handle(state: TasksState, event: TaskEvent, at: Time): Step {
  switch (event.type) {
    case 'beat':
      return same({ ...state, beats: [...state.beats, { seq: event.seq, at }].slice(-mostBeats) })
    case 'task':
      return receive(state, event, at)
    case 'openings': {
      const isNew = event.hasOpening && !state.hasOpening
      const next = { ...state, hasOpening: event.hasOpening }
      return {
        state: next,
        effects: isNew && state.work.phase === 'running' ? [{ type: 'cancel', isStop: false }] : [],
      }
    }
    case 'ended': {
      const { work } = state
      const isOurs = work.phase === 'running' && work.task.taskId === event.told.taskId
      return isOurs ? finished(state, event.told) : same(state)
    }
    case 'stop': {
      const { work } = state
      const stopping = { ...state, isStopping: true }
      if (work.phase === 'waiting') return finished(stopping, notDone(work.task.taskId, 'stopped'))
      return { state: stopping, effects: work.phase === 'running' ? [{ type: 'cancel', isStop: true }] : [] }
    }
    case 'timePassed':
      return same(state)
  }
}

/** Begins the waiting task when no opening waits or runs, and gives it up when it has waited too long. */
function proceed(state: TasksState, at: Time): Step {
  const { work } = state
  if (work.phase !== 'waiting') return same(state)
  if (ageMs(work.since, at) > taskWaitsMs) return finished(state, notDone(work.task.taskId, 'openings_first'))
  if (state.hasOpening) return same(state)
  const { task } = work
  return { state: { ...state, work: { phase: 'running', task } }, effects: [{ type: 'run', task }] }
}

/** Milliseconds until `timePassed` has work to do; undefined: no work is planned. */
export function tasksWakeInMs({ work }: TasksState, at: Time): number | undefined {
  return work.phase === 'waiting' ? Math.max(0, taskWaitsMs + 1 - ageMs(work.since, at)) : undefined
}

/**
 * Takes one step. It keeps three rules: a task runs once, only for this boot and within a minute of the beat that it names; none
 * begins while an opening waits or runs; one runs at a time.
 */
export function stepTasks(state: TasksState, event: TaskEvent, at: Time): Step {
  const handled = handle(state, event, at)
  const proceeded = proceed(handled.state, at)
  return { state: proceeded.state, effects: [...handled.effects, ...proceeded.effects] }
}
