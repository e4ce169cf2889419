// The trace of a seed: faults are placed at their effect, and causes before their consequences.

import { journalName } from '@callgate/gateway/journalFile'
import { afterEach, expect, it } from 'vitest'
import type { ChipFault } from './chip.ts'
import type { Leftover } from './gatewayDisk.ts'
import { createHouse, type House } from './house.ts'
import { runSeed } from './runSeed.ts'
import type { SeedRun } from './seedRun.ts'

let house: House | undefined
afterEach(async () => {
  await house?.close()
  house = undefined
})

async function oneGateway() {
  const built = await createHouse(1, [{ farEnd: 'reject_busy', profile: { mode: 'reject' } }])
  house = built
  const [gateway] = built.gateways
  if (!gateway) throw new Error('a house has a gateway')
  return { house: built, gateway }
}

const met = ({ world }: House) => world.lines.flatMap(({ fields }) => fields.met ?? [])

/** The first seed with an altered message and a killed process whose fault names contain no comma. */
async function seedWithKill(): Promise<SeedRun> {
  for (let seed = 1; seed <= 40; seed++) {
    const run = await runSeed(seed)
    const faults = Object.keys(run.faults)
    const isKill = (fault: string) => /^\w+ killed/.test(fault)
    if (faults.includes('alter') && faults.some(isKill) && !faults.join('').includes(',')) return run
  }
  throw new Error('no seed has what this test looks for')
}

it('names each fault as often as it is counted, and does not count the first start as a kill', async () => {
  const { faults, story } = await seedWithKill()
  const lines = story()
  const marks = lines.flatMap(
    line => /^ *\d+ \w+(?: \d)? [^[={]*\[([^\]]+)\]/.exec(line)?.[1]?.split(', ') ?? [],
  )
  const counts: Record<string, number> = {}
  for (const mark of marks) counts[mark] = (counts[mark] ?? 0) + 1
  expect(counts).toEqual(faults)
  const firstStart = lines.findIndex(line => /gateway 1 +starts/.test(line))
  const firstKill = lines.findIndex(line => /killed/.test(line))
  expect(firstStart).toBeGreaterThanOrEqual(0)
  expect(firstKill).toBeGreaterThan(firstStart)
  // Nothing is killed in the first millisecond.
  expect(lines.filter(line => /^ *0 .*killed/.test(line))).toEqual([])
})

it('prints causes before effects: messages, commands and answers of the modem', async () => {
  const lines = (await runSeed(7)).story()
  const place = (what: RegExp) => lines.findIndex(line => what.test(line))
  const places = [
    /comes .*\/hint /,
    /after=hint/,
    /comes .*\/grant /,
    /after=grant/,
    /dialling/,
    /< "ATD/,
  ].map(place)
  expect(places).not.toContain(-1)
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  const ended = place(/after=callEnded/)
  expect(lines.slice(ended - 2, ended)).toEqual([
    expect.stringContaining('modem 1    > "OK"'),
    expect.stringContaining('Modem state=ready'),
  ])
})

it.each<Leftover>(['torn', 'forgotten'])(
  'counts a journal as %s only when a part of it was not synced',
  async leftover => {
    const { gateway, house } = await oneGateway()
    const fault = `gateway killed, journal ${leftover}`
    gateway.start(leftover)
    await house.world.until(gateway.isReady)
    expect(met(house)).not.toContain(fault)
    gateway.setDiskFault('is slow')
    await house.press(0)
    const length = (bytes: Buffer | undefined) => bytes?.byteLength ?? 0
    const { content, syncedContent } = gateway.disk()
    await house.world.until(() => length(content(journalName)) > length(syncedContent(journalName)))
    gateway.start(leftover)
    expect(met(house)).toContain(fault)
  },
)

it.each<ChipFault>(['sleeps', 'brownout_on_tx', 'late_ok', 'lost_all_end_urcs', 'usb_unplug_reenumerate'])(
  'counts the chip fault %s only when it affects a call',
  async fault => {
    const { gateway, house } = await oneGateway()
    gateway.setChipFault(fault)
    await house.world.advance(20_000)
    expect(met(house)).not.toContain(`chip: ${fault}`)
    await house.press(0)
    await house.world.advance(20_000)
    expect(met(house).filter(name => name === `chip: ${fault}`)).toHaveLength(1)
  },
)
