import { readBody, readEnvelope } from '@callgate/contract/validate'
import type { Envelope } from '@callgate/contract/wire/messages'
import { isSignedBy, seal } from '@callgate/contract/wire/signature'
import { type DownKind, topicOf } from '@callgate/contract/wire/topics'
import { fakeWorld } from '@callgate/world/fake'
import { newId } from '@callgate/world/ids'
import { describe, expect, it } from 'vitest'
import {
  cloudKey,
  type DaemonRig,
  daemonRig,
  gatewayKey,
  granted,
  opened,
  publicHalf,
  strangerKey,
} from './daemon.kit.ts'
import { openJournal } from './journal.ts'
import { type MemoryDisk, memoryDisk } from './memoryDisk.kit.ts'

const gatewayId = newId(fakeWorld(99), 'gw')

/** A daemon of which everything is well formed, signed, and on its own topic. */
const house = (disk?: MemoryDisk, seed = 1) =>
  daemonRig({
    ...(disk && { disk }),
    seed,
    onSubscribed: topics =>
      expect(topics).toEqual(['hint', 'grant', 'ack'].map(kind => topicOf(gatewayId, kind as DownKind))),
    onSent(topic, payload) {
      const envelope = readEnvelope(Buffer.from(payload))
      if (!envelope.ok) throw new Error(envelope.message)
      const { type } = envelope.value
      if (type !== 'claim' && type !== 'report' && type !== 'beat') throw new Error(type)
      expect(topic).toBe(topicOf(gatewayId, type))
      expect(isSignedBy(envelope.value, [publicHalf(gatewayKey)])).toBe(true)
      expect(readBody(envelope.value, type)).toMatchObject({ ok: true })
    },
  })

async function untilClaimed(home: DaemonRig) {
  home.start()
  home.hint()
  await home.world.until(() => home.sent.some(({ envelope }) => envelope.type === 'claim'))
  return home.last('claim')
}

async function untilDialled(home: DaemonRig) {
  home.answer('grant', await untilClaimed(home), granted)
  await home.world.until(() => home.modem.dials.length === 1)
}

describe('the daemon', () => {
  it('takes one opening from the hint to the acknowledged verdict', async () => {
    const home = await house()
    await untilDialled(home)
    expect(home.modem.written).toEqual(['+40722123456'])
    home.modem.dials[0]?.onProgress('ringing')
    home.modem.end()
    await home.world.until(() => home.reports().length === 2)
    expect(home.reports()).toEqual(['ringing', 'ended'])
    expect(home.journal.openings()).toEqual([home.openingId])
    for (const { envelope } of home.sent.filter(one => one.envelope.type === 'report'))
      home.answer('ack', envelope, { result: 'applied' })
    expect(home.journal.openings()).toEqual([])
    await home.world.advance(120_000)
    expect(home.reports()).toHaveLength(2)
    const messages = home.world.lines.map(line => JSON.stringify(line)).join()
    expect(messages).toContain('connected to the cloud')
    expect(messages).toContain('modem ready')
    expect(messages).not.toContain('40722123456')
  })

  it.each<[string, (home: DaemonRig, claim: Envelope) => void]>([
    ['of a stranger', (home, claim) => home.answer('grant', claim, granted, strangerKey)],
    [
      'for another gateway',
      (home, claim) => home.answer('grant', { ...claim, gatewayId: newId(fakeWorld(5), 'gw') }, granted),
    ],
    [
      'for another nonce',
      (home, claim) => home.answer('grant', { ...claim, nonce: 'x'.repeat(22) }, granted),
    ],
    [
      'without a boot',
      (home, { nonce, openingId }) =>
        home.answer('grant', { ...(openingId && { openingId }), ...(nonce && { nonce }) }, granted),
    ],
    ['that is an ack', (home, claim) => home.answer('ack', claim, granted)],
    ['that is no JSON', home => home.say('grant', '{')],
  ])('dials nothing for a grant %s', async (_, attack) => {
    const home = await house()
    const claim = await untilClaimed(home)
    attack(home, claim)
    await home.world.advance(7_000)
    expect(home.modem.dials).toEqual([])
    expect(home.world.lines.some(line => /dropped|ignored/.test(line.message))).toBe(true)
  })

  it('writes nothing when the journal cannot be synced, and says so to the cloud', async () => {
    const home = await house()
    const claim = await untilClaimed(home)
    home.disk.fault = operation => (operation === 'sync' ? 'EIO' : undefined)
    home.answer('grant', claim, granted)
    await home.world.until(() => home.reports().length === 1)
    expect(home.reports()).toEqual(['not_dialled'])
    expect(home.modem.dials).toEqual([])
  })

  it('places no call again after a crash, and reports it as unknown until it is acknowledged', async () => {
    const first = await house()
    await untilDialled(first)
    first.disk.crash()
    const second = await house(first.disk, 2)
    second.start()
    expect(second.beat()).toMatchObject({
      online: true,
      journalId: first.journal.journalId,
      toReport: [first.openingId],
    })
    second.hint()
    await second.world.advance(20_000)
    expect(second.modem.dials).toEqual([])
    const sealed = second.last('report')
    expect(JSON.parse(sealed.body)).toMatchObject({
      sinceClaimMs: null,
      verdict: { reason: 'outcome_unknown', opened: 'unknown', safeToRetry: false },
    })
    second.disk.crash()
    const third = await house(first.disk, 3)
    third.start()
    expect(third.last('report')).toEqual(sealed)
    third.answer('ack', sealed, { result: 'refused', reason: 'final' })
    expect(third.journal.openings()).toEqual([])
  })

  it('repeats a report with a growing pause, and at once on a new connection; only its own signed ack ends that', async () => {
    const home = await house()
    await untilDialled(home)
    home.modem.end()
    await home.world.until(() => home.reports().length === 1)
    const report = home.last('report')
    const fromMs = home.world.monotonicMs()
    await home.world.advance(100_000)
    const sentMs = home.sent.filter(one => one.envelope.type === 'report').map(one => one.atMs - fromMs)
    expect(sentMs).toEqual([0, 2_000, 6_000, 14_000, 30_000, 60_000, 90_000])
    home.disconnect()
    await home.world.advance(60_000)
    home.connect()
    expect(home.reports()).toHaveLength(8)
    home.answer('ack', report, { result: 'applied' }, strangerKey)
    home.answer('ack', { ...report, seq: 999 }, { result: 'applied' })
    home.answer('ack', { ...report, openingId: newId(fakeWorld(5), 'open') }, { result: 'applied' })
    expect(home.journal.openings()).toHaveLength(1)
    home.answer('ack', report, { result: 'duplicate' })
    expect(home.journal.openings()).toEqual([])
  })

  it('beats every 10 s once it is taken up, and on a change, with a will that names the same connection', async () => {
    const home = await house()
    home.start()
    const { connectionId, modem } = home.beat()
    expect(modem).toMatchObject({ state: 'ready', signalDbm: -71 })
    const will = readEnvelope(Buffer.from(home.will[0] ?? ''))
    expect(will.ok && JSON.parse(will.value.body)).toMatchObject({ online: false, connectionId })
    expect(will.ok && will.value.bootId).toBe(home.daemon.bootId)
    await home.world.advance(22_000)
    expect(home.sent.map(({ atMs }) => atMs)).toEqual([0, 2_000, 12_000, 22_000])
    home.modem.set({ state: 'no_network', signalDbm: 99 })
    home.modem.set({ state: 'lost' })
    await home.world.advance(1_000)
    expect(home.sent.slice(4).map(({ atMs }) => atMs)).toEqual([23_000])
    expect(home.beat().modem).toMatchObject({ state: 'lost', signalDbm: 0 })
  })

  it('says why it cannot serve, and serves when the modem is ready again', async () => {
    const home = await house()
    home.modem.set({ state: 'no_network' })
    home.start()
    home.hint()
    await home.world.until(() => home.reports().length === 1)
    expect(JSON.parse(home.last('report').body)).toEqual({ phase: 'declined', reason: 'no_network' })
    home.modem.set({ state: 'ready' })
    await home.world.until(() => home.sent.some(({ envelope }) => envelope.type === 'claim'), 1_000)
  })

  it('answers the challenge of its boot at once, and no other, until it was taken up', async () => {
    const home = await house()
    home.daemon.start()
    home.connect()
    const { bootId } = home.daemon
    const nonce = (letter: string) => letter.repeat(22)
    const challenge = (letter: string, of = bootId, by = cloudKey) =>
      home.answer(
        'ack',
        { bootId: of, seq: home.last('beat').seq ?? 0, nonce: nonce(letter) },
        { result: 'challenge' },
        by,
      )
    challenge('P', nonce('x'))
    challenge('P', bootId, strangerKey)
    expect(home.ofType('beat').map(one => one.nonce)).toEqual([undefined])
    challenge('Q')
    challenge('Q')
    expect(home.ofType('beat').map(one => one.nonce)).toEqual([undefined, nonce('Q')])
    await home.world.advance(2_000)
    challenge('R')
    expect(
      home
        .ofType('beat')
        .slice(2)
        .map(one => one.nonce),
    ).toEqual([nonce('Q'), nonce('R')])
    expect(home.beat().takenUp).toBe(false)
    home.answer('ack', home.last('beat'), { result: 'taken_up' })
    challenge('S')
    await home.world.advance(10_000)
    expect([home.last('beat').nonce, home.beat().takenUp]).toEqual([undefined, true])
    expect([home.isSuperseded(), home.isForgotten()]).toEqual([false, false])
    // A restored cloud: it challenges a beat that was sent long after.
    challenge('T')
    expect([home.isSuperseded(), home.isForgotten()]).toEqual([false, true])
  })

  it('stops when the cloud refuses its boot, not when it refuses another', async () => {
    const home = await house()
    home.start()
    home.answer('ack', { bootId: 'x'.repeat(22) }, { result: 'refused', reason: 'superseded' })
    expect(home.isSuperseded()).toBe(false)
    home.answer('ack', { bootId: home.daemon.bootId }, { result: 'refused', reason: 'superseded' })
    expect(home.isSuperseded()).toBe(true)
    expect(home.world.lines.at(-1)?.message).toContain('another daemon')
  })

  it('hangs up, reports and says goodbye when it is stopped', async () => {
    const home = await house()
    await untilDialled(home)
    let isStopped = false
    const stopped = home.daemon.stop().then(() => {
      isStopped = true
    })
    await home.world.until(() => home.reports().length === 1)
    expect(home.reports()).toEqual(['ended'])
    home.answer('ack', home.last('report'), { result: 'applied' })
    await home.world.until(() => isStopped)
    await stopped
    expect(home.beat()).toMatchObject({ online: false, toReport: [] })
    expect(home.sent.at(-1)?.envelope.type).toBe('beat')
  })

  it('names its port for a modem that has not said who it is, and tells what it does not know as null', async () => {
    const home = await house()
    home.modem.set({ modemId: null, model: null, operator: null, signalDbm: null, voltageMv: null })
    expect(JSON.parse((await untilClaimed(home)).body)).toMatchObject({ modemId: '/dev/ttyUSB0' })
    const unknown = { model: null, operator: null, signalDbm: null, voltageMv: null }
    expect(home.beat().modem).toMatchObject(unknown)
  })

  it('sends a verdict without its evidence where that is too large', async () => {
    const home = await house()
    await untilDialled(home)
    const events = Array.from({ length: 400 }, (_, atMs) => ({ atMs, event: 'x'.repeat(96) }))
    home.modem.end({ ...opened, evidence: { ...opened.evidence, events } })
    await home.world.until(() => home.reports().length === 1)
    expect(JSON.parse(home.last('report').body)).toMatchObject({ verdict: opened.verdict, evidence: null })
    expect(home.world.lines.some(({ message }) => message.includes('too large'))).toBe(true)
  })

  it('repeats what is left soon again, once the cloud answers after a long silence', async () => {
    const home = await house()
    await untilDialled(home)
    home.modem.dials[0]?.onProgress('ringing')
    home.modem.end()
    await home.world.until(() => home.reports().length === 2)
    const [ringing] = home.ofType('report')
    await home.world.advance(31_000)
    const before = home.reports().length
    home.answer('ack', ringing ?? {}, { result: 'applied' })
    await home.world.advance(2_000)
    expect(home.reports().slice(before)).toEqual(['ended'])
  })

  it.each<[string, (home: DaemonRig) => void]>([
    ['a hint that is none', home => home.say('hint', '{')],
    ['an ack that says nothing', home => home.answer('ack', {}, {} as never)],
    ['a grant that says nothing', home => home.answer('grant', home.last('claim'), {} as never)],
  ])('drops %s', async (_, speak) => {
    const home = await house()
    await untilClaimed(home)
    speak(home)
    await home.world.advance(0)
    expect(home.world.lines.at(-1)?.message).toContain('was dropped')
    expect(home.modem.dials).toEqual([])
  })

  it('hears and says nothing more once it is stopped', async () => {
    const home = await house()
    home.start()
    await home.daemon.stop()
    const before = [home.sent.length, home.world.lines.length]
    home.connect()
    home.hint()
    home.modem.set({ state: 'lost' })
    home.disconnect()
    await home.world.advance(60_000)
    expect([home.sent.length, home.world.lines.length]).toEqual(before)
  })

  it('says within 6 s that nothing was dialled on a disk that hangs, and owes nothing once it goes on', async () => {
    const home = await daemonRig({ syncMs: 60_000 })
    home.answer('grant', await untilClaimed(home), granted)
    await home.world.until(() => home.reports().length === 1, 6_100)
    expect(home.reports()).toEqual(['not_dialled'])
    home.answer('ack', home.last('report'), { result: 'applied' })
    expect(home.journal.openings()).toEqual([])
    await home.world.advance(240_000)
    expect(home.journal.openings()).toEqual([])
    expect(home.modem.dials).toEqual([])
    const after = await openJournal({ world: home.world, disk: home.disk })
    expect(after.ok && after.journal.openings()).toEqual([])
  })

  it('keeps, once the disk is well again, what it could not keep before', async () => {
    const home = await house()
    await untilDialled(home)
    home.disk.fault = operation => (operation === 'open' || operation === 'sync' ? 'EIO' : undefined)
    home.modem.end()
    await home.world.until(() => home.reports().length === 1)
    home.disk.fault = () => undefined
    await home.world.advance(5_000)
    home.disk.crash()
    const after = await openJournal({ world: home.world, disk: home.disk })
    expect(after.ok && after.journal.unacknowledged().map(({ payload }) => payload)).toHaveLength(1)
  })

  it('names a call that was cut off, and reports it when its modem has let go of it', async () => {
    const before = await house()
    await untilDialled(before)
    before.disk.crash()
    const home = await house(before.disk, 2)
    home.modem.set({ state: 'starting' })
    home.start()
    await home.world.advance(20_000)
    expect(home.reports()).toEqual([])
    expect(home.beat().toReport).toEqual([home.openingId])
    home.modem.set({ state: 'no_network' })
    expect(home.reports()).toEqual(['ended'])
    home.modem.set({ state: 'ready' })
    await home.world.advance(1_000)
    expect(home.reports()).toEqual(['ended'])
  })

  it('stops although its disk hangs', async () => {
    const home = await daemonRig({ syncMs: 600_000 })
    home.answer('grant', await untilClaimed(home), granted)
    let isStopped = false
    void home.daemon.stop().then(() => {
      isStopped = true
    })
    await home.world.until(() => isStopped, 25_000)
  })

  it('drops what an earlier identity has still to report, which the cloud would never take', async () => {
    const disk = memoryDisk()
    const before = await openJournal({ world: fakeWorld(3), disk })
    if (!before.ok) throw new Error(before.message)
    const former = newId(fakeWorld(5), 'gw')
    for (const [seq, of] of [former, gatewayId].entries()) {
      const openingId = newId(fakeWorld(seq), 'open')
      const header = {
        type: 'report',
        gatewayId: of,
        openingId,
        bootId: 'b'.repeat(22),
        seq: seq + 1,
      } as const
      const payload = seal(gatewayKey, { ...header, body: '{"phase":"not_dialled","sinceClaimMs":1}' })
      await before.journal.keep({ openingId, bootId: header.bootId, seq: header.seq, isFinal: true, payload })
    }
    const home = await house(disk, 2)
    home.start()
    await home.world.advance(100_000)
    expect(new Set(home.ofType('report').map(({ seq }) => seq))).toEqual(new Set([2]))
    expect(home.journal.openings()).toHaveLength(1)
    expect(home.world.lines.map(({ message }) => message).join()).toContain('former identity')
  })

  it('stops within its time when the cloud is away and the call does not end', async () => {
    const home = await house()
    await untilDialled(home)
    home.modem.modem.hangUp = async () => {}
    home.disconnect()
    let isStopped = false
    void home.daemon.stop().then(() => {
      isStopped = true
    })
    await home.world.until(() => isStopped, 25_000)
    expect(home.journal.unfinished()).toEqual([home.openingId])
  })
})
