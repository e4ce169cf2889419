// Another program on the modem's line: what it types, and what it leaves behind, must not change what is said of a gate.

import { callProfile } from '@callgate/contract/call/callProfile'
import type { CallVerdict } from '@callgate/contract/call/verdict'
import { createModem } from '@callgate/modem/modem'
import { models } from '@callgate/simulator/core/model'
import { phoneNumber, usualSimulator } from '@callgate/simulator/usual.kit'
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

/** A modem on a simulator, and what another program types on the same line. */
function rig(model: ModelName, farEnd: 'ring_forever' | 'reject_busy' = 'ring_forever') {
  const world = fakeWorld(5)
  const gates = [{ phoneNumber, farEnd }, moduleGate]
  const simulator = usualSimulator({ world, seed: 5, network: 'normal', model, gates })
  let typed = (_text: string) => {}
  const openLine = async () => {
    const line = simulator.connect()
    if (!line) return { ok: false, code: 'port_missing', message: 'unplugged' } as const
    typed = text => line.write(bytes(text))
    return { ok: true, line } as const
  }
  const modem = createModem({ world, baudRate: 115_200, openLine })
  return { modem, simulator, type: (text: string) => typed(text), world }
}

// `listless` is never ready: it cannot list its calls.
const usable = (Object.keys(models) as ModelName[]).filter(model => model !== 'listless')

/** These print no token after a hang-up of their own side. The others print NO CARRIER, as after a reject. */
const tellingApart = ['sim800', 'sim800c', 'sim868', 'sim900'] as const

it.each(tellingApart)('%s: a hang-up of another program is no opening, whenever it comes', async model => {
  for (const mode of ['reject', 'reject_delayed', 'unverified'] as const)
    for (const afterMs of [1_500, 6_000, 15_000]) {
      const { modem, simulator, type, world } = rig(model)
      modem.start()
      await world.until(() => modem.status().state === 'ready', 300_000)
      const reserved = modem.reserve()
      let verdict: CallVerdict | undefined
      let hasRung = false
      const profile = { ...callProfile({ mode }), learned: true, discriminating: true, reactMaxMs: 10_000 }
      void reserved.then(() =>
        modem
          .dial({
            phoneNumber,
            profile,
            mayDial: () => true,
            onProgress: phase => {
              hasRung ||= phase === 'ringing'
            },
          })
          .then(result => {
            if (result.dialled) verdict = result.verdict
          }),
      )
      await world.until(() => hasRung || verdict !== undefined, 60_000)
      await world.advance(afterMs)
      type('ATH\r')
      await world.until(() => verdict !== undefined, 120_000)
      expect(simulator.state().calls[0]?.relayFired, mode).toBe(false)
      expect(verdict, `${mode} after ${afterMs} ms`).not.toMatchObject({ status: 'completed' })
      simulator.stop()
    }
})

/** What another program may leave behind. */
const leftBehind = ['ATE1', 'AT+CMGF=0', 'AT+CNMI=2,2,0,0,0', 'AT+CUSD=0', 'AT+CMEE=0', 'AT&W']

it.each(usable.flatMap(model => (['UCS2', 'HEX', 'GSM'] as const).map(set => [model, set] as const)))(
  '%s, left in %s by another program: balance, message and call are the same, also after a restart of the modem',
  async (model, characterSet) => {
    const { modem, simulator, world } = rig(model, 'reject_busy')
    const before = simulator.connect()
    await world.advance(10_000)
    for (const command of [`AT+CSCS="${characterSet}"`, ...leftBehind]) {
      before?.write(bytes(`${command}\r`))
      await world.advance(1_000)
    }
    await before?.close()
    modem.start()
    const isReady = () => world.until(() => modem.status().state === 'ready', 300_000)
    const asked = async <Of>(answer: Promise<Of>) => {
      let given: Of | undefined
      void answer.then(one => (given = one))
      await world.until(() => given !== undefined, 300_000)
      return given
    }
    await isReady()
    for (const round of ['at the start', 'after a restart']) {
      const answer = await asked(modem.ussd('*100#', never))
      expect(answer, round).toEqual({ ok: true, text: 'Credit 5.00 EUR', isMenu: false })
      const message = {
        phoneNumber: moduleNumber,
        text: '1234#TEL0040711111111#007#',
        answerWithinMs: 120_000,
      }
      const sent = await asked(modem.sms(message, { cancelled: never, stopped: never }))
      expect(sent, round).toMatchObject({ ok: true, answer: { text: '007:0040711111111' } })
      await asked(modem.reserve())
      const profile = { ...callProfile({ mode: 'reject' }), learned: true, discriminating: true }
      const called = await asked(
        modem.dial({ phoneNumber, profile, mayDial: () => true, onProgress: () => {} }),
      )
      expect(called, round).toMatchObject({ dialled: true, verdict: { status: 'completed' } })
      simulator.restart()
      await world.until(() => modem.status().state !== 'ready', 60_000)
      await isReady()
    }
    simulator.stop()
  },
)
