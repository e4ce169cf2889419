import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openTerminal } from '../terminal.kit.ts'
import { parseCommands } from './commandLine.ts'

const number = '+40722000001'
const gates = [{ phoneNumber: number, farEnd: 'answer_hold' }] as const

describe('the command line', () => {
  it('is read as a modem reads it', () => {
    const read = parseCommands('e0V1;+cmee=2;&W+CSCS="a;b";S0?D+40722;H').map(({ name, form, text }) => [
      name,
      form,
      text,
    ])
    expect(read).toEqual([
      ['E', 'run', '0'],
      ['V', 'run', '1'],
      ['+CMEE', 'set', '2'],
      ['&W', 'run', ''],
      ['+CSCS', 'set', '"a;b"'],
      ['S0', 'read', ''],
      ['D', 'run', '+40722;'],
      ['H', 'run', ''],
    ])
  })

  it('never throws, whatever is typed, and the modem still answers', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: 'binary-ascii', maxLength: 20 }), { maxLength: 8 }),
        async lines => {
          const terminal = await openTerminal({ gates }, [])
          for (const line of lines) await terminal.say(`AT${line}`, 50)
          terminal.simulator.unplug()
          terminal.simulator.plug()
          const line = terminal.simulator.connect()
          let text = ''
          line?.onBytes(bytes => {
            text += Buffer.from(bytes).toString('latin1')
          })
          await terminal.world.advance(1000)
          line?.write(Buffer.from('AT&F\r'))
          line?.write(Buffer.from('ATQ0V1E0\r'))
          await terminal.world.advance(100)
          expect(text).toContain('OK')
        },
      ),
      { numRuns: 40 },
    )
  })

  it('echoes byte by byte, frames as V.250 does, ignores LF, NUL and ESC, repeats on A/', async () => {
    const terminal = await openTerminal({}, [])
    for (const character of 'at\n\0\x1b\r') terminal.type(character)
    await terminal.world.advance(10)
    expect(terminal.raw()).toBe('at\r\r\nOK\r\n')
    terminal.type('A/')
    await terminal.world.advance(10)
    expect(terminal.raw()).toBe('at\r\r\nOK\r\nA/\r\nOK\r\n')
  })

  it('stops at the first error, which CMEE, V and Q word', async () => {
    const terminal = await openTerminal({}, ['ATE0'])
    expect(await terminal.say('AT+CSQ;+NONSENSE;+CBC')).toEqual(['+CSQ: 20,0', 'ERROR'])
    expect(await terminal.say('AT+CREG=9')).toEqual(['ERROR'])
    await terminal.say('AT+CMEE=1')
    expect(await terminal.say('AT+CREG=9')).toEqual(['+CME ERROR: 50'])
    await terminal.say('AT+CMEE=2')
    expect(await terminal.say('AT+CREG=9')).toEqual(['+CME ERROR: incorrect parameters'])
    expect(await terminal.say('ATV0')).toEqual(['0'])
    expect(await terminal.say('ATQ1')).toEqual([])
    expect(await terminal.say('AT+CSQ')).toEqual(['+CSQ: 20,0'])
  })

  it('keeps the bytes that come while a command runs', async () => {
    const terminal = await openTerminal()
    terminal.type('AT+CSQ\rAT+CPAS\r')
    await terminal.world.advance(20)
    expect(terminal.heard()).toEqual(['+CSQ: 20,0', 'OK', '+CPAS: 0', 'OK'])
  })
})

describe('settings', () => {
  it('survive a reset as the manual’s Save column says', async () => {
    const terminal = await openTerminal({}, [
      'ATE0;+CREG=2;+IPR=115200;&W',
      'AT+CLCC=1',
      'AT+CEER=1',
      'AT+MORING=1',
      'AT+CFUN=1,1',
    ])
    await terminal.world.advance(1000)
    expect([...terminal.heard()].sort()).toEqual(
      [
        ...['RDY', '+CFUN: 1', '+CREG: 2', '+CREG: 1,"1816","F9A1"'],
        ...['+CPIN: READY', 'Call Ready', 'SMS Ready'],
      ].sort(),
    )
    expect(await terminal.say('AT+CREG?;+CLCC?;+CEER?;+MORING?')).toEqual([
      '+CREG: 2,1,"1816","F9A1"',
      '+CLCC: 1',
      '+CEER: 0',
      '+MORING: 0',
      'OK',
    ])
  })
})

describe('dialling', () => {
  it('is aborted by a byte before the OK, and only ATH is no violation', async () => {
    const terminal = await openTerminal({ gates })
    terminal.type(`ATD${number};\r`)
    terminal.type('\n')
    terminal.type('ATH\r')
    await terminal.world.advance(1000)
    expect(terminal.heard()).toEqual(['NO CARRIER', 'OK'])
    expect(terminal.simulator.state()).toMatchObject({ violations: 0, calls: [{ outcome: 'aborted' }] })
    terminal.type(`ATD${number};\rAT\r`)
    await terminal.world.advance(1000)
    expect(terminal.simulator.state()).toMatchObject({
      violations: 1,
      violationLog: [{ violation: 'byte_during_dial' }],
      gates: [{ callsSeen: 0 }],
    })
  })

  it('a second time holds the active call, and counts as a violation', async () => {
    const terminal = await openTerminal({ gates })
    await terminal.say(`ATD${number};`, 500)
    await terminal.say('ATD+40722000002;', 10)
    expect(await terminal.say('AT+CLCC')).toEqual([
      `+CLCC: 1,0,1,0,0,"${number}",145,""`,
      '+CLCC: 2,0,2,0,0,"+40722000002",145,""',
      'OK',
    ])
    expect(await terminal.say(`ATD${number};`)).toContain('+CME ERROR: 771')
    expect(terminal.simulator.state().violationLog.map(({ violation }) => violation)).toEqual([
      'dial_during_call',
      'dial_during_call',
    ])
  })

  it('refuses and counts dial strings that no chip dials or that are no voice call', async () => {
    const terminal = await openTerminal({ gates })
    expect(await terminal.say('ATD!;')).toEqual(['+CME ERROR: 27'])
    expect(await terminal.say('ATD;')).toEqual(['+CME ERROR: 27'])
    expect(await terminal.say(`ATD${number}`)).toEqual(['NO CARRIER'])
    const { violations, calls, gates: after } = terminal.simulator.state()
    expect({ violations, outcomes: calls.map(({ outcome }) => outcome), seen: after[0]?.callsSeen }).toEqual({
      violations: 3,
      outcomes: ['refused', 'refused', 'refused'],
      seen: 0,
    })
  })

  it('blocks until the answer with AT+COLP=1', async () => {
    const terminal = await openTerminal({ gates })
    await terminal.say('AT+COLP=1')
    expect((await terminal.say(`ATD${number};`, 500)).at(-1)).toBe('OK')
    await terminal.say('ATH', 100)
    terminal.simulator.setPreset('busy_before_alert')
    expect(await terminal.say(`ATD${number};`, 500)).toContain('BUSY')
    expect(await terminal.say('AT')).toEqual(['OK'])
  })
})
