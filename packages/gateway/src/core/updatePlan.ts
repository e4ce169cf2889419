// Plans changes to the versions of the daemon on the disk, as lists of changes: begin a trial, end it, roll it back. Pure.

import type { UpdateCause, UpdateFault, UpdateState } from '@callgate/contract/releaseWords'
import { fault } from './updateDecision.ts'

/** How an update ended, for its requester. */
export interface Ended {
  readonly version: string
  readonly state: UpdateState
  /** For a person. */
  readonly why: string | null
  /** Null where the update is installed. */
  readonly cause: UpdateCause | null
}

/** A version that was switched to and has not yet proved that it works. */
export interface Trial {
  readonly version: string
  /** The version that ran before; null: the version of the package. */
  readonly previous: string | null
  /** How often the daemon was started with it. */
  readonly starts: number
}

/** The state of the disk. */
export interface Versions {
  /** The version that the daemon starts with; undefined: the version of the package. */
  readonly current: string | undefined
  readonly trial: Trial | undefined
  /** Versions that were rolled back. They are not tried again. */
  readonly failed: readonly string[]
}

/** One change. It is completely on the disk before the next one begins; after a power cut it is either done or not done. */
export type Change =
  | { readonly type: 'keepTrial'; readonly trial: Trial }
  | { readonly type: 'endTrial' }
  /** Null: the version of the package. */
  | { readonly type: 'pointTo'; readonly version: string | null }
  | { readonly type: 'noteFailed'; readonly version: string }
  /** Only the first note of an end counts. */
  | { readonly type: 'noteEnd'; readonly ended: Ended }
  /** Removes the files of all versions but these. */
  | { readonly type: 'keepOnly'; readonly versions: readonly string[] }

/** How many starts a trial has. The version is rolled back before the next start. */
export const mostTrialStarts = 3

/** Records the trial before the switch, so that a version on trial is never taken for one that works. */
export function beginTrial({ current }: Versions, version: string): Change[] {
  return [
    { type: 'keepTrial', trial: { version, previous: current ?? null, starts: 0 } },
    { type: 'pointTo', version },
  ]
}

/** The trial of the version that the daemon starts with; undefined where there is none. */
export function trialOf({ current, trial }: Versions): Trial | undefined {
  return trial?.version === current ? trial : undefined
}

/** Records the failure first, so that a power cut does not lead to a second try. */
export function takeBack(trial: Trial, { cause, text }: UpdateFault): Change[] {
  return [
    { type: 'noteFailed', version: trial.version },
    { type: 'noteEnd', ended: { version: trial.version, state: 'taken_back', why: text, cause } },
    { type: 'pointTo', version: trial.previous },
    { type: 'endTrial' },
    { type: 'keepOnly', versions: trial.previous === null ? [] : [trial.previous] },
  ]
}

/** Ends a trial with success. The previous version stays on the disk. */
export function confirm({ previous, version }: Trial): Change[] {
  return [
    { type: 'noteEnd', ended: { version, state: 'installed', why: null, cause: null } },
    { type: 'endTrial' },
    { type: 'keepOnly', versions: previous === null ? [version] : [version, previous] },
  ]
}

/** The changes before each start of the daemon: count the starts of a trial, and finish what a power cut has left undone. */
export function beforeStart(versions: Versions): Change[] {
  const { failed, trial } = versions
  if (!trial) return []
  // The switch was not made, or was rolled back.
  if (!trialOf(versions)) return [{ type: 'endTrial' }]
  if (failed.includes(trial.version) || trial.starts >= mostTrialStarts)
    return takeBack(trial, fault('does_not_start', 'it does not start'))
  return [{ type: 'keepTrial', trial: { ...trial, starts: trial.starts + 1 } }]
}
