// The rows of the table "Under which faults" of faults.md: how an opening ends under each fault, and what is dialled.

import { isoTime } from '@callgate/world/world'
import { afterEach, expect, it } from 'vitest'
import { openingGate } from '../effects/oneOpening.ts'
import type { ChipFault } from '../house/chip.ts'
import type { DiskFault, Leftover } from '../house/gatewayDisk.ts'
import { createHouse, type House, type HouseOptions } from '../house/house.ts'
import { unknownBootMessages } from '../house/plan.ts'

interface Row {
  readonly status: string
  readonly reason: string | null
  readonly grantedAt: string | null
  readonly confidence: string | null
}
type Moment = (house: House) => boolean
type Fault = (house: House) => Promise<void>

let house: House | undefined
afterEach(async () => {
  await house?.close()
  house = undefined
})

function gatewayOf({ gateways: [gateway] }: House) {
  if (!gateway) throw new Error('a house has a gateway')
  return gateway
}
const openingIn = ({ cloud }: House) => cloud().database.rows<Row>('select * from openings')[0]

const isPressed: Moment = of => openingIn(of) !== undefined
const isClaimed: Moment = of => of.broker.published.some(({ topic }) => topic.endsWith('/claim'))
const isGranted: Moment = of => Boolean(openingIn(of)?.grantedAt)
const isCalled: Moment = of => gatewayOf(of).simulator.state().calls.length > 0
/** The gateway asks the modem about its call. */
const isFollowed: Moment = of => {
  const written = gatewayOf(of)
    .simulator.wireLog()
    .filter(({ direction }) => direction === 'toModem')
  const dial = written.findIndex(({ text }) => text.startsWith('ATD'))
  return dial >= 0 && written.slice(dial).some(({ text }) => text.startsWith('AT+CLCC'))
}
/** The modem has reported that the gate rings. */
const isRinging: Moment = of =>
  gatewayOf(of)
    .simulator.wireLog()
    .some(({ direction, text }) => direction !== 'toModem' && /\+CLCC: \d,0,3/.test(text))
/** The modem has reported that the call has ended. */
const isEnded: Moment = of =>
  gatewayOf(of)
    .simulator.wireLog()
    .some(({ direction, text }) => direction !== 'toModem' && /\+CLCC: \d,0,6/.test(text))

/** A fault that begins at the given moment and lasts for some time. */
function lasting(
  isMoment: Moment,
  forMs: number,
  begin: (of: House) => void,
  end: (of: House) => unknown,
): Fault {
  return async of => {
    await of.world.until(() => isMoment(of))
    begin(of)
    await of.world.advance(forMs)
    await end(of)
  }
}

const cloudStopped = (at: Moment, forMs: number) =>
  lasting(
    at,
    forMs,
    of => of.cloud().life.pause(),
    of => of.cloud().life.goOn(),
  )
const cloudKilled = (at: Moment, forMs: number) =>
  lasting(
    at,
    forMs,
    of => of.cloud().life.kill(),
    of => of.restartCloud(),
  )
const cloudStalls = (at: Moment, forMs: number) =>
  lasting(
    at,
    forMs,
    of => of.cloudMachine.stall(),
    of => of.cloudMachine.goOn(),
  )
const gatewayStalls = (at: Moment, forMs: number) =>
  lasting(
    at,
    forMs,
    of => gatewayOf(of).machine.stall(),
    of => gatewayOf(of).machine.goOn(),
  )
const cloudClockSet = (at: Moment, byMs: number) => once(at, of => of.cloudMachine.setWallClock(byMs))
const databaseLocked = (at: Moment, forMs: number) =>
  lasting(
    at,
    forMs,
    of => of.databaseLock.hold(),
    of => of.databaseLock.release(),
  )
const gatewayStopped = (at: Moment, forMs: number) =>
  lasting(
    at,
    forMs,
    of => gatewayOf(of).pause(),
    of => gatewayOf(of).goOn(),
  )
const gatewayKilled = (at: Moment, leftover: Leftover = 'kept') =>
  lasting(
    at,
    1_000,
    of => gatewayOf(of).life().kill(),
    of => gatewayOf(of).start(leftover),
  )
const chip = (fault: ChipFault, at: Moment, forMs: number) =>
  lasting(
    at,
    forMs,
    of => gatewayOf(of).setChipFault(fault),
    of => gatewayOf(of).setChipFault(undefined),
  )
const once = (at: Moment, does: (of: House) => void) => lasting(at, 0, does, () => {})
const disk = (fault: DiskFault, at: Moment) => once(at, of => gatewayOf(of).setDiskFault(fault))
const cutOff = (at: Moment, forMs: number) =>
  lasting(
    at,
    forMs,
    of => of.broker.cutOff(gatewayOf(of).life().name, true),
    of => of.broker.cutOff(gatewayOf(of).life().name, false),
  )

const revoked = (table: 'apiKeys' | 'gateways', at: Moment) =>
  once(at, of =>
    of.cloud().database.change(`update "${table}" set "revokedAt" = ?`, isoTime(of.world.nowMs())),
  )
const brokerRestarted = (at: Moment) => once(at, of => of.broker.restart())
const unknownBoots = (at: Moment) =>
  once(at, of => {
    const openingId = of.cloud().database.rows<{ id: string }>('select id from openings')[0]?.id
    for (const says of unknownBootMessages) of.sendAsUnknownBoot(0, says, openingId)
  })
const clockMoved = (at: Moment) => once(at, of => gatewayOf(of).jumpClock())

/** The commands after the ATD that end a call or reset the modem. */
function endingsWritten(of: House): string[] {
  const written = gatewayOf(of)
    .simulator.wireLog()
    .filter(({ direction }) => direction === 'toModem')
    .map(({ text }) => text.trim())
  const dial = written.findIndex(text => text.startsWith('ATD'))
  return dial < 0 ? [] : written.slice(dial).filter(text => text === 'ATH' || text === 'AT+CFUN=1,1')
}

async function ending(fault: Fault, options: HouseOptions = {}, seed = 11) {
  house = await createHouse(seed, [openingGate], options)
  // A beat counts only for a press that comes after it.
  await house.world.advance(1)
  await house.press(0)
  await fault(house)
  await house.world.advance(100_000)
  const { reason, status } = openingIn(house) ?? {}
  return { ending: `${status} ${reason}`, dialled: gatewayOf(house).chip.dials.length }
}

const opened = { ending: 'completed rejected_after_ring', dialled: 1 }
const undialled = (reason: string) => ({ ending: `failed ${reason}`, dialled: 0 })
const unknown = (reason: string) => ({ ending: `failed ${reason}`, dialled: 1 })
const forgotten = (dialled: 0 | 1) => ({ ending: 'timeout outcome_unknown', dialled })

it.each<[string, Fault, typeof opened]>([
  ['the cloud stopped for 3 s', cloudStopped(isPressed, 3_000), opened],
  ['the cloud stopped for 8 s', cloudStopped(isPressed, 8_000), undialled('not_dialled')],
  ['the cloud stopped for 13 s', cloudStopped(isPressed, 13_000), undialled('interrupted')],
  ['the cloud stopped for 13 s in the call', cloudStopped(isCalled, 13_000), opened],
  ['the machine of the cloud stalling for 3 s', cloudStalls(isPressed, 3_000), opened],
  ['the machine of the cloud stalling for 64 s', cloudStalls(isPressed, 64_000), undialled('not_dialled')],
  ['the machine of the cloud stalling in the call', cloudStalls(isCalled, 64_000), opened],
  [
    'the machine of the gateway stalling for 20 s',
    gatewayStalls(isPressed, 20_000),
    undialled('gateway_offline'),
  ],
  ["the cloud's clock set forward", cloudClockSet(isPressed, 60_000), undialled('interrupted')],
  ["the cloud's clock set forward in the call", cloudClockSet(isCalled, 60_000), opened],
  ["the cloud's clock set back", cloudClockSet(isPressed, -60_000), opened],
  ['the database locked by another program for 1.5 s', databaseLocked(isPressed, 1_500), opened],
  ['the database locked for 15 s in the call', databaseLocked(isCalled, 15_000), opened],
  ['the cloud killed before it granted the claim', cloudKilled(isClaimed, 300), undialled('interrupted')],
  ['the cloud killed in the call', cloudKilled(isCalled, 15_000), opened],
  ['the gateway stopped for 7 s after its claim', gatewayStopped(isClaimed, 7_000), undialled('not_dialled')],
  ['the gateway stopped for 0.6 s in the call', gatewayStopped(isCalled, 600), opened],
  ['the gateway stopped for 5 s in the call', gatewayStopped(isCalled, 5_000), unknown('outcome_unknown')],
  ['the gateway killed before its claim', gatewayKilled(isPressed), undialled('interrupted')],
  ['the gateway killed after the grant', gatewayKilled(isGranted), forgotten(0)],
  ['the gateway killed in the call', gatewayKilled(isCalled), unknown('outcome_unknown')],
  ['a journal torn in the call', gatewayKilled(isCalled, 'torn'), unknown('outcome_unknown')],
  ['a journal wiped in the call', gatewayKilled(isCalled, 'wiped'), forgotten(1)],
  ['a chip that falls asleep at the ATD and wakes within 15 s', chip('sleeps', isPressed, 15_000), opened],
  ['replies lost for 30 s after the end of the call', chip('loses replies', isEnded, 30_000), opened],
  ['the modem unplugged', chip('usb_unplug_reenumerate', isCalled, 9_000), unknown('modem_lost')],
  ['the disk full', disk('is full', isPressed), undialled('not_dialled')],
  ['the disk full in the call', disk('is full', isCalled), opened],
  ['the disk read-only in the call', disk('is read-only', isCalled), opened],
  ['the gateway cut off for 7 s after its claim', cutOff(isClaimed, 7_000), undialled('not_dialled')],
  ['the gateway cut off for 20 s in the call', cutOff(isCalled, 20_000), opened],
  ['the broker restarted before the claim', brokerRestarted(isPressed), opened],
  ['the broker restarted in the call', brokerRestarted(isCalled), opened],
  ['messages of unknown boots before the claim', unknownBoots(isPressed), opened],
  ['messages of unknown boots in the call', unknownBoots(isCalled), opened],
  ['the clock moved before the claim', clockMoved(isPressed), opened],
  ['the clock moved in the call', clockMoved(isCalled), opened],
  ['the key revoked before the claim', revoked('apiKeys', isPressed), undialled('permission_lost')],
  ['the key revoked in the call', revoked('apiKeys', isCalled), opened],
  [
    'the gateway revoked in the call',
    revoked('gateways', isCalled),
    { ending: 'timeout no_report', dialled: 1 },
  ],
])('%s', async (_, fault, expected) => {
  expect(await ending(fault)).toEqual(expected)
})

it('the database locked for 7 or 8 s before the claim: the grant is too late, or there is none', async () => {
  const endings = new Set<string>()
  for (const forMs of [6_800, 8_000]) {
    const { dialled, ending: said } = await ending(databaseLocked(isPressed, forMs), {}, 2)
    expect(dialled).toBe(0)
    endings.add(said)
    await house?.close()
    house = undefined
  }
  expect(endings).toEqual(new Set(['failed not_dialled', 'failed gateway_offline']))
})

it('a press during which the cloud’s machine stalls is not dialled afterwards', async () => {
  house = await createHouse(11, [openingGate])
  house.cloudMachine.stallAfter(2)
  void house.press(0)
  await house.world.advance(64_000)
  expect(house.cloudMachine.isStalled()).toBe(true)
  house.cloudMachine.goOn()
  await house.world.advance(100_000)
  expect(openingIn(house)).toMatchObject({ status: 'failed', reason: 'interrupted' })
  expect(gatewayOf(house).chip.dials).toEqual([])
})

it.each([20_000, 64_000])(
  'a gateway that stalls for %i ms after the grant dials late by that time',
  async forMs => {
    const { dialled } = await ending(gatewayStalls(isGranted, forMs))
    expect(dialled).toBe(1)
    const [dial] = house ? gatewayOf(house).chip.dials : []
    const claim = house?.broker.published.find(({ topic }) => topic.endsWith('/claim'))
    const lateMs = (dial?.atMs ?? 0) - (claim?.atMs ?? 0)
    expect(lateMs).toBeGreaterThanOrEqual(forMs)
    expect(lateMs).toBeLessThan(forMs + 1_000)
  },
)

it.each([0, 3_600_000, -3_600_000])(
  'no other gateway calls a ringing number after a restart with the clock set by %i ms',
  async byMs => {
    const rings = { farEnd: 'ring_forever', profile: { mode: 'unverified' } } as const
    house = await createHouse(11, [rings], { gateways: 2 })
    const of = house
    await of.press(0)
    await of.world.until(() => of.gateways.some(({ chip }) => chip.dials.length > 0))
    of.cloudMachine.setWallClock(byMs)
    await of.restartCloud()
    // Longer than the opening lasts after the restart, and shorter than the call.
    await of.world.advance(20_000)
    await of.press(0)
    await of.world.advance(5_000)
    expect(of.gateways.flatMap(({ chip }) => chip.dials)).toHaveLength(1)
  },
)

it('replies lost from the ringing on: the report names the end that was seen, or an unknown one', async () => {
  // The seed decides which replies are lost. `likely` is possible only when every question was answered.
  const promised = [
    'completed rejected_after_ring likely',
    'completed rejected_after_ring assumed',
    'failed modem_lost_after_ring unknown',
  ]
  for (let seed = 1; seed <= 20; seed++) {
    await house?.close()
    const { dialled, ending: ended } = await ending(chip('loses replies', isRinging, 30_000), {}, seed)
    expect(promised).toContain(`${ended} ${house && openingIn(house)?.confidence}`)
    expect(dialled).toBe(1)
  }
})

it('replies lost for 2 s in the call are no reason to reset the modem', async () => {
  expect(await ending(chip('loses replies', isFollowed, 2_000))).toEqual(opened)
  expect(house && endingsWritten(house)).toEqual([])
})

it('after an unanswered ATD the gateway hangs up, and then resets the modem', async () => {
  expect(await ending(chip('sleeps', isPressed, 45_000))).toEqual(unknown('dial_no_response'))
  expect(house && endingsWritten(house).slice(0, 2)).toEqual(['ATH', 'AT+CFUN=1,1'])
})

it('a report that comes after 90 s corrects the status timeout', async () => {
  expect(await ending(cutOff(isCalled, 95_000))).toEqual(opened)
  expect(house?.moves()['opening: timeout → completed']).toBe(1)
})

it('repeated, replayed, reordered and forged messages change nothing', async () => {
  const faults = { repeat: 1, replay: 1, reorder: 1, forge: 1 }
  const nothing: Fault = async () => {}
  expect(await ending(nothing, { faults })).toEqual(opened)
  expect(house?.world.lines.flatMap(({ fields }) => fields['met'])).toContain('forge')
})

it('two gateways, three presses at once and one later: one call', async () => {
  house = await createHouse(11, [openingGate], { gateways: 2 })
  const of = house
  await Promise.all([of.press(0), of.press(0), of.press(0)])
  await of.world.until(() => of.gateways.some(({ chip }) => chip.dials.length > 0))
  await of.press(0)
  await of.world.advance(100_000)
  expect(of.gateways.flatMap(({ chip }) => chip.dials)).toHaveLength(1)
  const rows = of.cloud().database.rows<Row & { joinedOpeningId: string | null }>('select * from openings')
  expect(rows.map(({ status }) => status)).toEqual(Array(4).fill('completed'))
  expect(rows.filter(({ joinedOpeningId }) => joinedOpeningId === null)).toHaveLength(1)
})
