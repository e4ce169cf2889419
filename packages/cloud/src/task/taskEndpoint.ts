// What the tasks need of the gateways: the current boot, and the message that asks it to do a task.

import type { Envelope } from '@callgate/contract/wire/messages'
import type { Task, TaskReport } from '@callgate/contract/wire/tasks'

/** The content of a gateway's last beat. */
export interface CurrentBoot {
  readonly bootId: string
  /** The number of that beat. */
  readonly seq: number
  /** The tasks that it can do: kinds, and words that this version does not know. */
  readonly can: readonly string[]
}

/** `gatewayWire.ts` implements it. */
export interface TaskEndpoint {
  /** Undefined: no beat of its current boot has come within 30 s. */
  currentBoot(gatewayId: string): CurrentBoot | undefined
  /** The gateways of all Spaces with a current boot. */
  heard(): readonly string[]
  /** Sends the task to that boot. It may be lost. */
  ask(gatewayId: string, currentBoot: CurrentBoot, task: Task): void
}

/** A message with a valid signature. */
export type VerifiedTold = Required<Pick<Envelope, 'gatewayId' | 'bootId'>> & { readonly told: TaskReport }

/** Receives the gateways' reports on tasks; `tasks.ts` implements it. */
export interface TaskListener {
  told(message: VerifiedTold): Promise<void>
}
