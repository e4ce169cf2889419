// USSD on every model of the simulator: the texts that the modem's own code reads, with no call affected.

import { callProfile } from '@callgate/contract/call/callProfile'
import { createModem, type UssdResult } from '@callgate/modem/modem'
import { models } from '@callgate/simulator/core/model'
import type { ModemFaultName } from '@callgate/simulator/presets'
import { lineTo, phoneNumber, usualSimulator } from '@callgate/simulator/usual.kit'
import { fakeWorld } from '@callgate/world/fake'
import { expect, it } from 'vitest'

type ModelName = keyof typeof models
const never = new Promise<void>(() => {})

/** A ready modem, with these faults. */
async function readyModem(faults: readonly ModemFaultName[] = [], model: ModelName = 'sim800') {
  const world = fakeWorld(3)
  const gates = [{ farEnd: 'reject_busy' as const, phoneNumber }]
  const simulator = usualSimulator({ world, seed: 3, network: 'normal', model, gates })
  const modem = createModem({ world, baudRate: 115_200, openLine: lineTo(simulator) })
  modem.start()
  await world.until(() => modem.status().state === 'ready', 300_000)
  simulator.setFaults(faults)
  async function ask(code = '*100#', cancelled = never) {
    const startMs = world.monotonicMs()
    let result: UssdResult | undefined
    void modem.ussd(code, cancelled).then(given => (result = given))
    await world.until(() => result !== undefined, 100_000)
    return { result, tookMs: world.monotonicMs() - startMs }
  }
  /** The modem is as free as before. */
  async function isFree() {
    const reservation = modem.reserve()
    let isReserved: boolean | undefined
    void reservation.then(({ ok }) => (isReserved = ok))
    await world.until(() => isReserved !== undefined, 60_000)
    modem.release()
    return isReserved
  }
  return { world, modem, simulator, ask, isFree }
}

// `listless` is never ready: it cannot list its calls.
const usable = (Object.keys(models) as ModelName[]).filter(model => model !== 'listless')
it.each(usable)('%s reports the network’s answer', async model => {
  const { ask, isFree } = await readyModem([], model)
  expect((await ask()).result).toEqual({ ok: true, text: 'Credit 5.00 EUR', isMenu: false })
  expect(await isFree()).toBe(true)
})

const answers: readonly (readonly [ModemFaultName, object])[] = [
  ['ussd_menu', { ok: true, text: '1 Credit 2 Options 0 Exit', isMenu: true }],
  ['ussd_ucs2', { ok: true, text: 'Aveți 5,00 EUR până la 31.12', isMenu: false }],
  ['ussd_lines', { ok: true, text: 'Credit 5.00 EUR RDY OK Valid until 31.12.2026', isMenu: false }],
  ['ussd_unasked', { ok: false, reason: 'unclear' }],
  ['ussd_silent', { ok: false, reason: 'no_answer' }],
  ['ussd_cut', { ok: false, reason: 'no_answer' }],
  ['ussd_refused', { ok: false, reason: 'refused', detail: 'the network or the modem has no USSD here' }],
  ['ussd_late', { ok: false, reason: 'no_answer' }],
  ['ussd_unconfirmed', { ok: false, reason: 'no_answer', detail: 'the modem did not answer' }],
  ['ussd_holds_calls', { ok: false, reason: 'no_answer', detail: 'the modem did not answer' }],
  ['ussd_timed_out', { ok: false, reason: 'no_answer', detail: 'the network timed out' }],
]
it.each(answers)('%s is reported, and the modem is free and set up afterwards', async (fault, result) => {
  const { ask, isFree, modem, world } = await readyModem([fault])
  expect((await ask()).result).toEqual(result)
  expect(await isFree()).toBe(true)
  await world.advance(60_000)
  expect(modem.status()).toMatchObject({ state: 'ready', trouble: null })
})

it('T1: gives way at once when it is cancelled', async () => {
  const { ask, isFree, world } = await readyModem(['ussd_silent'])
  const cancelled = new Promise<void>(resolve => world.after(3_000, resolve))
  const { result, tookMs } = await ask('*100#', cancelled)
  expect(result).toEqual({ ok: false, reason: 'cancelled' })
  expect(tookMs).toBeLessThan(3_000 + 6_000)
  expect(await isFree()).toBe(true)
})

it.each([0, 300])('T1: sends no code where an opening comes after %i ms, before it could', async afterMs => {
  const { ask, simulator, world } = await readyModem()
  const before = simulator.wireLog().length
  const cancelled = new Promise<void>(resolve => world.after(afterMs, resolve))
  expect((await ask('*100#', cancelled)).result).toEqual({ ok: false, reason: 'cancelled' })
  await world.advance(5_000)
  const sent = simulator.wireLog().slice(before)
  expect(sent.filter(({ text }) => text.includes('CUSD=1'))).toEqual([])
})

/** Calls the gate as the next opening would; returns the reason of the verdict. */
async function callNext({ modem, world }: Pick<Awaited<ReturnType<typeof readyModem>>, 'modem' | 'world'>) {
  const reserved = modem.reserve()
  let reason: string | undefined
  const profile = callProfile({ mode: 'reject' })
  const request = { phoneNumber, profile, mayDial: () => true, onProgress: () => {} }
  void reserved
    .then(() => modem.dial(request))
    .then(result => (reason = result.dialled ? result.verdict.reason : result.why))
  await world.until(() => reason !== undefined, 90_000)
  return reason
}

it.each(['ussd_silent', 'ussd_unconfirmed', 'ussd_holds_calls', 'ussd_menu'] as const)(
  'T1: leaves no session that delays the next call: %s',
  async fault => {
    const house = await readyModem([fault])
    await house.ask()
    expect(await callNext(house)).toBe('rejected_after_ring')
  },
)

it('does not take a line of a late answer for the end of a call', async () => {
  const house = await readyModem(['ussd_late'])
  await house.ask()
  expect(await callNext(house)).toBe('rejected_after_ring')
  const [call] = house.simulator.state().calls
  const late = house.simulator.wireLog().find(({ text }) => text.startsWith('+CUSD: 0, "Credit'))
  expect(late?.atMs).toBeGreaterThan(call?.atMs ?? 0)
  expect(late?.atMs).toBeLessThan(call?.endedAtMs ?? 0)
})

it('does not take a late answer to one code for the answer to the next', async () => {
  const { ask, simulator } = await readyModem(['ussd_late'])
  expect((await ask()).result).toEqual({ ok: false, reason: 'no_answer' })
  simulator.setFaults(['ussd_silent'])
  expect((await ask('*101#')).result).toEqual({ ok: false, reason: 'no_answer' })
  simulator.setFaults([])
  expect((await ask('*102#')).result).toEqual({ ok: true, text: 'Credit 5.00 EUR', isMenu: false })
})

it.each(['ussd_unasked_menu', 'ussd_menu'] as const)('sends no code into an open menu: %s', async fault => {
  const { ask, simulator, world } = await readyModem([fault])
  await ask()
  await world.advance(5_000)
  simulator.setFaults([])
  expect((await ask()).result).toEqual({ ok: true, text: 'Credit 5.00 EUR', isMenu: false })
})

it('T1: ends a menu that the network opens by itself, so that it delays no call', async () => {
  const house = await readyModem(['ussd_unasked_menu'])
  await house.ask()
  await house.world.advance(10_000)
  house.simulator.setFaults(['ussd_holds_calls'])
  expect(await callNext(house)).toBe('rejected_after_ring')
})

it('T1: leaves the line alone where a menu opens during an opening', async () => {
  const { ask, isFree, modem, simulator, world } = await readyModem(['ussd_unasked_menu'])
  await ask()
  let isReserved = false
  void modem.reserve().then(({ ok }) => (isReserved = ok))
  await world.until(() => isReserved, 1_000)
  const before = simulator.wireLog().length
  await world.advance(10_000)
  const written = () =>
    simulator
      .wireLog()
      .slice(before)
      .map(({ text }) => text)
  expect(written()).toContain('+CUSD: 1, "Offer of the day: 1 Yes 2 No", 15')
  expect(written()).not.toContain('AT+CUSD=2')
  modem.release()
  await world.advance(1_000)
  expect(written()).toContain('AT+CUSD=2')
  expect(await isFree()).toBe(true)
})

it('T1: leaves the modem free while a late answer can still come', async () => {
  const house = await readyModem(['ussd_silent'])
  await house.ask()
  const before = house.simulator.wireLog().length
  const asked = house.ask('*101#')
  expect(await callNext(house)).toBe('rejected_after_ring')
  expect(
    house.simulator
      .wireLog()
      .slice(before)
      .filter(({ text }) => text.includes('*101#')),
  ).toEqual([])
  await asked
})

it('sends only codes of the grammar', async () => {
  const { ask } = await readyModem()
  for (const code of ['*21#', '*100#"\rATD112;', '**04*1234#', '#100#'])
    expect((await ask(code)).result).toMatchObject({ ok: false, reason: 'refused' })
})

it('is refused beside a reservation, and while there is no network', async () => {
  const { ask, modem, simulator, world } = await readyModem()
  await modem.reserve()
  expect((await ask()).result).toEqual({ ok: false, reason: 'modem_busy' })
  modem.release()
  simulator.setFaults(['no_dialtone_unregistered'])
  await world.advance(120_000)
  expect((await ask()).result).toMatchObject({ ok: false })
})
