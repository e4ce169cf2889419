import { describe, expect, it } from 'vitest'
import type { CallOutcome } from './callLog.ts'
import { type FarEndName, isFarEndName } from './presets.ts'
import { openTerminal } from './terminal.kit.ts'

const number = '+40722000001'
const call = (state: number) => `+CLCC: 1,0,${state},0,0,"${number}",145,""`
const started = ['OK', call(2)]
const rang = [...started, call(3), 'MO RING']
const answered = [...rang, call(0), 'MO CONNECTED']
const ended = (token: string) => [call(6), token].sort()

/** The lines of a call: in order up to the end, whose two signals come in either order. */
type Trace = [trace: string[], end: string[], cause: number, relay: number, outcome: CallOutcome]

const rejected: Trace = [rang, ended('BUSY'), 17, 1, 'rejected']
const rangOut: Trace = [rang, ended('NO ANSWER'), 19, 0, 'network_ended']
const rangAndOpened: Trace = [rang, ended('NO ANSWER'), 19, 1, 'network_ended']

const traces: Record<Exclude<FarEndName, 'call_back_confirmation'>, Trace> = {
  reject_busy: rejected,
  reject_no_carrier: [rang, ended('NO CARRIER'), 21, 1, 'rejected'],
  reject_delayed_20s: rejected,
  answer_release_2s: [answered, ended('NO CARRIER'), 16, 1, 'released'],
  answer_hold: [answered, [], 0, 1, 'answered'],
  ring_forever: rangOut,
  rang_out_no_answer: rangOut,
  voicemail_after_20s: [answered, ended('NO CARRIER'), 16, 0, 'network_ended'],
  busy_before_alert: [started, ended('BUSY'), 17, 0, 'network_ended'],
  unreachable_announcement_12s: [started, ended('NO CARRIER'), 20, 0, 'network_ended'],
  no_credit_nocarrier_1s: [started, ended('NO CARRIER'), 68, 0, 'network_ended'],
  barred_nocarrier_2s: [started, ended('NO CARRIER'), 8, 0, 'network_ended'],
  barred_service: [started, ended('NO CARRIER'), 0, 0, 'network_ended'],
  bad_number: [started, ended('NO CARRIER'), 1, 0, 'network_ended'],
  congestion: [started, ended('NO CARRIER'), 34, 0, 'network_ended'],
  reject_then_voicemail: [answered, ended('NO CARRIER'), 16, 1, 'rejected'],
  reject_without_opening: [rang, ended('BUSY'), 17, 0, 'rejected'],
  answer_hold_stay_2s: [answered, [], 0, 1, 'answered'],
  ring_opens: rangAndOpened,
  busy_call_waiting: rangOut,
  no_credit_announcement_connected: [
    [...started, call(0), 'MO CONNECTED'],
    ended('NO CARRIER'),
    16,
    0,
    'network_ended',
  ],
  sms_confirmation_ok: rejected,
  sms_confirmation_late: rejected,
  sms_confirmation_missing: rejected,
  toggle_relay_double_dial_detector: rejected,
  king_pigeon_rtu5024: rejected,
  jablotron_gd04: rejected,
  tell_gate_control_20: rejected,
  eldes_esim120: rejected,
  satel_gsm4: rejected,
  satel_gsm4_voicemail: [answered, ended('NO CARRIER'), 16, 1, 'rejected'],
  videx_gsm_activate: [rang, ended('NO CARRIER'), 16, 1, 'rejected'],
  advent_a302: rangAndOpened,
  advent_a302_reject_open: rangAndOpened,
  advent_a302_connect: [answered, ended('NO CARRIER'), 16, 1, 'released'],
  estom_as1: [rang, ended('NO CARRIER'), 21, 1, 'rejected'],
}

describe('far ends', () => {
  it.each(Object.entries(traces))('%s', async (name, [trace, end, cause, relayCount, outcome]) => {
    if (!isFarEndName(name)) expect.fail(`${name} is no far end`)
    for (const network of ['fast', 'normal'] as const) {
      const terminal = await openTerminal({ network, gates: [{ phoneNumber: number, farEnd: name }] }, [])
      for (const line of ['ATE0', 'AT+CLCC=1;+MORING=1;+CEER=1']) await terminal.say(line, 200)
      const heard = await terminal.say(`ATD${number};`, 90_000)
      expect(heard.slice(0, trace.length)).toEqual(trace)
      const rest = heard.slice(trace.length).filter(line => !line.startsWith('+CMTI'))
      expect(rest.sort()).toEqual(end)
      expect(await terminal.say('AT+CEER', 50)).toEqual([`+CEER: Cause:${cause}`, 'OK'])
      const { gates, calls, violations } = terminal.simulator.state()
      expect({ relayCount: gates[0]?.relayCount, outcome: calls[0]?.outcome, violations }).toEqual({
        relayCount,
        outcome,
        violations: 0,
      })
    }
  })
})

describe('seed', () => {
  const run = async (seed: number) => {
    const terminal = await openTerminal({
      seed,
      network: 'normal',
      gates: [{ phoneNumber: number, farEnd: 'reject_busy' }],
    })
    await terminal.say(`ATD${number};`, 20_000)
    return { wire: terminal.simulator.wireLog(), state: terminal.simulator.state() }
  }

  it('replays the same run to the millisecond, and another seed differs', async () => {
    expect(await run(7)).toEqual(await run(7))
    expect((await run(8)).wire).not.toEqual((await run(7)).wire)
  })

  it('decides which of the two end signals comes first', async () => {
    const lasts = new Set<string | undefined>()
    for (let seed = 0; seed < 12; seed++) lasts.add((await run(seed)).wire.at(-1)?.text)
    expect(lasts).toEqual(new Set([call(6), 'BUSY']))
  })
})

describe('gate modules', () => {
  it('ignore a caller who is not on their list, or hides the number', async () => {
    const gate = { phoneNumber: number, farEnd: 'reject_busy' } as const
    const stranger = await openTerminal({ gates: [{ ...gate, callers: ['+40799999999'] }] })
    await stranger.say(`ATD${number};`, 1000)
    expect(stranger.simulator.state().gates[0]).toMatchObject({ callsSeen: 1, relayCount: 0 })
    const hidden = await openTerminal({ gates: [{ ...gate, callers: ['+40711111111'] }] })
    await hidden.say(`ATD${number}I;`, 1000)
    await hidden.say('ATH', 100)
    expect(hidden.simulator.state().gates[0]).toMatchObject({ callsSeen: 1, relayCount: 0 })
    await hidden.say(`ATD${number};`, 1000)
    expect(hidden.simulator.state().gates[0]).toMatchObject({ callsSeen: 2, relayCount: 1 })
  })

  it('do nothing for a caller who hangs up within the programmed ring time', async () => {
    const terminal = await openTerminal({ gates: [{ phoneNumber: number, farEnd: 'reject_delayed_20s' }] })
    await terminal.say(`ATD${number};`, 300)
    const heard = await terminal.say('ATH', 2000)
    expect([...heard].sort()).toEqual([call(6), 'OK'].sort())
    expect(terminal.simulator.state().gates[0]?.relayCount).toBe(0)
    expect(terminal.simulator.state().calls[0]?.outcome).toBe('hung_up')
  })

  it('pulse or toggle their relay', async () => {
    const relays: boolean[] = []
    const terminal = await openTerminal({
      gates: [{ phoneNumber: number, farEnd: 'reject_busy', relay: 'toggle' }],
    })
    for (let turn = 0; turn < 2; turn++) {
      await terminal.say(`ATD${number};`, 1000)
      relays.push(terminal.simulator.state().gates[0]?.relayOn ?? false)
    }
    expect(relays).toEqual([true, false])
  })

  it('answer every number, where a far end is given to every number', async () => {
    const terminal = await openTerminal({ preset: 'reject_busy' })
    await terminal.say(`ATD${number};`, 1000)
    expect(terminal.simulator.state().gates).toMatchObject([{ phoneNumber: number, relayCount: 1 }])
  })
})

describe('the cable', () => {
  it('takes the call and the power away when it is unplugged, and the modem boots again', async () => {
    const terminal = await openTerminal({ gates: [{ phoneNumber: number, farEnd: 'answer_hold' }] })
    await terminal.say('AT+IPR=115200;&W')
    await terminal.say(`ATD${number};`, 1000)
    const reasons: string[] = []
    terminal.line.onClose(reason => reasons.push(reason))
    terminal.simulator.unplug()
    expect(reasons).toEqual(['unplugged'])
    expect(terminal.line.writeNow(Buffer.from('AT\r'))).toBe('refused')
    expect(terminal.simulator.connect()).toBeUndefined()
    expect(terminal.simulator.state()).toMatchObject({ plugged: false, calls: [{ outcome: 'power_lost' }] })
    terminal.simulator.plug()
    let text = ''
    terminal.simulator.connect()?.onBytes(bytes => {
      text += Buffer.from(bytes).toString()
    })
    await terminal.world.advance(1000)
    expect(text.split(/[\r\n]+/).filter(Boolean)).toEqual([
      'RDY',
      '+CFUN: 1',
      '+CPIN: READY',
      'Call Ready',
      'SMS Ready',
    ])
    expect(terminal.simulator.state().modem).toMatchObject({ registered: true, power: 'on', calling: false })
  })

  it('is replaced by a second connection', async () => {
    const terminal = await openTerminal()
    const reasons: string[] = []
    terminal.line.onClose(reason => reasons.push(reason))
    terminal.simulator.connect()
    expect(reasons).toHaveLength(1)
  })

  it('splits the modem’s output at any byte, as the seed decides', async () => {
    const pieces = async (seed: number) => {
      const terminal = await openTerminal({ seed, splits: true }, [])
      const lengths: number[] = []
      terminal.line.onBytes(bytes => lengths.push(bytes.length))
      expect(await terminal.say('AT+GSV')).toHaveLength(5)
      return lengths
    }
    const lengths = await pieces(1)
    expect(new Set(lengths).size).toBeGreaterThan(3)
    expect(await pieces(1)).toEqual(lengths)
    expect(await pieces(2)).not.toEqual(lengths)
  })

  it('delivers at the pace of the baud rate', async () => {
    const terminal = await openTerminal({ baudRate: 1200 }, [])
    terminal.type('ATI\r')
    await terminal.world.until(() => terminal.raw().endsWith('OK\r\n'))
    // 4 characters of echo and 23 of reply, at 120 characters a second, and the command's own millisecond.
    expect(terminal.raw()).toHaveLength(27)
    expect(terminal.world.monotonicMs()).toBeCloseTo((27 * 1000) / 120, 0)
  })
})
