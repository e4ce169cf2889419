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
