// The SIM800 for other programs: errors by AT+CMEE, COLP, dial strings, and their questions beside calls.

import { expect, it } from 'vitest'
import { openTerminal } from '../terminal.kit.ts'

const number = '+40722000001'

it.each([
  ['0', 'ERROR'],
  ['1', '+CME ERROR: 100'],
  ['2', '+CME ERROR: unknown'],
])('words an unknown command as AT+CMEE=%s sets', async (mode, answer) => {
  const terminal = await openTerminal({}, ['ATE0', `AT+CMEE=${mode}`])
  for (const line of ['AT+NONSENSE', 'AT+QCCID?', 'AT^DSCI=1'])
    expect(await terminal.say(line)).toEqual([answer])
})

it('names the number that answered before the OK, with AT+COLP=1', async () => {
  const gates = [{ phoneNumber: number, farEnd: 'answer_hold' }] as const
  const terminal = await openTerminal({ gates }, ['ATE0', 'AT+COLP=1'])
  expect((await terminal.say(`ATD${number};`, 500)).slice(-2)).toEqual([`+COLP: "${number}",145`, 'OK'])
})

it.each([
  ['ATD0722000001;', 1],
  ['ATD0040722000001;', 1],
  ['ATD+40 722 000 001;', 1],
  ['ATD112;', 0],
  ['ATD08;', 0],
])('treats %s as the chip does, and counts it', async (line, opened) => {
  const gates = [{ phoneNumber: number, farEnd: 'reject_busy' }] as const
  const terminal = await openTerminal({ gates }, ['ATE0'])
  expect(await terminal.say(line, 500)).toContain('OK')
  expect(terminal.simulator.state()).toMatchObject({
    gates: [{ relayCount: opened }],
    violations: 1,
    violationLog: [{ violation: 'bad_dial_string', text: line }],
  })
})

it('sends names, numbers and texts in the chosen character set', async () => {
  const terminal = await openTerminal({}, ['ATE0', 'AT+CUSD=1', 'AT+CSCS="UCS2"'])
  const inUcs2 = (text: string) =>
    [...text].map(letter => `00${letter.charCodeAt(0).toString(16).toUpperCase()}`).join('')
  expect(await terminal.say('AT+COPS?')).toContain(`+COPS: 0,0,"${inUcs2('CALLGATE TEST')}"`)
  expect(await terminal.say('AT+CNUM', 500)).toContain(`+CNUM: "","${inUcs2('+40711111111')}",145,7,4`)
  expect(await terminal.say('AT+CUSD=1,"*100#",15', 500)).toContain(
    `+CUSD: 0, "${inUcs2('Credit 5.00 EUR')}", 15`,
  )
  await terminal.say('ATD+40722000001;')
  expect((await terminal.say('AT+CLCC')).join()).toContain(inUcs2('+40722000001'))
  await terminal.say('AT+COPS=3,2')
  expect(await terminal.say('AT+COPS?')).toContain('+COPS: 0,2,"22699"')
})

it('accepts a USSD code, answers it with +CUSD, and places no call', async () => {
  const terminal = await openTerminal({}, ['ATE0', 'AT+CUSD=1'])
  expect(await terminal.say('ATD*100#;', 500)).toEqual(['OK', '+CUSD: 0, "Credit 5.00 EUR", 15'])
  expect(await terminal.say('AT+CUSD=1,"*100#",15', 500)).toEqual(['OK', '+CUSD: 0, "Credit 5.00 EUR", 15'])
  expect(terminal.simulator.state()).toMatchObject({ calls: [{ why: 'ussd' }], violations: 1 })
})

it.each([
  ['AT+CCLK="26/11/22,04:30:00+08";+CCLK?', '+CCLK: "26/11/22,04:30:00+08"'],
  ['AT+CCLK="28/02/29,23:59:59+00";+CCLK?', '+CCLK: "28/02/29,23:59:59+00"'],
  ['AT+CCLK="00/01/01,00:00:00";+CCLK?', '+CCLK: "00/01/01,00:00:00+00"'],
  ['AT+CUSD?', '+CUSD: 0'],
  ['AT+CSMS?', '+CSMS: 0,1,1,1'],
  ['AT+CSMS=1', '+CSMS: 1,1,1'],
  ['AT+CSMP?', '+CSMP: 17,167,0,0'],
  ['AT+CPBS="ME";+CPBS?', '+CPBS: "ME",0,250'],
  ['AT+CCWA=1;+CCWA?', '+CCWA: 1'],
  ['AT+CCWA=1,2', '+CCWA: 1,1'],
  ['AT+CLVL=80;+CLVL?', '+CLVL: 80'],
  ['AT+CMUT?', '+CMUT: 0'],
  ['AT+CGDCONT=1,"IP","internet";+CGDCONT?', '+CGDCONT: 1,"IP","internet","0.0.0.0",0,0'],
  ['AT+CRSM=176,28589,0,0,4', '+CRSM: 144,0,"00000002"'],
  ['AT+CRSM=176,28486,0,0,17', '+CRSM: 106,130'],
  ['ATS3?', '013'],
  ['ATS5?', '008'],
  ['AT+CPMS?', '+CPMS: "SM",0,30,"SM",0,30,"SM",0,30'],
])('answers %s', async (line, answer) => {
  const terminal = await openTerminal({}, ['ATE0'])
  expect(await terminal.say(line)).toEqual([answer, 'OK'])
})

it('remembers which storages AT+CPMS chose', async () => {
  const terminal = await openTerminal({}, ['ATE0'])
  expect(await terminal.say('AT+CPMS="ME","SM"')).toEqual(['+CPMS: 0,30,0,30,0,30', 'OK'])
  expect(await terminal.say('AT+CPMS?')).toEqual(['+CPMS: "ME",0,30,"SM",0,30,"SM",0,30', 'OK'])
  expect(await terminal.say('AT+CPMS="XX"')).toEqual(['+CMS ERROR: 302'])
})

it('keeps the messages of the SIM and of the modem apart', async () => {
  const terminal = await openTerminal({}, ['ATE0', 'AT+CMGF=1', 'AT+CPMS="SM","SM","ME"'])
  terminal.simulator.sendMessage('+40711111111', 'in the modem')
  await terminal.world.advance(10)
  expect(terminal.heard()).toEqual(['+CMTI: "ME",1'])
  expect(await terminal.say('AT+CMGR=1')).toEqual(['+CMS ERROR: 321'])
  expect(await terminal.say('AT+CPMS="MT"')).toEqual(['+CPMS: 1,60,0,30,1,30', 'OK'])
  expect((await terminal.say('AT+CMGR=31'))[1]).toBe('in the modem')
  expect(await terminal.say('AT+CPMS="ME"')).toEqual(['+CPMS: 1,30,0,30,1,30', 'OK'])
  expect(await terminal.say('AT+CMGD=1')).toEqual(['OK'])
  expect(await terminal.say('AT+CPMS?')).toEqual(['+CPMS: "ME",0,30,"SM",0,30,"ME",0,30', 'OK'])
})

it('stores a message in the modem when the SIM is preferred but full', async () => {
  const terminal = await openTerminal({}, ['ATE0', 'AT+CPMS="SM","SM","SM_P"'])
  for (let count = 0; count < 31; count++) terminal.simulator.sendMessage('+40711111111', 'one more')
  await terminal.world.advance(10)
  expect(terminal.heard().slice(-2)).toEqual(['+CMTI: "SM",30', '+CMTI: "ME",1'])
})

it('shows its profile', async () => {
  const terminal = await openTerminal({}, ['ATE0'])
  expect(await terminal.say('AT&V')).toEqual(expect.arrayContaining(['ACTIVE PROFILE', 'E: 0', 'S3: 13']))
})

it('prompts for a message, sends it with Ctrl-Z, and leaves it with ESC', async () => {
  const terminal = await openTerminal({}, ['ATE0', 'AT+CMGF=1'])
  expect(await terminal.say(`AT+CMGS="${number}"`)).toEqual(['> '])
  terminal.type('Open, please\x1a')
  await terminal.world.advance(50)
  expect(await terminal.say(`AT+CMGS="${number}"`)).toEqual(['+CMGS: 1', 'OK', '> '])
  terminal.type('never mind\x1b')
  await terminal.world.advance(50)
  expect(await terminal.say('AT')).toEqual(['OK', 'OK'])
})

it('answers an idle ATH at once, and one that ends a call in its time', async () => {
  const gates = [{ phoneNumber: number, farEnd: 'answer_hold' }] as const
  const terminal = await openTerminal({ gates, faults: ['ath_slow_19s'] }, ['ATE0'])
  expect(await terminal.say('ATH', 5)).toEqual(['OK'])
  await terminal.say(`ATD${number};`, 300)
  expect(await terminal.say('ATH', 100)).toEqual([])
})

it.each([
  ['0', []],
  ['115200', ['RDY', '+CFUN: 1', '+CPIN: READY']],
])('announces its start only at a fixed rate: AT+IPR=%s', async (rate, told) => {
  const terminal = await openTerminal({}, ['ATE0', `AT+IPR=${rate}`, 'AT&W'])
  terminal.simulator.restart()
  const said = await terminal.say('', 300)
  expect(said.filter(line => /RDY|CFUN|CPIN/.test(line))).toEqual(told)
})
