import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { examplePhoto, putPhoto } from '../gate/gatePhotos.kit.ts'
import type { Guest } from '../opening/exchange.kit.ts'
import { type GuestSite, guestSite } from './pages.kit.ts'

let site: GuestSite
let guest: Guest
let gateId: string
let plainId: string
beforeAll(async () => {
  site = await guestSite()
})
afterAll(() => site.close())
beforeEach(async () => {
  const { rig } = site
  gateId = await rig.addGate({ name: 'Attic' })
  plainId = await rig.addGate({ name: 'Back' })
  guest = await rig.addGuest(gateId)
  await rig.addGuest(plainId, { of: guest })
  await putPhoto(rig.database, { spaceId: rig.spaceId, gateId })
})

const { bytes, hash } = examplePhoto
const addressOf = (token = guest.token, id = gateId, of = hash) => `/g/${token}/gates/${id}/photo/${of}`
const statusOf = async (path: string) => (await site.send('GET', path)).status

it('shows a place for the photo of a gate that has one, for the script to fill', async () => {
  const { text } = await site.show(guest)
  expect(text.match(/class="photo"/g)).toHaveLength(1)
  expect(text).toContain(`<span class="photo" data-src="${addressOf()}"></span><div><h1>Attic</h1>`)
  expect(text).not.toContain('<img')
})

it('sends the photo to the guest of the gate alone, for the browser to keep', async () => {
  const answer = await fetch(site.base + addressOf())
  expect(answer.status).toBe(200)
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(bytes)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'image/jpeg',
    'cache-control': 'private, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
  })
})

it('S1: is not found for another guest, another hash, and a gate without a photo', async () => {
  const other = await site.rig.addGuest(plainId)
  for (const path of [
    addressOf(other.token),
    addressOf('x'.repeat(32)),
    addressOf(guest.token, gateId, 'A'.repeat(22)),
    addressOf(guest.token, plainId),
    addressOf(guest.token, plainId, 'null'),
  ])
    expect([path, await statusOf(path)]).toEqual([path, 404])
})

it.each([
  ['the link is another one', 'members', { linkHash: 'another' }],
  ['the member is deactivated', 'members', { isActive: false, linkHash: null, linkSealed: null }],
  ['the access is revoked', 'accesses', { isActive: false }],
  ['the gate is switched off', 'gates', { isActive: false }],
])('S1: is not found once %s', async (_, table, columns) => {
  expect(await statusOf(addressOf())).toBe(200)
  const places = { members: { id: guest.memberId }, accesses: { gateId }, gates: { id: gateId } }
  await site.rig.database
    .knex(table)
    .where(places[table as keyof typeof places])
    .update(columns)
  expect(await statusOf(addressOf())).toBe(404)
})

it('counts apart from the pages of the link', async () => {
  for (let count = 0; count < 130; count++) expect(await statusOf(addressOf())).toBe(200)
  expect((await site.show(guest)).status).toBe(200)
})
