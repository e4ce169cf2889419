import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fakeWorld } from '@callgate/world/fake'
import { expect, it, onTestFinished } from 'vitest'
import { loadKeyring } from './keyring.ts'

/** A folder that is removed after the test. */
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'callgate-keyring-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

it('is made once, by the first process, and stays the same from then on', async () => {
  const folder = join(newFolder(), 'data')
  const loaded = await Promise.all([1, 2, 3, 4].map(seed => loadKeyring(fakeWorld(seed), { folder })))
  const again = await loadKeyring(fakeWorld(5), { folder })
  const publicKeys = [...loaded, again].map(one => one.ok && one.keyring.publicKeys().join())
  expect(new Set(publicKeys).size).toBe(1)
  expect(readdirSync(folder).sort()).toEqual(['sealing-keys', 'signing-key'])
  for (const file of readdirSync(folder)) expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600)

  writeFileSync(join(folder, 'signing-key'), 'torn')
  const damaged = await loadKeyring(fakeWorld(6), { folder })
  expect(damaged.ok ? '' : damaged.message).toContain('damaged')
})

it('reports an unusable folder', async () => {
  const file = join(newFolder(), 'file')
  writeFileSync(file, '')
  const loaded = await loadKeyring(fakeWorld(1), { folder: file })
  expect(loaded.ok ? '' : loaded.message).toContain('CALLGATE_DATA')
})

it('reads keys from given files, which must exist, and distinguishes keys by fingerprint', async () => {
  const folder = newFolder()
  const made = await loadKeyring(fakeWorld(1), { folder: join(folder, 'one') })
  const places = {
    folder: join(folder, 'two'),
    signing: join(folder, 'one', 'signing-key'),
    sealing: join(folder, 'one', 'sealing-keys'),
  }
  const shared = await loadKeyring(fakeWorld(2), places)
  const other = await loadKeyring(fakeWorld(3), { folder: join(folder, 'three') })
  if (!made.ok || !shared.ok || !other.ok) throw new Error('no keys')
  expect(shared.keyring.fingerprints).toEqual(made.keyring.fingerprints)
  expect(other.keyring.fingerprints.signing).not.toBe(made.keyring.fingerprints.signing)
  expect(other.keyring.fingerprints.sealing).not.toBe(made.keyring.fingerprints.sealing)
  const missing = await loadKeyring(fakeWorld(4), { ...places, signing: join(folder, 'none') })
  expect(missing).toMatchObject({ ok: false, message: expect.stringContaining('SIGNING_KEY_FILE') })
  expect(existsSync(join(folder, 'none'))).toBe(false)
})
