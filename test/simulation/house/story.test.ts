// What a seed tells of itself: its faults where they act, a message before what it brought about.

import { journalName } from '@callgate/gateway/journalFile'
import { afterEach, expect, it } from 'vitest'
import type { ChipTrouble } from './chip.ts'
import type { Leftover } from './gatewaySide.ts'
import { createHouse, type House } from './house.ts'
import { runSeed, type SeedRun } from './runSeed.ts'

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

/** The first seed whose run met a message altered on its way and the kill of a process. */
async function seedWithKill(): Promise<SeedRun> {
  for (let seed = 1; seed <= 40; seed++) {
    const run = await runSeed(seed)
    const faults = Object.keys(run.faults)
    if (faults.includes('alter') && faults.some(fault => /^\w+ killed/.test(fault))) return run
  }
  throw new Error('no seed has what this test looks for')
}

it('names each fault as often as it is counted, and tells no first start as a kill', async () => {
  const { faults, story } = await seedWithKill()
  const lines = story()
  const marks = lines.flatMap(
    line => /^ *\d+ \w+(?: \d)? [^[={]*\[([^\]]+)\]/.exec(line)?.[1]?.split(', ') ?? [],
  )
  const told: Record<string, number> = {}
  for (const mark of marks) told[mark] = (told[mark] ?? 0) + 1
  expect(told).toEqual(faults)
  const firstStart = lines.findIndex(line => /gateway 1 +starts/.test(line))
  const firstKill = lines.findIndex(line => /killed/.test(line))
  expect(firstStart).toBeGreaterThanOrEqual(0)
  expect(firstKill).toBeGreaterThan(firstStart)
  // Nothing is killed in the millisecond in which the house begins.
  expect(lines.filter(line => /^ *0 .*killed/.test(line))).toEqual([])
})

it('tells causes before effects: messages, commands and what the modem answers', async () => {
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
  'counts a journal as %s where something was not synced',
  async leftover => {
    const { gateway, house } = await oneGateway()
    const fault = `gateway killed, journal ${leftover}`
    gateway.start(leftover)
    await house.world.until(gateway.isReady)
    expect(met(house)).not.toContain(fault)
    gateway.sufferDisk('is slow')
    await house.press(0)
    const length = (bytes: Buffer | undefined) => bytes?.byteLength ?? 0
    const { content, syncedContent } = gateway.disk()
    await house.world.until(() => length(content(journalName)) > length(syncedContent(journalName)))
    gateway.start(leftover)
    expect(met(house)).toContain(fault)
  },
)

it.each<ChipTrouble>(['sleeps', 'brownout_on_tx', 'late_ok', 'lost_all_end_urcs', 'usb_unplug_reenumerate'])(
  'counts a chip that %s where it meets a call',
  async trouble => {
    const { gateway, house } = await oneGateway()
    gateway.sufferChip(trouble)
    await house.world.advance(20_000)
    expect(met(house)).not.toContain(`chip: ${trouble}`)
    await house.press(0)
    await house.world.advance(20_000)
    expect(met(house).filter(fault => fault === `chip: ${trouble}`)).toHaveLength(1)
  },
)
