import { describe, expect, it } from 'vitest'
import type { ModemFaultName } from './presets.ts'
import { openTerminal, type Terminal } from './terminal.kit.ts'

const number = '+40722000001'
const call = (state: number) => `+CLCC: 1,0,${state},0,0,"${number}",145,""`

async function faulty(preset: ModemFaultName): Promise<Terminal> {
  return openTerminal({ preset, gates: [{ phoneNumber: number, farEnd: 'reject_busy' }] })
}

const relayCount = ({ simulator }: Terminal) => simulator.state().gates[0]?.relayCount

/** What is heard of a call to a gate that rejects and opens, which it does in every case but the refused ones. */
const dials: [ModemFaultName, heard: string[], relay: number][] = [
  ['healthy', ['OK', call(2), call(3), 'MO RING', 'BUSY', call(6)], 1],
  ['dial_error_771', ['+CME ERROR: 771'], 0],
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

  it('ath_slow_19s: a second passes nineteen times before the OK', async () => {
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

  it('pin_required: the right PIN frees it, wrong ones count', async () => {
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

  it('go again with healthy', async () => {
    const terminal = await faulty('sim_removed')
    terminal.simulator.setPreset('healthy')
    await terminal.world.advance(1000)
    expect(terminal.simulator.state().modem).toMatchObject({
      registered: true,
      sim: 'ready',
      preset: 'healthy',
    })
  })

  it('take no phone number, and a far end only a gate’s', async () => {
    const { simulator } = await faulty('healthy')
    expect(simulator.setPreset('late_ok', number)).toMatchObject({ code: 'preset_takes_no_number' })
    expect(simulator.setPreset('answer_hold', '+40799999999')).toMatchObject({ code: 'gate_unknown' })
  })
})
