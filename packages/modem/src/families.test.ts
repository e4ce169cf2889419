// The differences between the families of modems, and an unknown modem; scripted modems in fake time.

import { fakeWorld } from '@callgate/world/fake'
import { describe, expect, it } from 'vitest'
import type { OpenLine } from './byteLine.ts'
import { createModem } from './modem.ts'
import {
  clcc,
  dialling,
  phoneNumber,
  learnedProfile as profile,
  readyModem,
  ringing,
  scriptedModem,
  startedModem,
} from './scriptedModem.kit.ts'

/** The identity of a modem as published sessions show it (docs/families.md), and the SIM800 commands that it refuses. */
const sim7600 = {
  'AT+CGMM': 'SIMCOM_SIM7600G-H|OK',
  'AT+CGMR': '+CGMR: LE20B04SIM7600G22|OK',
  'AT+CBC': '+CBC: 3.978V|OK',
  'AT+CEER': '+CEER: Normal call clearing|OK',
  'AT+MORING=1': 'ERROR',
  'AT+CCALR?': 'ERROR',
  'AT+CEER=1': 'ERROR',
  'AT+GSMBUSY=1': 'ERROR',
}
const eg25 = {
  'AT+CGMM': 'EG25-G|OK',
  'AT+CGMR': 'EG25GGBR07A08M2G|OK',
  'AT+CEER': '+CEER: 0,-1|OK',
  'AT+CLCC=1': 'ERROR',
  'AT+CCALR?': 'ERROR',
  'AT+CSCLK=0': 'ERROR',
}
const strange = { 'AT+CGMM': 'L850-GL|OK', 'AT+CGMR': '18500.5001.00|OK', 'AT+CCALR?': 'ERROR' }

describe('start-up of a family', () => {
  it('SIM7600: identity, voltage in volts, and ATH that ends a call', async () => {
    const { world, modem, written } = await readyModem(fakeWorld(), {}, sim7600)
    await world.advance(10_000)
    expect(modem.status()).toMatchObject({
      model: 'SIM7600G-H',
      firmware: 'LE20B04SIM7600G22',
      voltageMv: 3_978,
      lacks: [],
    })
    expect(written).toContain('AT+CVHU=0')
    expect(written).not.toContain('AT+MORING=1')
  })

  it('EG25: reports of calls and no sleep by Quectel’s commands', async () => {
    const { modem, written } = await readyModem(fakeWorld(), {}, eg25)
    expect(modem.status()).toMatchObject({ model: 'EG25-G', firmware: 'EG25GGBR07A08M2G', lacks: [] })
    expect(written).toEqual(
      expect.arrayContaining(['AT+QSCLK=0', 'AT+QINDCFG="ccinfo",1,0', 'AT^DSCI=1', 'AT+CVHU=0']),
    )
    expect(written).not.toContain('AT+CSCLK=0')
  })

  it('EG25: the PIN only where AT+QPINC says that tries are left', async () => {
    const wants = { ...eg25, 'AT+CPIN?': '+CPIN: SIM PIN|OK', 'AT+QPINC="SC"': '+QPINC: "SC",1,10|OK' }
    const world = fakeWorld(1)
    const { modem, written } = startedModem(world, { pin: '4321' }, wants)
    await world.advance(60_000)
    expect(modem.status().trouble).toBe('pin_tries')
    expect(written.join()).not.toContain('AT+CPIN="4321"')
  })
})

describe('an unknown modem', () => {
  it('works by the standard’s commands, and reports what it lacks', async () => {
    const refused = ['AT+CLCC=1', 'AT+CEER', 'AT+CLIP=1', 'AT+CLIR?', 'AT+CNMI=2,1']
    const changed = { ...strange, ...Object.fromEntries(refused.map(text => [text, 'ERROR'])) }
    const { far, modem, verdict } = await readyModem(fakeWorld(), {}, changed)
    expect(modem.status()).toMatchObject({
      model: 'L850-GL',
      firmware: '18500.5001.00',
      trouble: null,
      lacks: ['call_reports', 'callers', 'messages', 'call_causes', 'caller_id'],
    })
    const said = (state: number) => clcc(state).replace(',""', '')
    far.script = [
      [200, 'OK'],
      [300, `(listed) ${said(2)}`],
      [5_000, `(listed) ${said(3)}`],
      [8_000, '(listed) '],
      [8_000, 'BUSY'],
    ]
    expect(await verdict()).toMatchObject({ reason: 'rejected_after_ring', confidence: 'assumed' })
  })

  it.each([
    ['AT+CLCC', 'call_list_missing'],
    ['AT+CREG=2', 'registration_missing'],
  ])('is not used without %s', async (command, trouble) => {
    const world = fakeWorld(1)
    const { far, modem, written } = startedModem(world, {}, { ...strange, [command]: 'ERROR' })
    await world.advance(200_000)
    expect(modem.status()).toMatchObject({ state: 'starting', trouble, model: 'L850-GL' })
    expect(await modem.reserve()).toEqual({ ok: false, reason: 'modem_not_ready' })
    // It is asked again in case it was replaced, and never restarted because of this.
    expect(written).not.toContain('AT+CFUN=1,1')
    far.replies.delete(command)
    await world.until(() => modem.status().state === 'ready', 120_000)
    expect(modem.status().trouble).toBeNull()
  })
})

describe('a modem that is registered for LTE alone', () => {
  const lte = { ...sim7600, 'AT+CREG?': '+CREG: 2,0|OK', 'AT+CEREG?': '+CEREG: 0,1|OK' }

  it('reports that it has data and no calls', async () => {
    const world = fakeWorld(1)
    const { modem, written } = startedModem(world, {}, { ...lte, 'AT+CIREG?': 'ERROR' })
    await world.advance(30_000)
    expect(modem.status()).toMatchObject({ state: 'no_network', trouble: 'data_only' })
    expect(await modem.reserve()).toEqual({ ok: false, reason: 'no_network' })
    expect(written.join()).not.toContain('ATD')
  })

  it('calls over LTE where the network’s IMS takes it', async () => {
    const { world, far, modem, verdict } = await readyModem(
      fakeWorld(),
      {},
      { ...lte, 'AT+CIREG?': '+CIREG: 2,1,15|OK' },
    )
    expect(modem.status()).toMatchObject({ registration: 'home', trouble: null })
    far.script = [...ringing, [8_000, `BUSY|${clcc(6)}`]]
    expect(await verdict()).toMatchObject({ status: 'completed' })
    far.replies.set('AT+CIREG?', '+CIREG: 2,0,0|OK')
    await world.until(() => modem.status().trouble === 'data_only', 60_000)
    far.replies.set('AT+CREG?', '+CREG: 2,5|OK')
    await world.until(() => modem.status().state === 'ready', 60_000)
    expect(modem.status()).toMatchObject({ registration: 'roaming', trouble: null })
  })

  it('has no network where LTE is missing too', async () => {
    const world = fakeWorld(1)
    const { modem } = startedModem(world, {}, { ...lte, 'AT+CEREG?': '+CEREG: 0,2|OK' })
    await world.advance(30_000)
    expect(modem.status()).toMatchObject({ state: 'no_network', trouble: null })
  })

  it('is not asked for where the modem knows no LTE', async () => {
    const world = fakeWorld(1)
    const { written } = startedModem(world, {}, { 'AT+CREG?': '+CREG: 2,2|OK' })
    await world.advance(30_000)
    expect(written.join()).not.toContain('CEREG')
  })
})

it('waits for the USB port of a module that restarts, and runs no hook meanwhile', async () => {
  const world = fakeWorld(1)
  const far = scriptedModem(world)
  for (const [command, reply] of Object.entries(sim7600)) far.replies.set(command, reply)
  let isThere = true
  const openLine: OpenLine = async attempt =>
    isThere ? far.line.openLine(attempt) : { ok: false, code: 'port_missing', message: 'no port' }
  const hooks: string[] = []
  const runHook = async (hook: string) => {
    hooks.push(hook)
    return true
  }
  const modem = createModem({ world, openLine, hooks: ['pwrkey'], runHook })
  modem.start()
  await world.until(() => modem.status().state === 'ready', 30_000)
  // No answer to ATD: the module is restarted after the call, and its port is away for 15 s.
  far.script = []
  let isOver = false
  void modem.reserve().then(async () => {
    await modem.dial({ phoneNumber, profile, mayDial: () => true, onProgress: () => {} })
    isOver = true
  })
  await world.until(() => far.line.written.includes('AT+CFUN=1,1'), 120_000)
  isThere = false
  far.line.unplug()
  await world.advance(15_000)
  isThere = true
  await world.until(() => modem.status().state === 'ready' && isOver, 60_000)
  expect(hooks).toEqual([])
  await modem.close()
})

it.each(['SIMCOM_SIM7600E-H', 'A7670E-FASE', 'EC25', 'L850-GL'])(
  '%s: a line between the echo of a command and its answer affects neither',
  async model => {
    const said = (lines: string) => `+CGEV: NW ACT 8,10|+QIND: "csq",20,99|${lines}`
    const { far, modem, verdict } = await readyModem(
      fakeWorld(),
      {},
      {
        'AT+CGMM': said(`${model}|OK`),
        'AT+CREG?': said('+CREG: 2,1,"5504","7E2B3A7",7|OK'),
        'AT+CSQ': said('+CSQ: 20,99|OK'),
      },
    )
    expect(modem.status()).toMatchObject({ model: model.replace('SIMCOM_', ''), registration: 'home' })
    far.script = [...dialling, [5_000, clcc(3)], [8_000, `BUSY|+CGEV: NW DEACT 8|${clcc(6)}`]]
    expect(await verdict()).toMatchObject({ reason: 'rejected_after_ring' })
  },
)
