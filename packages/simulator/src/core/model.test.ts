import { describe, expect, it } from 'vitest'
import { openTerminal } from '../terminal.kit.ts'
import { type ModelName, modelNames, models } from './model.ts'

const number = '+40722000001'
const call = (state: number, index = 1) => `+CLCC: ${index},0,${state},0,0,"${number}",145,""`

async function open(model: ModelName, farEnd: 'answer_hold' | 'reject_busy' | 'answer_release_2s') {
  const lines = model === 'ec25' ? ['ATE0'] : ['ATE0', 'AT+CLCC=1']
  const gates = [{ phoneNumber: number, farEnd }]
  const terminal = await openTerminal({ model, network: 'normal', gates }, lines)
  await terminal.world.advance(100)
  terminal.heard()
  return terminal
}

describe('models of modems', () => {
  it.each(modelNames)('%s gives its identity', async model => {
    const { manufacturer, name, revision } = models[model]
    const terminal = await openTerminal({ model }, ['ATE0'])
    expect(await terminal.say('AT+CGMI;+CGMM;+CGMR')).toEqual([manufacturer, name, revision, 'OK'])
    expect((await terminal.say('ATI')).length).toBeGreaterThan(1)
    expect(terminal.simulator.state().model).toBe(model)
  })

  it.each([
    ['sim800', 'AT+CCID', '8940011708123456789f', 'AT+CICCID'],
    ['sim7600', 'AT+CICCID', '+ICCID: 8940011708123456789f', 'AT+MORING=1'],
    ['a7672', 'AT+CICCID', '+ICCID: 8940011708123456789f', 'AT+CCALR?'],
    ['ec25', 'AT+QCCID', '+QCCID: 8940011708123456789f', 'AT+CLCC=1'],
  ] as const)('%s knows %s and not %s', async (model, known, answer, unknown) => {
    const terminal = await openTerminal({ model }, ['ATE0'])
    expect(await terminal.say(known)).toEqual([answer, 'OK'])
    expect((await terminal.say(unknown)).at(-1)).toMatch(/^(ERROR|\+CME ERROR: unknown)$/)
  })

  it('A7672: the trace of an answered call, and of one hung up while ringing', async () => {
    const terminal = await open('a7672', 'answer_release_2s')
    const heard = await terminal.say(`ATD${number};`, 30_000)
    expect(heard.slice(0, 7)).toEqual([
      'OK',
      '+CGEV: NW ACT 8,10',
      call(2),
      call(3),
      'VOICE CALL: BEGIN',
      call(0),
      `+COLP: "${number}",145,"",0`,
    ])
    expect(heard.slice(7).sort()).toEqual([call(6), 'NO CARRIER', 'VOICE CALL:END: 000002'].sort())
    const ringing = await open('a7672', 'reject_busy')
    const rang = [...(await ringing.say(`ATD${number};`, 1))]
    for (let turn = 0; turn < 200 && !rang.includes(call(3)); turn++) {
      await ringing.world.advance(50)
      rang.push(...ringing.heard())
    }
    expect((await ringing.say('AT+CHUP', 3000)).toSorted()).toEqual(
      ['OK', call(6), 'VOICE CALL:END', 'NO CARRIER'].sort(),
    )
  })

  it('SIM7600: ATH ends a voice call only after AT+CVHU=0', async () => {
    const terminal = await open('sim7600', 'answer_hold')
    expect(await terminal.say(`ATD${number};`, 15_000)).toContain('VOICE CALL: BEGIN')
    await terminal.say('ATH', 3000)
    expect(terminal.simulator.state().modem.calling).toBe(true)
    await terminal.say('AT+CVHU=0', 100)
    expect((await terminal.say('ATH', 3000)).join()).toContain('VOICE CALL: END: 0000')
    expect(terminal.simulator.state().modem.calling).toBe(false)
  })

  it('EC25: reports calls by +QIND and ^DSCI, and lists its data context', async () => {
    const terminal = await open('ec25', 'answer_hold')
    await terminal.say('AT+QINDCFG="ccinfo",1,0', 50)
    await terminal.say('AT^DSCI=1', 50)
    const info = (state: number) => `+QIND: "ccinfo",2,0,${state},0,0,"${number}",145`
    const dsci = (state: number) => `^DSCI: 2,0,${state},0,${number},145`
    expect(await terminal.say(`ATD${number};`, 15_000)).toEqual([
      'OK',
      ...[info(2), dsci(2), info(3), dsci(7), info(0), dsci(3)],
    ])
    expect(await terminal.say('AT+CLCC', 50)).toEqual(['+CLCC: 1,0,0,1,0,"",128', call(0, 2), 'OK'])
    expect((await terminal.say('AT+CHUP', 3000)).toSorted()).toEqual(
      ['OK', info(-1), dsci(6), 'NO CARRIER'].sort(),
    )
  })

  it('AT+CFUN=1,1 takes the port away on USB, and leaves that of a SIM800', async () => {
    const gone: string[] = []
    for (const model of ['sim800', 'sim7600', 'a7672', 'ec25'] as const) {
      const terminal = await openTerminal({ model }, ['ATE0'])
      terminal.line.onClose(() => gone.push(model))
      await terminal.say('AT+CFUN=1,1', 1000)
      let text = ''
      const line = model === 'sim800' ? terminal.line : terminal.simulator.connect()
      line?.onBytes(bytes => {
        text += Buffer.from(bytes).toString('latin1')
      })
      line?.write(Buffer.from('ATE0\r'))
      await terminal.world.advance(100)
      expect(text).toContain('OK')
    }
    expect(gone).toEqual(['sim7600', 'a7672', 'ec25'])
  })

  it.each([
    ['sim800', '+CBC: 0,95,4123', '+CEER: No cause information available'],
    ['sim7600', '+CBC: 4.123V', '+CEER: No cause information available'],
    ['a7670', '+CBC: 4.123V', '+CEER: "0 Unknown"'],
    ['eg25', '+CBC: 0,95,4123', '+CEER: 0,-1'],
  ] as const)('%s reports its voltage and a cause in its own way', async (model, voltage, cause) => {
    const terminal = await openTerminal({ model }, ['ATE0'])
    expect(await terminal.say('AT+CBC')).toEqual([voltage, 'OK'])
    expect(await terminal.say('AT+CEER')).toEqual([cause, 'OK'])
  })

  it.each([
    ['sim7600', 'NO CARRIER'],
    ['ec25', 'ERROR'],
    ['sim800', 'NO DIALTONE'],
  ] as const)('%s without calls on LTE: ATD fails at once with %s', async (model, result) => {
    const terminal = await openTerminal({ model, faults: ['volte_missing'] }, ['ATE0'])
    expect(await terminal.say('AT+CREG?')).toEqual(['+CREG: 0,0', 'OK'])
    if (model !== 'sim800') expect(await terminal.say('AT+CEREG?')).toEqual(['+CEREG: 0,1', 'OK'])
    expect(await terminal.say(`ATD${number};`)).toEqual([result])
    expect(terminal.simulator.state().calls[0]).toMatchObject({ relayFired: false })
  })

  it('calls over LTE alone where AT+CIREG? says so', async () => {
    const gates = [{ phoneNumber: number, farEnd: 'reject_busy' } as const]
    const terminal = await openTerminal({ model: 'a7680', faults: ['volte_alone'], gates }, ['ATE0'])
    expect(await terminal.say('AT+CIREG?')).toEqual(['+CIREG: 0,1,5', 'OK'])
    expect(await terminal.say(`ATD${number};`, 60_000)).toContain('BUSY')
    expect(terminal.simulator.state().calls[0]).toMatchObject({ relayFired: true })
  })

  it('rings later where it falls back to 2G, and calls nobody if it is hung up before', async () => {
    const gates = [{ phoneNumber: number, farEnd: 'reject_busy' } as const]
    const options = { model: 'sim7600', network: 'normal', faults: ['csfb_slow'], gates } as const
    const terminal = await openTerminal(options, ['ATE0', 'AT+CLCC=1'])
    expect(await terminal.say(`ATD${number};`, 8_000)).not.toContain(call(3))
    expect((await terminal.say('AT+CHUP', 3_000)).join()).toContain('VOICE CALL: END')
    await terminal.world.advance(30_000)
    expect(terminal.simulator.state().calls[0]).toMatchObject({ relayFired: false })
    const rung = await terminal.say(`ATD${number};`, 30_000)
    expect(rung).toContain(call(3))
    expect(terminal.simulator.state().calls[1]).toMatchObject({ relayFired: true })
  })

  it.each([
    ['sim7600', 'AT+CPOF', 'NORMAL POWER DOWN'],
    ['eg95', 'AT+QPOWD', 'POWERED DOWN'],
  ] as const)('%s: %s answers, and switches it off', async (model, command, said) => {
    const terminal = await openTerminal({ model }, ['ATE0'])
    expect(await terminal.say(command)).toEqual(['OK', said])
    expect(terminal.simulator.state().modem.power).toBe('off')
  })

  it('an unknown modem reports no call, and one without a list shows none', async () => {
    const gates = [{ phoneNumber: number, farEnd: 'answer_hold' } as const]
    const terminal = await openTerminal({ model: 'standard', gates }, ['ATE0'])
    expect(await terminal.say('AT+CLCC=1')).toEqual(['ERROR'])
    expect(await terminal.say(`ATD${number};`, 2_000)).toEqual(['OK'])
    expect(await terminal.say('AT+CLCC')).toEqual([call(0), 'OK'])
    const listless = await openTerminal({ model: 'listless' }, ['ATE0'])
    expect((await listless.say('AT+CLCC'))[0]).toMatch(/ERROR/)
  })

  it('sends unsolicited lines between the echo of a command and its answer', async () => {
    const terminal = await openTerminal({ model: 'ec25', faults: ['urc_before_response'] }, ['ATE0'])
    const said = await terminal.say('AT+CSQ')
    expect(said).toEqual(['+CGEV: NW MODIFY 1,1', '+QIND: "csq",20,99', '+CSQ: 20,0', 'OK'])
  })
})
