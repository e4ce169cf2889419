// What a gateway does after a call.

import { expect, it } from 'vitest'
import { daemonRig, granted, opened } from './daemon.kit.ts'

it('P1: places no second call where the first one opened nothing', async () => {
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

it('is stuck when a call does not end in the time that any call ends in, and not before', async () => {
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
