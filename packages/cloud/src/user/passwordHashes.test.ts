import { fakeWorld } from '@callgate/world/fake'
import { expect, it } from 'vitest'
import { createPasswordHashes, tooBusy } from './passwordHashes.ts'

it('recognises the password of a hash in every Unicode composition, and no other password', async () => {
  const hashes = createPasswordHashes(fakeWorld(1))
  const made = String(await hashes.make('é correct horse'))
  expect(made).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await hashes.make('é correct horse')).not.toBe(made)
  expect(await hashes.matches('e\u0301 correct horse', made)).toBe(true)
  expect(await hashes.matches('e correct horse', made)).toBe(false)
})

it('rejects every password without a hash, and computes as long as with a hash', async () => {
  const hashes = createPasswordHashes(fakeWorld(1))
  expect(await hashes.matches('correct horse', null)).toBe(false)
})

it('computes two at once, lets 32 wait, and rejects the others at once', async () => {
  const hashes = createPasswordHashes(fakeWorld(1))
  const made = await Promise.all(Array.from({ length: 36 }, () => hashes.make('x')))
  expect(made.filter(hash => hash === tooBusy)).toHaveLength(2)
  expect(await hashes.make('x')).not.toBe(tooBusy)
})
