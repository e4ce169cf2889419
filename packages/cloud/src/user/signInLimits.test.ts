import { type FakeWorld, fakeWorld } from '@callgate/world/fake'
import { afterEach, describe, expect, it } from 'vitest'
import { testDatabase } from '../database/postgres.kit.ts'
import { type Limits, limitsInMemory } from '../limit/limits.ts'
import { storedLimits } from '../limit/storedLimits.ts'
import { type Attempt, createSignInLimits } from './signInLimits.ts'

const quarterMs = 15 * 60_000
const stranger: Attempt = { email: 'a@example.com', addressGroup: '192.0.2.1', deviceId: undefined }
const known: Attempt = { ...stranger, deviceId: 'phone' }

const closing: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function overTwoReplicas(world: FakeWorld): Promise<readonly Limits[]> {
  const database = await testDatabase(world)
  const replicas = [1, 2].map(() => storedLimits({ database, world, isByWorld: true }))
  closing.push(() => database.close(), ...replicas.map(one => () => one.stop()))
  return replicas
}

const forms = {
  'in a cloud alone': async (world: FakeWorld): Promise<readonly Limits[]> => [limitsInMemory(world)],
  'over two replicas': overTwoReplicas,
} as const

describe.each(Object.entries(forms))('sign-in %s', (_form, boundsOf) => {
  async function failing() {
    const world = fakeWorld(1)
    const all = (await boundsOf(world)).map(createSignInLimits)
    let asked = 0
    const begin = (attempt: Attempt) => {
      const one = all[asked++ % all.length]
      if (!one) throw new Error('none')
      return one.begin(attempt)
    }
    /** How many of `count` simultaneous wrong passwords are checked. */
    async function taken(count: number, attempt: Attempt): Promise<number> {
      const begun = await Promise.all(Array.from({ length: count }, () => begin(attempt)))
      return begun.filter(({ ok }) => ok).length
    }
    return { world, begin, taken }
  }

  it('accepts ten wrong passwords in a quarter of an hour, and says when it accepts the next', async () => {
    const { begin, taken, world } = await failing()
    expect(await taken(20, stranger)).toBe(10)
    expect(await begin(stranger)).toEqual({ ok: false, againInMs: quarterMs })
    await world.advance(quarterMs)
    expect(await taken(20, stranger)).toBe(10)
  })

  it('counts no right password, even when many come at once', async () => {
    const { begin, taken } = await failing()
    for (let count = 0; count < 100; count++) {
      const begun = await begin(stranger)
      if (begun.ok) await begun.giveBack()
    }
    expect(await taken(20, stranger)).toBe(10)
  })

  it('does not restrict a browser that has signed in to the account before, whatever strangers do', async () => {
    const { taken } = await failing()
    for (let network = 0; network < 12; network++)
      await taken(20, { ...stranger, addressGroup: `198.51.100.${network}` })
    await taken(20, stranger)
    expect(await taken(20, known)).toBe(10)
    expect(await taken(20, { ...known, deviceId: 'laptop' })).toBe(10)
  })

  it('accepts 100 wrong passwords of strangers a day for one account, from any number of networks', async () => {
    const { taken, world } = await failing()
    let guesses = 0
    for (let hour = 0; hour < 24; hour++) {
      for (let network = 0; network < 5; network++)
        guesses += await taken(3, { ...stranger, addressGroup: `198.51.100.${hour * 5 + network}` })
      await world.advance(3_600_000 - 1)
    }
    expect(guesses).toBe(100)
  })

  it('accepts 50 wrong passwords from one network in a quarter of an hour, for any number of accounts', async () => {
    const { taken } = await failing()
    let guesses = 0
    for (let account = 0; account < 40; account++)
      guesses += await taken(2, { ...stranger, email: `user${account}@example.com` })
    expect(guesses).toBe(50)
    expect(await taken(1, { ...stranger, addressGroup: '198.51.100.1' })).toBe(1)
  })
})
