// A real cloud survives cut connections and generated requests: a small run of `pnpm attack`.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { cutWays } from '../../api/fuzz/cut.ts'
import { cutDialogues, cutSecuredDialogue, most429, sendRequests } from './attack.ts'
import { type CloudProcess, startCloudProcess } from './cloudProcess.ts'
import { dialogues } from './dialogues.ts'

let cloud: CloudProcess
beforeAll(async () => {
  cloud = await startCloudProcess()
})
afterAll(() => cloud?.stop())

it.each(cutWays)('runs and answers after every dialogue was cut after every byte: %s', async way => {
  const all = dialogues(cloud.credentials).reduce((sum, { bytes }) => sum + bytes.length + 1, 0)
  await cutDialogues(cloud, way, all)
  expect(cloud.death()).toBeUndefined()
})

it('runs and answers after MQTT over TLS was cut after every byte on the wire', async () => {
  const secured = await startCloudProcess({ isSecured: true })
  try {
    for (const way of cutWays) expect(await cutSecuredDialogue(secured, way)).toBeGreaterThan(300)
    expect(secured.death()).toBeUndefined()
  } finally {
    await secured.stop()
  }
})

it('answers 2,000 generated requests without a 500, and refuses less than 5 % by a rate limit', async () => {
  const spread = await sendRequests(cloud, 1, 2_000)
  expect(Object.keys(spread)).toEqual(expect.arrayContaining(['200', '400', '401', '404']))
  expect(spread['429'] ?? 0).toBeLessThan(2_000 * most429)
})
