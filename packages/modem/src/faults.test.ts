// Faults of a modem, its supply, its port and its SIM card, against a scripted modem in fake time.

import { fakeWorld } from '@callgate/world/fake'
import { describe, expect, it } from 'vitest'
import type { HookName } from './core/ladder.ts'
import { createModem } from './modem.ts'
import { clcc, dialling, readyModem, ringing, scriptedModem, startedModem } from './scriptedModem.kit.ts'

const count = (written: readonly string[], text: string) => written.filter(line => line === text).length

describe('the ladder of remedies', () => {
  it('reopens the port, restarts the module, and then runs the hooks, until the modem is back', async () => {
    const hooks: HookName[] = []
    const { world, far, modem, written } = await readyModem(fakeWorld(), {
      hooks: ['pwrkey', 'reset', 'supply'],
      async runHook(hook) {
        hooks.push(hook)
        if (hook === 'supply') far.isOff = false
        return true
      },
    })
    await world.advance(90_000)
    far.isOff = true
    await world.until(() => modem.status().trouble === 'silent', 60_000)
    await world.until(() => hooks.length === 3, 180_000)
    expect(hooks).toEqual(['pwrkey', 'reset', 'supply'])
    await world.until(() => modem.status().state === 'ready', 30_000)
    expect(modem.status().trouble).toBeNull()
    expect(written.lastIndexOf('AT+CFUN=1,1')).toBeGreaterThan(0)
  })

  it('runs no hook while another program holds the port, and names the port to try', async () => {
    const world = fakeWorld(1)
    const hooks: HookName[] = []
    const tries: number[] = []
    const far = scriptedModem(world)
    far.isOff = true
    let isBusy = true
    const modem = createModem({
      world,
      hooks: ['supply'],
      runHook: async hook => hooks.push(hook) > 0,
      async openLine(silentLines) {
        tries.push(silentLines)
        return isBusy ? { ok: false, code: 'port_busy', message: 'busy' } : far.line.openLine(silentLines)
      },
    })
    modem.start()
    await world.advance(120_000)
    expect(modem.status()).toMatchObject({ state: 'lost', trouble: 'port_busy' })
    expect(hooks).toEqual([])
    isBusy = false
    await world.until(() => hooks.length > 0)
    expect(new Set(tries)).toEqual(new Set([0, 1, 2].slice(0, Math.max(...tries) + 1)))
    expect(Math.max(...tries)).toBeGreaterThan(0)
    await modem.close()
  })

  it('restarts a modem that finds no network for 5 min, and the next time after 10', async () => {
    const { world, far, written } = await readyModem(fakeWorld())
    far.replies.set('AT+CREG?', '+CREG: 2,2|OK')
    await world.advance(290_000)
    expect(count(written, 'AT+CFUN=1,1')).toBe(0)
    await world.advance(60_000)
    expect(count(written, 'AT+CFUN=1,1')).toBe(1)
    await world.advance(480_000)
    expect(count(written, 'AT+CFUN=1,1')).toBe(1)
    await world.advance(180_000)
    expect(count(written, 'AT+CFUN=1,1')).toBe(2)
  })
})

describe('the line', () => {
  it('that carries only zeros is that of a modem without power, and is not read', async () => {
    const { world, far, modem } = await readyModem(fakeWorld())
    far.line.say('\0'.repeat(150))
    expect(modem.status().state).toBe('ready')
    far.line.say('\0'.repeat(100))
    expect(modem.status()).toMatchObject({ state: 'lost', trouble: 'modem_off' })
    await world.until(() => modem.status().state === 'ready')
    expect(modem.status().trouble).toBeNull()
  })

  it('that breaks during a call leaves the outcome unknown', async () => {
    const { world, far, verdict } = await readyModem(fakeWorld())
    far.script = ringing
    world.after(6_000, () => far.line.say('\0'.repeat(300)))
    expect(await verdict()).toMatchObject({ reason: 'modem_lost_after_ring', opened: 'unknown' })
  })
})

describe('a restart without a report', () => {
  const setUpAgain = (replies: Map<string, string | null>) => (direction: string, text: string) => {
    if (direction === 'to' && text === 'AT+CREG=2') replies.set('AT+CREG?', '+CREG: 2,1|OK')
  }

  it('is noticed by the lost settings, and the modem is set up again', async () => {
    const replies: { current?: Map<string, string | null> } = {}
    const { world, far, modem, written } = await readyModem(fakeWorld(), {
      trace: (direction, text) => replies.current && setUpAgain(replies.current)(direction, text),
    })
    replies.current = far.replies
    await world.advance(3_000)
    const before = written.length
    far.replies.set('AT+CREG?', '+CREG: 0,1|OK')
    await world.until(() => modem.status().state === 'starting', 20_000)
    await world.until(() => modem.status().state === 'ready', 20_000)
    expect(written.slice(before)).toContain('AT+MORING=1')
    expect(written.slice(before)).not.toContain('AT+CFUN=1,1')
  })

  it('during a call is not taken for the end of the call', async () => {
    const { world, far, verdict } = await readyModem(fakeWorld())
    await world.advance(3_000)
    far.script = ringing
    world.after(7_500, () => {
      far.listed = ''
      far.replies.set('AT+CREG?', '+CREG: 0,1|OK')
    })
    expect(await verdict()).toMatchObject({ reason: 'modem_lost_after_ring', opened: 'unknown' })
  })

  it('is not checked for on a modem whose answer never shows the settings', async () => {
    const { world, modem, written } = await readyModem(fakeWorld(), {}, { 'AT+CREG?': '+CREG: 0,1|OK' })
    await world.advance(60_000)
    expect(modem.status().state).toBe('ready')
    expect(count(written, 'ATE0')).toBe(1)
  })
})

describe('the supply', () => {
  it('is reported as weak after a failure during a call, until a call is completed', async () => {
    const { world, far, modem, verdict } = await readyModem(fakeWorld())
    far.script = [...ringing, [6_000, 'UNDER-VOLTAGE WARNNING'], [6_500, 'RDY']]
    expect(await verdict()).toMatchObject({ reason: 'modem_lost_after_ring' })
    await world.until(() => modem.status().state === 'ready')
    expect(modem.status().trouble).toBe('brownout')
    far.listed = ''
    far.script = [...ringing, [8_000, 'BUSY'], [8_100, clcc(6)]]
    await verdict()
    expect(modem.status().trouble).toBeNull()
  })
})

describe('a restart of our own', () => {
  it('is no brownout, and the module gets time to start', async () => {
    const world = fakeWorld()
    let goDown = () => {}
    const { far, modem, verdict, written } = await readyModem(world, {
      trace: (_, text) => text === 'AT+CFUN=1,1' && goDown(),
    })
    goDown = () => {
      world.after(1, () => (far.isOff = true))
      world.after(3_500, () => {
        far.isOff = false
        far.line.say('\r\nRDY\r\n')
      })
    }
    const reported: string[] = []
    modem.onStatus(({ state, trouble }) => reported.push(`${state} ${trouble}`))
    far.script = []
    expect(await verdict()).toMatchObject({ reason: 'dial_no_response' })
    await world.until(() => modem.status().state === 'ready')
    expect(reported.join()).not.toMatch(/brownout|silent|lost/)
    expect(count(written, 'AT+CFUN=1,1')).toBe(1)
  })
})

describe('the SIM card', () => {
  const wantsPin = { 'AT+CPIN?': '+CPIN: SIM PIN|OK' }

  it.each<[string, Record<string, string>, string]>([
    ['with one try left', { ...wantsPin, 'AT+SPIC': '+SPIC: 1,3,10,10|OK' }, 'pin_tries'],
    ['that does not say how many tries are left', { ...wantsPin, 'AT+SPIC': 'ERROR' }, 'pin_tries'],
    ['that wants its PUK', { 'AT+CPIN?': '+CPIN: SIM PUK|OK' }, 'sim_puk'],
    ['that is not there', { 'AT+CPIN?': '+CME ERROR: SIM not inserted' }, 'sim_missing'],
    ['that fails', { 'AT+CPIN?': '+CME ERROR: SIM failure' }, 'sim_failure'],
  ])('%s is given no PIN', async (_, replies, trouble) => {
    const world = fakeWorld()
    const { modem, written } = startedModem(world, { pin: '4321' }, replies)
    await world.until(() => modem.status().state === 'sim_error', 60_000)
    await world.advance(60_000)
    expect(modem.status().trouble).toBe(trouble)
    expect(written.join()).not.toContain('4321')
    await modem.close()
  })

  it('that is full of messages is reported until there is room', async () => {
    const { world, far, modem } = await readyModem(fakeWorld())
    far.replies.set('AT+CPMS?', '+CPMS: "SM",30,30,"SM",30,30,"SM",30,30|OK')
    await world.until(() => modem.status().trouble === 'messages_full')
    expect(modem.status().state).toBe('ready')
    far.replies.set('AT+CPMS?', '+CPMS: "SM",29,30,"SM",29,30,"SM",29,30|OK')
    await world.until(() => modem.status().trouble === null)
  })

  it('that is removed during a call is checked after the call', async () => {
    const { world, far, modem, verdict } = await readyModem(fakeWorld())
    const states: string[] = []
    modem.onStatus(({ state }) => states.push(state))
    far.script = [...ringing, [6_000, '+CPIN: NOT INSERTED'], [8_000, `BUSY|${clcc(6)}`]]
    far.replies.set('AT+CPIN?', '+CME ERROR: SIM not inserted')
    await verdict()
    await world.until(() => modem.status().trouble === 'sim_missing')
    expect(states).not.toContain('no_network')
  })

  it('is asked for its remaining tries by another command on a modem of another family', async () => {
    const world = fakeWorld()
    const said: string[] = []
    const { far, modem, written } = startedModem(
      world,
      { pin: '4321', trace: (_, text) => said.push(text) },
      { ...wantsPin, 'AT+CGMM': 'EC25|OK', 'AT+QPINC="SC"': '+QPINC: "SC",3,10|OK' },
    )
    await world.until(() => written.includes('AT+CPIN="4321"'), 60_000)
    far.replies.set('AT+CPIN?', '+CPIN: READY|OK')
    await world.until(() => modem.status().state === 'ready', 60_000)
    far.line.say('\r\n+CME ERROR: "4321"\r\n07914004001234F64321\r\n')
    await world.advance(0)
    expect(said.join()).not.toContain('4321')
    expect(said.join()).toContain('CPIN="****"')
  })
})

describe('our number', () => {
  it.each([
    ['+CLIR: 0,3', 'i;', null],
    ['+CLIR: 1,4', 'i;', null],
    ['+CLIR: 0,1', '6;', 'caller_id_hidden'],
    ['+CLIR: 0,4', '6;', null],
  ])('with %s is requested by ATD…%s', async (reply, end, trouble) => {
    const { far, modem, dial, written } = await readyModem(fakeWorld(), {}, { 'AT+CLIR?': `${reply}|OK` })
    expect(modem.status().trouble).toBe(trouble)
    far.script = [...dialling, [2_000, 'BUSY']]
    await dial()
    expect(written.find(text => text.startsWith('ATD'))?.endsWith(end)).toBe(true)
    await dial({ callerId: 'hide' })
    expect(written.findLast(text => text.startsWith('ATD'))?.endsWith('I;')).toBe(true)
  })
})

describe('a call to the modem', () => {
  it('is refused while the line is idle', async () => {
    const { world, far, written } = await readyModem(fakeWorld())
    await world.advance(1_000)
    const before = count(written, 'ATH')
    far.line.say('\r\nRING\r\n\r\n+CLIP: "+40721999999",145\r\n')
    await world.advance(3_000)
    expect(count(written, 'ATH')).toBe(before + 1)
  })

  it('delays our call until a second after its end, so that its end is not taken for ours', async () => {
    const world = fakeWorld()
    let onHangUp = () => {}
    const { far, verdict, written } = await readyModem(world, {
      trace: (_, text) => text === 'ATH' && onHangUp(),
    })
    onHangUp = () => {
      onHangUp = () => {}
      world.after(900, () => far.line.say('\r\n+CDRIND: 0\r\n'))
    }
    const before = count(written, 'ATH')
    far.line.say('\r\nRING\r\n')
    far.script = [...ringing, [8_000, `BUSY|${clcc(6)}`]]
    expect(await verdict()).toMatchObject({ reason: 'rejected_after_ring' })
    expect(count(written, 'ATH')).toBe(before + 1)
  })

  it('during ours is turned away after the OK, without ending ours', async () => {
    const { far, verdict, sinceDial } = await readyModem(fakeWorld())
    const waiting = '+CLCC: 2,1,5,0,0,"+40721999999",145,""'
    far.script = [
      [50, waiting],
      [900, 'OK'],
      [950, clcc(2)],
      ...ringing.slice(2),
      [6_000, waiting],
      // The waiting call is gone. Ours goes on ringing.
      [6_400, '+CDRIND: 0'],
      [8_000, `BUSY|${clcc(6)}`],
    ]
    expect(await verdict()).toMatchObject({ reason: 'rejected_after_ring' })
    expect(count(sinceDial(), 'AT+CHLD=0')).toBe(1)
    expect(sinceDial()).not.toContain('ATH')
  })

  it.each([
    ['SIM800L', '+CLCC: 2,1,6,0,0,"+40721999999",145,""|NO CARRIER'],
    ['SIM7600E', 'VOICE CALL: END: 000000'],
  ])('that ends during ours does not end ours, on a %s', async (model, end) => {
    const { far, verdict, sinceDial } = await readyModem(fakeWorld(), {}, { 'AT+CGMM': `${model}|OK` })
    far.script = [
      ...ringing,
      [6_000, '+CLCC: 2,1,5,0,0,"+40721999999",145,""'],
      [6_900, end],
      [9_000, `BUSY|${clcc(6)}`],
    ]
    const { reason, ringMs, witnesses } = await verdict()
    expect([reason, ringMs, witnesses.includes('not ended')]).toEqual(['rejected_after_ring', 4_000, true])
    expect(sinceDial().filter(text => /^AT(?:H|\+CHUP)$/.test(text))).toEqual([])
  })
})

describe('a call that nothing ends', () => {
  it('has its verdict 80 s after ATD all the same', async () => {
    const { world, far, verdict, sinceDial } = await readyModem(fakeWorld())
    const begunMs = world.monotonicMs()
    far.script = ringing
    for (const command of ['ATH', 'AT+CHUP', 'AT+HVOIC', 'AT+CHLD=11']) far.replies.set(command, null)
    const conclusion = await verdict({ maxRingMs: 45_000 })
    expect(conclusion).toMatchObject({ reason: 'modem_lost_after_ring', opened: 'unknown' })
    expect(world.monotonicMs() - begunMs).toBeLessThanOrEqual(80_100)
    expect(sinceDial()).toContain('AT+CHUP')
  })
})
