// The way from the tasks to the gateways: which start of a daemon is there, and the message that asks it for something.

import type { Envelope } from '@callgate/contract/wire/messages'
import type { Task, TaskReport } from '@callgate/contract/wire/tasks'

/** What the last beat of a gateway has said. */
export interface CurrentBoot {
  readonly bootId: string
  /** The number of that beat. */
  readonly seq: number
  /** What it can be asked: kinds of tasks, and words that this version does not know. */
  readonly can: readonly string[]
}

/** `gatewayWire.ts` is the real one. */
export interface TaskEndpoint {
  /** Undefined: no beat of its current boot has come within 30 s. */
  currentBoot(gatewayId: string): CurrentBoot | undefined
  /** The gateways of all Spaces that have a standing. */
  heard(): readonly string[]
  /** Sends the task to that boot. It may be lost. */
  ask(gatewayId: string, currentBoot: CurrentBoot, task: Task): void
}

/** A message whose signature holds. */
export type VerifiedTold = Required<Pick<Envelope, 'gatewayId' | 'bootId'>> & { readonly told: TaskReport }

/** Who takes what gateways tell of their tasks; `tasks.ts` is the real one. */
export interface TaskListener {
  told(message: VerifiedTold): Promise<void>
}
