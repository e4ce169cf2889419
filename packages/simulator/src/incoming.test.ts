import { describe, expect, it } from 'vitest'
import { pduOf } from './core/shortMessage.ts'
import { openTerminal } from './terminal.kit.ts'

const caller = '+40733333333'
const gate = '+40722000001'
const incoming = (state: number) => `+CLCC: 1,1,${state},0,0,"${caller}",145,""`

describe('calls to the modem', () => {
  it('ring, show who calls, and end when the caller gives up', async () => {
    const terminal = await openTerminal({ network: 'normal' })
    await terminal.say('AT+CLIP=1', 100)
    terminal.simulator.callIn(caller, 8000)
    await terminal.world.advance(7000)
    const ring = ['RING', `+CLIP: "${caller}",145,"",0,"",0`]
    expect(terminal.heard()).toEqual([incoming(4), ...ring, ...ring, ...ring])
    expect(await terminal.say('AT+CPAS', 100)).toEqual(['+CPAS: 3', 'OK'])
    await terminal.world.advance(2000)
    expect(terminal.heard().toSorted()).toEqual([incoming(6), 'NO CARRIER'].sort())
    expect(terminal.simulator.state().incoming).toMatchObject([{ callerNumber: caller, outcome: 'gave_up' }])
  })

  it('are answered by ATA, or by the modem itself after S0 rings', async () => {
    const terminal = await openTerminal()
    await terminal.say('AT+CRC=1')
    terminal.simulator.callIn(caller)
    await terminal.world.advance(10)
    expect(terminal.heard()).toEqual([incoming(4), '+CRING: VOICE'])
    expect((await terminal.say('ATA')).toSorted()).toEqual([incoming(0), 'OK'].sort())
    expect(terminal.simulator.state().incoming).toMatchObject([{ outcome: 'answered' }])
    await terminal.world.advance(1000)
    await terminal.say('ATS0=2')
    terminal.heard()
    terminal.simulator.callIn('')
    await terminal.world.advance(100)
    expect(terminal.heard().filter(line => line === '+CRING: VOICE')).toHaveLength(2)
    expect(terminal.simulator.state().incoming[1]).toMatchObject({ callerNumber: '', outcome: 'answered' })
    expect(await terminal.say('ATA')).toContain('NO CARRIER')
  })

  it('are hung up, refused by AT+GSMBUSY=1, or find the modem busy or away', async () => {
    const terminal = await openTerminal({ gates: [{ phoneNumber: gate, farEnd: 'answer_hold' }] })
    const { simulator, world } = terminal
    simulator.callIn(caller)
    await world.advance(10)
    await terminal.say('ATH', 100)
    await terminal.say('AT+GSMBUSY=1')
    terminal.heard()
    simulator.callIn(caller)
    await world.advance(100)
    expect(terminal.heard()).toEqual([])
    await terminal.say('AT+GSMBUSY=0')
    await terminal.say(`ATD${gate};`, 1000)
    simulator.callIn(caller)
    simulator.unplug()
    simulator.callIn(caller)
    expect(simulator.state().incoming.map(({ outcome }) => outcome)).toEqual([
      ...['hung_up', 'refused', 'busy', 'unreachable'],
    ])
  })
})

describe('a call that waits', () => {
  const waiting = (state: number) => incoming(state).replace(': 1,', ': 2,')
  const beginCall = async () => {
    const far = { phoneNumber: gate, farEnd: 'ring_forever' } as const
    const terminal = await openTerminal({ network: 'normal', preset: 'incoming_waiting', gates: [far] })
    await terminal.say(`ATD${gate};`, 5000)
    terminal.heard()
    terminal.simulator.callIn(caller, 60_000)
    await terminal.world.advance(100)
    return terminal
  }

  it('does not ring; AT+CHLD=0 refuses it and leaves the other one', async () => {
    const terminal = await beginCall()
    expect(terminal.heard()).toEqual([waiting(5)])
    expect(await terminal.say('AT+CHLD=0', 2000)).toEqual(expect.arrayContaining(['OK', waiting(6)]))
    const { calls, incoming: others } = terminal.simulator.state()
    expect([calls[0]?.outcome, others[0]?.outcome]).toEqual(['ringing', 'hung_up'])
  })

  it('rings when AT+CHLD=11 has ended the other', async () => {
    const terminal = await beginCall()
    expect(await terminal.say('AT+CHLD=11', 2500)).toEqual(expect.arrayContaining(['OK', waiting(4), 'RING']))
  })

  it('comes in by itself 6 s into a call', async () => {
    const far = { phoneNumber: gate, farEnd: 'ring_forever' } as const
    const terminal = await openTerminal({ network: 'normal', preset: 'incoming_waiting', gates: [far] })
    await terminal.say(`ATD${gate};`, 5000)
    expect(terminal.simulator.state().incoming).toEqual([])
    await terminal.world.advance(2000)
    expect(terminal.simulator.state().incoming).toHaveLength(1)
  })
})

describe('messages to the modem', () => {
  it('are stored and announced, read, listed and deleted', async () => {
    const terminal = await openTerminal()
    await terminal.say('AT+CMGF=1')
    terminal.simulator.sendMessage(caller, 'Poarta deschisă')
    await terminal.world.advance(10)
    expect(terminal.heard()).toEqual(['+CMTI: "SM",1'])
    expect(terminal.simulator.state().modem.messages).toBe(1)
    const [head, body, result] = await terminal.say('AT+CMGR=1')
    expect(head).toBe(`+CMGR: "REC UNREAD","${caller}","","26/01/05,08:00:00+00"`)
    expect([Buffer.from(body ?? '', 'latin1').length, result]).toEqual([15, 'OK'])
    expect((await terminal.say('AT+CMGL="ALL"'))[0]).toContain('+CMGL: 1,"REC READ"')
    expect(await terminal.say('AT+CMGL="REC UNREAD"')).toEqual(['OK'])
    expect(await terminal.say('AT+CMGD=1;+CPMS?')).toEqual(['+CPMS: "SM",0,30,"SM",0,30,"SM",0,30', 'OK'])
    expect(await terminal.say('AT+CMGR=1')).toEqual(['+CMS ERROR: 321'])
  })

  it('are shown at once with AT+CNMI=2,2, in the PDU format of 3GPP TS 23.040', async () => {
    const terminal = await openTerminal()
    await terminal.say('AT+CNMI=2,2')
    terminal.simulator.sendMessage(caller, 'OK')
    await terminal.world.advance(10)
    // The sender in swapped digits, UCS2, the time in swapped digits, four octets of text.
    const pdu = '0004' + '0B91' + '0437333333F3' + '0008' + '62105080000000' + '04' + '004F004B'
    expect(terminal.heard()).toEqual(['+CMT: "",23', pdu])
    expect(pduOf({ from: caller, text: 'OK', sentAt: '26/01/05,08:00:00+00', isRead: false })).toBe(pdu)
  })

  it('come from a name in the seven-bit address format of 3GPP TS 23.040 9.1.2.5', async () => {
    const terminal = await openTerminal()
    await terminal.say('AT+CNMI=2,2')
    terminal.simulator.sendMessage('Design', 'OK')
    await terminal.world.advance(10)
    const pdu = '0004' + '0BD0' + 'C4F23C7D7603' + '0008' + '62105080000000' + '04' + '004F004B'
    expect(terminal.heard()).toEqual(['+CMT: "",23', pdu])
  })

  it('come in parts of 67 letters where they are long', async () => {
    const terminal = await openTerminal()
    await terminal.say('AT+CMGF=1')
    const text = `${'ă'.repeat(67)}${'b'.repeat(67)}c`
    terminal.simulator.sendMessage(caller, text)
    await terminal.world.advance(10)
    expect(terminal.heard()).toEqual([1, 2, 3].map(place => `+CMTI: "SM",${place}`))
    await terminal.say('AT+CMGF=0')
    const [, pdu] = await terminal.say('AT+CMGR=3')
    expect(pdu).toMatch(/080500030103030063$/)
  })

  it('wait until the modem is on the network', async () => {
    const terminal = await openTerminal({ preset: 'no_dialtone_unregistered' })
    terminal.simulator.sendMessage(caller, 'late')
    await terminal.world.advance(1000)
    expect(terminal.simulator.state().modem.messages).toBe(0)
    terminal.simulator.setPreset('healthy')
    await terminal.world.advance(1000)
    expect(terminal.simulator.state().modem.messages).toBe(1)
  })
})

describe('confirmations', () => {
  it.each([
    ['sms_confirmation_ok', 6000, true],
    ['sms_confirmation_late', 60_000, false],
    ['sms_confirmation_late', 120_000, true],
    ['sms_confirmation_missing', 300_000, false],
  ] as const)('%s, after %d ms: %s', async (farEnd, waitMs, came) => {
    const terminal = await openTerminal({ network: 'normal', gates: [{ phoneNumber: gate, farEnd }] })
    await terminal.say(`ATD${gate};`, 1)
    const fired = () => terminal.simulator.state().calls[0]?.relayFired === true
    await terminal.world.until(fired)
    await terminal.world.advance(waitMs)
    expect(terminal.heard().includes('+CMTI: "SM",1')).toBe(came)
  })

  it('call_back_confirmation: the gate’s number calls', async () => {
    const terminal = await openTerminal({ gates: [{ phoneNumber: gate, farEnd: 'call_back_confirmation' }] })
    expect(await terminal.say(`ATD${gate};`, 500)).toContain('RING')
    expect(terminal.simulator.state()).toMatchObject({
      incoming: [{ callerNumber: gate }],
      gates: [{ relayCount: 1 }],
    })
  })
})
