import { expect, it } from 'vitest'
import { factsKeptMs } from './core/toldFacts.ts'
import { daemonRig, granted } from './daemon.kit.ts'

type Rig = Awaited<ReturnType<typeof daemonRig>>

/** The facts in the last beat. */
function told(rig: Rig) {
  const { can, commit, facts, modem, trusts } = rig.beat()
  const tellsAll =
    commit !== undefined && trusts !== undefined && can !== undefined && modem.firmware === 'R14.18'
  const tellsNothing =
    commit === undefined && trusts === undefined && can === undefined && !('firmware' in modem)
  return { tells: tellsAll ? 'all' : tellsNothing ? 'nothing' : 'some', by: facts }
}
const answer = (rig: Rig, result: 'facts_known' | 'facts_wanted', to = rig.last('beat')) =>
  rig.answer('ack', to, { result })

async function started(): Promise<Rig> {
  const rig = await daemonRig()
  rig.modem.set({ firmware: 'R14.18' })
  rig.start()
  return rig
}

async function nextBeat(rig: Rig) {
  const sent = rig.ofType('beat').length
  await rig.world.until(() => rig.ofType('beat').length > sent, 15_000)
  return { ...told(rig), seq: rig.last('beat').seq }
}

it('sends its facts in each beat until the cloud knows them, then no more', async () => {
  const rig = await started()
  const whole = (seq: number | undefined) => ({ tells: 'all', by: seq, seq })
  for (let beat = 0; beat < 3; beat++) expect(await nextBeat(rig)).toEqual(whole(rig.last('beat').seq))
  const teller = rig.last('beat')
  rig.answer('ack', { ...teller, seq: 1 }, { result: 'facts_known' })
  rig.answer('ack', { ...teller, bootId: 'x'.repeat(22) }, { result: 'facts_known' })
  expect(await nextBeat(rig)).toMatchObject({ tells: 'all' })
  const { seq } = rig.last('beat')
  answer(rig, 'facts_known')
  expect(await nextBeat(rig)).toMatchObject({ tells: 'nothing', by: seq })
  expect(await nextBeat(rig)).toMatchObject({ tells: 'nothing', by: seq })
})

it.each<[string, (rig: Rig) => unknown]>([
  ['the cloud wants them', rig => answer(rig, 'facts_wanted')],
  ['they change', rig => rig.modem.set({ lacks: ['caller_id'] })],
  [
    'the connection is another one',
    rig => {
      rig.disconnect()
      rig.connect()
    },
  ],
  ['an hour has passed', rig => rig.world.advance(factsKeptMs)],
])('sends them again when %s', async (_what, change) => {
  const rig = await started()
  answer(rig, 'facts_known')
  expect(await nextBeat(rig)).toMatchObject({ tells: 'nothing' })
  await change(rig)
  const sent = rig.ofType('beat').length
  await rig.world.until(() => rig.ofType('beat').length > sent || told(rig).tells === 'all', 15_000)
  expect(told(rig)).toEqual({ tells: 'all', by: rig.last('beat').seq })
})

it('sends all of them in its goodbye, which is the last message that the cloud keeps', async () => {
  const rig = await started()
  answer(rig, 'facts_known')
  expect(await nextBeat(rig)).toMatchObject({ tells: 'nothing' })
  const stopped = rig.daemon.stop()
  await rig.world.until(() => rig.beat().online === false, 30_000)
  await stopped
  expect(told(rig)).toEqual({ tells: 'all', by: undefined })
})

it('sends with its facts the last call that it was granted, and ignores a grant for another claim', async () => {
  const rig = await started()
  answer(rig, 'facts_known')
  rig.hint()
  await rig.world.until(() => rig.ofType('claim').length > 0, 1_000)
  const claim = rig.last('claim')
  rig.answer('grant', { ...claim, nonce: 'x'.repeat(22) }, granted)
  await nextBeat(rig)
  expect(rig.beat()).not.toHaveProperty('lastGrant')
  rig.hint()
  await rig.world.until(() => rig.ofType('claim').length > 1, 60_000)
  rig.answer('grant', rig.last('claim'), granted)
  rig.suspend(1_000)
  expect(await nextBeat(rig)).toMatchObject({ tells: 'all' })
  const { lastGrant, sinceBootMs = 0 } = rig.beat()
  expect(lastGrant).toEqual({ openingId: rig.openingId, sinceBootMs: expect.any(Number) })
  const agoMs = sinceBootMs - (lastGrant?.sinceBootMs ?? 0)
  expect(agoMs).toBeGreaterThanOrEqual(1_000)
  expect(agoMs).toBeLessThan(13_000)
  answer(rig, 'facts_known')
  expect(await nextBeat(rig)).toMatchObject({ tells: 'nothing' })
  expect(rig.beat()).not.toHaveProperty('lastGrant')
})
