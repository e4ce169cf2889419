import { describe, expect, it } from 'vitest'
import { openTerminal } from '../terminal.kit.ts'

const number = '+40722000001'
const gates = [{ phoneNumber: number, farEnd: 'answer_hold' }] as const

describe('a SIM800', () => {
  /** Every command that the simulator knows, except those that dial, hang up or switch off. */
  it.each([
    ['ATE0V1Q0X4'],
    ['ATZ'],
    ['AT&F;E0'],
    ['AT&W'],
    ['ATI', 'SIM800 R14.18'],
    ['AT+CGMI', 'SIMCOM_Ltd'],
    ['AT+GMI', 'SIMCOM_Ltd'],
    ['AT+CGMM', 'SIMCOM_SIM800L'],
    ['AT+GMM', 'SIMCOM_SIM800L'],
    ['AT+CGMR', 'Revision:1418B04SIM800L24'],
    ['AT+GMR', 'Revision:1418B04SIM800L24'],
    ['AT+GSV', 'SIMCOM_Ltd', 'SIMCOM_SIM800L', 'Revision:1418B04SIM800L24'],
    ['AT+GSN', '869988030000018'],
    ['AT+CGSN', '869988030000018'],
    ['AT+GCAP', '+GCAP: +CGSM'],
    ['AT+CFUN?', '+CFUN: 1'],
    ['AT+CPIN?', '+CPIN: READY'],
    ['AT+SPIC', '+SPIC: 3,3,10,10'],
    ['AT+CCALR?', '+CCALR: 1'],
    ['AT+CREG?', '+CREG: 0,1'],
    ['AT+CGREG?', '+CGREG: 0,1'],
    ['AT+CGATT?', '+CGATT: 1'],
    ['AT+COPS?', '+COPS: 0,0,"CALLGATE TEST"'],
    ['AT+CSQ', '+CSQ: 20,0'],
    ['AT+CBC', '+CBC: 0,95,4123'],
    ['AT+CPAS', '+CPAS: 0'],
    ['AT+CCID', '8940011708123456789f'],
    ['AT+CIMI', '226991234567890'],
    ['AT+CNUM', '+CNUM: "","+40711111111",145,7,4'],
    ['AT+CLCC=?', '+CLCC: (0,1)'],
    ['AT+CLCC?', '+CLCC: 0'],
    ['AT+CLCC=1'],
    ['AT+CLCC'],
    ['AT+MORING=1'],
    ['AT+COLP=0'],
    ['AT+CLIP?', '+CLIP: 0,1'],
    ['AT+CLIR?', '+CLIR: 0,4'],
    ['AT+CRC=1'],
    ['AT+CMEE=2'],
    ['AT+CEER', '+CEER: No cause information available'],
    ['AT+CSSN=1,0'],
    ['AT+CDRIND=1'],
    ['AT+GSMBUSY=1'],
    ['AT+IPR?', '+IPR: 0'],
    ['AT+IFC=0,0'],
    ['AT+CSCLK=0'],
    ['AT+CIURC=1'],
    ['AT+CSCS?', '+CSCS: "IRA"'],
    ['AT+CMGF=1'],
    ['AT+CNMI=2,1'],
    ['AT+CSCA?', '+CSCA: "+40744946000",145'],
    ['AT+CPMS?', '+CPMS: "SM",0,30,"SM",0,30,"SM",0,30'],
    ['AT+CLTS=1'],
    ['AT+CMTE=1'],
    ['AT+VTS=?', '+VTS: (0-9,*,#,A-D)'],
    ['AT+DDET=1'],
    ['AT+CHLD=?', '+CHLD: (0,1,1x,2,2x,3)'],
  ])('answers %s', async (line, ...lines) => {
    const terminal = await openTerminal({}, ['ATE0'])
    expect(await terminal.say(line)).toEqual([...lines, 'OK'])
  })

  it('answers ERROR to anything else', async () => {
    const terminal = await openTerminal({}, ['ATE0'])
    for (const line of ['AT+NONSENSE', 'AT+QCCID', 'AT^DSCI=1', 'AT+CVHU=0', 'ATA1B2C3?', 'AT!', 'AT+CSQ=1'])
      expect((await terminal.say(line)).at(-1)).toMatch(/^(ERROR|NO CARRIER)$/)
  })

  it('leaves the network with AT+COPS=2, comes back with =0, and names it as =3 sets', async () => {
    const terminal = await openTerminal({}, ['ATE0'])
    expect(await terminal.say('AT+COPS=3,2;+COPS?')).toEqual(['+COPS: 0,2,"22699"', 'OK'])
    await terminal.say('AT+COPS=2')
    expect(await terminal.say('AT+COPS?;+CREG?')).toEqual(['+COPS: 2', '+CREG: 0,0', 'OK'])
    await terminal.say('AT+COPS=0', 500)
    expect(await terminal.say('AT+CREG?')).toEqual(['+CREG: 0,1', 'OK'])
  })

  it('accepts ATDT, and refuses the phone book', async () => {
    const terminal = await openTerminal({ gates })
    expect(await terminal.say(`atdt${number};`, 500)).toContain('MO CONNECTED')
    expect(await terminal.say('AT+VTS="1"')).toEqual(['OK'])
    await terminal.say('AT+HVOIC', 100)
    expect(await terminal.say('ATD>1;')).toEqual(['+CME ERROR: 22'])
    expect(terminal.simulator.state()).toMatchObject({
      calls: [{ outcome: 'hung_up' }, { outcome: 'refused', why: 'cme_22' }],
      violationLog: [{ violation: 'bad_dial_string' }],
    })
  })

  it('hangs up by ATH, AT+CHUP, AT+HVOIC and AT+CHLD=11', async () => {
    for (const line of ['ATH', 'AT+CHUP', 'AT+HVOIC', 'AT+CHLD=11']) {
      const terminal = await openTerminal({ gates })
      await terminal.say(`ATD${number};`, 500)
      expect(await terminal.say(line, 100)).toContain('OK')
      expect(terminal.simulator.state().calls).toMatchObject([{ outcome: 'hung_up' }])
    }
  })

  it('ends the held call by AT+CHLD=0, the active one by =1, and one by its number by =1x', async () => {
    const states = async (line: string) => {
      const terminal = await openTerminal({ preset: 'answer_hold' })
      await terminal.say(`ATD${number};`, 500)
      await terminal.say('ATD+40722000002;', 500)
      await terminal.say(line, 100)
      const listed = await terminal.say('AT+CLCC')
      return listed.slice(0, -1).map(text => text.slice(7, 12))
    }
    expect(await states('AT+CHLD=0')).toEqual(['2,0,0'])
    expect(await states('AT+CHLD=1')).toEqual(['1,0,1'])
    expect(await states('AT+CHLD=11')).toEqual(['2,0,0'])
    expect(await states('AT+CHLD=3')).toEqual(['1,0,1', '2,0,0'])
  })

  it('reports NORMAL POWER DOWN, then nothing', async () => {
    const terminal = await openTerminal()
    expect(await terminal.say('AT+CPOWD=1', 500)).toEqual(['NORMAL POWER DOWN'])
    expect(await terminal.say('AT', 500)).toEqual([])
  })

  it('does not notice a client that left in mid-line: it spoils the next one’s first command, and no more', async () => {
    const terminal = await openTerminal()
    terminal.type('AT+CS')
    await terminal.world.advance(10)
    const next = terminal.simulator.connect()
    let text = ''
    next?.onBytes(bytes => {
      text += Buffer.from(bytes).toString('latin1')
    })
    for (const line of ['AT\r', 'AT\r']) {
      next?.write(Buffer.from(line))
      await terminal.world.advance(20)
    }
    expect(text).toBe('\r\n+CME ERROR: 100\r\n\r\nOK\r\n')
  })
})
