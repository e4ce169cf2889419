import { afterEach, beforeEach, expect, it } from 'vitest'
import type { VerifiedBeat } from './beats.ts'
import { type ExchangeRig, exchangeRig } from './exchange.kit.ts'
import { createExchange, type Exchange } from './exchange.ts'
import { mostSuperseded } from './gatewayBoots.ts'

let rig: ExchangeRig
beforeEach(async () => {
  rig = await exchangeRig()
})
afterEach(() => rig.close())

/** The kit's gateway begins with the boot A. */
const boot = (letter: string) => letter.repeat(22)
const current = () => ({ kind: 'current', spaceId: rig.spaceId })

function beat(bootId: string, more: Partial<VerifiedBeat> = {}, exchange: Exchange = rig.exchange) {
  const of = { gatewayId: rig.gatewayId, isOnline: true, journalId: boot('J'), toReport: [], body: '{}' }
  return exchange.beat({ ...of, bootId, ...more })
}
async function challenged(bootId: string): Promise<string> {
  const said = await beat(bootId)
  return said.kind === 'challenge' ? said.nonce : `not challenged, but ${said.kind}`
}
const start = async (bootId: string) => beat(bootId, { nonce: await challenged(bootId) })

it('a beat of a boot that never answered takes nothing up, however often it comes', async () => {
  const nonce = await challenged(boot('B'))
  expect(await challenged(boot('B'))).toBe(nonce)
  expect(await beat(boot('B'), { nonce: boot('M') })).toEqual({ kind: 'challenge', nonce })
  expect(await beat(boot('A'))).toEqual(current())
  expect(await beat(boot('B'), { nonce })).toEqual(current())
  expect(await beat(boot('A'))).toEqual({ kind: 'refused' })
})

it('a goodbye answers no challenge', async () => {
  const nonce = await challenged(boot('B'))
  expect(await beat(boot('B'), { nonce, isOnline: false })).toEqual({ kind: 'refused' })
  expect(await beat(boot('A'))).toEqual(current())
})

it('an answer that comes after another boot was taken up is challenged anew', async () => {
  const late = await challenged(boot('B'))
  expect(await start(boot('C'))).toEqual(current())
  const said = await beat(boot('B'), { nonce: late })
  expect(said).toMatchObject({ kind: 'challenge' })
  expect(said).not.toMatchObject({ nonce: late })
  expect(await beat(boot('C'))).toEqual(current())
})

it('an answer counts for 30 s', async () => {
  const nonce = await challenged(boot('B'))
  await rig.world.advance(30_000)
  expect(await beat(boot('B'), { nonce })).toMatchObject({ kind: 'challenge' })
})

it('a restart of the cloud asks nothing of the boot that serves, and forgets what it asked others', async () => {
  const nonce = await challenged(boot('B'))
  const { database, door, world } = rig
  const next = createExchange({ world, database, door })
  expect(await beat(boot('A'), {}, next)).toEqual(current())
  expect(await beat(boot('B'), { nonce }, next)).toMatchObject({ kind: 'challenge' })
  next.stop()
})

it('keeps the last 64 boots that others have followed, in their order whatever the clock says', async () => {
  const starts = Array.from({ length: mostSuperseded + 10 }, (_, number) => `${number}`.padStart(22, 'x'))
  for (const bootId of starts) {
    rig.world.jumpWallClock(-60_000)
    expect(await start(bootId)).toEqual(current())
  }
  const kept = await rig.database.knex('supersededBoots').orderBy('number').pluck('bootId')
  expect(kept).toEqual(starts.slice(-mostSuperseded - 1, -1))
  for (const bootId of kept) expect(await beat(bootId)).toEqual({ kind: 'refused' })
  // A boot that is not remembered is challenged, which it answers once in its life.
  expect(await beat(boot('A'))).toMatchObject({ kind: 'challenge' })
})
