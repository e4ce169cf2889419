// A cloud whose machine is reset to a snapshot, with its data and everything else that it keeps: only the gateway knows of it.

import { randomUUID } from 'node:crypto'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { member, parseJson, text } from '../../../packages/demo/src/json.ts'
import { press } from './press.ts'
import { chaosBundles, eventually, type RealHouse, startRealHouse } from './realHouse.ts'
import { dialsOf, dialsTo, readSimulatorLog } from './simulatorLog.ts'

let house: RealHouse
beforeAll(async () => {
  house = await startRealHouse(await chaosBundles(() => {}), { kind: 'plain', gates: 2, actors: 3 })
})
afterAll(() => house?.close())

const snapshot = () => join(house.folder, 'snapshot')
/** The files of the cloud: the database, and the files outside of it. */
const cloudFiles = (folder: string) =>
  readdirSync(folder).filter(name => /^(callgate\.sqlite|last-commits)/.test(name))

async function stopped(): Promise<void> {
  house.parts.cloud.kill()
  await house.parts.cloud.ended()
}
/** Resets a machine that is off to its snapshot. */
function putBack(): void {
  for (const name of cloudFiles(house.folder)) rmSync(join(house.folder, name))
  for (const name of cloudFiles(snapshot())) copyFileSync(join(snapshot(), name), join(house.folder, name))
}

/** The reason why a press failed, once the gateway is online again; undefined where the gate was opened. */
async function pressed(gateId: string, key: string): Promise<string | undefined> {
  return eventually('a press that finds the gateway', 60_000, async () => {
    await pause(2_000)
    const actor = house.actors[Math.floor(performance.now() / 2_000) % house.actors.length]
    const headers = { authorization: `Bearer ${actor?.apiKey}`, 'idempotency-key': key }
    const url = `${house.baseUrls[0]}/api/v1/gates/${gateId}/open`
    const answer = await fetch(url, { method: 'POST', headers }).catch(() => undefined)
    const reason = text(member(parseJson((await answer?.text()) ?? ''), 'error'), 'reason')
    const isThere = answer && answer.status !== 503 && reason !== 'gateway_offline'
    return isThere ? (reason ?? 'opened') : undefined
  })
}

it('P1, P5: calls nothing for a while, because a gateway names a call that the data does not know', async () => {
  const [gate, other] = house.gates
  const [actor] = house.actors
  if (!gate || !other || !actor) throw new Error('the house is too small')
  await stopped()
  mkdirSync(snapshot())
  for (const name of cloudFiles(house.folder)) copyFileSync(join(house.folder, name), join(snapshot(), name))
  house.parts.cloud.start()
  await house.ready(Date.now())
  // A busy machine may be late with a grant. Then nothing is dialled, and somebody presses again.
  const key = await eventually('a press that opens', 60_000, async () => {
    const tried = randomUUID()
    const { outcome } = await press(house, gate, actor, tried)
    if (outcome !== 'interrupted') expect(outcome).toBe('opened')
    return outcome === 'opened' ? tried : undefined
  })
  await house.reported()

  await stopped()
  putBack()
  house.parts.cloud.start()
  // Its Idempotency-Key is lost as well.
  expect(await pressed(other.id, randomUUID())).toBe('interrupted')
  expect(await pressed(gate.id, key)).toBe('interrupted')
  const dials = dialsOf(readSimulatorLog(house.simulatorLog, 0))
  expect(dialsTo(dials, gate.phoneNumber)).toHaveLength(1)
  expect(dialsTo(dials, other.phoneNumber)).toEqual([])
  const logs = join(house.folder, 'logs')
  const said = readdirSync(logs).map(name => readFileSync(join(logs, name), 'utf8'))
  expect(said.join('')).toContain('a gateway was granted a call that the data does not know')
})
