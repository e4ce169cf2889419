import fc from 'fast-check'
import { expect, it } from 'vitest'
import { compareVersions } from '../releaseWords.ts'
import { signingKey, type VerifyingKey, verifyingKey } from '../wire/signature.ts'
import {
  isReleaseSignedBy,
  mostHeaderBytes,
  type ReleaseManifest,
  readRelease,
  releaseHeader,
} from './release.ts'

const key = signingKey(new Uint8Array(32).fill(1))
const stranger = signingKey(new Uint8Array(32).fill(2))
const publicHalf = (publicKey: string) => verifyingKey(publicKey) as VerifyingKey
const keys = [publicHalf(key.publicKey)]

const manifest: ReleaseManifest = {
  product: 'callgate-gateway',
  version: '0.2.0',
  architecture: 'arm64',
  archiveBytes: 7,
  archiveSha256: '0'.repeat(64),
  unpackedBytes: 10,
  nodeSha256: '1'.repeat(64),
  hasNode: false,
  journal: { reads: 1, writes: 1 },
  replaces: '0.1.0',
}
const header = releaseHeader(key, manifest)

it('reads the signed manifest, and where the archive begins', () => {
  const read = readRelease(Buffer.from(`${header}archive`))
  expect(read).toMatchObject({ ok: true, manifest, archiveAt: header.length })
  expect(read.ok && isReleaseSignedBy(read.header, keys)).toBe(true)
})

it('is rejected when a byte of the manifest has changed, or with the signature of another key or for another purpose', () => {
  const isSigned = (text: string) => {
    const read = readRelease(Buffer.from(text))
    return read.ok && isReleaseSignedBy(read.header, keys)
  }
  expect(isSigned(header.replace('0.2.0', '0.3.0'))).toBe(false)
  expect(isSigned(releaseHeader(stranger, manifest))).toBe(false)
  expect(isSigned(releaseHeader(stranger, manifest).replace(stranger.keyId, key.keyId))).toBe(false)
  const text = JSON.stringify(manifest)
  const signature = key.sign(Buffer.from(text)).toString('base64url')
  expect(isSigned(`${JSON.stringify({ manifest: text, keyId: key.keyId, signature })}\n`)).toBe(false)
})

it('rejects another file, and says why', () => {
  const messageOf = (text: string) => {
    const read = readRelease(Buffer.from(text))
    return read.ok ? undefined : read.message
  }
  expect(messageOf('')).toContain('its first line has no end')
  expect(messageOf(`${'x'.repeat(mostHeaderBytes + 1)}\n`)).toContain('its first line has no end')
  expect(messageOf('!<arch>\n')).toBe('this is no release of the gateway: it does not begin as one')
  const other = { ...manifest, needs: 'a board of its own' } as ReleaseManifest
  expect(messageOf(releaseHeader(key, other))).toContain('needs is not a known field')
  for (const version of ['1.0', '01.0.0', '1.0.0-beta', '1.0.0-rc.1', '1.0.0/..'])
    expect(messageOf(releaseHeader(key, { ...manifest, version }))).toContain('version')
})

it('reads any bytes without an exception', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), bytes => !readRelease(bytes).ok))
})

it('sorts versions', () => {
  const number = fc.integer({ min: 0, max: 12 })
  const version = fc.tuple(number, number, number)
  fc.assert(
    fc.property(version, version, (a, b) => {
      const order = Math.sign(compareVersions(a.join('.'), b.join('.')))
      const expected = Math.sign(a[0] - b[0] || a[1] - b[1] || a[2] - b[2])
      expect(order).toBe(expected)
    }),
  )
  expect(compareVersions('0.10.0', '0.9.9')).toBeGreaterThan(0)
  const inOrder = ['0.9.9', '1.0.0-rc.1', '1.0.0-rc.2', '1.0.0-rc.10', '1.0.0', '1.0.1-rc.1']
  expect([...inOrder].sort(compareVersions)).toEqual(inOrder)
  expect([...inOrder].reverse().sort(compareVersions)).toEqual(inOrder)
})
