// Gates that confirm an opening: rows 22 and 23, against a scripted modem in fake time.

import type { Confirmation } from '@callgate/contract/call/callProfile'
import { fakeWorld } from '@callgate/world/fake'
import { describe, expect, it } from 'vitest'
import { clcc, dialling, phoneNumber, readyModem, ringing, type Script } from './scriptedModem.kit.ts'

const bySms: Confirmation = { kind: 'sms', from: null, pattern: 'gate', withinMs: 15_000 }
/** "Gate" in UCS2, from +40721000456, and from +40721000457. */
const fromGate = '00040B910427010054F600086210518000000008' + '0047006100740065'
const fromOther = fromGate.replace('54F6', '54F7')
const fromGateAt3 = { 'AT+CMGR=3': `+CMGR: 0,"",27|${fromGate}|OK` }
const rejected: Script = [...ringing, [8_000, `BUSY|${clcc(6)}`]]

describe('a message from the gate', () => {
  it('makes the opening certain in any mode, and is deleted', async () => {
    const { far, verdict, written } = await readyModem(fakeWorld(), {}, fromGateAt3)
    far.script = [...ringing, [12_000, '+CMTI: "SM",3']]
    expect(await verdict({ confirm: bySms, mode: 'unverified', maxRingMs: 4_000 })).toMatchObject({
      status: 'completed',
      reason: 'confirmed',
      confidence: 'certain',
      opened: 'yes',
    })
    expect(written.slice(written.indexOf('AT+CMGR=3'))).toContain('AT+CMGD=3')
  })

  it('counts also where the SIM card was busy when the message came', async () => {
    const { far, verdict, world } = await readyModem(fakeWorld(), {}, { 'AT+CMGR=3': '+CMS ERROR: 314' })
    far.script = [...rejected, [9_500, '+CMTI: "SM",3']]
    world.after(11_000, () => far.replies.set('AT+CMGR=3', fromGateAt3['AT+CMGR=3']))
    expect(await verdict({ confirm: bySms })).toMatchObject({ reason: 'confirmed', confidence: 'certain' })
  })

  it('from another sender confirms nothing; after 15 s the opening is unconfirmed', async () => {
    const { world, far, verdict, written } = await readyModem(
      fakeWorld(),
      {},
      { 'AT+CMGR=3': `+CMGR: 0,"",27|${fromOther}|OK` },
    )
    far.script = [...rejected, [9_500, '+CMTI: "SM",3']]
    const begunMs = world.monotonicMs()
    const unconfirmed = await verdict({ confirm: bySms })
    expect(unconfirmed).toMatchObject({ reason: 'rejected_after_ring', confidence: 'assumed' })
    expect(unconfirmed.witnesses).toContain('unconfirmed')
    expect(world.monotonicMs() - begunMs).toBeGreaterThan(23_000)
    expect(world.monotonicMs() - begunMs).toBeLessThan(25_000)
    expect(written).not.toContain('AT+CMGD=3')
  })

  it('with another text confirms nothing, and a message that no profile asks for is not read', async () => {
    const { far, verdict, written } = await readyModem(fakeWorld(), {}, fromGateAt3)
    far.script = [...rejected, [9_500, '+CMTI: "SM",3']]
    expect(await verdict({ confirm: { ...bySms, pattern: 'door', withinMs: 2_000 } })).toMatchObject({
      confidence: 'assumed',
    })
    const reads = written.filter(text => text === 'AT+CMGR=3').length
    expect(reads).toBe(1)
    far.script = [...rejected, [8_050, '+CMTI: "SM",3']]
    expect(await verdict()).toMatchObject({ reason: 'rejected_after_ring', confidence: 'likely' })
    expect(written.filter(text => text === 'AT+CMGR=3')).toHaveLength(reads)
  })

  it('is not certain where it may be the late confirmation of an earlier call', async () => {
    const { far, verdict } = await readyModem(fakeWorld(), {}, fromGateAt3)
    far.script = rejected
    await verdict({ confirm: { ...bySms, withinMs: 1_000 } })
    far.script = [...ringing, [6_000, '+CMTI: "SM",3']]
    expect(await verdict({ confirm: bySms, maxRingMs: 4_000 })).toMatchObject({
      reason: 'confirmed',
      confidence: 'assumed',
      opened: 'likely',
    })
  })

  it('is not the late confirmation of another gate', async () => {
    const { far, verdict } = await readyModem(fakeWorld(), {}, fromGateAt3)
    far.script = rejected
    await verdict({ confirm: { ...bySms, from: '+40721000457', withinMs: 1_000 } })
    far.script = [...rejected, [9_500, '+CMTI: "SM",3']]
    expect(await verdict({ confirm: bySms })).toMatchObject({ reason: 'confirmed', confidence: 'certain' })
  })

  it('is not waited for where nothing was dialled', async () => {
    const { world, far, verdict } = await readyModem(fakeWorld())
    far.script = [[100, '+CME ERROR: no network service']]
    const begunMs = world.monotonicMs()
    expect(await verdict({ confirm: bySms })).toMatchObject({ reason: 'no_network' })
    expect(world.monotonicMs() - begunMs).toBeLessThan(5_000)
  })

  it('is no longer awaited when the modem restarts or is to be closed', async () => {
    const { world, far, modem, dial } = await readyModem(fakeWorld())
    far.script = [...rejected, [12_000, 'RDY']]
    const begunMs = world.monotonicMs()
    await dial({ confirm: bySms })
    expect(world.monotonicMs() - begunMs).toBeLessThan(13_000)
    await world.until(() => modem.status().state === 'ready')
    far.script = rejected
    world.after(10_000, () => void modem.close())
    const secondMs = world.monotonicMs()
    await dial({ confirm: bySms })
    expect(world.monotonicMs() - secondMs).toBeLessThan(11_000)
  })
})

/** It rings until we hang up at 57 s. */
const ringsLong: Script = [...dialling, [24_000, `${clcc(3)}|MO RING`]]

describe('a modem that falls silent during the wait for a confirmation', () => {
  it.each([64_000, 66_000, 69_000, 76_900])('with a message at %i ms', async silentMs => {
    const { dialReserved, far, reserve, verdict, world, written } = await readyModem(
      fakeWorld(),
      {},
      fromGateAt3,
    )
    far.script = [...ringsLong, [silentMs, '+CMTI: "SM",3']]
    await reserve()
    world.after(silentMs, () => (far.isOff = true))
    const begunMs = world.monotonicMs()
    const confirm = { ...bySms, withinMs: 20_000 }
    expect(await dialReserved({ maxRingMs: 45_000, confirm })).toMatchObject({
      verdict: { reason: 'no_reaction', opened: 'no' },
    })
    expect(world.monotonicMs() - begunMs).toBeLessThanOrEqual(80_000)
    far.isOff = false
    await world.advance(30_000)
    // A message that comes too late stays on the card.
    expect(written).not.toContain('AT+CMGD=3')
    far.script = rejected
    expect(await verdict()).toMatchObject({ reason: 'rejected_after_ring', opened: 'likely' })
  })

  it('leaves a message on the card that is read too late', async () => {
    const { dialReserved, far, reserve, verdict, world, written } = await readyModem(fakeWorld())
    far.replies.set('AT+CMGR=3', null)
    far.script = [...ringsLong, [75_000, '+CMTI: "SM",3'], [78_000, fromGateAt3['AT+CMGR=3']]]
    await reserve()
    const confirm = { ...bySms, withinMs: 20_000 }
    expect(await dialReserved({ maxRingMs: 45_000, confirm })).toMatchObject({
      verdict: { reason: 'no_reaction' },
    })
    await world.advance(10_000)
    expect(written).toContain('AT+CMGR=3')
    expect(written).not.toContain('AT+CMGD=3')
    far.script = rejected
    expect(await verdict()).toMatchObject({ reason: 'rejected_after_ring', opened: 'likely' })
  })

  it('counts a confirmation that it cannot delete then', async () => {
    const { dialReserved, far, reserve, world } = await readyModem(fakeWorld(), {}, fromGateAt3)
    far.replies.set('AT+CMGD=3', null)
    far.script = [...ringsLong, [76_000, '+CMTI: "SM",3']]
    await reserve()
    const begunMs = world.monotonicMs()
    const confirm = { ...bySms, withinMs: 20_000 }
    expect(await dialReserved({ maxRingMs: 45_000, confirm })).toMatchObject({
      verdict: { reason: 'confirmed' },
    })
    expect(world.monotonicMs() - begunMs).toBeLessThanOrEqual(80_000)
  })

  it.each([
    ['does not call back', 'no_reaction', null],
    ['has called back', 'confirmed', `RING|+CLIP: "${phoneNumber}",145`],
  ])('where the gate %s, calls to the modem are refused again', async (_, reason, ring) => {
    const { dialReserved, far, reserve, verdict, sinceDial, world } = await readyModem(fakeWorld())
    far.script = ring === null ? ringsLong : [...ringsLong, [75_000, ring]]
    await reserve()
    for (const command of ['AT+GSMBUSY=0', 'AT+GSMBUSY=1']) far.replies.set(command, null)
    const begunMs = world.monotonicMs()
    const confirm = { ...bySms, kind: 'callback', withinMs: 20_000 } as const
    expect(await dialReserved({ maxRingMs: 45_000, confirm })).toMatchObject({ verdict: { reason } })
    expect(world.monotonicMs() - begunMs).toBeLessThanOrEqual(80_000)
    await world.advance(10_000)
    expect(sinceDial().filter(text => text.startsWith('AT+GSMBUSY'))).toEqual([
      'AT+GSMBUSY=0',
      'AT+GSMBUSY=1',
    ])
    far.script = rejected
    expect(await verdict()).toMatchObject({ reason: 'rejected_after_ring', opened: 'likely' })
  })
})

describe('a call back from the gate', () => {
  it('confirms and is refused; calls to the modem are refused again afterwards', async () => {
    const { far, verdict, sinceDial } = await readyModem(fakeWorld())
    const from = `0${phoneNumber.slice(3)}`
    far.script = [...rejected, [12_000, `RING|+CLIP: "${phoneNumber}",145`]]
    expect(await verdict({ confirm: { ...bySms, kind: 'callback', from } })).toMatchObject({
      reason: 'confirmed',
      opened: 'yes',
    })
    const after = sinceDial()
    expect(after).toContain('AT+GSMBUSY=0')
    expect(after.lastIndexOf('AT+GSMBUSY=1')).toBeGreaterThan(after.indexOf('AT+GSMBUSY=0'))
  })
})
