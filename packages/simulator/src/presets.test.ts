import { describe, expect, it } from 'vitest'
import { codeOf, type ModemFaultName } from './presets.ts'
import { openTerminal, type Terminal } from './terminal.kit.ts'

const number = '+40722000001'
const call = (state: number) => `+CLCC: 1,0,${state},0,0,"${number}",145,""`

async function faulty(preset: ModemFaultName): Promise<Terminal> {
  return openTerminal({ preset, gates: [{ phoneNumber: number, farEnd: 'reject_busy' }] })
}

const relayCount = ({ simulator }: Terminal) => simulator.state().gates[0]?.relayCount

/** The lines of a call to a gate that rejects and opens; it opens in every case except the refused ones. */
const dials: [ModemFaultName, heard: string[], relay: number][] = [
  ['healthy', ['OK', call(2), call(3), 'MO RING', 'BUSY', call(6)], 1],
  ['dial_error_771', ['+CME ERROR: 771'], 0],
  ['dial_call_barred', ['+CME ERROR: 257'], 0],
  ['no_dialtone_unregistered', ['NO DIALTONE'], 0],
  ['reg_denied', ['NO DIALTONE'], 0],
  ['pin_required', ['+CME ERROR: 11'], 0],
  ['sim_removed', ['+CME ERROR: 10'], 0],
  ['silent_alerting', ['OK', call(2), 'BUSY', call(6)], 1],
  ['lost_all_end_urcs', ['OK', call(2), call(3), 'MO RING'], 1],
  ['clcc6_without_token', ['OK', call(2), call(3), 'MO RING', call(6)], 1],
  ['no_clcc6_only_token', ['OK', call(2), call(3), 'MO RING', 'BUSY'], 1],
  [
    'dup_urcs',
    ['OK', call(2), call(2), call(3), call(3), 'MO RING', 'MO RING', 'BUSY', 'BUSY', call(6), call(6)],
    1,
  ],
]

describe('faults', () => {
  it.each(dials)('%s', async (preset, heard, relay) => {
    const terminal = await faulty(preset)
    await terminal.world.advance(500)
    terminal.heard()
    expect([...(await terminal.say(`ATD${number};`, 2000))].sort()).toEqual([...heard].sort())
    expect(relayCount(terminal)).toBe(relay)
    expect(await terminal.say('AT+CLCC')).toEqual(['OK'])
  })

  it('echo_on', async () => {
    const terminal = await faulty('echo_on')
    expect(await terminal.say('AT')).toEqual(['AT', 'OK'])
  })

  it('urc_inside_response: a CREG line looks like the answer, and a call’s end comes inside a poll', async () => {
    const terminal = await faulty('urc_inside_response')
    await terminal.say('AT+CREG=2')
    expect(await terminal.say('AT+CREG?')).toEqual([
      '+CREG: 2,1,"1816","F9A1"',
      '+CREG: 1,"1816","F9A1"',
      'OK',
    ])
    await terminal.say(`ATD${number};`, 10)
    const polls: string[] = []
    for (let poll = 0; poll < 60; poll++) polls.push((await terminal.say('AT+CLCC', 3)).join('|'))
    expect(polls.some(reply => /BUSY.*OK$/.test(reply))).toBe(true)
  })

  it('hang_after_n: silent until it is powered again', async () => {
    const terminal = await faulty('hang_after_n')
    for (let turn = 0; turn < 38; turn++) expect(await terminal.say('AT')).toEqual(['OK'])
    expect(await terminal.say('AT', 1000)).toEqual([])
    expect(terminal.simulator.state().modem.hung).toBe(true)
    terminal.simulator.restart()
    await terminal.world.advance(1000)
    expect(await terminal.say('ATE0')).toContain('OK')
  })

  it('late_ok: the call goes on before the OK, and a call that ends first has its token in the OK’s place', async () => {
    const terminal = await faulty('late_ok')
    expect(await terminal.say(`ATD${number};`, 2000)).not.toContain('OK')
    expect(relayCount(terminal)).toBe(1)
    expect(await terminal.say('AT')).toEqual(['OK'])
    terminal.simulator.setPreset('answer_hold')
    const heard = await terminal.say(`ATD${number};`, 2000)
    expect(heard.indexOf('OK')).toBeGreaterThan(heard.indexOf('MO CONNECTED'))
    expect(terminal.simulator.state().violations).toBe(0)
  })

  it('ath_slow_19s: nineteen times a second passes before the OK', async () => {
    const terminal = await openTerminal({
      network: 'normal',
      preset: 'ath_slow_19s',
      gates: [{ phoneNumber: number, farEnd: 'answer_hold' }],
    })
    await terminal.say(`ATD${number};`, 20_000)
    expect(await terminal.say('ATH', 18_990)).toEqual([])
    await terminal.world.advance(500)
    expect(terminal.heard()).toContain('OK')
  })

  it('brownout_on_tx: a warning, silence, and a fresh start; the far end sees the call vanish', async () => {
    const terminal = await openTerminal({
      preset: 'brownout_on_tx',
      gates: [{ phoneNumber: number, farEnd: 'answer_hold' }],
    })
    await terminal.say('AT+IPR=115200;&W')
    const heard = await terminal.say(`ATD${number};`, 1000)
    const warned = heard.indexOf('UNDER-VOLTAGE WARNNING')
    expect(heard[warned + 1]).toBe('RDY')
    expect(terminal.simulator.state().calls).toMatchObject([{ outcome: 'power_lost' }])
    expect(await terminal.say('AT+CEER?')).toContain('+CEER: 0')
  })

  it('supply_sags: AT+CBC reports a lower voltage during a call, in volts and in millivolts', async () => {
    for (const [model, resting, calling] of [
      ['sim800', '0,95,4123', '0,95,3450'],
      ['sim7600', '4.123V', '3.450V'],
    ] as const) {
      const terminal = await openTerminal({
        preset: 'supply_sags',
        model,
        gates: [{ phoneNumber: number, farEnd: 'ring_forever' }],
      })
      expect(await terminal.say('AT+CBC')).toContain(`+CBC: ${resting}`)
      await terminal.say(`ATD${number};`, 5_000)
      expect(await terminal.say('AT+CBC')).toContain(`+CBC: ${calling}`)
      await terminal.say('AT+CHUP', 5_000)
      expect(await terminal.say('AT+CBC')).toContain(`+CBC: ${resting}`)
    }
  })

  it('pin_required: the right PIN unlocks it, and wrong ones count', async () => {
    const terminal = await faulty('pin_required')
    expect(await terminal.say('AT+CPIN?')).toEqual(['+CPIN: SIM PIN', 'OK'])
    expect(await terminal.say('AT+CPIN="0000"')).toEqual(['+CME ERROR: 16'])
    expect(await terminal.say('AT+SPIC')).toEqual(['+SPIC: 2,3,10,10', 'OK'])
    expect(await terminal.say('AT+CPIN="1234"', 1000)).toEqual([
      'OK',
      '+CPIN: READY',
      'Call Ready',
      'SMS Ready',
    ])
    expect(terminal.simulator.state().modem.registered).toBe(true)
  })

  it('end with the preset healthy', async () => {
    const terminal = await faulty('sim_removed')
    terminal.simulator.setPreset('healthy')
    await terminal.world.advance(1000)
    expect(terminal.simulator.state().modem).toMatchObject({
      registered: true,
      sim: 'ready',
      faults: [],
    })
  })

  it('false_active_csfb: ringing looks like an answer, a rejection like nobody answering', async () => {
    const told: string[][] = []
    for (const farEnd of ['reject_busy', 'ring_forever', 'answer_release_2s'] as const) {
      const terminal = await openTerminal({
        model: 'a7672',
        preset: 'false_active_csfb',
        gates: [{ phoneNumber: number, farEnd }],
      })
      await terminal.say(`ATD${number};`, 30_000)
      told.push([...(await terminal.say('AT+CLCC')), ...(await terminal.say('AT', 40_000))])
      expect(relayCount(terminal)).toBe(farEnd === 'ring_forever' ? 0 : 1)
    }
    expect(told[0]?.slice(0, 2)).toEqual([call(0), 'OK'])
    expect(told[0]?.toSorted()).toEqual(told[1]?.toSorted())
    expect(told[0]).toContain('NO CARRIER')
    expect(told[2]).toEqual(['OK', 'OK'])
  })

  it('early_no_carrier_csfb: a token that ends nothing', async () => {
    const terminal = await openTerminal({
      network: 'normal',
      preset: 'early_no_carrier_csfb',
      gates: [{ phoneNumber: number, farEnd: 'reject_busy' }],
    })
    const heard = await terminal.say(`ATD${number};`, 30_000)
    expect(heard.indexOf('NO CARRIER')).toBeLessThan(heard.indexOf(call(3)))
    expect(heard.indexOf('NO CARRIER')).toBeGreaterThan(heard.indexOf('OK'))
    expect(relayCount(terminal)).toBe(1)
  })

  it('end_order_random: the end’s signals come up to 900 ms apart', async () => {
    const gaps: number[] = []
    for (let seed = 1; seed <= 12; seed++) {
      const terminal = await openTerminal({
        seed,
        preset: 'end_order_random',
        gates: [{ phoneNumber: number, farEnd: 'reject_busy' }],
      })
      await terminal.say(`ATD${number};`, 2000)
      const ends = terminal.simulator.wireLog().filter(({ text }) => text === 'BUSY' || text === call(6))
      expect(ends).toHaveLength(2)
      gaps.push((ends[1]?.atMs ?? 0) - (ends[0]?.atMs ?? 0))
    }
    expect(Math.max(...gaps)).toBeGreaterThan(300)
    expect(Math.max(...gaps)).toBeLessThanOrEqual(901)
  })

  it('reg_lost_mid_call: the call is cut, the modem searches, and is taken back', async () => {
    const terminal = await openTerminal({
      preset: 'reg_lost_mid_call',
      gates: [{ phoneNumber: number, farEnd: 'answer_hold' }],
    })
    await terminal.say('AT+CREG=1')
    const heard = await terminal.say(`ATD${number};`, 2000)
    expect(heard.filter(line => line.startsWith('+CREG') || line === 'NO CARRIER').sort()).toEqual(
      ['+CREG: 2', '+CREG: 1', 'NO CARRIER'].sort(),
    )
    expect(terminal.simulator.state()).toMatchObject({
      modem: { registered: true, calling: false },
      calls: [{ outcome: 'network_ended' }],
    })
  })

  it('pin_wrong_puk and puk_required: no PIN unlocks it', async () => {
    const terminal = await faulty('pin_wrong_puk')
    for (let left = 2; left >= 0; left--) {
      expect(await terminal.say('AT+CPIN="1234"')).toEqual(['+CME ERROR: 16'])
      expect(await terminal.say('AT+SPIC')).toEqual([`+SPIC: ${left},3,10,10`, 'OK'])
    }
    expect(await terminal.say('AT+CPIN?')).toEqual(['+CPIN: SIM PUK', 'OK'])
    const blocked = await faulty('puk_required')
    expect(await blocked.say('AT+CPIN?')).toEqual(['+CPIN: SIM PUK', 'OK'])
    expect(await blocked.say('AT+CPIN="1234"')).toEqual(['+CME ERROR: 12'])
  })

  it('ath_ignored: only another command hangs up', async () => {
    const terminal = await openTerminal({
      preset: 'ath_ignored',
      gates: [{ phoneNumber: number, farEnd: 'answer_hold' }],
    })
    await terminal.say(`ATD${number};`, 500)
    expect(await terminal.say('ATH', 100)).toEqual(['OK'])
    expect(terminal.simulator.state().modem.calling).toBe(true)
    expect(await terminal.say('AT+CHUP', 100)).toContain('OK')
    expect(terminal.simulator.state().calls).toMatchObject([{ outcome: 'hung_up' }])
  })

  it('echo_comes_back and autobaud_no_rdy, together: only silence and echo show a reset', async () => {
    const terminal = await openTerminal({ faults: ['echo_comes_back', 'autobaud_no_rdy'] })
    await terminal.say('ATE0;+IPR=115200;&W')
    terminal.simulator.restart()
    await terminal.world.advance(2000)
    expect(terminal.heard()).toEqual([])
    for (let turn = 0; turn < 3; turn++) expect(await terminal.say('AT')).toEqual([])
    expect(await terminal.say('AT+IPR?')).toEqual(['AT+IPR?', '+IPR: 0', 'OK'])
    expect(terminal.simulator.state().modem.faults).toEqual(['echo_comes_back', 'autobaud_no_rdy'])
  })

  it('wrong_baud_garbage: neither side understands the other', async () => {
    const terminal = await faulty('wrong_baud_garbage')
    terminal.simulator.callIn()
    await terminal.world.advance(100)
    expect(terminal.raw()).not.toContain('RING')
    expect((await terminal.say('AT')).join()).not.toContain('OK')
    terminal.simulator.setPreset('healthy')
    expect(await terminal.say('ATE0', 2000)).toContain('OK')
  })

  it('boot_garbage_bytes: nine bytes as power comes', async () => {
    const terminal = await faulty('boot_garbage_bytes')
    terminal.simulator.restart()
    await terminal.world.advance(5)
    expect(terminal.raw().slice(-9)).toBe('\0IIII\xff\xff\xff\xff')
  })

  it('nul_flood: 2000 NULs a second until power comes again', async () => {
    const terminal = await faulty('nul_flood')
    const before = terminal.raw().length
    await terminal.say('AT', 980)
    const flood = terminal.raw().slice(before)
    expect(flood).toMatch(/^\0+$/)
    expect(flood.length).toBeGreaterThan(1500)
    terminal.simulator.restart()
    await terminal.world.advance(1000)
    terminal.heard()
    expect(await terminal.say('ATE0', 1000)).toContain('OK')
    expect(terminal.simulator.state().modem.power).toBe('on')
  })

  it('partial_writes_1byte: every byte arrives alone', async () => {
    const terminal = await faulty('partial_writes_1byte')
    const lengths: number[] = []
    terminal.line.onBytes(bytes => lengths.push(bytes.length))
    expect(await terminal.say('AT+CSQ')).toEqual(['+CSQ: 20,0', 'OK'])
    expect(new Set(lengths)).toEqual(new Set([1]))
  })

  it('shifted_replies: a reply comes with the next command or 3 s late, until a restart', async () => {
    const terminal = await openTerminal({ network: 'normal' }, ['ATE0'])
    await terminal.world.advance(50)
    terminal.simulator.setPreset('shifted_replies')
    terminal.heard()
    expect(await terminal.say('AT+CPAS', 100)).toEqual([])
    expect(await terminal.say('AT+CSQ', 100)).toEqual(['+CPAS: 0', 'OK'])
    await terminal.world.advance(3000)
    expect(terminal.heard()).toEqual(['+CSQ: 20,0', 'OK'])
    terminal.simulator.restart()
    await terminal.world.advance(30_000)
    terminal.heard()
    expect((await terminal.say('AT+CPAS', 100)).slice(-2)).toEqual(['+CPAS: 0', 'OK'])
  })

  it('incoming_call_collision: a call comes in with the ATD, which is refused, even with AT+GSMBUSY=1', async () => {
    const terminal = await faulty('incoming_call_collision')
    await terminal.say('AT+GSMBUSY=1')
    const heard = await terminal.say(`ATD${number};`)
    expect(heard).toContain('RING')
    expect(heard).toContain('+CME ERROR: 771')
    expect(await terminal.say('ATH', 100)).toContain('OK')
    expect(await terminal.say('AT+CLCC')).toEqual(['OK'])
    expect(terminal.simulator.state()).toMatchObject({
      calls: [{ outcome: 'refused' }],
      incoming: [{ outcome: 'hung_up' }],
      violations: 0,
    })
  })

  it.each(['usb_unplug_reenumerate', 'cfun11_reenumerate'] as const)('%s', async preset => {
    const terminal = await openTerminal({ preset, gates: [{ phoneNumber: number, farEnd: 'answer_hold' }] })
    const seen: [boolean, string][] = []
    const { simulator, world } = terminal
    simulator.onPlug(plugged => seen.push([plugged, simulator.state().portName]))
    const heard = await terminal.say(preset === 'cfun11_reenumerate' ? 'AT+CFUN=1,1' : `ATD${number};`, 20)
    expect(heard).toContain('OK')
    await world.advance(1000)
    expect(seen).toEqual([
      [false, 'ttyUSB0'],
      [true, 'ttyUSB1'],
    ])
    expect(simulator.state()).toMatchObject({ plugged: true, modem: { registered: true, calling: false } })
  })

  it('dial_call_barred: answers in words where words are set', async () => {
    const terminal = await faulty('dial_call_barred')
    await terminal.say('AT+CMEE=2')
    expect(await terminal.say(`ATD${number};`)).toEqual(['+CME ERROR: call barred'])
  })

  it('barred_service: reports the barring before the call ends, where AT+CSSN=1', async () => {
    const terminal = await openTerminal({ gates: [{ phoneNumber: number, farEnd: 'barred_service' }] })
    await terminal.say('AT+CSSN=1')
    const heard = await terminal.say(`ATD${number};`, 1000)
    expect(heard.indexOf('+CSSI: 5')).toBeGreaterThan(0)
    expect(heard.indexOf('NO CARRIER')).toBeGreaterThan(heard.indexOf('+CSSI: 5'))
  })

  it('toggle_relay_double_dial_detector: a second call is a violation', async () => {
    const terminal = await openTerminal({
      gates: [{ phoneNumber: number, farEnd: 'toggle_relay_double_dial_detector' }],
    })
    await terminal.say(`ATD${number};`, 1000)
    expect(terminal.simulator.state()).toMatchObject({ violations: 0, gates: [{ relayOn: true }] })
    await terminal.say(`ATD${number};`, 1000)
    expect(terminal.simulator.state()).toMatchObject({
      violationLog: [{ violation: 'second_dial' }],
      gates: [{ relayOn: false, relayCount: 2 }],
    })
  })

  it('are chosen by a number’s last three digits, where the simulator uses codes', async () => {
    const terminal = await openTerminal({ codes: true })
    const dialled = `+40799000${codeOf('bad_number')}`
    await terminal.say(`ATD${dialled};`, 1000)
    expect(await terminal.say('AT+CEER')).toEqual(['+CEER: Cause:1', 'OK'])
    expect(await terminal.say(`ATD+40799000${codeOf('dial_error_771')};`)).toEqual(['+CME ERROR: 771'])
    expect(terminal.simulator.state().modem.faults).toEqual(['dial_error_771'])
    const deaf = await openTerminal({ preset: 'reject_busy' })
    expect(await deaf.say(`ATD${dialled};`, 1000)).toContain('BUSY')
  })

  it('accept no phone number, and a far end only a gate’s', async () => {
    const { simulator } = await faulty('healthy')
    expect(simulator.setPreset('late_ok', number)).toMatchObject({ code: 'preset_takes_no_number' })
    expect(simulator.setPreset('answer_hold', '+40799999999')).toMatchObject({ code: 'gate_unknown' })
  })
})
