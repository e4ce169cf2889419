// How an update ended: the ways, each with a sentence for whoever stands at the gateway.

import type { UpdateCause, UpdateFault } from '@callgate/contract/releaseWords'
import type { Versions } from '../core/updatePlan.ts'

export type Updated =
  | { readonly outcome: 'installed'; readonly text: string }
  /** `cause` is null where only whoever stands at the gateway is told. */
  | {
      readonly outcome: 'taken_back' | 'refused'
      readonly text: string
      readonly cause: UpdateCause | null
    }
  | { readonly outcome: 'nothing_to_do' }

export const refused = (why: UpdateFault): Updated => ({ outcome: 'refused', ...why })
/** Refused where only whoever stands at the gateway is told. */
export const refusedHere = (text: string): Updated => ({ outcome: 'refused', text, cause: null })
export const onTrial = refusedHere('another version is on trial: wait until that has ended')

export const works = (version: string): Updated => ({
  outcome: 'installed',
  text: `version ${version} works`,
})

/** A trial that the other one who follows it has ended, or `beforeStart`, or a new package. */
export function endedElsewhere({ current, failed }: Versions, version: string): Updated {
  if (current === version && !failed.includes(version)) return works(version)
  return { outcome: 'taken_back', text: `version ${version} did not work, and was taken back`, cause: null }
}
