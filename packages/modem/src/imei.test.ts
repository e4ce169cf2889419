import { fakeWorld } from '@callgate/world/fake'
import { expect, it } from 'vitest'
import type { OpenLine } from './byteLine.ts'
import { type ImeiRead, readImei } from './imei.ts'
import { scriptedModem } from './scriptedModem.kit.ts'

/** Asks a scripted modem, whose replies are `changed`; `opened` is how often its port was opened. */
async function ask(changed: Readonly<Record<string, string | null>> = {}, isOff = false, withinMs = 15_000) {
  const world = fakeWorld(1)
  const far = scriptedModem(world)
  far.isOff = isOff
  for (const [command, reply] of Object.entries(changed)) far.replies.set(command, reply)
  let opened = 0
  const openLine: OpenLine = silentLines => {
    opened++
    return far.line.openLine(silentLines)
  }
  let read: ImeiRead | undefined
  void readImei(world, openLine).then(said => (read = said))
  await world.until(() => read !== undefined, withinMs)
  return { read, written: far.line.written, opened }
}

it('asks a modem without a SIM card, and changes nothing in it', async () => {
  const { read, written } = await ask({ 'AT+CPIN?': '+CME ERROR: 10' })
  expect(read).toEqual({ ok: true, imei: '867200030000001' })
  expect(written).toEqual(['ATH', 'AT+CSQ', 'AT+GSN'])
})

it('is not misled by an echo or by unsolicited lines', async () => {
  const { read } = await ask({ 'AT+GSN': 'AT+GSN|+CREG: 1|867200030000001|OK' })
  expect(read).toMatchObject({ imei: '867200030000001' })
})

it.each([
  ['refuses', 'ERROR'],
  ['tells a serial number of its own', '8672000300000017|OK'],
  ['says nothing', null],
])('reports where the modem %s', async (_, reply) => {
  expect((await ask({ 'AT+GSN': reply })).read).toEqual({
    ok: false,
    why: 'The modem answers, and tells no IMEI of 15 digits',
  })
})

it('tries the other ports where nothing answers, within 15 s in all', async () => {
  const { opened, read } = await ask({}, true)
  expect(read).toEqual({ ok: false, why: 'The port is there, and no modem answers on it' })
  expect(opened).toBe(3)
})

it('ends within 35 s where a modem answers AT and no other question', async () => {
  const questions = ['AT+CSQ', 'AT+CBC', 'AT+CPAS', 'AT+CCALR?', 'AT+CLIP?', 'AT+IPR?', 'AT+GSN']
  const { read } = await ask(Object.fromEntries(questions.map(text => [text, null])), false, 35_000)
  expect(read).toMatchObject({ ok: false })
})

it('reports why the port cannot be opened', async () => {
  const message = 'The serial port /dev/none is missing'
  const openLine: OpenLine = async () => ({ ok: false, code: 'port_missing', message })
  expect(await readImei(fakeWorld(1), openLine)).toEqual({ ok: false, why: message })
})
