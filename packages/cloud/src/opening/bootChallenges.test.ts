import { challengeWithinMs } from '@callgate/contract/wire/timing'
import { fakeWorld } from '@callgate/world/fake'
import { expect, it } from 'vitest'
import { bootChallenges, mostAsked } from './bootChallenges.ts'

it('challenges a boot with the same nonce for 30 s, and with another one afterwards', async () => {
  const world = fakeWorld(1)
  const challenges = bootChallenges(world)
  const nonce = challenges.ask('gw', 'boot')
  expect(nonce).toMatch(/^[A-Za-z0-9_-]{22}$/)
  await world.advance(challengeWithinMs - 1)
  expect(challenges.ask('gw', 'boot')).toBe(nonce)
  expect(challenges.isAnswered('gw', 'boot', nonce)).toBe(true)
  await world.advance(1)
  expect(challenges.isAnswered('gw', 'boot', nonce)).toBe(false)
  expect(challenges.ask('gw', 'boot')).not.toBe(nonce)
})

it('G2: takes no answer from another boot or gateway, no missing answer, and none after a boot was taken up', () => {
  const challenges = bootChallenges(fakeWorld(1))
  const nonce = challenges.ask('gw', 'boot')
  const other = challenges.ask('gw', 'other')
  expect(other).not.toBe(nonce)
  expect(challenges.isAnswered('gw', 'boot', other)).toBe(false)
  expect(challenges.isAnswered('gw 2', 'boot', nonce)).toBe(false)
  expect(challenges.isAnswered('gw', 'boot', undefined)).toBe(false)
  expect(challenges.isAnswered('gw', 'unasked', undefined)).toBe(false)
  challenges.settle('gw')
  expect(challenges.isAnswered('gw', 'boot', nonce)).toBe(false)
  expect(challenges.isAnswered('gw', 'other', other)).toBe(false)
})

it('remembers a limited number of boots of a gateway, and forgets the one that it challenged first', () => {
  const challenges = bootChallenges(fakeWorld(1))
  const nonces = Array.from({ length: mostAsked + 1 }, (_, boot) => challenges.ask('gw', `boot ${boot}`))
  const held = nonces.filter((nonce, boot) => challenges.isAnswered('gw', `boot ${boot}`, nonce))
  expect(held).toEqual(nonces.slice(1))
})
