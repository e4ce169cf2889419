// The results of an update, each with a sentence for a person at the gateway.

import type { UpdateCause, UpdateFault } from '@callgate/contract/releaseWords'
import type { Versions } from '../core/updatePlan.ts'

export type Updated =
  | { readonly outcome: 'installed'; readonly text: string }
  /** `cause` is null where the result is only for a person at the gateway. */
  | {
      readonly outcome: 'taken_back' | 'refused'
      readonly text: string
      readonly cause: UpdateCause | null
    }
  | { readonly outcome: 'nothing_to_do' }

export const refused = (why: UpdateFault): Updated => ({ outcome: 'refused', ...why })
/** A refusal that is only for a person at the gateway. */
export const refusedHere = (text: string): Updated => ({ outcome: 'refused', text, cause: null })
export const onTrial = refusedHere('another version is on trial: wait until that has ended')

export const works = (version: string): Updated => ({
  outcome: 'installed',
  text: `version ${version} works`,
})

/** The result of a trial that was ended by the other program that follows it, by `beforeStart`, or by a new package. */
export function endedElsewhere({ current, failed }: Versions, version: string): Updated {
  if (current === version && !failed.includes(version)) return works(version)
  return { outcome: 'taken_back', text: `version ${version} did not work, and was taken back`, cause: null }
}
