import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Database } from '../database/database.ts'
import { testDatabase } from '../database/postgres.kit.ts'
import { type ExchangeRig, exchangeRig, type Guest } from './exchange.kit.ts'

let rig: ExchangeRig
let guest: Guest
/** Called with the work of each write done, before its commit. */
let beforeCommit: () => void

beforeEach(async () => {
  beforeCommit = () => {}
  const database = await testDatabase()
  const write: Database['write'] = (work, options) =>
    database.write(async tx => {
      const answer = await work(tx)
      beforeCommit()
      return answer
    }, options)
  rig = await exchangeRig({ ...database, write })
  guest = await rig.addGuest(await rig.addGate())
})
afterEach(() => rig.close())

const failing = () => {
  throw new Error('the commit fails')
}

it('A2: hints a gateway before the commit of the press, once', async () => {
  let atCommit: string[] | undefined
  beforeCommit = () => {
    atCommit = [...rig.hints]
  }
  const openingId = await rig.press(guest)
  expect(atCommit).toEqual([openingId])
  expect(rig.hints).toEqual([openingId])
  await rig.world.advance(2_000)
  expect(rig.hints).toEqual([openingId, openingId])
})

it('A2: grants a claim that comes before the commit, once the press is committed', async () => {
  let claimed: ReturnType<ExchangeRig['claim']> | undefined
  beforeCommit = () => {
    beforeCommit = () => {}
    claimed = rig.claim(rig.hints[0] ?? '')
  }
  await rig.press(guest)
  expect(await claimed).toMatchObject({ granted: true })
})

it('A2: refuses the claim at once where the press is rolled back, and hints no more', async () => {
  let claimed: ReturnType<ExchangeRig['claim']> | undefined
  beforeCommit = () => {
    beforeCommit = () => {}
    claimed = rig.claim(rig.hints[0] ?? '')
    failing()
  }
  await expect(rig.press(guest)).rejects.toThrow('the commit fails')
  expect(await claimed).toEqual({ granted: false, reason: 'refused' })
  await rig.world.advance(20_000)
  expect(rig.hints).toHaveLength(1)
  expect(await rig.database.knex('openings')).toEqual([])
})

it('A2: hints nobody for a press that joins or is refused', async () => {
  const openingId = await rig.press(guest)
  await rig.press(guest)
  await rig.database.knex('gates').update({ isActive: false })
  await rig.press(guest)
  expect(rig.hints).toEqual([openingId])
})
