import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Guest } from '../opening/exchange.kit.ts'
import { type GuestSite, guestSite } from './pages.kit.ts'

let site: GuestSite
let guest: Guest
let gates: readonly string[]
beforeAll(async () => {
  site = await guestSite()
})
afterAll(() => site.close())
beforeEach(async () => {
  const { rig } = site
  gates = await Promise.all(['Attic', 'Back', 'Court'].map(name => rig.addGate({ name })))
  guest = await rig.addGuest(gates[0] ?? '')
  for (const gateId of gates.slice(1)) await rig.addGuest(gateId, { of: guest })
})

const form = { 'Content-Type': 'application/x-www-form-urlencoded' }

/** Sends the form of a pin as a browser with this cookie, and returns the cookie afterwards. */
async function send(fields: Record<string, string>, cookie = '', headers: Record<string, string> = {}) {
  const body = new URLSearchParams(fields).toString()
  const answer = await site.send(
    'POST',
    `/g/${guest.token}/pins`,
    { ...form, Cookie: cookie, ...headers },
    body,
  )
  expect(answer.status).toBe(303)
  return (
    answer.headers
      .getSetCookie()
      .find(one => one.startsWith('pins='))
      ?.split(';')[0] ?? cookie
  )
}
async function orderOf(cookie: string): Promise<readonly string[]> {
  const { text } = await site.send('GET', `/g/${guest.token}`, { Cookie: cookie })
  return [...text.matchAll(/<h[12]>(Attic|Back|Court)</g)].map(([, name]) => name ?? '')
}

it('shows the gates that this browser has pinned first, in the order of their pins', async () => {
  const [, back = '', court = ''] = gates
  expect(await orderOf('')).toEqual(['Attic', 'Back', 'Court'])
  const one = await send({ pin: court })
  expect(await orderOf(one)).toEqual(['Court', 'Attic', 'Back'])
  const two = await send({ pin: back }, one)
  expect(await orderOf(two)).toEqual(['Court', 'Back', 'Attic'])
  const { text } = await site.send('GET', `/g/${guest.token}`, { Cookie: two })
  expect(text).toContain(`name="unpin" value="${court}" aria-pressed="true"`)
  expect(await orderOf(await send({ unpin: court }, two))).toEqual(['Back', 'Attic', 'Court'])
  expect(await orderOf('')).toEqual(['Attic', 'Back', 'Court'])
})

it('never puts a gate that does not open now before one that does', async () => {
  const [attic = ''] = gates
  const ended = JSON.stringify([{ type: 'one-shot', expiresAt: '2020-01-01T00:00:00Z', timezone: 'UTC' }])
  await site.rig.database.knex('accesses').where({ gateId: attic }).update({ schedules: ended })
  expect((await orderOf(await send({ pin: attic })))[0]).toBe('Back')
})

it('keeps nothing of a form from elsewhere, and no text that is no id of a gate', async () => {
  expect(await send({ pin: gates[1] ?? '' }, '', { 'Sec-Fetch-Site': 'cross-site' })).toBe('')
  expect(await send({ pin: 'x; Domain=example.com' })).toBe('pins=')
  expect(await orderOf('pins=gate_nonsense.<script>')).toEqual(['Attic', 'Back', 'Court'])
})

it('has no pin where there is one gate', async () => {
  const alone = await site.rig.addGuest(gates[0] ?? '')
  expect((await site.show(alone, site.base)).text).not.toContain('class="pin"')
})

it('has a pin at the gate on the disc alone, and at a row that is pinned and opens now', async () => {
  const [attic = '', , court = ''] = gates
  const pinsOf = async (cookie: string) => {
    const { text } = await site.send('GET', `/g/${guest.token}`, { Cookie: cookie })
    return [...text.matchAll(/class="pin" name="(\w+)" value="([^"]+)"/g)].map(([, name, id]) => [name, id])
  }
  expect(await pinsOf('')).toEqual([['pin', attic]])
  const both = await send({ pin: court }, await send({ pin: attic }))
  expect(await pinsOf(both)).toEqual([
    ['unpin', attic],
    ['unpin', court],
  ])
  const later = JSON.stringify([{ type: 'one-shot', startsAt: '2030-01-01T00:00:00Z', timezone: 'UTC' }])
  await site.rig.database.knex('accesses').where({ gateId: court }).update({ schedules: later })
  expect(await pinsOf(both)).toEqual([['unpin', attic]])
})

it('shows the facts of the gate on the disc above the other gates', async () => {
  const { knex } = site.rig.database
  await knex('accesses').where({ memberId: guest.memberId }).update({ maxUsage: 10 })
  const { text } = await site.show(guest)
  const places = ['class="disc', 'uses left', 'class="rows"', 'class="steps"'].map(part => text.indexOf(part))
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  expect(places).not.toContain(-1)
  expect(text.match(/uses left/g)).toHaveLength(1)
})

it('says the address once where all gates have one, and at each gate otherwise', async () => {
  const { knex } = site.rig.database
  const addresses = async () => {
    const { text } = await site.show(guest)
    return [...text.matchAll(/<p(?: class="where")?>(Street \d)</g)].map(([, address]) => address)
  }
  await knex('gates').whereIn('id', gates).update({ location: 'Street 1' })
  expect(await addresses()).toEqual(['Street 1'])
  await knex('gates').where({ id: gates[2] }).update({ location: 'Street 2' })
  expect(await addresses()).toEqual(['Street 1', 'Street 1', 'Street 2'])
})
