// What the list of calls proves during a call, and what follows from an unanswered list; scripted modem, fake time.

import { fakeWorld } from '@callgate/world/fake'
import { describe, expect, it } from 'vitest'
import { clcc, dialling, readyModem, ringing } from './scriptedModem.kit.ts'

const hangUps = (written: readonly string[]) => written.filter(text => /^AT(?:H|\+CHUP)$/.test(text))
const rejects = [...ringing, [8_000, `BUSY|${clcc(6)}`]] as const
const listsNothing = { 'AT+CLCC': 'OK', 'AT+CPAS': '+CPAS: 0|OK' }

describe('A3: a modem that lists no calls', () => {
  it('does not end a call by an empty list; the driver hangs up before the line counts as free', async () => {
    const { far, verdict, sinceDial } = await readyModem(fakeWorld(), {}, listsNothing)
    far.script = rejects
    expect(await verdict()).toMatchObject({
      reason: 'rejected_after_ring',
      confidence: 'likely',
      ringMs: 3_000,
    })
    expect(hangUps(sinceDial())).toEqual(['ATH'])
    // The cause is asked first, because a hang-up may replace it by its own.
    expect(sinceDial().indexOf('AT+CEER')).toBeLessThan(sinceDial().indexOf('ATH'))
  })

  it('hangs up once where the gate only rings', async () => {
    const { far, verdict, sinceDial } = await readyModem(fakeWorld(), {}, listsNothing)
    far.script = ringing
    far.replies.set('ATH', `${clcc(6)}|OK`)
    expect(await verdict()).toMatchObject({ reason: 'no_reaction', opened: 'no', ringMs: 30_000 })
    expect(hangUps(sinceDial())).toEqual(['ATH'])
  })

  it('leaves the opening unknown where no sign of an end follows the hang-up', async () => {
    const { far, verdict } = await readyModem(fakeWorld(), {}, listsNothing)
    far.script = ringing
    expect(await verdict()).toMatchObject({ reason: 'no_reaction', opened: 'unknown' })
  })

  it('is still treated as one after an unsolicited line inside a list', async () => {
    const { world, far, verdict } = await readyModem(fakeWorld(), {}, listsNothing)
    far.script = dialling
    // The ringing is reported while a list is answered.
    world.after(4_000, () => far.replies.set('AT+CLCC', `${clcc(3)}|OK`))
    world.after(5_100, () => far.replies.set('AT+CLCC', 'OK'))
    expect(await verdict()).toMatchObject({ reason: 'no_reaction' })
  })

  it('hangs up again where the modem’s own state shows a call after ATH', async () => {
    let onChup = () => {}
    const trace = (_: string, text: string) => text === 'AT+CHUP' && onChup()
    const { far, verdict, sinceDial } = await readyModem(fakeWorld(), { trace }, listsNothing)
    onChup = () => void far.replies.set('AT+CPAS', '+CPAS: 0|OK')
    far.script = rejects
    far.replies.set('AT+CPAS', '+CPAS: 4|OK')
    await verdict()
    expect(hangUps(sinceDial())).toEqual(['ATH', 'AT+CHUP'])
  })

  it('does not know which of two calls has ended', async () => {
    const { far, verdict } = await readyModem(fakeWorld(), {}, listsNothing)
    far.script = [...ringing, [6_000, '+CLCC: 2,1,5,0,0,"+40721999999",145,""'], [6_900, 'NO CARRIER']]
    expect(await verdict()).toMatchObject({ reason: 'outcome_unknown', opened: 'unknown' })
  })

  it('may have restarted without a report', async () => {
    const { world, far, verdict } = await readyModem(fakeWorld(), {}, listsNothing)
    await world.advance(3_000)
    far.script = dialling
    world.after(2_000, () => far.replies.set('AT+CREG?', '+CREG: 0,1|OK'))
    expect(await verdict()).toMatchObject({ reason: 'modem_lost', opened: 'unknown' })
  })
})

it('P5: hangs up again where the modem did not answer a hang-up, although it lists no call any more', async () => {
  const { world, far, verdict, sinceDial } = await readyModem(fakeWorld())
  far.script = ringing
  far.replies.set('ATH', null)
  world.after(35_000, () => far.replies.set('AT+CLCC', 'OK'))
  await verdict()
  expect(hangUps(sinceDial())).toEqual(['ATH', 'AT+CHUP'])
})

describe('a list that stays unanswered', () => {
  /** The list asked for at 6.2 s is lost; the following ones are answered. */
  async function withOneLost(script: typeof ringing) {
    const { world, far, verdict, sinceDial } = await readyModem(fakeWorld())
    await world.advance(3_000)
    far.script = script
    world.after(6_000, () => far.replies.set('AT+CLCC', null))
    world.after(7_000, () => far.replies.delete('AT+CLCC'))
    const begunMs = world.monotonicMs()
    const said = await verdict()
    return { said, lastedMs: world.monotonicMs() - begunMs, written: sinceDial() }
  }

  it('A2: is asked for once more, and delays nothing', async () => {
    const { said, lastedMs, written } = await withOneLost([...ringing, [13_000, `BUSY|${clcc(6)}`]])
    expect(said).toMatchObject({ reason: 'rejected_after_ring', confidence: 'assumed', ringMs: 8_000 })
    expect(lastedMs).toBeLessThan(14_000)
    expect(written).not.toContain('AT+CFUN=1,1')
  })

  it('lowers the confidence where the call ends before the next list', async () => {
    const { said, lastedMs, written } = await withOneLost(rejects)
    expect(said).toMatchObject({ reason: 'rejected_after_ring', confidence: 'assumed', ringMs: 3_000 })
    // After BUSY the driver waits only for the rest of the 3 s of the lost list.
    expect(lastedMs).toBeLessThan(11_000)
    expect(written).not.toContain('AT+CFUN=1,1')
  })

  it('that is answered late answers no other command', async () => {
    const { world, far, verdict, sinceDial } = await readyModem(fakeWorld())
    await world.advance(3_000)
    far.script = [...ringing, [13_000, `BUSY|${clcc(6)}`]]
    world.after(6_000, () => far.replies.set('AT+CLCC', null))
    world.after(7_000, () => far.replies.delete('AT+CLCC'))
    world.after(9_205, () => far.line.say('\r\nOK\r\n'))
    expect(await verdict()).toMatchObject({ reason: 'rejected_after_ring', ringMs: 8_000 })
    expect(sinceDial()).not.toContain('AT+CFUN=1,1')
  })

  it('does not delay our hang-up while the dialogue gets in step', async () => {
    const { world, far, verdict, sinceDial } = await readyModem(fakeWorld())
    far.script = ringing
    let silentMs = 0
    world.after(6_000, () => {
      silentMs = world.monotonicMs()
      for (const text of ['AT+CLCC', 'AT+CSQ', 'AT+CBC', 'AT+CPAS', 'AT+CCALR?', 'AT+CLIP?', 'AT+IPR?'])
        far.replies.set(text, null)
    })
    const dialledMs = world.monotonicMs()
    world.after(20_100, () => expect(sinceDial().filter(text => text === 'ATH')).toHaveLength(1))
    expect(await verdict({ maxRingMs: 15_000 })).toMatchObject({ reason: 'modem_lost_after_ring' })
    expect(Math.floor(silentMs - dialledMs)).toBe(6_000)
    expect(sinceDial()).toContain('AT+CFUN=1,1')
  })

  it('restarts the modem where everything else stays unanswered too; the silence proves nothing', async () => {
    const { world, far, verdict, sinceDial } = await readyModem(fakeWorld())
    far.script = ringing
    world.after(6_000, () => (far.isOff = true))
    world.after(32_000, () => (far.isOff = false))
    expect(await verdict()).toMatchObject({ reason: 'modem_lost_after_ring', opened: 'unknown' })
    expect(sinceDial()).toContain('AT+CFUN=1,1')
  })

  it('is no reason for a restart by itself, however often it happens', async () => {
    const { world, far, verdict, sinceDial } = await readyModem(fakeWorld())
    await world.advance(3_000)
    far.script = ringing
    world.after(6_000, () => far.replies.set('AT+CLCC', null))
    world.after(30_000, () => far.replies.delete('AT+CLCC'))
    expect(await verdict()).toMatchObject({ reason: 'modem_lost_after_ring', opened: 'unknown' })
    expect(sinceDial()).not.toContain('AT+CFUN=1,1')
  })

  it('may come from a module that restarted without a report', async () => {
    const { world, far, verdict } = await readyModem(fakeWorld())
    await world.advance(3_000)
    far.script = ringing
    world.after(6_000, () => far.replies.set('AT+CLCC', null))
    world.after(7_000, () => {
      far.replies.delete('AT+CLCC')
      far.listed = ''
      far.replies.set('AT+CREG?', '+CREG: 0,1|OK')
    })
    expect(await verdict()).toMatchObject({ reason: 'modem_lost_after_ring', opened: 'unknown' })
  })
})

it('makes the driver ask twice for a cause of one digit, which may be cut off', async () => {
  const { far, verdict, sinceDial, world } = await readyModem(fakeWorld())
  far.replies.set('AT+CEER', '+CEER: Cause:1|OK')
  far.script = [...dialling, [6_000, `NO CARRIER|${clcc(6)}`]]
  const said = verdict()
  await world.until(() => sinceDial().includes('AT+CEER'), 90_000)
  far.replies.set('AT+CEER', '+CEER: Cause:17|OK')
  expect(await said).toMatchObject({ opened: 'unknown', cause: null })
  far.replies.set('AT+CEER', '+CEER: Cause:1|OK')
  expect(await verdict()).toMatchObject({ reason: 'bad_number', confidence: 'certain', cause: 1 })
})
