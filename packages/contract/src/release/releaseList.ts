// The releases that a cloud offers: where they are, and what the list of them says.

import Type, { type Static } from 'typebox'
import { releaseArchitectures, versionText } from '../releaseWords.ts'
import { open, words } from '../text.ts'
import { checker } from '../validate.ts'
import { mostArchiveBytes, mostHeaderBytes } from './release.ts'

/** The list; a release is below it, by its name. */
export const releasesPath = '/releases'

/** The name of a release's file. */
export const releaseName = ({ architecture, version }: { architecture: string; version: string }): string =>
  `callgate-gateway_${version}_${architecture}.release`

export const mostReleases = 60

/** Nothing of it is believed: a release says again what it is, signed. */
export const ReleaseList = open({
  releases: Type.Array(
    open({
      version: versionText,
      architecture: words(releaseArchitectures),
      bytes: Type.Integer({ minimum: 1, maximum: mostArchiveBytes + mostHeaderBytes }),
    }),
    { maxItems: mostReleases },
  ),
})
export type ReleaseList = Static<typeof ReleaseList>
export type ListedRelease = ReleaseList['releases'][number]

export const checkReleaseList = checker(ReleaseList, 'the list')
