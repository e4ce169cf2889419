// What is to be done to the versions of the daemon on the disk, as lists of changes: begin a trial, end it, take it back. Pure.

import type { UpdateCause, UpdateFault, UpdateState } from '@callgate/contract/releaseWords'
import { fault } from './updateDecision.ts'

/** How an update ended, for whoever asked for it. */
export interface Ended {
  readonly version: string
  readonly state: UpdateState
  /** For a person. */
  readonly why: string | null
  /** Null where it is installed. */
  readonly cause: UpdateCause | null
}

/** A version that was switched to and has not yet shown that it works. */
export interface Trial {
  readonly version: string
  /** What ran before; null: the version of the package. */
  readonly previous: string | null
  /** How often the daemon was started with it. */
  readonly starts: number
}

/** What the disk says. */
export interface Versions {
  /** What the daemon is started with; undefined: the version of the package. */
  readonly current: string | undefined
  readonly trial: Trial | undefined
  /** Versions that were taken back. They are not tried again. */
  readonly failed: readonly string[]
}

/** One change. It is on the disk, whole, before the next one begins; a power cut leaves it done or not done. */
export type Change =
  | { readonly type: 'keepTrial'; readonly trial: Trial }
  | { readonly type: 'endTrial' }
  /** Null: the version of the package. */
  | { readonly type: 'pointTo'; readonly version: string | null }
  | { readonly type: 'noteFailed'; readonly version: string }
  /** The first note of one end stays. */
  | { readonly type: 'noteEnd'; readonly ended: Ended }
  /** Removes the files of all versions but these. */
  | { readonly type: 'keepOnly'; readonly versions: readonly string[] }

/** Starts of the daemon in one trial. After these it is taken back before the next one. */
export const mostTrialStarts = 3

/** The trial is noted before the switch: a version that was switched to is never taken for one that works. */
export function beginTrial({ current }: Versions, version: string): Change[] {
  return [
    { type: 'keepTrial', trial: { version, previous: current ?? null, starts: 0 } },
    { type: 'pointTo', version },
  ]
}

/** Whether the daemon is started with a version on trial. */
export function trialOf({ current, trial }: Versions): Trial | undefined {
  return trial?.version === current ? trial : undefined
}

/** The failure is noted first: a power cut does not lead to a second try. */
export function takeBack(trial: Trial, { cause, text }: UpdateFault): Change[] {
  return [
    { type: 'noteFailed', version: trial.version },
    { type: 'noteEnd', ended: { version: trial.version, state: 'taken_back', why: text, cause } },
    { type: 'pointTo', version: trial.previous },
    { type: 'endTrial' },
    { type: 'keepOnly', versions: trial.previous === null ? [] : [trial.previous] },
  ]
}

/** The version works. The one before it stays on the disk. */
export function confirm({ previous, version }: Trial): Change[] {
  return [
    { type: 'noteEnd', ended: { version, state: 'installed', why: null, cause: null } },
    { type: 'endTrial' },
    { type: 'keepOnly', versions: previous === null ? [version] : [version, previous] },
  ]
}

/** What comes before each start of the daemon: it counts the starts of a trial, and ends what a power cut has left. */
export function beforeStart(versions: Versions): Change[] {
  const { failed, trial } = versions
  if (!trial) return []
  // The switch was not made, or was taken back.
  if (!trialOf(versions)) return [{ type: 'endTrial' }]
  if (failed.includes(trial.version) || trial.starts >= mostTrialStarts)
    return takeBack(trial, fault('does_not_start', 'it does not start'))
  return [{ type: 'keepTrial', trial: { ...trial, starts: trial.starts + 1 } }]
}
