// Whether a signed release may be installed here. Pure.

import type { JournalVersions, ReleaseManifest } from '@callgate/contract/release/release'
import { compareVersions, type UpdateCause, type UpdateFault } from '@callgate/contract/releaseWords'

/** The installed version, and the machine. */
export interface Installed {
  readonly architecture: string
  /** The version that the daemon starts with, and the journal versions that it can handle. */
  readonly running: { readonly version: string; readonly journal: JournalVersions }
  /** The version of the Debian package. */
  readonly packaged: string
  /** The SHA-256 of the package's Node. */
  readonly nodeSha256: string
  readonly failed: readonly string[]
  readonly freeBytes: number
}

/** How many fetches may end without an installation: no cloud can make a gateway pay for the same data again and again. */
const mostFetches = 6
const fetchesWithinMs = 24 * 3_600_000

/**
 * The fetch times to record if a fetch begins now; undefined where there were too many within a day. Times are milliseconds since
 * the epoch. Times more than a day away from the clock, in either direction, are dropped.
 */
export function fetchesWith(times: readonly number[], nowMs: number): readonly number[] | undefined {
  const near = times.filter(time => Math.abs(nowMs - time) < fetchesWithinMs)
  return near.length < mostFetches ? [...near, nowMs] : undefined
}

/** The space that an update leaves free on the disk, in bytes. */
const spareBytes = 20_000_000

/** Makes a fault. */
export const fault = (cause: UpdateCause, text: string): UpdateFault => ({ cause, text })

/** Why the release is refused; undefined where it may be installed. */
export function refusalOf(manifest: ReleaseManifest, here: Installed): UpdateFault | undefined {
  const { architecture, archiveBytes, hasNode, journal, nodeSha256, replaces, unpackedBytes, version } =
    manifest
  const { failed, freeBytes, packaged, running } = here
  if (architecture !== here.architecture)
    return fault('wrong_machine', `it is for ${architecture}, and this machine is ${here.architecture}`)
  const newest = compareVersions(running.version, packaged) > 0 ? running.version : packaged
  if (compareVersions(version, newest) <= 0)
    return fault('not_newer', `${version} is not newer than ${newest}, which is installed`)
  if (compareVersions(running.version, replaces) < 0)
    return fault(
      'version_between',
      `it replaces ${replaces} or a newer one, and this is ${running.version}: install a version between them first`,
    )
  if (failed.includes(version))
    return fault('tried_before', `${version} was tried here before and did not work`)
  if (!hasNode && nodeSha256 !== here.nodeSha256)
    return fault('other_node', 'it needs another Node than that of the package, and does not bring it')
  if (journal.writes > running.journal.reads)
    return fault(
      'other_journal',
      `it writes a journal that ${running.version} cannot read: the way back would be closed`,
    )
  if (journal.reads < running.journal.writes)
    return fault('other_journal', `it cannot read the journal that ${running.version} writes`)
  const needed = archiveBytes + unpackedBytes + spareBytes
  if (freeBytes < needed)
    return fault(
      'disk_full',
      `the disk is too full: it needs ${Math.ceil(needed / 1_000_000)} MB, and ${Math.floor(freeBytes / 1_000_000)} MB are free`,
    )
  return undefined
}
