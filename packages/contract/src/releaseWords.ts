// The words of releases of the gateway: versions, processors, digests, and how an update ended.

import Type, { type Static } from 'typebox'
import { TaskId } from './ids.ts'
import { closed, nullable, open, openWords, words } from './text.ts'

export const releaseArchitectures = ['amd64', 'arm64', 'armhf'] as const
export type ReleaseArchitecture = (typeof releaseArchitectures)[number]

/**
 * A version that gateways update to has three numbers. A release candidate is installed as a package only: a gateway or a cloud of
 * before the first one would not read a beat, a task or a list that names it.
 */
export const versionText = Type.String({
  pattern: '^(0|[1-9][0-9]{0,4})\\.(0|[1-9][0-9]{0,4})\\.(0|[1-9][0-9]{0,4})$',
  maxLength: 17,
  examples: ['1.4.0'],
})
export const sha256Text = Type.String({ pattern: '^[0-9a-f]{64}$' })

/** The archives of a version by what was signed of them: one for each processor that it is there for. */
export const ReleaseArchives = Type.Array(
  closed({ architecture: words(releaseArchitectures), sha256: sha256Text }),
  { minItems: 1, maxItems: releaseArchitectures.length },
)
export type ReleaseArchives = Static<typeof ReleaseArchives>

/**
 * `installed`: it works. `taken_back`: it was started, did not work, and the previous version runs again. `refused`: it was never
 * started.
 */
export const updateStates = ['installed', 'taken_back', 'refused'] as const
export type UpdateState = (typeof updateStates)[number]

/** Why an update was refused or taken back, as a word: a page says it in its own language, with what to do. */
export const updateCauses = [
  'wrong_machine',
  'not_newer',
  'version_between',
  'tried_before',
  'other_node',
  'other_journal',
  'disk_full',
  'disk_forgets',
  'disk_failed',
  'not_signed',
  'no_release_key',
  'not_offered',
  'not_fetched',
  'fetched_too_often',
  'gateway_not_ready',
  'no_pause',
  'does_not_start',
  'ended',
  'not_connected',
] as const
export type UpdateCause = (typeof updateCauses)[number]
/** Why an update was not installed, or was taken back: the word, and a sentence for whoever stands at the gateway. */
export interface UpdateFault {
  readonly cause: UpdateCause
  readonly text: string
}

/** The longest text that says why an update ended so. */
export const mostWhy = 200

/** How the last update of a gateway ended. `taskId`: the request for it; null: a person at the gateway. */
export const UpdateOutcome = open({
  taskId: nullable(TaskId),
  version: versionText,
  state: openWords(updateStates),
  why: nullable(Type.String({ maxLength: mostWhy, description: 'For a person' })),
  cause: Type.Optional(
    nullable(openWords(updateCauses, { description: 'Absent in what an older gateway tells' })),
  ),
})
export type UpdateOutcome = Static<typeof UpdateOutcome>

/** Three numbers, and the number of the release candidate where it is one, which comes before its version. */
const ordered = /^(\d{1,5})\.(\d{1,5})\.(\d{1,5})(?:-rc\.(\d{1,5}))?$/

/** Whether the text is a version of a program, which may be a release candidate: 1.4.0 or 1.4.0-rc.2. */
export const isVersion = (text: string): boolean => ordered.test(text)

const numbersOf = (version: string) =>
  (ordered.exec(version) ?? []).slice(1).map(number => Number(number ?? Number.POSITIVE_INFINITY))

/** Below 0 when `a` is the older version, above 0 when it is the newer one. Both satisfy `isVersion`. */
export function compareVersions(a: string, b: string): number {
  const [ofA, ofB] = [numbersOf(a), numbersOf(b)]
  const place = ofA.findIndex((number, index) => number !== ofB[index])
  return place < 0 ? 0 : Math.sign((ofA[place] ?? 0) - (ofB[place] ?? 0))
}
