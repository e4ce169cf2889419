// The set-up message with real processes: a gate that does not know the gateway's number opens after it, and its password is
// stored nowhere.

import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from '@callgate/cloud/database/database'
import { setUpMessage } from '@callgate/contract/call/setUpMessage'
import { submission } from '@callgate/modem/core/submit'
import type { SimulatorState } from '@callgate/simulator/simulatorState'
import { realWorld } from '@callgate/world/real'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { BundlePaths } from '../../../packages/demo/src/bundles.ts'
import { cloudEnvironment, moduleAt } from '../chaos/layout.ts'
import { press as pressGate } from '../chaos/press.ts'
import { chaosBundles, eventually, type RealHouse, startRealHouse } from '../chaos/realHouse.ts'
import { isEnded } from '../chaos/records.ts'

/** The number of the simulator's modem. */
const callerNumber = '+40711111111'
const password = 'Zq8642Xv'
const withinMs = 90_000

let house: RealHouse
let bundles: BundlePaths
let gatewayId = ''
beforeAll(async () => {
  bundles = await chaosBundles(() => {})
  house = await startRealHouse(bundles, { kind: 'plain', gates: 2, actors: 1 })
  // The cloud serves this file, so a write may have to wait for its writes.
  const patience = { world: realWorld({ logLevel: 'silent' }), withinMs: 30_000 }
  const database = await openDatabase({ url: join(house.folder, 'callgate.sqlite'), patience })
  await database.write(tx => tx('gateways').update({ callerNumber }))
  gatewayId = (await database.knex('gateways').first('id')).id
  await database.close()
})
afterAll(() => house?.close())

const gateAt = (place: number) => {
  const gate = house.gates[place]
  if (!gate) throw new Error('the house is too small')
  return gate
}

/** Asks the simulator. */
async function simulator(path: string, body?: object): Promise<SimulatorState> {
  const given = body && { method: 'POST', body: JSON.stringify(body) }
  const answer = await fetch(`${house.controlUrl}${path}`, given)
  if (!answer.ok) throw new Error(await answer.text())
  return (await answer.json()) as SimulatorState
}
const relays = async (place: number) =>
  (await simulator('/state')).gates.find(({ phoneNumber }) => phoneNumber === gateAt(place).phoneNumber)
    ?.relayCount

/** A module that knows no number yet, and ignores unknown callers. */
async function putModule(place: number, listens: object) {
  const { phoneNumber } = gateAt(place)
  const { farEnd } = moduleAt(place)
  const module = { phoneNumber, farEnd, callers: ['+40733333333'], strangers: 'ignore' }
  await simulator('/gates', { ...module, listens: { brand: 'jablotron_gd04', password, ...listens } })
}

/** The end of the opening of a press. */
async function press(place: number) {
  const { actors, baseUrls, records } = house
  const [actor] = actors
  if (!actor) throw new Error('nobody may press')
  const gate = gateAt(place)
  const { openingId } = await pressGate({ baseUrls }, gate, actor, `press-${performance.now()}`)
  return eventually('the opening has ended', withinMs, async () =>
    (await records.rowsOf(gate.id, 0)).find(row => row.id === openingId && isEnded(row)),
  )
}

/** Runs the operator's command with the password from a pipe; returns its output. */
function sendSetUp(place: number): Promise<string> {
  const gate = ['--gate', gateAt(place).id, '--gateway', gatewayId, '--brand', 'jablotron_gd04']
  const child = spawn(process.execPath, [bundles.cloud, 'gate', 'setup-sms', ...gate], {
    env: { ...process.env, ...cloudEnvironment(house) },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', chunk => {
      said += chunk
    })
  child.stdin.end(`${password}\n`)
  return new Promise(resolve => child.once('close', () => resolve(said)))
}

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return filesBelow(path)
    return entry.isFile() ? [path] : []
  })

/** Texts that would reveal the password: the password, and the message in the form in which it goes over the line. */
const tellings = (place: number) => {
  const text = setUpMessage('jablotron_gd04', callerNumber, { password, place: null }) ?? ''
  const { pdu } = submission(gateAt(place).phoneNumber, text) ?? {}
  if (pdu === undefined) throw new Error('no such message')
  return [password, text, pdu]
}

/** The files of these processes that contain one of the texts: the database with its log, the logs, and the gateway's files. */
function filesWith(words: readonly string[]): string[] {
  // The simulator is the network and the module, so it may know what was sent.
  const own = filesBelow(house.folder).filter(path => path !== house.simulatorLog)
  return own.filter(path => {
    const text = readFileSync(path, 'latin1').toLowerCase()
    return words.some(word => text.includes(word.toLowerCase()))
  })
}

it('opens a gate that knows no number after the message, and no process keeps the password of its module', async () => {
  await putModule(0, {})
  expect(await press(0)).toMatchObject({ reason: 'no_reaction', opened: 'no' })
  expect(await relays(0)).toBe(0)
  expect(await sendSetUp(0)).toMatch(/jablotron_gd04 +sent; answer: PROGRAM OK/)
  const text = `${password},ADX,${callerNumber}`
  expect((await simulator('/state')).sent).toEqual([{ to: gateAt(0).phoneNumber, text }])
  expect(await press(0)).toMatchObject({ status: 'completed' })
  expect(await relays(0)).toBe(1)
  // The search would find it.
  expect(filesWith([gatewayId]).length).toBeGreaterThan(2)
  expect(filesWith(tellings(0))).toEqual([])
})

it('reports an unknown result where the gateway dies while it sends, and sends nothing again', async () => {
  await putModule(1, { answers: 'never' })
  await simulator('/faults', { faults: ['sms_lost_ok'] })
  const sending = sendSetUp(1)
  const sentNow = async () =>
    (await simulator('/state')).sent.filter(({ to }) => to === gateAt(1).phoneNumber)
  await eventually('it is sent', withinMs, async () => (await sentNow()).length > 0 || undefined)
  const { gateway } = house.parts
  gateway.kill()
  await gateway.ended()
  await simulator('/faults', { faults: [] })
  const startedMs = Date.now()
  gateway.start()
  expect(await sending).toMatch(/nobody knows whether it was sent\. The gateway was restarted/)
  await house.ready(startedMs)
  expect(await press(1)).toMatchObject({ status: 'completed' })
  expect(await relays(1)).toBe(1)
  expect(await sentNow()).toHaveLength(1)
  expect(filesWith(tellings(1))).toEqual([])
})
