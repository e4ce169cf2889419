// What the list of calls can prove during a call, and what an unanswered one costs; against a scripted modem in fake time.

import { fakeWorld } from '@callgate/world/fake'
import { describe, expect, it } from 'vitest'
import { clcc, dialling, readyModem, ringing } from './scriptedModem.kit.ts'

const hangUps = (written: readonly string[]) => written.filter(text => /^AT(?:H|\+CHUP)$/.test(text))
const rejects = [...ringing, [8_000, `BUSY|${clcc(6)}`]] as const
const listsNothing = { 'AT+CLCC': 'OK', 'AT+CPAS': '+CPAS: 0|OK' }

describe('a modem that lists no calls', () => {
  it('ends no call by that; the line is hung up before it counts as free', async () => {
    const { far, verdict, sinceDial } = await readyModem(fakeWorld(), {}, listsNothing)
    far.script = rejects
    expect(await verdict()).toMatchObject({
      reason: 'rejected_after_ring',
      confidence: 'likely',
      ringMs: 3_000,
    })
    expect(hangUps(sinceDial())).toEqual(['ATH'])
    // The cause first: after a hang-up it may be that of the hang-up.
    expect(sinceDial().indexOf('AT+CEER')).toBeLessThan(sinceDial().indexOf('ATH'))
  })

  it('is hung up on where the gate just rings', async () => {
    const { far, verdict, sinceDial } = await readyModem(fakeWorld(), {}, listsNothing)
    far.script = ringing
    far.replies.set('ATH', `${clcc(6)}|OK`)
    expect(await verdict()).toMatchObject({ reason: 'no_reaction', opened: 'no', ringMs: 30_000 })
    expect(hangUps(sinceDial())).toEqual(['ATH'])
  })

  it('may have been called in vain or not, where no end of the call answers the hang-up', async () => {
    const { far, verdict } = await readyModem(fakeWorld(), {}, listsNothing)
    far.script = ringing
    expect(await verdict()).toMatchObject({ reason: 'no_reaction', opened: 'unknown' })
  })

  it('is not taken for one that does by a line that comes unasked inside a list', async () => {
    const { world, far, verdict } = await readyModem(fakeWorld(), {}, listsNothing)
    far.script = dialling
    // The ringing is told of while a list is answered.
    world.after(4_000, () => far.replies.set('AT+CLCC', `${clcc(3)}|OK`))
    world.after(5_100, () => far.replies.set('AT+CLCC', 'OK'))
    expect(await verdict()).toMatchObject({ reason: 'no_reaction' })
  })

  it('is hung up another way where its own state tells of a call after ATH', async () => {
    let onChup = () => {}
    const trace = (_: string, text: string) => text === 'AT+CHUP' && onChup()
    const { far, verdict, sinceDial } = await readyModem(fakeWorld(), { trace }, listsNothing)
    onChup = () => void far.replies.set('AT+CPAS', '+CPAS: 0|OK')
    far.script = rejects
    far.replies.set('AT+CPAS', '+CPAS: 4|OK')
    await verdict()
    expect(hangUps(sinceDial())).toEqual(['ATH', 'AT+CHUP'])
  })

  it('says of two calls not which has ended', async () => {
    const { far, verdict } = await readyModem(fakeWorld(), {}, listsNothing)
    far.script = [...ringing, [6_000, '+CLCC: 2,1,5,0,0,"+40721999999",145,""'], [6_900, 'NO CARRIER']]
    expect(await verdict()).toMatchObject({ reason: 'outcome_unknown', opened: 'unknown' })
  })

  it('may have restarted unseen', async () => {
    const { world, far, verdict } = await readyModem(fakeWorld(), {}, listsNothing)
    await world.advance(3_000)
    far.script = dialling
    world.after(2_000, () => far.replies.set('AT+CREG?', '+CREG: 0,1|OK'))
    expect(await verdict()).toMatchObject({ reason: 'modem_lost', opened: 'unknown' })
  })
})

describe('a list that stays unanswered', () => {
  /** The list asked for at 6.2 s is lost; what follows is answered. */
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

  it('is asked for once more, and holds up nothing', async () => {
    const { said, lastedMs, written } = await withOneLost([...ringing, [13_000, `BUSY|${clcc(6)}`]])
    expect(said).toMatchObject({ reason: 'rejected_after_ring', confidence: 'assumed', ringMs: 8_000 })
    expect(lastedMs).toBeLessThan(14_000)
    expect(written).not.toContain('AT+CFUN=1,1')
  })

  it('leaves its doubt where the call has ended before the next', async () => {
    const { said, lastedMs, written } = await withOneLost(rejects)
    expect(said).toMatchObject({ reason: 'rejected_after_ring', confidence: 'assumed', ringMs: 3_000 })
    // From BUSY on: what is left of the 3 s for the list that is lost.
    expect(lastedMs).toBeLessThan(11_000)
    expect(written).not.toContain('AT+CFUN=1,1')
  })

  it('and comes late is not taken for the answer to another', async () => {
    const { world, far, verdict, sinceDial } = await readyModem(fakeWorld())
    await world.advance(3_000)
    far.script = [...ringing, [13_000, `BUSY|${clcc(6)}`]]
    world.after(6_000, () => far.replies.set('AT+CLCC', null))
    world.after(7_000, () => far.replies.delete('AT+CLCC'))
    world.after(9_205, () => far.line.say('\r\nOK\r\n'))
    expect(await verdict()).toMatchObject({ reason: 'rejected_after_ring', ringMs: 8_000 })
    expect(sinceDial()).not.toContain('AT+CFUN=1,1')
  })

  it('nor holds up our hang-up while the dialogue gets in step', async () => {
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
    expect(silentMs - dialledMs).toBe(6_000)
    expect(sinceDial()).toContain('AT+CFUN=1,1')
  })

  it('as does all the rest: the modem is reset, and nothing is concluded from its silence', async () => {
    const { world, far, verdict, sinceDial } = await readyModem(fakeWorld())
    far.script = ringing
    world.after(6_000, () => (far.isOff = true))
    world.after(32_000, () => (far.isOff = false))
    expect(await verdict()).toMatchObject({ reason: 'modem_lost_after_ring', opened: 'unknown' })
    expect(sinceDial()).toContain('AT+CFUN=1,1')
  })

  it('alone, time after time, is no reason for a reset', async () => {
    const { world, far, verdict, sinceDial } = await readyModem(fakeWorld())
    await world.advance(3_000)
    far.script = ringing
    world.after(6_000, () => far.replies.set('AT+CLCC', null))
    world.after(30_000, () => far.replies.delete('AT+CLCC'))
    expect(await verdict()).toMatchObject({ reason: 'modem_lost_after_ring', opened: 'unknown' })
    expect(sinceDial()).not.toContain('AT+CFUN=1,1')
  })

  it('may be that of a module which restarted unseen', async () => {
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
