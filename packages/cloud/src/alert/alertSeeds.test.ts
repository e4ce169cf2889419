// Seeds: gateways, the broker and the cloud come and go at random, and the notifications stay true.

import { expect, it } from 'vitest'
import { AlertHouse } from './alertHouse.kit.ts'

const stepMs = 10_000
const minuteMs = 60_000
const steps = 400

/** When each gateway was last heard while the cloud could hear, and since when the cloud could hear. */
interface Watch {
  silentMs: number
}

/** One random event; most of the time nothing happens. */
async function happen(house: AlertHouse): Promise<void> {
  const { world } = house
  const what = world.random()
  const gateway = house.gateways[world.randomInt(0, house.gateways.length - 1)]
  if (!gateway) return
  if (what < 0.04) gateway.isUp = !gateway.isUp
  else if (what < 0.06) gateway.signalDbm = gateway.signalDbm < -93 ? -75 : -100
  else if (what < 0.065) house.isConnected = !house.isConnected
  else if (what < 0.07 && house.hasCloud) await house.stopCloud()
  else if (what < 0.1) {
    house.startCloud()
    house.isConnected = true
  }
}

/** No notification is sent twice, and each mail is about existing incidents. */
async function expectToldOnce(house: AlertHouse): Promise<void> {
  const begun = new Map<string, number>()
  const ended = new Map<string, number>()
  const tellings = new Set<string>()
  for (const mail of await house.mails()) {
    expect(tellings.has(mail.tellingId), 'one user, one mail for each telling').toBe(false)
    tellings.add(mail.tellingId)
    for (const id of JSON.parse(mail.incidentIds) as string[]) {
      const of = mail.kind === 'closed' || begun.has(id) ? ended : begun
      of.set(id, (of.get(id) ?? 0) + 1)
    }
  }
  for (const count of [...begun.values(), ...ended.values()]) expect(count).toBe(1)
  const known = new Set((await house.incidents()).map(({ id }) => id))
  for (const id of [...begun.keys(), ...ended.keys()]) expect(known.has(id)).toBe(true)
}

async function run(seed: number): Promise<{ readonly incidents: number; readonly mails: number }> {
  const house = await AlertHouse.open(seed)
  const spaceId = await house.addSpace()
  for (let count = 0; count < 3; count++) await house.addGateway(spaceId, `Box ${count}`)
  house.startCloud()
  const watches = new Map(house.gateways.map(gateway => [gateway, { silentMs: 0 } as Watch]))
  for (let step = 0; step < steps; step++) {
    const couldHear = house.hasCloud && house.isConnected
    await happen(house)
    await house.pass(stepMs)
    const rows = await house.incidents()
    const open = rows.filter(({ closedAt, kind }) => closedAt === null && kind === 'gateway_offline')
    expect(new Set(open.map(({ targetId }) => targetId)).size).toBe(open.length)
    for (const [gateway, watch] of watches) {
      const hears = couldHear && house.hasCloud && house.isConnected
      watch.silentMs = hears && !gateway.isUp ? watch.silentMs + stepMs : 0
      const isTold = open.some(({ targetId }) => targetId === gateway.id)
      // No silence is without a notification for longer than six minutes.
      if (watch.silentMs > 6 * minuteMs) expect(isTold, `${gateway.id} at step ${step}`).toBe(true)
    }
    for (const { openedAt, seenAt } of rows.filter(({ kind }) => kind === 'gateway_offline'))
      expect(Date.parse(openedAt ?? '') - Date.parse(seenAt)).toBeGreaterThanOrEqual(5 * minuteMs - stepMs)
  }
  await expectToldOnce(house)
  // In the end everything is well: every incident ends, and no notification is left.
  house.isConnected = true
  house.startCloud()
  for (const gateway of house.gateways) Object.assign(gateway, { isUp: true, signalDbm: -75 })
  await house.pass(12 * minuteMs)
  const rows = await house.incidents()
  expect(rows.filter(({ closedAt }) => closedAt === null)).toEqual([])
  await house.pass(4 * 60 * minuteMs)
  const told = await house.incidents()
  expect(told.filter(({ closeTold, openTold }) => openTold === null || closeTold === null)).toEqual([])
  await expectToldOnce(house)
  const mails = (await house.mails()).length
  await house.close()
  return { incidents: rows.length, mails }
}

it('notifies of every silence within six minutes, and of each beginning and end once, whatever comes and goes', async () => {
  let incidents = 0
  let mails = 0
  for (let seed = 1; seed <= 6; seed++) {
    const ran = await run(seed)
    incidents += ran.incidents
    mails += ran.mails
  }
  // The seeds reach the cases that they are for.
  expect(incidents).toBeGreaterThan(10)
  expect(mails).toBeGreaterThan(10)
})
