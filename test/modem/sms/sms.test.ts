// Messages (SMS) on every model of the simulator: sent once, their answer read, and no call affected.

import { type Confirmation, callProfile } from '@callgate/contract/call/callProfile'
import type { CallVerdict } from '@callgate/contract/call/verdict'
import { createModem, type SmsRequest, type SmsResult } from '@callgate/modem/modem'
import { models } from '@callgate/simulator/core/model'
import type { ModemFaultName } from '@callgate/simulator/presets'
import type { SimulatedGate } from '@callgate/simulator/simulatedGates'
import { lineTo, phoneNumber, usualSimulator } from '@callgate/simulator/usual.kit'
import { fakeWorld } from '@callgate/world/fake'
import { expect, it } from 'vitest'

type ModelName = keyof typeof models
const never = new Promise<void>(() => {})
const own = '+40711111111'
const text = `1234#TEL00${own.slice(1)}#007#`
const stranger = '+40733333333'

/** A ready modem, with these faults, and a module behind it that admits nobody yet. */
async function readyModem(
  listens: Partial<NonNullable<SimulatedGate['listens']>> = {},
  faults: readonly ModemFaultName[] = [],
  model: ModelName = 'sim800',
  farEnd: SimulatedGate['farEnd'] = 'king_pigeon_rtu5024',
) {
  const world = fakeWorld(3)
  const gate = { farEnd, phoneNumber, callers: [stranger] } as const
  const gates = [{ ...gate, listens: { brand: 'rtu5024', password: '1234', ...listens } as const }]
  const simulator = usualSimulator({ world, seed: 3, network: 'normal', model, gates })
  const written: string[] = []
  const trace = (_: string, line: string) => written.push(line)
  const modem = createModem({ world, baudRate: 115_200, openLine: lineTo(simulator), trace })
  modem.start()
  await world.until(() => modem.status().state === 'ready', 300_000)
  simulator.setFaults(faults)
  function send(
    request: Partial<SmsRequest> = {},
    { cancelled = never, stopped = never }: { cancelled?: Promise<void>; stopped?: Promise<void> } = {},
  ) {
    const startMs = world.monotonicMs()
    const sending: { result?: SmsResult; tookMs?: number } = {}
    const asked = { phoneNumber, text, answerWithinMs: 120_000, ...request }
    void modem.sms(asked, { cancelled, stopped }).then(result => {
      sending.result = result
      sending.tookMs = world.monotonicMs() - startMs
    })
    return sending
  }
  async function sent(...given: Parameters<typeof send>) {
    const sending = send(...given)
    await world.until(() => sending.result !== undefined, 300_000)
    return { result: sending.result, tookMs: sending.tookMs ?? 0 }
  }
  /** The verdict on the next call. */
  let checked: CallVerdict | undefined
  /** Calls the gate; returns how often it has opened by then. */
  async function call(confirm?: Confirmation) {
    let isReserved: boolean | undefined
    void modem.reserve().then(({ ok }) => (isReserved = ok))
    await world.until(() => isReserved !== undefined, 60_000)
    if (!isReserved) return 'not reserved'
    let isOver = false
    const profile = callProfile({ mode: 'reject', ...(confirm && { confirm }) })
    void modem.dial({ phoneNumber, profile, mayDial: () => true, onProgress() {} }).then(result => {
      isOver = true
      checked = result.dialled ? result.verdict : undefined
    })
    await world.until(() => isOver, 120_000)
    return simulator.state().gates[0]?.relayCount
  }
  /** No forbidden act happened on the line, and the modem is ready. */
  async function settled() {
    await world.advance(90_000)
    expect(modem.status()).toMatchObject({ state: 'ready', trouble: null })
    expect(simulator.state()).toMatchObject({ violations: 0 })
  }
  return { call, checked: () => checked, modem, send, sent, settled, simulator, world, written }
}

// `listless` is never ready: it cannot list its calls.
const usable = (Object.keys(models) as ModelName[]).filter(model => model !== 'listless')
it.each(usable)('%s adds its number to a gate that did not know it', async model => {
  const { call, sent, settled, simulator, written } = await readyModem({}, [], model)
  expect(await call()).toBe(0)
  const { result } = await sent()
  expect(result).toEqual({
    ok: true,
    isSent: true,
    answer: { text: `007:00${own.slice(1)}`, isWhole: true },
  })
  expect(simulator.state().sent).toEqual([{ to: phoneNumber, text }])
  // It was read and deleted.
  expect(simulator.state().modem.messages).toBe(0)
  expect(await call()).toBe(1)
  expect(written.join('\n')).not.toContain('1234#')
  await settled()
})

const whole = (said: string) => ({ ok: true, isSent: true, answer: { text: said, isWhole: true } })
const noAnswer = { ok: true, isSent: true, answer: null }
const said = `007:00${own.slice(1)}`
const ways: readonly (readonly [string, Parameters<typeof readyModem>[0], SmsResult])[] = [
  ['in UCS2', { answers: 'ucs2' }, whole(said) as SmsResult],
  ['in two parts, the second one first', { answers: 'parts' }, whole(said) as SmsResult],
  ['from another number', { answers: 'fromOtherNumber' }, noAnswer as SmsResult],
  ['too late', { answersAfterMs: 150_000 }, noAnswer as SmsResult],
  ['never', { answers: 'never' }, noAnswer as SmsResult],
]
it.each(ways)('the answer arrives: %s', async (_, listens, result) => {
  const { call, sent, settled, simulator } = await readyModem(listens)
  expect((await sent()).result).toEqual(result)
  expect(simulator.state().sent).toHaveLength(1)
  // A message of somebody else is left to the owner of the card.
  if (listens?.answers === 'fromOtherNumber') expect(simulator.state().modem.messages).toBe(1)
  expect(await call()).toBe(1)
  await settled()
})

it.each<readonly [ModemFaultName, object, number]>([
  ['sms_no_prompt', { ok: false, reason: 'no_answer' }, 0],
  ['sms_late_prompt', { ok: false, reason: 'no_answer' }, 0],
  ['sms_refused', { ok: false, reason: 'refused', detail: '+CMS ERROR: 38' }, 0],
  ['sms_lost_ok', { ok: true, isSent: true, answer: { text: said, isWhole: true } }, 1],
])(
  '%s: the report is true, nothing is sent twice, and the modem is free again',
  async (fault, result, count) => {
    const { call, sent, settled, simulator } = await readyModem({}, [fault])
    const { result: told, tookMs } = await sent()
    expect(told).toMatchObject(result)
    // An opening that comes meanwhile waits only briefly.
    if (!told?.ok) expect(tookMs).toBeLessThan(2_500)
    simulator.setFaults([])
    await settled()
    expect(simulator.state().sent).toHaveLength(count)
    expect(await call()).toBe(count)
  },
)

it('reports an unknown result where neither an OK nor an answer comes', async () => {
  const { sent, simulator } = await readyModem({ answers: 'never' }, ['sms_lost_ok'])
  expect((await sent()).result).toEqual({ ok: true, isSent: false, answer: null })
  expect(simulator.state().sent).toHaveLength(1)
})

it.each<readonly [string, ModelName, readonly ModemFaultName[]]>([
  ['before the prompt', 'sim800', []],
  ['right after the prompt', 'ec25', ['urc_before_response']],
])(
  'T3: does not take a message for an answer that was under way before ours was written, announced %s',
  async (_, model, faults) => {
    const { send, settled, simulator, world } = await readyModem(
      { answers: 'never' },
      ['sms_lost_ok', ...faults],
      model,
    )
    const sending = send()
    simulator.sendMessage(phoneNumber, 'Gate opened')
    await world.until(() => sending.result !== undefined, 300_000)
    expect(sending.result).toEqual({ ok: true, isSent: false, answer: null })
    expect(simulator.state().modem.messages).toBe(1)
    await settled()
  },
)

it('a late message of the gate about an earlier call is shown, and does not prove that ours was sent', async () => {
  const { call, send, settled, simulator, world } = await readyModem(
    { answers: 'never' },
    ['sms_lost_ok'],
    'sim800',
    'reject_without_opening',
  )
  await call({ kind: 'sms', from: null, pattern: null, withinMs: 5_000 })
  const sending = send()
  await world.until(() => simulator.state().sent.length === 1, 60_000)
  simulator.sendMessage(phoneNumber, 'Gate opened')
  await world.until(() => sending.result !== undefined, 300_000)
  const answer = { text: 'Gate opened', isWhole: true }
  expect(sending.result).toEqual({ ok: true, isSent: false, answer })
  await settled()
})

it('a message that was answered does not lengthen the wait for the answer to the next', async () => {
  const { sent, simulator } = await readyModem()
  for (let count = 0; count < 2; count++) {
    const { result, tookMs } = await sent()
    expect(result).toEqual(whole(said))
    expect(tookMs).toBeLessThan(20_000)
  }
  expect(simulator.state().sent).toHaveLength(2)
})

it.each(['sms_card_busy', 'sms_lost_read'] as const)('%s: the answer is still read', async fault => {
  const { call, sent, settled, simulator } = await readyModem({}, [fault])
  expect((await sent()).result).toEqual(whole(said))
  expect(simulator.state().modem.messages).toBe(0)
  expect(await call()).toBe(1)
  await settled()
})

it('an opening goes first during the wait for the answer, which is read afterwards', async () => {
  const { call, send, settled, simulator, world } = await readyModem({ answersAfterMs: 20_000 })
  const sending = send()
  await world.until(() => simulator.state().sent.length === 1, 60_000)
  await world.advance(1_000)
  expect(await call()).toBe(1)
  await world.until(() => sending.result !== undefined, 300_000)
  // The gate confirms the call by a message as well.
  expect(sending.result).toEqual(whole(`Gate opened | ${said}`))
  await settled()
})

it('the answer of a module that opens nothing confirms no opening, and is still read', async () => {
  const { call, checked, send, settled, simulator, world } = await readyModem(
    { answersAfterMs: 14_000 },
    [],
    'sim800',
    'reject_without_opening',
  )
  const sending = send()
  await world.until(() => simulator.state().sent.length === 1, 60_000)
  await world.advance(1_000)
  expect(await call({ kind: 'sms', from: null, pattern: null, withinMs: 15_000 })).toBe(0)
  expect(checked()?.reason).not.toBe('confirmed')
  await world.until(() => sending.result !== undefined, 300_000)
  expect(sending.result).toEqual(whole(said))
  await settled()
})

it('T3: sends nothing when an opening waits, and waits for no answer once it is stopped', async () => {
  const waits = await readyModem()
  expect((await waits.sent({}, { cancelled: Promise.resolve() })).result).toEqual({
    ok: false,
    reason: 'cancelled',
  })
  expect(waits.simulator.state().sent).toEqual([])
  const { send, simulator, world } = await readyModem({ answers: 'never' })
  let stop = () => {}
  const stopped = new Promise<void>(resolve => {
    stop = resolve
  })
  const sending = send({}, { stopped })
  await world.until(() => simulator.state().sent.length === 1, 60_000)
  await world.advance(5_000)
  expect(sending.result).toBeUndefined()
  stop()
  await world.until(() => sending.result !== undefined, 1_000)
  expect(sending.result).toEqual(noAnswer)
})

it('sends only letters of the templates, and never to a number that is never dialled', async () => {
  const { sent, simulator } = await readyModem()
  for (const request of [{ text: 'hi\x1aAT' }, { text: 'é' }, { text: '' }, { phoneNumber: '112' }])
    expect((await sent(request)).result).toMatchObject({ ok: false, reason: 'refused' })
  expect(simulator.state().sent).toEqual([])
})

it('is refused beside a reservation and without a network', async () => {
  const { modem, sent, simulator, world } = await readyModem()
  await modem.reserve()
  expect((await sent()).result).toEqual({ ok: false, reason: 'modem_busy' })
  modem.release()
  simulator.setFaults(['no_dialtone_unregistered'])
  await world.advance(120_000)
  expect((await sent()).result).toMatchObject({ ok: false })
})

it('a daemon that died at the prompt leaves a modem that the next one can use', async () => {
  const { modem, simulator, world } = await readyModem()
  await modem.close()
  simulator.receive(Buffer.from('AT+CMGS=20\r'))
  await world.advance(500)
  const next = createModem({ world, baudRate: 115_200, openLine: lineTo(simulator) })
  next.start()
  // Before the driver would restart the module.
  await world.until(() => next.status().state === 'ready', 5_000)
  expect(simulator.state().sent).toEqual([])
})
