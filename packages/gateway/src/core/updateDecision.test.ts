import type { ReleaseManifest } from '@callgate/contract/release/release'
import type { UpdateCause } from '@callgate/contract/releaseWords'
import { expect, it } from 'vitest'
import { fetchesWith, type Installed, refusalOf } from './updateDecision.ts'

const manifest: ReleaseManifest = {
  product: 'callgate-gateway',
  version: '0.3.0',
  architecture: 'arm64',
  archiveBytes: 1_000_000,
  archiveSha256: '0'.repeat(64),
  unpackedBytes: 2_000_000,
  nodeSha256: '1'.repeat(64),
  hasNode: false,
  journal: { reads: 1, writes: 1 },
  replaces: '0.1.0',
}
const installed: Installed = {
  architecture: 'arm64',
  running: { version: '0.2.0', journal: { reads: 1, writes: 1 } },
  packaged: '0.1.0',
  nodeSha256: manifest.nodeSha256,
  failed: [],
  freeBytes: 100_000_000,
}

it('allows six fetches in a day for requested updates, wherever the clock is set', () => {
  const hour = 3_600_000
  const six = [0, 1, 2, 3, 4, 5].map(place => place * hour)
  expect(fetchesWith([], 0)).toEqual([0])
  expect(fetchesWith(six.slice(0, 5), 5 * hour)).toEqual(six)
  expect(fetchesWith(six, 24 * hour - 1)).toBeUndefined()
  expect(fetchesWith(six, 24 * hour)).toEqual([...six.slice(1), 24 * hour])
  // The clock is set back by an hour, then by years.
  expect(fetchesWith(Array(6).fill(hour), 0)).toBeUndefined()
  expect(fetchesWith(Array(6).fill(1e12), 0)).toEqual([0])
})

it('accepts a newer version for this machine', () => {
  expect(refusalOf(manifest, installed)).toBe(undefined)
})

it.each<[UpdateCause, string, Partial<ReleaseManifest>, Partial<Installed>]>([
  ['wrong_machine', 'it is for armhf, and this machine is arm64', { architecture: 'armhf' }, {}],
  ['not_newer', '0.2.0 is not newer than 0.2.0', { version: '0.2.0' }, {}],
  ['not_newer', '0.1.9 is not newer than 0.2.0', { version: '0.1.9' }, {}],
  ['not_newer', '0.3.0 is not newer than 0.4.0', {}, { packaged: '0.4.0' }],
  ['version_between', 'install a version between them first', { replaces: '0.2.1' }, {}],
  ['tried_before', 'was tried here before', {}, { failed: ['0.3.0'] }],
  ['other_node', 'needs another Node', { nodeSha256: '2'.repeat(64) }, {}],
  ['other_journal', 'the way back would be closed', { journal: { reads: 2, writes: 2 } }, {}],
  [
    'other_journal',
    'cannot read the journal that 0.2.0 writes',
    {},
    { running: { version: '0.2.0', journal: { reads: 2, writes: 2 } } },
  ],
  ['disk_full', 'it needs 23 MB, and 22 MB are free', {}, { freeBytes: 22_999_999 }],
])('refuses a release: %s, %s', (cause, words, ofManifest, ofInstalled) => {
  const refusal = refusalOf({ ...manifest, ...ofManifest }, { ...installed, ...ofInstalled })
  expect(refusal).toEqual({ cause, text: expect.stringContaining(words) })
})

it('accepts a release that brings its own Node, and one that can read the next journal before any writes it', () => {
  expect(refusalOf({ ...manifest, nodeSha256: '2'.repeat(64), hasNode: true }, installed)).toBe(undefined)
  expect(refusalOf({ ...manifest, journal: { reads: 2, writes: 1 } }, installed)).toBe(undefined)
})
