// The behaviour of a gateway after a call.

import type { Report } from '@callgate/contract/wire/messages'
import { newId } from '@callgate/world/ids'
import { expect, it } from 'vitest'
import { daemonRig, granted, opened } from './daemon.kit.ts'

it('P1: places no second call when the first one has not opened the gate', async () => {
  const rig = await daemonRig()
  rig.start()
  rig.hint()
  await rig.world.advance(0)
  rig.answer('grant', rig.last('claim'), granted)
  await rig.world.advance(100)
  rig.modem.end({ ...opened, verdict: { ...opened.verdict, status: 'failed', opened: 'no' } })
  await rig.world.advance(60_000)
  expect(rig.modem.dials).toHaveLength(1)
  expect(rig.reports()).toContain('ended')
})

it('A3: reports a call in the terms of this version first, then in those that every cloud can read, until the ack', async () => {
  const rig = await daemonRig()
  rig.start()
  rig.hint()
  await rig.world.advance(0)
  rig.answer('grant', rig.last('claim'), granted)
  await rig.world.advance(100)
  const verdict = { ...opened.verdict, status: 'failed', opened: 'no', reason: 'calls_barred' } as const
  rig.modem.end({ ...opened, verdict })
  await rig.world.advance(10_000)
  const ends = rig
    .ofType('report')
    .map(({ body, seq }) => ({ report: JSON.parse(body) as Report, seq }))
    .flatMap(({ report, seq }) => (report.phase === 'ended' ? [{ ...report, seq }] : []))
  expect(ends.map(one => one.verdict.reason)).toEqual([
    'calls_barred',
    'network_rejected',
    'network_rejected',
  ])
  expect(new Set(ends.map(one => one.seq)).size).toBe(1)
  expect(ends[1]).toEqual({ ...ends[0], verdict: { ...verdict, reason: 'network_rejected' } })
  rig.answer('ack', rig.last('report'), { result: 'applied' })
  expect(rig.journal.unacknowledged()).toEqual([])
})

it('is stuck when a call lasts longer than any call can, and not before', async () => {
  const rig = await daemonRig()
  rig.start()
  await rig.world.advance(600_000)
  expect(rig.daemon.isStuck()).toBe(false)
  rig.hint()
  await rig.world.advance(0)
  rig.answer('grant', rig.last('claim'), granted)
  await rig.world.advance(149_000)
  expect(rig.daemon.isStuck()).toBe(false)
  await rig.world.advance(2_000)
  expect(rig.daemon.isStuck()).toBe(true)
})

it('G5: pauses only where no opening waits or runs, and begins none meanwhile', async () => {
  const rig = await daemonRig()
  rig.start()
  expect(rig.daemon.health()).toMatchObject({ isHealthy: true })
  rig.hint()
  await rig.world.advance(0)
  expect(rig.daemon.pause()).toEqual({ rests: false })
  rig.answer('grant', rig.last('claim'), granted)
  await rig.world.advance(100)
  expect(rig.daemon.pause()).toEqual({ rests: false })
  rig.modem.end()
  await rig.world.advance(100)
  expect(rig.daemon.pause()).toEqual({ rests: true })
  const claims = () => rig.sent.filter(({ envelope }) => envelope.type === 'claim').length
  const next = JSON.stringify({ openingId: newId(rig.world, 'open') })
  rig.say('hint', next)
  await rig.world.advance(29_000)
  expect(claims()).toBe(1)
  // The program that asked for the pause has not stopped the daemon.
  await rig.world.advance(2_000)
  rig.say('hint', next)
  await rig.world.advance(0)
  expect(claims()).toBe(2)
})

it('is healthy only with the cloud and a modem', async () => {
  const rig = await daemonRig()
  expect(rig.daemon.health()).toMatchObject({ isHealthy: false })
  rig.start()
  rig.modem.set({ state: 'lost' })
  expect(rig.daemon.health()).toMatchObject({ isHealthy: false })
  rig.modem.set({ state: 'ready' })
  expect(rig.daemon.health()).toMatchObject({ isHealthy: true })
  rig.disconnect()
  expect(rig.daemon.health()).toMatchObject({ isHealthy: false })
})
