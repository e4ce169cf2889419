import { fakeWorld } from '@callgate/world/fake'
import { expect, it } from 'vitest'
import { type Attempt, createSignInLimits } from './signInLimits.ts'

const quarterMs = 15 * 60_000
const stranger: Attempt = { email: 'a@example.com', addressGroup: '192.0.2.1', deviceId: undefined }
const known: Attempt = { ...stranger, deviceId: 'phone' }

function failing(world = fakeWorld(1)) {
  const limits = createSignInLimits(world)
  return {
    world,
    ...limits,
    /** How many of `count` wrong passwords are looked at. */
    taken: (count: number, attempt: Attempt) =>
      Array.from({ length: count }, () => limits.begin(attempt).ok).filter(Boolean).length,
  }
}

it('takes ten wrong passwords in a quarter of an hour, and says when it takes the next', async () => {
  const { begin, taken, world } = failing()
  expect(taken(20, stranger)).toBe(10)
  expect(begin(stranger)).toEqual({ ok: false, againInMs: quarterMs })
  await world.advance(quarterMs)
  expect(taken(20, stranger)).toBe(10)
})

it('counts no right password, also of many at once', () => {
  const { begin, taken } = failing()
  for (let count = 0; count < 100; count++) {
    const begun = begin(stranger)
    if (begun.ok) begun.forgive()
  }
  expect(taken(20, stranger)).toBe(10)
})

it('leaves a browser alone on which the account was signed in to before, whatever strangers do', () => {
  const { taken } = failing()
  for (let network = 0; network < 200; network++)
    taken(20, { ...stranger, addressGroup: `198.51.100.${network}` })
  taken(20, stranger)
  expect(taken(20, known)).toBe(10)
  expect(taken(20, { ...known, deviceId: 'laptop' })).toBe(10)
})

it('takes 100 wrong passwords of strangers a day for one account, from however many networks', async () => {
  const { taken, world } = failing()
  let guesses = 0
  for (let hour = 0; hour < 24; hour++) {
    for (let network = 0; network < 20; network++)
      guesses += taken(3, { ...stranger, addressGroup: `198.51.100.${hour * 20 + network}` })
    await world.advance(3_600_000 - 1)
  }
  expect(guesses).toBe(100)
})

it('takes 50 wrong passwords from one network in a quarter of an hour, for however many accounts', () => {
  const { taken } = failing()
  let guesses = 0
  for (let account = 0; account < 100; account++)
    guesses += taken(2, { ...stranger, email: `user${account}@example.com` })
  expect(guesses).toBe(50)
  expect(taken(1, { ...stranger, addressGroup: '198.51.100.1' })).toBe(1)
})
