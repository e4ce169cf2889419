// A USSD question whose modem restarts, beside the reservation of an opening, against a scripted modem in fake time.

import { fakeWorld } from '@callgate/world/fake'
import { expect, it } from 'vitest'
import type { UssdResult } from './modem.ts'
import { learnedProfile, phoneNumber, readyModem, ringing } from './scriptedModem.kit.ts'

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
  return { ...ready, ask, asked, cancel, restart }
}

it('ends its session when it is cancelled', async () => {
  const { ask, asked, cancel, world, written } = await rig()
  await ask()
  cancel()
  await world.until(() => asked.result !== undefined, 6_000)
  expect(asked.result).toEqual({ ok: false, reason: 'cancelled' })
  expect(written.at(-1)).toBe(endOfSession)
})

it('does not wait for an answer that a restart has made impossible', async () => {
  const { ask, asked, far, world, written } = await rig()
  await ask()
  far.line.say('\r\nRDY\r\n')
  await world.advance(100)
  expect(asked.result).toEqual({ ok: false, reason: 'no_answer' })
  await world.advance(30_000)
  expect(written).not.toContain(endOfSession)
})

it('leaves the line to the opening that reserved it after a restart', async () => {
  const { ask, cancel, dialReserved, far, reserve, restart, world, written } = await rig()
  await ask()
  await restart()
  expect(await reserve()).toEqual({ ok: true })
  cancel()
  await world.advance(5_000)
  expect(written).not.toContain(endOfSession)
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
