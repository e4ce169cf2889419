// A way: the steps of one or more people through the documents, on machines that are clean when the walk begins.

import type { CleanRoot } from '../cleanRoot.ts'
import type { People, Person } from '../people.ts'
import type { Step } from '../steps.ts'
import type { Authority } from '../supplies.ts'

/** Who does a step. What nobody does is what the walk brings, such as wires, and is not counted. */
export type Who = 'operator' | 'installer' | 'admin' | 'guest'

/** What the steps of a walk have in common. */
export interface Stage {
  readonly top: string
  /** The folder of the release of this checkout. */
  readonly release: string
  /** The bundle of the simulator of this checkout. */
  readonly simulator: string
  readonly authority: Authority
  readonly roots: Readonly<Record<string, CleanRoot>>
  readonly addresses: Readonly<Record<string, string>>
  readonly people: People
  /** What a step has found, such as a link, for a later one. */
  readonly notes: Map<string, string>
  /** The browser of somebody, which stays open. */
  browser(who: Who): Promise<Person>
}

/** The note of this name. */
export function noteOf({ notes }: Stage, name: string): string {
  const note = notes.get(name)
  if (note === undefined) throw new Error(`no step before has found: ${name}`)
  return note
}

/** Types a block of a page. */
export interface TypedStep extends Step {
  readonly who?: Who
  /** The machine. */
  readonly on: string
  readonly page: string
  /** Of the earlier commit. */
  readonly isEarlier?: boolean
  /** What is typed for it, where the page leaves something open. */
  readonly typed?: (text: string, stage: Stage) => string
  /** What is answered to its questions. */
  readonly answers?: (stage: Stage) => string
  /** What another person does meanwhile. */
  readonly meanwhile?: Act
  /** What is noted from its output, by the first group. */
  readonly finds?: Readonly<Record<string, RegExp>>
}

/** What somebody does in a browser, or the walk by itself. */
export interface Act {
  readonly who?: Who
  readonly does: string
  act(stage: Stage): Promise<unknown>
}

export type WayStep = TypedStep | Act

export interface Way {
  readonly name: string
  readonly steps: readonly WayStep[]
}

/** Ways one after the other on the same machines. */
export interface Walk {
  /** The machines, with the names that lead to each. */
  readonly machines: Readonly<Record<string, readonly string[]>>
  readonly ways: readonly Way[]
}

/** Runs a text on a machine, as the walk itself. Throws where it fails. */
export async function provide({ roots }: Stage, machine: string, text: string): Promise<string> {
  const ran = await roots[machine]?.run(`set -eo pipefail\n${text}`)
  if (ran?.status === 0) return ran.output
  throw new Error(`the walk cannot prepare ${machine}: ${ran?.output}`)
}

export const cloudPage = 'deploy/cloud/README.md'
export const brokerPage = 'deploy/broker/README.md'
export const gatewayPage = 'deploy/pi/README.md'
export const releasePage = 'deploy/release/README.md'
export const databasesPage = 'packages/cloud/docs/databases.md'

/** Waits until the cloud serves. A person needs longer to go from the terminal to the browser. */
export const untilServed = "until callgate doctor | grep -q '^ok *cloud '; do sleep 0.2; done"
