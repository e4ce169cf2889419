// Another program on the modem's line: its commands and leftovers must not change what is reported of a gate.

import { type CallMode, callProfile } from '@callgate/contract/call/callProfile'
import { createModem, type DialResult } from '@callgate/modem/modem'
import { models } from '@callgate/simulator/core/model'
import { lineTo, phoneNumber, usualSimulator } from '@callgate/simulator/usual.kit'
import { fakeWorld } from '@callgate/world/fake'
import { expect, it } from 'vitest'

type ModelName = keyof typeof models
const bytes = (text: string) => new TextEncoder().encode(text)
const never = new Promise<void>(() => {})

const moduleNumber = '+40722000002'
const moduleGate = {
  phoneNumber: moduleNumber,
  farEnd: 'king_pigeon_rtu5024',
  callers: ['+40733333333'],
  listens: { brand: 'rtu5024', password: '1234' },
} as const

/** A modem on a simulator, and another program that types on the same line. */
function rig(model: ModelName, farEnd: 'ring_forever' | 'reject_busy' = 'ring_forever') {
  const world = fakeWorld(5)
  const gates = [{ phoneNumber, farEnd }, moduleGate]
  const simulator = usualSimulator({ world, seed: 5, network: 'normal', model, gates })
  const open = lineTo(simulator)
  let typed = (_text: string) => {}
  const openLine = async () => {
    const opened = await open()
    if (opened.ok) typed = text => opened.line.write(bytes(text))
    return opened
  }
  const modem = createModem({ world, baudRate: 115_200, openLine })
  const isReady = () => world.until(() => modem.status().state === 'ready', 300_000)
  async function ended<Of>(answer: Promise<Of>): Promise<Of> {
    let isOver = false
    void answer.then(() => (isOver = true))
    await world.until(() => isOver, 300_000)
    return answer
  }
  /** A call of the gate; `onRinging` is called when it rings. */
  async function call(mode: CallMode, onRinging = () => {}): Promise<DialResult> {
    await ended(modem.reserve())
    const profile = { ...callProfile({ mode }), learned: true, discriminating: true, reactMaxMs: 10_000 }
    const onProgress = (phase: string) => (phase === 'ringing' ? onRinging() : undefined)
    return modem.dial({ phoneNumber, profile, mayDial: () => true, onProgress })
  }
  return { call, ended, isReady, modem, simulator, type: (text: string) => typed(text), world }
}

// `listless` is never ready: it cannot list its calls.
const usable = (Object.keys(models) as ModelName[]).filter(model => model !== 'listless')

/** These print no token after a hang-up of their own side. The others print NO CARRIER, like after a reject. */
const tellingApart = ['sim800', 'sim800c', 'sim868', 'sim900'] as const

it.each(tellingApart)('%s: a hang-up of another program is no opening, whenever it comes', async model => {
  for (const mode of ['reject', 'reject_delayed', 'unverified'] as const)
    for (const afterMs of [1_500, 6_000, 15_000]) {
      const { call, ended, isReady, modem, simulator, type, world } = rig(model)
      modem.start()
      await isReady()
      let hasTyped = false
      const typeLater = () =>
        world.after(afterMs, () => {
          hasTyped = simulator.state().calls[0]?.endedAtMs === undefined
          type('ATH\r')
        })
      const called = await ended(call(mode, typeLater))
      expect(hasTyped, `${mode} after ${afterMs} ms`).toBe(true)
      expect(simulator.state().calls[0]?.relayFired).toBe(false)
      expect(called, `${mode} after ${afterMs} ms`).toMatchObject({ verdict: { opened: 'unknown' } })
      simulator.stop()
    }
})

/** The possible leftovers of another program. */
const leftBehind = ['ATE1', 'AT+CMGF=0', 'AT+CNMI=2,2,0,0,0', 'AT+CUSD=0', 'AT+CMEE=0', 'AT&W']

it.each(usable.flatMap(model => (['UCS2', 'HEX', 'GSM'] as const).map(set => [model, set] as const)))(
  '%s, left in %s by another program: balance, message and call are the same, even after a restart of the modem',
  async (model, characterSet) => {
    const { call, ended, isReady, modem, simulator, world } = rig(model, 'reject_busy')
    const before = simulator.connect()
    await world.advance(10_000)
    for (const command of [`AT+CSCS="${characterSet}"`, ...leftBehind]) {
      before?.write(bytes(`${command}\r`))
      await world.advance(1_000)
    }
    await before?.close()
    modem.start()
    await isReady()
    for (const round of ['at the start', 'after a restart']) {
      const answer = await ended(modem.ussd('*100#', never))
      expect(answer, round).toEqual({ ok: true, text: 'Credit 5.00 EUR', isMenu: false })
      // Not decoded, because the driver has set the character set itself.
      const spoken = simulator.wireLog().findLast(({ text }) => text.includes('+CUSD: 0'))
      expect(spoken?.text, round).toContain('Credit 5.00 EUR')
      const message = {
        phoneNumber: moduleNumber,
        text: '1234#TEL0040711111111#007#',
        answerWithinMs: 120_000,
      }
      const sent = await ended(modem.sms(message, { cancelled: never, stopped: never }))
      expect(sent, round).toMatchObject({ ok: true, answer: { text: '007:0040711111111' } })
      expect(await ended(call('reject')), round).toMatchObject({ verdict: { status: 'completed' } })
      simulator.restart()
      await world.until(() => modem.status().state !== 'ready', 60_000)
      await isReady()
    }
    simulator.stop()
  },
)
