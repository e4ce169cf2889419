// Start-up, health and reservations, against a scripted modem in fake time.

import { fakeWorld } from '@callgate/world/fake'
import { describe, expect, it } from 'vitest'
import {
  phoneNumber,
  learnedProfile as profile,
  readyModem,
  ringing,
  startedModem,
} from './scriptedModem.kit.ts'

const wantsPin = { 'AT+CPIN?': '+CPIN: SIM PIN|OK', 'AT+SPIC': '+SPIC: 3,3,10,10|OK' }

describe('start-up', () => {
  it('hangs up before anything else, sets up, and reads identity and health', async () => {
    const { world, modem, written } = await readyModem(fakeWorld())
    expect(written[0]).toBe('ATH')
    expect(written.filter(text => text !== 'AT')[1]).toBe('ATH')
    expect(written).not.toContain('AT&W')
    // Commands against what another program may have left.
    for (const text of ['ATE0', 'AT+CSCS="IRA"', 'AT+CMGF=0', 'AT+CNMI=2,1', 'AT+CREG=2'])
      expect(written).toContain(text)
    await world.advance(10_000)
    expect(modem.status()).toEqual({
      state: 'ready',
      trouble: null,
      modemId: '867200030000001',
      model: 'SIM800L',
      firmware: '1418B04SIM800L24',
      lacks: [],
      operator: 'ORANGE',
      registration: 'home',
      signalDbm: -73,
      voltageMv: 4123,
      lowestInCallMv: null,
    })
  })

  it('reports sim_error without a card, tries a PIN once, and recovers', async () => {
    const world = fakeWorld(1)
    const trace: string[] = []
    const { far, modem, written } = startedModem(
      world,
      { pin: '4321', trace: (_, text) => trace.push(text) },
      { ...wantsPin, 'AT+CPIN="4321"': '+CME ERROR: incorrect password' },
    )
    await world.advance(60_000)
    expect(modem.status().state).toBe('sim_error')
    expect(await modem.reserve()).toEqual({ ok: false, reason: 'modem_not_ready' })
    expect(written.filter(text => text.startsWith('AT+CPIN='))).toHaveLength(1)
    expect(trace.join()).not.toContain('4321')
    far.replies.set('AT+CPIN?', '+CPIN: READY|OK')
    await world.until(() => modem.status().state === 'ready')
  })

  it.each([
    ['3,3', 'ready', 2],
    ['2,3', 'sim_error', 1],
  ])('gives a PIN again that nobody answered, unless it cost a try: %s', async (left, state, given) => {
    const world = fakeWorld(1)
    const { far, modem, written } = startedModem(
      world,
      { pin: '4321' },
      { ...wantsPin, 'AT+CPIN="4321"': null },
    )
    const count = () => written.filter(text => text.startsWith('AT+CPIN=')).length
    await world.until(() => count() === 1)
    far.replies.set('AT+SPIC', `+SPIC: ${left},10,10|OK`)
    world.after(4_000, () => far.replies.set('AT+CPIN="4321"', 'OK'))
    await world.until(() => count() === 2 || modem.status().state === 'sim_error', 60_000)
    far.replies.set('AT+CPIN?', count() === 2 ? '+CPIN: READY|OK' : '+CPIN: SIM PIN|OK')
    await world.advance(60_000)
    expect([modem.status().state, count()]).toEqual([state, given])
  })

  it('finds the model among unsolicited lines', async () => {
    for (const reply of ['Call Ready|SIMCOM_SIM7600E-H|OK', 'SIMCOM_SIM7600E-H|ODD LINE|OK']) {
      const { modem, written } = await readyModem(fakeWorld(), {}, { 'AT+CGMM': reply })
      expect(modem.status().model).toBe('SIM7600E-H')
      expect(written).toContain('AT+CVHU=0')
    }
  })

  it('is not delayed by a bare OK to AT+CCALR?', async () => {
    const world = fakeWorld()
    const { modem } = startedModem(world, {}, { 'AT+CCALR?': 'OK' })
    await world.until(() => modem.status().state === 'ready', 10_000)
  })

  it('ignores a row that no hang-up ends and that is no call of ours', async () => {
    const leftover = '+CLCC: 9,1,0,0,0,"",129'
    const { world, far, modem, verdict, written } = await readyModem(
      fakeWorld(),
      {},
      { 'AT+CLCC': `${leftover}|OK` },
    )
    expect(written.filter(text => /^AT(?:H|\+CHUP)$/.test(text)).length).toBeLessThan(8)
    // The row is in every list beside our call, and delays no verdict.
    far.replies.delete('AT+CLCC')
    far.listed = `${leftover}|`
    far.script = [
      ...ringing.map(([atMs, text]) => [atMs, text.replace('+CLCC', `${leftover}|+CLCC`)] as const),
      [8_000, 'BUSY'],
    ]
    world.after(8_000, () => (far.listed = `${leftover}|`))
    expect(await verdict()).toMatchObject({ reason: 'rejected_after_ring' })
    expect(written.slice(written.findIndex(text => text.startsWith('ATD')))).not.toContain('ATH')
    expect(modem.status().state).toBe('ready')
  })

  it('does not take a call that is left on the line for such a row', async () => {
    const world = fakeWorld()
    const { modem } = startedModem(world, {}, { 'AT+CLCC': '+CLCC: 1,0,0,0,0,"+40721000456",145|OK' })
    await world.advance(120_000)
    expect(modem.status().state).not.toBe('ready')
    await modem.close()
  })

  it('shows baud rates in its trace, and no phone number', async () => {
    const said: string[] = []
    const world = fakeWorld()
    const { far, modem } = startedModem(world, { trace: (_, text) => said.push(text) })
    await world.until(() => modem.status().state === 'ready')
    far.line.say('\r\n+CLIP: "+40721999999",145\r\n\r\n226100123456789\r\n\r\n+CUSD: 0,"123456",15\r\n')
    expect(said).toContain('+IPR: 115200')
    expect(said.join()).not.toMatch(/999999|00123456|123456/)
  })

  it('follows the registration and refuses a reservation without it', async () => {
    const { world, far, modem } = await readyModem(fakeWorld())
    far.replies.set('AT+CREG?', '+CREG: 2,2|OK')
    far.line.say('\r\n+CREG: 2\r\n')
    await world.advance(1_100)
    expect(modem.status()).toMatchObject({ state: 'no_network', registration: 'searching' })
    expect(await modem.reserve()).toEqual({ ok: false, reason: 'no_network' })
  })

  it('opens the port again, and sets the modem up again after RDY', async () => {
    const { world, far, modem, written } = await readyModem(fakeWorld())
    const beforeUnplug = written.length
    far.line.unplug()
    expect(modem.status().state).toBe('lost')
    await world.until(() => modem.status().state === 'ready')
    expect(written[beforeUnplug]).toBe('ATH')
    const before = written.length
    far.line.say('\r\nRDY\r\n\r\n+CFUN: 1\r\n')
    await world.advance(1)
    expect(modem.status().state).toBe('starting')
    await world.until(() => modem.status().state === 'ready')
    expect(written.slice(before)).toContain('AT+MORING=1')
  })
})

describe('a reservation', () => {
  it('keeps the line quiet until it is released', async () => {
    const { world, modem, written } = await readyModem(fakeWorld())
    expect(await modem.reserve()).toEqual({ ok: true })
    const before = written.length
    await world.advance(5_000)
    expect(written).toHaveLength(before)
    expect(await modem.reserve()).toEqual({ ok: false, reason: 'modem_busy' })
    modem.release()
    await world.advance(2_000)
    expect(written.length).toBeGreaterThan(before)
  })

  it('ends when the modem restarts, and nothing is dialled', async () => {
    const { world, far, modem, written } = await readyModem(fakeWorld())
    await modem.reserve()
    far.line.say('\r\nRDY\r\n')
    await world.until(() => modem.status().state === 'ready')
    const request = { phoneNumber, profile, mayDial: () => true, onProgress: () => {} }
    expect(await modem.dial(request)).toEqual({ dialled: false, why: 'not_ready' })
    expect(written.join()).not.toContain('ATD')
  })
})
