import { challengeWithinMs } from '@callgate/contract/wire/timing'
import { fakeWorld } from '@callgate/world/fake'
import { expect, it } from 'vitest'
import { bootChallenges, mostAsked } from './bootChallenges.ts'

it('challenges a boot with the same nonce for 30 s, and with another one afterwards', async () => {
  const world = fakeWorld(1)
  const challenges = bootChallenges(world)
  const nonce = challenges.ask('gw', 'boot', 1)
  expect(nonce).toMatch(/^[A-Za-z0-9_-]{22}$/)
  await world.advance(challengeWithinMs - 1)
  expect(challenges.ask('gw', 'boot', 1)).toBe(nonce)
  expect(challenges.isAnswered('gw', 'boot', nonce, 1)).toBe(true)
  await world.advance(1)
  expect(challenges.isAnswered('gw', 'boot', nonce, 1)).toBe(false)
  expect(challenges.ask('gw', 'boot', 1)).not.toBe(nonce)
})

it('G2: rejects an answer of another boot or gateway, a missing answer, and one after a boot was taken up', () => {
  const challenges = bootChallenges(fakeWorld(1))
  const nonce = challenges.ask('gw', 'boot', 1)
  const other = challenges.ask('gw', 'other', 1)
  expect(other).not.toBe(nonce)
  expect(challenges.isAnswered('gw', 'boot', other, 1)).toBe(false)
  expect(challenges.isAnswered('gw 2', 'boot', nonce, 1)).toBe(false)
  expect(challenges.isAnswered('gw', 'boot', undefined, 1)).toBe(false)
  expect(challenges.isAnswered('gw', 'unasked', undefined, 1)).toBe(false)
  challenges.settle('gw')
  expect(challenges.isAnswered('gw', 'boot', nonce, 1)).toBe(false)
  expect(challenges.isAnswered('gw', 'other', other, 1)).toBe(false)
})

it('G2: rejects an answer to a challenge that was issued before another cloud took a boot up', () => {
  const challenges = bootChallenges(fakeWorld(1))
  const nonce = challenges.ask('gw', 'boot', 1)
  expect(challenges.isAnswered('gw', 'boot', nonce, 2)).toBe(false)
  const fresh = challenges.ask('gw', 'boot', 2)
  expect(fresh).not.toBe(nonce)
  expect(challenges.isAnswered('gw', 'boot', fresh, 2)).toBe(true)
})

it('remembers a limited number of boots of a gateway, and forgets the one that it challenged first', () => {
  const challenges = bootChallenges(fakeWorld(1))
  const nonces = Array.from({ length: mostAsked + 1 }, (_, boot) => challenges.ask('gw', `boot ${boot}`, 1))
  const held = nonces.filter((nonce, boot) => challenges.isAnswered('gw', `boot ${boot}`, nonce, 1))
  expect(held).toEqual(nonces.slice(1))
})
