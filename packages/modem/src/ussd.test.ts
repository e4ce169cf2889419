// USSD questions: cancelled, around restarts of the modem, and beside the reservation of an opening, against a scripted modem in
// fake time.

import { fakeWorld } from '@callgate/world/fake'
import { describe, expect, it } from 'vitest'
import type { UssdResult } from './modem.ts'
import { learnedProfile, phoneNumber, readyModem, ringing, type ScriptedModem } from './scriptedModem.kit.ts'

const question = 'AT+CUSD=1,"*100#",15'
const endOfSession = 'AT+CUSD=2'

async function rig() {
  const ready = await readyModem(fakeWorld())
  const { far, modem, world, written } = ready
  let cancel = () => {}
  const cancelled = new Promise<void>(resolve => {
    cancel = resolve
  })
  const asked: { result?: UssdResult } = {}
  async function ask(): Promise<void> {
    void modem.ussd('*100#', cancelled).then(result => (asked.result = result))
    await world.until(() => written.includes(question))
    await world.advance(1_000)
  }
  async function restart(): Promise<void> {
    far.line.say('\r\nRDY\r\n')
    await world.until(() => modem.status().state === 'starting')
    await world.until(() => modem.status().state === 'ready', 25_000)
  }
  const sinceQuestion = () => written.slice(written.lastIndexOf(question) + 1)
  return { ...ready, ask, asked, cancel, restart, sinceQuestion }
}

it('ends its session when it is cancelled', async () => {
  const { ask, asked, cancel, world, written } = await rig()
  await ask()
  cancel()
  await world.until(() => asked.result !== undefined, 6_000)
  expect(asked.result).toEqual({ ok: false, reason: 'cancelled' })
  expect(written.at(-1)).toBe(endOfSession)
})

it('T2: takes the first of two texts that are read at once', async () => {
  const { ask, asked, far, sinceQuestion, world } = await rig()
  await ask()
  const offer = '+CUSD: 1, "Offer of the day: 1 Yes 2 No", 15'
  far.line.say(`\r\n+CUSD: 0, "Credit 5.00 EUR", 15\r\n\r\n${offer}\r\n`)
  await world.until(() => asked.result !== undefined, 1_000)
  expect(asked.result).toEqual({ ok: true, text: 'Credit 5.00 EUR', isMenu: false })
  // The menu of the second one is open.
  expect(sinceQuestion()).toEqual([endOfSession])
})

it('does not take the end of an earlier session for an answer', async () => {
  const { ask, asked, far, world, written } = await rig()
  const asking = ask()
  await world.until(() => written.includes(endOfSession))
  await world.advance(500)
  far.line.say('\r\n+CUSD: 2\r\n')
  await asking
  far.line.say('\r\n+CUSD: 0,"Credit 5.00 EUR",15\r\n')
  await world.until(() => asked.result !== undefined, 1_000)
  expect(asked.result).toEqual({ ok: true, text: 'Credit 5.00 EUR', isMenu: false })
})

it('sends no code where nothing shows that no session is open', async () => {
  const { far, modem, world, written } = await readyModem(fakeWorld())
  far.replies.set(endOfSession, null)
  let result: UssdResult | undefined
  void modem.ussd('*100#', new Promise(() => {})).then(given => (result = given))
  await world.until(() => result !== undefined, 10_000)
  expect(result).toMatchObject({ ok: false, reason: 'no_answer' })
  expect(written).not.toContain(question)
})

it('sends the code where a modem has no session to end', async () => {
  const { ask, asked, far } = await rig()
  far.replies.set(endOfSession, '+CME ERROR: operation not allowed')
  await ask()
  expect(asked.result).toBeUndefined()
})

it('gives way at once while it waits for a late answer', async () => {
  const { ask, asked, modem, world, written } = await rig()
  await ask()
  await world.until(() => asked.result !== undefined, 40_000)
  const asksBefore = written.length
  let result: UssdResult | undefined
  const opening = new Promise<void>(resolve => world.after(10_000, resolve))
  void modem.ussd('*101#', opening).then(given => (result = given))
  await world.advance(10_001)
  expect(result).toEqual({ ok: false, reason: 'cancelled' })
  expect(written.slice(asksBefore).join()).not.toContain('CUSD')
})

it('does not wait for an answer that a restart has made impossible', async () => {
  const { ask, asked, far, sinceQuestion, world } = await rig()
  await ask()
  far.line.say('\r\nRDY\r\n')
  await world.advance(100)
  expect(asked.result).toEqual({ ok: false, reason: 'no_answer' })
  await world.advance(30_000)
  expect(sinceQuestion()).not.toContain(endOfSession)
})

it('leaves the line to the opening that reserved it after a restart', async () => {
  const { ask, cancel, dialReserved, far, reserve, restart, sinceQuestion, world } = await rig()
  await ask()
  await restart()
  expect(await reserve()).toEqual({ ok: true })
  cancel()
  await world.advance(5_000)
  expect(sinceQuestion()).not.toContain(endOfSession)
  far.script = ringing
  expect(await dialReserved()).toMatchObject({ dialled: true })
})

it('keeps the line from an opening whose own reservation ended with a restart', async () => {
  const { ask, modem, reserve, restart, written } = await rig()
  await reserve()
  await restart()
  await ask()
  const request = { phoneNumber, profile: learnedProfile, mayDial: () => true, onProgress: () => {} }
  expect(await modem.dial(request)).toEqual({ dialled: false, why: 'not_ready' })
  modem.release()
  expect(await modem.reserve()).toEqual({ ok: false, reason: 'modem_busy' })
  expect(written.join()).not.toContain('ATD')
})

describe('what came before the OK of the question', () => {
  const early = '+CUSD: 0,"Credit 5.00 EUR",15'
  const askEarly = async () => {
    const asking = await rig()
    asking.far.replies.set(question, `${early}|OK`)
    await asking.ask()
    return asking
  }

  it('is the answer where nothing follows in 10 s', async () => {
    const { asked, world } = await askEarly()
    expect(asked.result).toBeUndefined()
    await world.advance(10_000)
    expect(asked.result).toEqual({ ok: true, text: 'Credit 5.00 EUR', isMenu: false })
  })

  it('T2: is none where another text follows', async () => {
    const { asked, far, world } = await askEarly()
    far.line.say('\r\n+CUSD: 1, "Offer of the day: 1 Yes 2 No", 15\r\n')
    await world.until(() => asked.result !== undefined, 10_000)
    expect(asked.result).toEqual({ ok: false, reason: 'unclear' })
  })

  it('T2: is none where two different texts came', async () => {
    const asking = await rig()
    asking.far.replies.set(question, `+CUSD: 0,"Bundle used up",15|${early}|OK`)
    await asking.ask()
    await asking.world.advance(10_000)
    expect(asking.asked.result).toEqual({ ok: false, reason: 'unclear' })
  })

  it('is the answer where the modem says that the session ends, when it is ended', async () => {
    const { asked, far, world } = await askEarly()
    far.replies.set(endOfSession, '+CUSD: 2|OK')
    await world.advance(10_000)
    expect(asked.result).toEqual({ ok: true, text: 'Credit 5.00 EUR', isMenu: false })
  })

  it.each([
    [
      'bytes that no modem means came meanwhile',
      (far: ScriptedModem) => far.line.say('\r\n\xff\xfe\x80\r\n'),
    ],
    ['the modem answers nothing after that', (far: ScriptedModem) => far.replies.set(endOfSession, null)],
  ])('T2: is none where %s', async (_, trouble) => {
    const { asked, far, world } = await askEarly()
    trouble(far)
    await world.until(() => asked.result !== undefined, 30_000)
    expect(asked.result).toEqual({ ok: false, reason: 'no_answer' })
  })
})
