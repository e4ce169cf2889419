// Calls, against a scripted modem in fake time.

import { fakeWorld } from '@callgate/world/fake'
import { describe, expect, it } from 'vitest'
import {
  clcc,
  dialling,
  phoneNumber,
  learnedProfile as profile,
  readyModem,
  ringing,
  type Script,
} from './scriptedModem.kit.ts'

describe('a call', () => {
  it('is completed as likely, with masked evidence, where the gate rejects', async () => {
    const { far, modem, dial, phases, sinceDial } = await readyModem(fakeWorld())
    far.script = [...ringing, [8_000, 'BUSY'], [8_100, clcc(6)]]
    const result = await dial()
    expect(result).toMatchObject({
      dialled: true,
      verdict: {
        status: 'completed',
        reason: 'rejected_after_ring',
        confidence: 'likely',
        opened: 'likely',
        safeToRetry: false,
        cause: 17,
        endToken: 'BUSY',
        setupMs: 5_000,
        ringMs: 3_000,
        talkMs: null,
      },
    })
    expect(phases).toEqual(['ringing'])
    expect(JSON.stringify(result)).not.toContain('721000456')
    // Between ATD and its OK nothing is written. Then the calls are listed, and the cause is asked last.
    expect(new Set(sinceDial())).toEqual(new Set(['AT+CLCC', 'AT+CBC', 'AT+CEER']))
    expect(modem.status().state).toBe('ready')
  })

  it('dials exactly the number, with what the profile says of the caller number', async () => {
    const { far, dial, written } = await readyModem(fakeWorld())
    far.script = [...ringing, [8_000, 'BUSY']]
    await dial({ callerId: 'show_forced' })
    expect(written.filter(text => text.startsWith('ATD'))).toEqual([`ATD${phoneNumber}i;`])
  })

  it('that the gate answers and drops', async () => {
    const { far, verdict, phases } = await readyModem(fakeWorld())
    far.replies.set('AT+CEER', '+CEER: Cause:16|OK')
    const answered: Script = [
      [6_500, `${clcc(0)}|MO CONNECTED`],
      [8_500, `NO CARRIER|${clcc(6)}`],
    ]
    far.script = [...ringing, ...answered]
    const release = await verdict({ mode: 'answer_release' })
    expect(release).toMatchObject({
      status: 'completed',
      reason: 'answered_released',
      confidence: 'likely',
      ringMs: 1_500,
      talkMs: 2_000,
    })
    expect(phases).toEqual(['ringing', 'answered'])
    far.script = [...ringing, ...answered]
    expect(await verdict()).toMatchObject({ reason: 'answered_unexpectedly', opened: 'unknown' })
  })

  it('to a busy number is safe to try again', async () => {
    const { far, verdict } = await readyModem(fakeWorld())
    far.script = [...dialling, [2_000, `BUSY|${clcc(6)}`]]
    expect(await verdict()).toMatchObject({ reason: 'busy', opened: 'no', safeToRetry: true, ringMs: null })
  })

  it('that rings out is hung up once, after the time of the profile', async () => {
    const { far, verdict, sinceDial } = await readyModem(fakeWorld())
    far.script = ringing
    expect(await verdict({ learned: false })).toMatchObject({
      status: 'timeout',
      reason: 'no_reaction',
      confidence: 'assumed',
      ringMs: 30_000,
    })
    expect(sinceDial().filter(text => text === 'ATH')).toHaveLength(1)
  })

  it('that never rings ends 25 s after the OK', async () => {
    const { far, verdict } = await readyModem(fakeWorld())
    far.script = dialling
    expect(await verdict()).toMatchObject({ status: 'timeout', reason: 'no_ringing', opened: 'no' })
  })

  it('ends with two empty lists where every other sign of its end is lost', async () => {
    const { world, far, verdict } = await readyModem(fakeWorld())
    far.script = ringing
    world.after(7_500, () => {
      far.listed = ''
    })
    expect(await verdict()).toMatchObject({
      reason: 'rejected_after_ring',
      confidence: 'assumed',
      endToken: null,
    })
  })

  it('whose ATD stays unanswered ends by ATH and a reset before the verdict', async () => {
    const { far, modem, verdict, sinceDial } = await readyModem(fakeWorld())
    far.script = []
    expect(await verdict()).toMatchObject({
      reason: 'dial_no_response',
      opened: 'unknown',
      safeToRetry: false,
    })
    const after = sinceDial()
    expect(after[0]).toBe('ATH')
    expect(after.indexOf('AT+CFUN=1,1')).toBeGreaterThan(0)
    expect(after.lastIndexOf('AT+CLCC')).toBeGreaterThan(after.indexOf('AT+CFUN=1,1'))
    expect(modem.status().state).not.toBe('calling')
  })

  it('on a modem that hangs gets its verdict 80 s after ATD, and no other call follows', async () => {
    const { world, far, modem, verdict } = await readyModem(fakeWorld())
    far.script = []
    const begunMs = world.monotonicMs()
    for (const command of ['AT', 'ATH', 'AT+CFUN=1,1']) far.replies.set(command, null)
    expect(await verdict()).toMatchObject({ reason: 'dial_no_response' })
    expect(world.monotonicMs() - begunMs).toBeLessThanOrEqual(80_100)
    expect(await modem.reserve()).toMatchObject({ ok: false })
  })

  it('that the modem refuses counts as not dialled', async () => {
    const { far, verdict } = await readyModem(fakeWorld())
    far.script = [[100, '+CME ERROR: SIM not inserted']]
    expect(await verdict()).toMatchObject({ reason: 'sim_error', opened: 'no', confidence: 'certain' })
    far.script = [[100, 'NO DIALTONE']]
    expect(await verdict()).toMatchObject({ reason: 'no_network', safeToRetry: true })
  })

  it('that is stale or to an invalid number writes no byte', async () => {
    const { modem, dial, written } = await readyModem(fakeWorld())
    const before = written.length
    expect(await dial({}, () => false)).toEqual({ dialled: false, why: 'stale' })
    for (const bad of ['112', '+112000000', '+40721000456;', '+4072100045٦', '+40721\r000456']) {
      expect(await modem.reserve()).toEqual({ ok: true })
      const request = { phoneNumber: bad, profile, mayDial: () => true, onProgress: () => {} }
      expect(await modem.dial(request)).toEqual({ dialled: false, why: 'bad_number' })
    }
    expect(written).toHaveLength(before)
  })

  it('is not placed on a modem that has stopped since its reservation, so no ATD stays in its port', async () => {
    const { world, far, modem, reserve, dialReserved, written } = await readyModem(fakeWorld())
    await reserve()
    far.line.holds = true
    await world.advance(2_500)
    expect(await dialReserved()).toEqual({ dialled: false, why: 'not_ready' })
    far.line.holds = false
    await world.advance(60_000)
    expect(written.filter(text => text.startsWith('ATD'))).toEqual([])
    expect(modem.status().state).toBe('ready')
    await reserve()
    await world.advance(2_500)
    far.script = [...ringing, [8_000, `BUSY|${clcc(6)}`]]
    expect(await dialReserved()).toMatchObject({ dialled: true, verdict: { reason: 'rejected_after_ring' } })
    expect(written[written.findIndex(text => text.startsWith('ATD')) - 1]).toBe('AT')
  })

  it.each([0, 7])(
    'is unknown after a write of %i bytes of its ATD, and the modem is flushed and restarted',
    async taken => {
      const { far, modem, verdict, written } = await readyModem(fakeWorld())
      far.line.takes = taken
      const before = written.length
      expect(await verdict()).toMatchObject({
        reason: 'outcome_unknown',
        opened: 'unknown',
        safeToRetry: false,
      })
      expect(far.line.flushes).toBe(1)
      // The line in the modem's buffer is made too long to be executed.
      expect(written[before]?.length).toBeGreaterThan(556)
      expect(written[before + 1]).toBe('AT+CFUN=1,1')
      expect(modem.status().state).toBe('ready')
    },
  )

  it('whose port disappears', async () => {
    const { world, far, modem, verdict } = await readyModem(fakeWorld())
    far.script = ringing
    world.after(6_000, () => far.line.unplug())
    expect(await verdict()).toMatchObject({ reason: 'modem_lost_after_ring', opened: 'unknown' })
    expect(modem.status().state).toBe('lost')
    await world.until(() => modem.status().state === 'ready')
  })

  it('is unknown where the modem restarts', async () => {
    const { world, far, modem, verdict } = await readyModem(fakeWorld())
    far.script = [...dialling, [2_000, 'RDY']]
    expect(await verdict()).toMatchObject({ reason: 'modem_lost', opened: 'unknown', safeToRetry: false })
    expect(await modem.reserve()).toMatchObject({ ok: false })
    await world.until(() => modem.status().state === 'ready')
  })

  it('that ends before its late OK: a hang-up is the first byte, and the OK ends no other command', async () => {
    const { far, verdict, sinceDial } = await readyModem(fakeWorld())
    far.script = [...ringing.slice(1), [8_000, `BUSY|${clcc(6)}`], [8_815, 'OK']]
    expect(await verdict()).toMatchObject({ reason: 'rejected_after_ring', ringMs: 3_000 })
    expect(sinceDial().slice(0, 3)).toEqual(['ATH', 'AT+CSQ', 'AT+CLCC'])
  })

  it('that a clean stop cancels is hung up before the port closes', async () => {
    const { world, far, modem, dial, written } = await readyModem(fakeWorld())
    far.script = ringing
    let isClosed = false
    world.after(7_000, () => void modem.close().then(() => (isClosed = true)))
    expect(await dial()).toMatchObject({ verdict: { reason: 'cancelled', opened: 'unknown' } })
    await world.until(() => isClosed)
    expect(written.at(-2)).toBe('ATH')
  })

  it('right after another one is not ended by a late sign of that one', async () => {
    const world = fakeWorld()
    let onHangUp = () => {}
    const { far, verdict } = await readyModem(world, {
      trace: (_, text) => text === 'ATH' && onHangUp(),
    })
    onHangUp = () => void world.after(900, () => far.line.say(`\r\n${clcc(6)}\r\n\r\nNO CARRIER\r\n`))
    far.script = ringing
    expect(await verdict({ maxRingMs: 5_000 })).toMatchObject({ reason: 'no_reaction' })
    far.script = [...ringing, [8_000, `BUSY|${clcc(6)}`]]
    expect(await verdict()).toMatchObject({ reason: 'rejected_after_ring', ringMs: 3_000 })
    // Both signs of that end came, so the next call need not wait; its OK separates it from later signs.
    const overMs = world.monotonicMs()
    far.script = [[50, '+CDRIND: 0'], ...ringing, [8_000, `BUSY|${clcc(6)}`]]
    expect(await verdict()).toMatchObject({ reason: 'rejected_after_ring', ringMs: 3_000 })
    expect(world.monotonicMs() - overMs).toBeLessThan(8_500)
  })

  it.each([
    [100, 'NO CARRIER'],
    [100, `${clcc(6)}|BUSY`],
    [500, 'NO CARRIER'],
    [2_000, `BUSY|${clcc(6)}`],
    [6_000, '+CDRIND: 0|NO CARRIER'],
  ])('is not ended by a sign of another call %i ms into it: %s', async (atMs, stray) => {
    const { world, far, verdict, sinceDial } = await readyModem(fakeWorld())
    far.script = [...ringing, [8_000, `BUSY|${clcc(6)}`]]
    const sign = `\r\n${stray.replace('|', '\r\n\r\n')}\r\n`
    world.after(atMs, () => far.line.say(sign))
    expect(await verdict()).toMatchObject({ reason: 'rejected_after_ring', ringMs: 3_000, endToken: 'BUSY' })
    expect(sinceDial()).not.toContain('ATH')
  })

  it('that goes on during a slow hang-up is not judged by the sign that caused the hang-up', async () => {
    const { far, verdict } = await readyModem(fakeWorld())
    far.replies.set('ATH', null)
    far.script = [
      [60, 'NO CARRIER'],
      [2_000, clcc(2)],
      [7_000, `BUSY|${clcc(6)}`],
      [7_500, 'OK'],
    ]
    const said = await verdict({ learned: false })
    expect(said).toMatchObject({ reason: 'dial_no_response', opened: 'unknown', safeToRetry: false })
  })

  it('rings where that is reported inside the list that shows it dialling', async () => {
    const { world, far, verdict, phases } = await readyModem(fakeWorld(), {}, { 'AT+CGMM': 'SIM7600E|OK' })
    world.after(4_000, () => far.replies.set('AT+CLCC', `${clcc(2)}|${clcc(3)}|OK`))
    world.after(5_000, () => far.replies.delete('AT+CLCC'))
    far.script = [...dialling, [6_000, `BUSY|${clcc(6)}`]]
    expect([(await verdict()).reason, phases]).toEqual(['rejected_after_ring', ['ringing']])
  })

  it.each(['SIM800L', 'SIM7600E', 'A7672E', 'EC25'])(
    'whose OK is still to come is ended by ATH on a %s',
    async model => {
      const { far, verdict, sinceDial } = await readyModem(fakeWorld(), {}, { 'AT+CGMM': `${model}|OK` })
      far.script = [
        [300, clcc(2)],
        [7_000, 'BUSY'],
      ]
      await verdict()
      expect(sinceDial()[0]).toBe('ATH')
      expect(sinceDial()).not.toContain('AT+CHUP')
    },
  )

  it('keeps its verdict where echo comes back and a result code comes inside a reply', async () => {
    const { far, verdict } = await readyModem(fakeWorld())
    far.script = [[150, `ATD${phoneNumber};|OK`], ...ringing.slice(1), [6_005, `${clcc(3)}|BUSY|${clcc(6)}`]]
    expect(await verdict()).toMatchObject({ reason: 'rejected_after_ring' })
  })
})
