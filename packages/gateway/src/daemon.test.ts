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
const topicOfKind = (kind: string) => topicOf(gatewayId, kind as DownKind)

/** A daemon whose every message is checked: well formed, signed, and on its own topic. */
const checkedRig = (disk?: MemoryDisk, seed = 1) =>
  daemonRig({
    ...(disk && { disk }),
    seed,
    onSubscribed: topics => expect(topics).toEqual(['hint', 'grant', 'ack'].map(topicOfKind)),
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

async function untilClaimed(rig: DaemonRig) {
  rig.start()
  rig.hint()
  await rig.world.until(() => rig.sent.some(({ envelope }) => envelope.type === 'claim'))
  return rig.last('claim')
}

async function untilDialled(rig: DaemonRig) {
  rig.answer('grant', await untilClaimed(rig), granted)
  await rig.world.advance(100)
  expect(rig.modem.dials).toHaveLength(1)
}

describe('the daemon', () => {
  it('P1: leads one opening from the hint to the acknowledged verdict', async () => {
    const rig = await checkedRig()
    await untilDialled(rig)
    expect(rig.modem.written).toEqual(['+40722123456'])
    rig.modem.dials[0]?.onProgress('ringing')
    rig.modem.end()
    await rig.world.until(() => rig.reports().length === 2)
    expect(rig.reports()).toEqual(['ringing', 'ended'])
    expect(rig.journal.openings()).toEqual([rig.openingId])
    for (const { envelope } of rig.sent.filter(one => one.envelope.type === 'report'))
      rig.answer('ack', envelope, { result: 'applied' })
    expect(rig.journal.openings()).toEqual([])
    await rig.world.advance(120_000)
    expect(rig.reports()).toHaveLength(2)
    const messages = rig.world.lines.map(line => JSON.stringify(line)).join()
    expect(messages).toContain('connected to the cloud')
    expect(messages).toContain('modem ready')
    expect(messages).not.toContain('40722123456')
  })

  it.each<[string, (rig: DaemonRig, claim: Envelope) => void]>([
    ['that a stranger signed', (rig, claim) => rig.answer('grant', claim, granted, strangerKey)],
    [
      'for another gateway',
      (rig, claim) => rig.answer('grant', { ...claim, gatewayId: newId(fakeWorld(5), 'gw') }, granted),
    ],
    ['for another nonce', (rig, claim) => rig.answer('grant', { ...claim, nonce: 'x'.repeat(22) }, granted)],
    [
      'without a boot',
      (rig, { nonce, openingId }) =>
        rig.answer('grant', { ...(openingId && { openingId }), ...(nonce && { nonce }) }, granted),
    ],
    ['that is an ack', (rig, claim) => rig.answer('ack', claim, granted)],
    ['that is no JSON', rig => rig.say('grant', '{')],
  ])('G2: dials nothing for a grant %s', async (_, attack) => {
    const rig = await checkedRig()
    const claim = await untilClaimed(rig)
    attack(rig, claim)
    await rig.world.advance(7_000)
    expect(rig.modem.dials).toEqual([])
    expect(rig.world.lines.some(line => /dropped|ignored/.test(line.message))).toBe(true)
  })

  it('P8: does not dial when the journal cannot be synced, and reports that to the cloud', async () => {
    const rig = await checkedRig()
    const claim = await untilClaimed(rig)
    rig.disk.fault = operation => (operation === 'sync' ? 'EIO' : undefined)
    rig.answer('grant', claim, granted)
    await rig.world.advance(100)
    expect(rig.modem.dials).toEqual([])
    expect(rig.reports()).toEqual(['not_dialled'])
  })

  it('P1, A2, A3: does not repeat a call after a crash, and reports it as unknown until that is acknowledged', async () => {
    const first = await checkedRig()
    await untilDialled(first)
    first.disk.crash()
    const second = await checkedRig(first.disk, 2)
    second.start()
    expect(second.beat()).toMatchObject({
      online: true,
      journalId: first.journal.journalId,
      toReport: [first.openingId],
    })
    second.hint()
    await second.world.advance(20_000)
    expect(second.modem.dials).toEqual([])
    expect(second.reports()).toContain('ended')
    const sealed = second.last('report')
    expect(JSON.parse(sealed.body)).toMatchObject({
      sinceClaimMs: null,
      verdict: { reason: 'outcome_unknown', opened: 'unknown', safeToRetry: false },
    })
    second.disk.crash()
    const third = await checkedRig(first.disk, 3)
    third.start()
    expect(third.last('report')).toEqual(sealed)
    third.answer('ack', sealed, { result: 'refused', reason: 'final' })
    expect(third.journal.openings()).toEqual([])
  })

  it('A2: repeats a report with growing pauses, and at once on a new connection, until its own signed ack comes', async () => {
    const rig = await checkedRig()
    await untilDialled(rig)
    rig.modem.end()
    await rig.world.until(() => rig.reports().length === 1)
    const report = rig.last('report')
    const fromMs = Math.floor(rig.world.monotonicMs())
    await rig.world.advance(100_000)
    const sentMs = rig.sent.filter(one => one.envelope.type === 'report').map(one => one.atMs - fromMs)
    expect(sentMs).toEqual([0, 2_000, 6_000, 14_000, 30_000, 60_000, 90_000])
    rig.disconnect()
    await rig.world.advance(60_000)
    rig.connect()
    expect(rig.reports()).toHaveLength(8)
    rig.answer('ack', report, { result: 'applied' }, strangerKey)
    rig.answer('ack', { ...report, seq: 999 }, { result: 'applied' })
    rig.answer('ack', { ...report, openingId: newId(fakeWorld(5), 'open') }, { result: 'applied' })
    expect(rig.journal.openings()).toHaveLength(1)
    rig.answer('ack', report, { result: 'duplicate' })
    expect(rig.journal.openings()).toEqual([])
  })

  it('sends a beat every 9.8 to 10 s once it is taken up, and on a change, with a will that names the same connection', async () => {
    const rig = await checkedRig()
    rig.start()
    const { connectionId, modem } = rig.beat()
    expect(modem).toMatchObject({ state: 'ready', signalDbm: -71 })
    const will = readEnvelope(Buffer.from(rig.will[0] ?? ''))
    expect(will.ok && JSON.parse(will.value.body)).toMatchObject({ online: false, connectionId })
    expect(will.ok && will.value.bootId).toBe(rig.daemon.bootId)
    await rig.world.advance(22_000)
    const [first, second, third, lastMs = 0] = rig.sent.map(({ atMs }) => atMs)
    expect([first, second, third, lastMs >= 20_000]).toEqual([0, 2_000, 12_000, true])
    rig.modem.set({ state: 'no_network', signalDbm: 99 })
    rig.modem.set({ state: 'lost' })
    await rig.world.advance(1_000)
    expect(rig.sent.slice(4).map(({ atMs }) => atMs)).toEqual([Math.max(22_000, lastMs + 1_000)])
    expect(rig.beat().modem).toMatchObject({ state: 'lost', signalDbm: 0 })
  })

  it('reports why it cannot serve, and serves when the modem is ready again', async () => {
    const rig = await checkedRig()
    rig.modem.set({ state: 'no_network' })
    rig.start()
    rig.hint()
    await rig.world.until(() => rig.reports().length === 1)
    expect(JSON.parse(rig.last('report').body)).toEqual({ phase: 'declined', reason: 'no_network' })
    rig.modem.set({ state: 'ready' })
    await rig.world.until(() => rig.sent.some(({ envelope }) => envelope.type === 'claim'), 1_000)
  })

  it('answers a challenge of its own boot at once until it is taken up, and no other challenge', async () => {
    const rig = await checkedRig()
    rig.daemon.start()
    rig.connect()
    const { bootId } = rig.daemon
    const nonce = (letter: string) => letter.repeat(22)
    const challenge = (letter: string, of = bootId, by = cloudKey) =>
      rig.answer(
        'ack',
        { bootId: of, seq: rig.last('beat').seq ?? 0, nonce: nonce(letter) },
        { result: 'challenge' },
        by,
      )
    challenge('P', nonce('x'))
    challenge('P', bootId, strangerKey)
    expect(rig.ofType('beat').map(one => one.nonce)).toEqual([undefined])
    challenge('Q')
    challenge('Q')
    expect(rig.ofType('beat').map(one => one.nonce)).toEqual([undefined, nonce('Q')])
    await rig.world.advance(2_000)
    challenge('R')
    expect(
      rig
        .ofType('beat')
        .slice(2)
        .map(one => one.nonce),
    ).toEqual([nonce('Q'), nonce('R')])
    expect(rig.beat().takenUp).toBe(false)
    rig.answer('ack', rig.last('beat'), { result: 'taken_up' })
    challenge('S')
    await rig.world.advance(10_000)
    expect([rig.last('beat').nonce, rig.beat().takenUp]).toEqual([undefined, true])
    expect([rig.isSuperseded(), rig.isForgotten()]).toEqual([false, false])
    // A cloud that was restored challenges a beat that was sent after the boot was taken up.
    challenge('T')
    expect([rig.isSuperseded(), rig.isForgotten()]).toEqual([false, true])
  })

  it('stops when the cloud refuses its boot, but not when it refuses another', async () => {
    const rig = await checkedRig()
    rig.start()
    rig.answer('ack', { bootId: 'x'.repeat(22) }, { result: 'refused', reason: 'superseded' })
    expect(rig.isSuperseded()).toBe(false)
    rig.answer('ack', { bootId: rig.daemon.bootId }, { result: 'refused', reason: 'superseded' })
    expect(rig.isSuperseded()).toBe(true)
    expect(rig.world.lines.at(-1)?.message).toContain('another daemon')
  })

  it('hangs up, reports and says goodbye when it is stopped', async () => {
    const rig = await checkedRig()
    await untilDialled(rig)
    let isStopped = false
    const stopped = rig.daemon.stop().then(() => {
      isStopped = true
    })
    await rig.world.until(() => rig.reports().length === 1)
    expect(rig.reports()).toEqual(['ended'])
    rig.answer('ack', rig.last('report'), { result: 'applied' })
    await rig.world.until(() => isStopped)
    await stopped
    expect(rig.beat()).toMatchObject({ online: false, toReport: [] })
    expect(rig.sent.at(-1)?.envelope.type).toBe('beat')
  })

  it('names its port while the modem has no IMEI, and sends null for unknown values', async () => {
    const rig = await checkedRig()
    rig.modem.set({ modemId: null, model: null, operator: null, signalDbm: null, voltageMv: null })
    expect(JSON.parse((await untilClaimed(rig)).body)).toMatchObject({ modemId: '/dev/ttyUSB0' })
    const unknown = { model: null, operator: null, signalDbm: null, voltageMv: null }
    expect(rig.beat().modem).toMatchObject(unknown)
  })

  it('sends a verdict without its evidence when that is too large', async () => {
    const rig = await checkedRig()
    await untilDialled(rig)
    const events = Array.from({ length: 400 }, (_, atMs) => ({ atMs, event: 'x'.repeat(96) }))
    rig.modem.end({ ...opened, evidence: { ...opened.evidence, events } })
    await rig.world.until(() => rig.reports().length === 1)
    expect(JSON.parse(rig.last('report').body)).toMatchObject({ verdict: opened.verdict, evidence: null })
    expect(rig.world.lines.some(({ message }) => message.includes('too large'))).toBe(true)
  })

  it('soon repeats the other reports once the cloud answers after a long silence', async () => {
    const rig = await checkedRig()
    await untilDialled(rig)
    rig.modem.dials[0]?.onProgress('ringing')
    rig.modem.end()
    await rig.world.until(() => rig.reports().length === 2)
    const [ringing] = rig.ofType('report')
    await rig.world.advance(31_000)
    const before = rig.reports().length
    rig.answer('ack', ringing ?? {}, { result: 'applied' })
    await rig.world.advance(2_000)
    expect(rig.reports().slice(before)).toEqual(['ended'])
  })

  it.each<[string, (rig: DaemonRig) => void]>([
    ['a hint that cannot be read', rig => rig.say('hint', '{')],
    ['an ack with an empty body', rig => rig.answer('ack', {}, {} as never)],
    ['a grant with an empty body', rig => rig.answer('grant', rig.last('claim'), {} as never)],
  ])('drops %s', async (_, speak) => {
    const rig = await checkedRig()
    await untilClaimed(rig)
    speak(rig)
    await rig.world.advance(0)
    expect(rig.world.lines.at(-1)?.message).toContain('was dropped')
    expect(rig.modem.dials).toEqual([])
  })

  it('neither receives nor sends messages once it is stopped', async () => {
    const rig = await checkedRig()
    rig.start()
    await rig.daemon.stop()
    const before = [rig.sent.length, rig.world.lines.length]
    rig.connect()
    rig.hint()
    rig.modem.set({ state: 'lost' })
    rig.disconnect()
    await rig.world.advance(60_000)
    expect([rig.sent.length, rig.world.lines.length]).toEqual(before)
  })

  it('reports within 6 s that nothing was dialled when the disk hangs, and has nothing left to report afterwards', async () => {
    const rig = await daemonRig({ syncMs: 60_000 })
    rig.answer('grant', await untilClaimed(rig), granted)
    await rig.world.until(() => rig.reports().length === 1, 6_100)
    expect(rig.reports()).toEqual(['not_dialled'])
    rig.answer('ack', rig.last('report'), { result: 'applied' })
    expect(rig.journal.openings()).toEqual([])
    await rig.world.advance(240_000)
    expect(rig.journal.openings()).toEqual([])
    expect(rig.modem.dials).toEqual([])
    const after = await openJournal({ world: rig.world, disk: rig.disk })
    expect(after.ok && after.journal.openings()).toEqual([])
  })

  it('writes a report to the disk once the disk works again', async () => {
    const rig = await checkedRig()
    await untilDialled(rig)
    rig.disk.fault = operation => (operation === 'open' || operation === 'sync' ? 'EIO' : undefined)
    rig.modem.end()
    await rig.world.until(() => rig.reports().length === 1)
    rig.disk.fault = () => undefined
    await rig.world.advance(5_000)
    rig.disk.crash()
    const after = await openJournal({ world: rig.world, disk: rig.disk })
    expect(after.ok && after.journal.unacknowledged().map(({ payload }) => payload)).toHaveLength(1)
  })

  it('names a call that was cut off in its beats, and reports it when the modem is free again', async () => {
    const before = await checkedRig()
    await untilDialled(before)
    before.disk.crash()
    const rig = await checkedRig(before.disk, 2)
    rig.modem.set({ state: 'starting' })
    rig.start()
    await rig.world.advance(20_000)
    expect(rig.reports()).toEqual([])
    expect(rig.beat().toReport).toEqual([rig.openingId])
    rig.modem.set({ state: 'no_network' })
    expect(rig.reports()).toEqual(['ended'])
    rig.modem.set({ state: 'ready' })
    await rig.world.advance(1_000)
    expect(rig.reports()).toEqual(['ended'])
  })

  it('stops even while its disk hangs', async () => {
    const rig = await daemonRig({ syncMs: 600_000 })
    rig.answer('grant', await untilClaimed(rig), granted)
    let isStopped = false
    void rig.daemon.stop().then(() => {
      isStopped = true
    })
    await rig.world.until(() => isStopped, 25_000)
  })

  it('drops the reports of an earlier identity, which the cloud would never accept', async () => {
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
    const rig = await checkedRig(disk, 2)
    rig.start()
    await rig.world.advance(100_000)
    expect(new Set(rig.ofType('report').map(({ seq }) => seq))).toEqual(new Set([2]))
    expect(rig.journal.openings()).toHaveLength(1)
    expect(rig.world.lines.map(({ message }) => message).join()).toContain('former identity')
  })

  it('stops within its time when the cloud is away and the call does not end', async () => {
    const rig = await checkedRig()
    await untilDialled(rig)
    rig.modem.modem.hangUp = async () => {}
    rig.disconnect()
    let isStopped = false
    void rig.daemon.stop().then(() => {
      isStopped = true
    })
    await rig.world.until(() => isStopped, 25_000)
    expect(rig.journal.unfinished()).toEqual([rig.openingId])
  })
})
