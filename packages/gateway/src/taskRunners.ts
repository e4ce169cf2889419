// Tasks at the gateway: carries out the effects of their core with the runner of each kind of task.

import type { Task, TaskFailure, TaskKind, TaskOf, TaskReport } from '@callgate/contract/wire/tasks'
import { moment, type Timer, type World } from '@callgate/world/world'
import type { SignedTask } from './cloudReader.ts'
import { stepTasks, type TaskEvent, tasksState, tasksWakeInMs } from './core/tasks.ts'

/** The result of a task, without its id. */
export type Outcome<Kind extends TaskKind> =
  | { readonly state: 'not_done'; readonly reason: TaskFailure; readonly detail?: string }
  | Omit<Extract<TaskReport, { readonly kind: Kind }>, 'taskId' | 'kind'>

/** The reasons for a task to end early. */
export interface Ends {
  /** An opening waits, or the daemon stops: the modem is released as soon as possible. */
  readonly cancelled: Promise<void>
  /** The daemon stops: the task ends with the result so far. */
  readonly stopped: Promise<void>
}

/** Carries out one task. Never rejects and never dials. */
export type TaskRunner<Kind extends TaskKind> = (task: TaskOf<Kind>, ends: Ends) => Promise<Outcome<Kind>>

/** The runners of this gateway: one for each kind that its beats name in `can`. */
export type TaskRunners = { readonly [Kind in TaskKind]?: TaskRunner<Kind> }

/** The kinds of these runners. */
export const kindsOf = (runners: TaskRunners): readonly TaskKind[] => Object.keys(runners) as TaskKind[]

interface TaskRunnersParts {
  readonly world: World
  readonly bootId: string
  readonly runners: TaskRunners
  readonly tell: (told: TaskReport) => void
  /** Called when a task has released the modem, so that waiting work may go on. */
  readonly onIdle: () => void
}

export class Tasks {
  readonly #parts: TaskRunnersParts
  #state: ReturnType<typeof tasksState>
  #timer: Timer | undefined
  #end: (isStop: boolean) => void = () => {}
  #ran: Promise<void> = Promise.resolve()

  constructor(parts: TaskRunnersParts) {
    this.#parts = parts
    this.#state = tasksState(parts.bootId)
  }

  receive(task: SignedTask): void {
    this.#step({ type: 'task', ...task })
  }

  beatSent(seq: number): void {
    this.#step({ type: 'beat', seq })
  }

  /** Notes whether an opening waits or runs. No task begins meanwhile, and a running one ends early. */
  openings(hasOpening: boolean): void {
    if (hasOpening !== this.#state.hasOpening) this.#step({ type: 'openings', hasOpening })
  }

  /** Whether a task waits or runs. */
  isBusy(): boolean {
    return this.#state.work.phase !== 'idle'
  }

  /** Begins nothing new, and resolves when the running task has ended. */
  async stop(): Promise<void> {
    this.#step({ type: 'stop' })
    await this.#ran
  }

  #step(event: TaskEvent): void {
    const { tell, world } = this.#parts
    const taken = stepTasks(this.#state, event, moment(world))
    this.#state = taken.state
    for (const effect of taken.effects) {
      if (effect.type === 'run') this.#run(effect.task)
      else if (effect.type === 'cancel') this.#end(effect.isStop)
      else if (effect.type === 'tell') tell(effect.told)
      else world.log.warn('a task is ignored', { taskId: effect.taskId, why: effect.why })
    }
    this.#timer?.cancel()
    const wakeMs = tasksWakeInMs(this.#state, moment(world))
    this.#timer =
      wakeMs === undefined ? undefined : world.after(wakeMs, () => this.#step({ type: 'timePassed' }))
  }

  #run<Kind extends TaskKind>(task: Task & { readonly kind: Kind }): void {
    const { onIdle, runners, world } = this.#parts
    const { kind, taskId } = task
    let cancel = () => {}
    let stop = () => {}
    const ends: Ends = {
      cancelled: new Promise(resolve => {
        cancel = resolve
      }),
      stopped: new Promise(resolve => {
        stop = resolve
      }),
    }
    this.#end = isStop => {
      cancel()
      if (isStop) stop()
    }
    const run = runners[kind] as TaskRunner<Kind> | undefined
    world.log.info('a task begins', { taskId, kind })
    const outcome: Promise<Outcome<Kind>> = run
      ? run(task as unknown as TaskOf<Kind>, ends)
      : Promise.resolve({ state: 'not_done', reason: 'refused' })
    this.#ran = outcome.then(ended => {
      this.#end = () => {}
      const { state } = ended
      world.log.info('a task has ended', {
        taskId,
        kind,
        state,
        ...('reason' in ended && { reason: ended.reason }),
      })
      const told = state === 'done' ? { taskId, kind, ...ended } : { taskId, ...ended }
      this.#step({ type: 'ended', told: told as TaskReport })
      onIdle()
    })
  }
}
