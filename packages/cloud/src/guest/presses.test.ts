import { gunzipSync } from 'node:zlib'
import { exampleVerdict } from '@callgate/contract/call/verdict'
import { languages } from '@callgate/contract/rest/member'
import { isoTime } from '@callgate/world/world'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newPhoneAt } from '../member/linkUses.ts'
import { type Guest, said } from '../opening/exchange.kit.ts'
import { type GuestSite, guestSite, screenOf } from './pages.kit.ts'
import { texts } from './texts/texts.ts'

let site: GuestSite
let guest: Guest
beforeAll(async () => {
  site = await guestSite()
})
afterAll(() => site.close())
beforeEach(async () => {
  guest = await site.rig.addGuest(await site.rig.addGate({ name: 'North' }))
})

const openings = () => site.rig.database.knex('openings').where({ memberId: guest.memberId })
const encoded = (fields: Record<string, string>) => new URLSearchParams(fields).toString()
const pageOf = async (openingId: string) =>
  (await site.send('GET', `/g/${guest.token}/openings/${openingId}`)).text

describe('without a script', () => {
  it('P8: a press needs a confirmation, on a page with a nonce of its own that presses for a minute', async () => {
    const first = await site.show(guest)
    const { cookie: Cookie } = first
    const ask = async () => {
      const { headers } = await site.send('POST', first.action, { Cookie }, encoded(first.fields))
      return screenOf(await site.send('GET', headers.get('Location') ?? '', { Cookie }))
    }
    const asked = await ask()
    expect(asked.text).toContain('A real gate will move.')
    expect(await openings()).toEqual([])
    expect(asked.fields['press']).not.toBe(first.fields['ask'])
    const form = encoded(asked.fields)
    const pressed = await site.send('POST', asked.action, { Cookie }, form)
    expect(pressed.status).toBe(303)
    expect(await openings()).toHaveLength(1)
    // When the guest goes back to the page or sends it again, it leads to the same opening.
    const again = await site.send('POST', asked.action, { Cookie }, form)
    expect(again.headers.get('Location')).toBe(pressed.headers.get('Location'))
    const second = await ask()
    await site.rig.world.advance(60_001)
    expect((await site.send('POST', second.action, { Cookie }, encoded(second.fields))).status).toBe(409)
    expect(await openings()).toHaveLength(1)
  })
})

describe('a press', () => {
  it('P1: leads to one opening when it is sent several times at once', async () => {
    const screen = await site.show(guest)
    const all = await Promise.all(Array.from({ length: 8 }, () => site.press(screen)))
    expect(new Set(all.map(({ headers }) => headers.get('Location'))).size).toBe(1)
    expect(await openings()).toHaveLength(1)
  })

  it('P2: opens nothing after more than 15 s on its way, however long the page was shown before', async () => {
    const screen = await site.show(guest)
    await site.rig.world.advance(75_001)
    const late = await site.press({ ...screen, form: screen.form.replace('after=0', 'after=60000') })
    expect(late.status).toBe(409)
    expect(late.text).toContain('your press came too late')
    expect(await openings()).toEqual([])
    const next = screenOf(await site.press({ ...screen, form: screen.form.replace('after=0', 'after=x') }))
    expect(next.status).toBe(409)
    await site.pressedId({ ...screen, form: screen.form.replace('after=0', 'after=60002') })
    expect(await openings()).toHaveLength(1)
  })

  it('is found again by its nonce, which presses nothing', async () => {
    const screen = await site.show(guest)
    const nonce = new URLSearchParams(screen.form).get('press') ?? ''
    const find = (from = site.base) => site.send('GET', `${from}/g/${guest.token}/presses/${nonce}`)
    const unsent = await find()
    expect(unsent.status).toBe(404)
    expect(unsent.text).toContain('your press did not arrive')
    const openingId = await site.pressedId(screen)
    expect((await find()).headers.get('Location')).toBe(`/g/${guest.token}/openings/${openingId}`)
    expect(await openings()).toHaveLength(1)
    // After a restart, and once it is forgotten, the page does not claim that the press did not arrive.
    const restarted = await find(await site.serve())
    expect(restarted.text).toContain('nobody knows whether your press arrived')
    await site.rig.world.advance(5 * 60_000)
    await site.pressedId(await site.show(guest))
    expect((await find()).text).toContain('nobody knows whether your press arrived')
  })

  it('from another phone is noted once, with its time only', async () => {
    const { database, spaceId, world } = site.rig
    const uses = () => database.knex('linkUses').where({ memberId: guest.memberId })
    const newPhone = () => newPhoneAt(database.knex, { id: guest.memberId, spaceId })
    await site.show(guest)
    expect(await uses()).toEqual([])
    const { cookie } = await site.show(guest)
    for (const _ of [1, 2]) await site.pressedId({ ...(await shownTo(cookie)), cookie })
    expect(await uses()).toHaveLength(1)
    expect(await newPhone()).toBeNull()
    await world.advance(60_000)
    await site.pressedId(await site.show(guest))
    expect(await uses()).toHaveLength(2)
    expect(await newPhone()).toBe(isoTime(world.nowMs()))
    const rows = JSON.stringify(await database.knex('linkUses'))
    expect(rows).not.toContain(cookie.split('=')[1])
  })
})

async function shownTo(cookie: string) {
  return screenOf(await site.send('GET', `/g/${guest.token}`, { Cookie: cookie }))
}

describe('an opening with an unknown end', () => {
  it('asks the guest, whose answer is stored and changes nothing', async () => {
    const { knex } = site.rig.database
    const openingId = await site.rig.run(guest, said.unclear)
    const before = await site.rig.opening(openingId)
    const text = await pageOf(openingId)
    expect(text).toContain('data-page="look"')
    expect(text).toContain('It is open, or moving')
    expect(text).not.toContain('class="b fill"')
    const seen = `/g/${guest.token}/openings/${openingId}/seen`
    expect((await site.send('POST', seen, { 'Sec-Fetch-Site': 'cross-site' }, 'seen=moving')).status).toBe(
      303,
    )
    await site.send('POST', seen, {}, 'seen=closed')
    expect(await knex('openingObservations').where({ openingId })).toEqual([])
    await site.send('POST', seen, {}, 'seen=moving')
    await site.send('POST', seen, {}, 'seen=moving')
    expect(await knex('openingObservations').where({ openingId })).toMatchObject([
      { actorType: 'guest', seen: 'moving' },
    ])
    expect(await site.rig.opening(openingId)).toEqual(before)
    const noted = await pageOf(openingId)
    expect(noted).toContain('Noted: it is open, or moving')
    // What the guest knows by now is not said to be unknown.
    expect(noted).not.toMatch(/press again|Nobody can know/)
  })

  it('can be pressed again when the gate does not move, which is stored too', async () => {
    const openingId = await site.rig.run(guest, said.unclear)
    await site.rig.world.advance(60_000)
    const screen = screenOf(await site.send('GET', `/g/${guest.token}/openings/${openingId}`))
    expect(screen.fields['stood']).toBe(openingId)
    await site.pressedId(screen)
    const kept = await site.rig.database.knex('openingObservations').where({ openingId })
    expect(kept).toMatchObject([{ seen: 'still' }])
  })

  it('asks nobody else', async () => {
    const openingId = await site.rig.run(guest, said.busy)
    await site.send('POST', `/g/${guest.token}/openings/${openingId}/seen`, {}, 'seen=moving')
    const foreign = await site.rig.run(await site.rig.addGuest(await site.rig.addGate()), said.unclear)
    expect(
      (await site.send('POST', `/g/${guest.token}/openings/${foreign}/seen`, {}, 'seen=moving')).status,
    ).toBe(404)
    expect(
      await site.rig.database.knex('openingObservations').whereIn('openingId', [openingId, foreign]),
    ).toEqual([])
  })
})

it('shows an opening as probable, with the last arc dotted, where the reaction cannot be heard for sure', async () => {
  const verdict = { ...exampleVerdict, confidence: 'assumed' as const }
  const openingId = await site.rig.run(guest, { phase: 'ended', sinceClaimMs: 100, verdict, evidence: null })
  const text = await pageOf(openingId)
  expect(text).toContain('class="dotted" data-lit="4"')
  expect(text).toContain('It is probably opening')
})

it('says how long a gate usually takes, from five of its own calls on', async () => {
  const usual = async () => /usually (\d+)\ss</.exec((await site.show(guest)).text)?.[1]
  for (const seconds of [30, 8, 7, 9]) await call(seconds)
  expect(await usual()).toBeUndefined()
  await call(8)
  expect(await usual()).toBe('8')
})

/** One call of the guest's gate that takes `seconds` from the press to its end. */
async function call(seconds: number) {
  const { rig } = site
  await rig.world.advance(60_000)
  const openingId = await rig.press(guest)
  await rig.claim(openingId)
  await rig.database
    .knex('openings')
    .where({ id: openingId })
    .update({ calledAt: new Date(rig.world.nowMs() - seconds * 1000).toISOString() })
  await rig.report(openingId, said.completed)
}

describe('the first answer', () => {
  it.each(languages)('in %s is at most 14 KB compressed, with five gates', async language => {
    const of = await site.rig.addGuest(await site.rig.addGate({ name: texts[language].title.repeat(3) }), {
      preferredLanguage: language,
    })
    for (const name of ['Yard barrier', 'Underground parking', 'Delivery gate', 'Garden door'])
      await site.rig.addGuest(await site.rig.addGate({ name, location: `${name}, Strada Lalelelor 14` }), {
        of,
      })
    const { hostname, port } = new URL(site.base)
    const { request } = await import('node:http')
    const zipped = await new Promise<Buffer>((resolve, reject) => {
      const headers = { 'Accept-Encoding': 'gzip' }
      const asked = request({ hostname, port, path: `/g/${of.token}`, headers }, answer => {
        expect(answer.headers['content-encoding']).toBe('gzip')
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('end', () => resolve(Buffer.concat(chunks)))
      })
      asked.on('error', reject).end()
    })
    expect(gunzipSync(zipped).toString()).toContain(texts[language].open)
    // The headers are in the same flight of packets.
    expect(zipped.length).toBeLessThan(14 * 1024 - 1_200)
  })
})

it('has a manifest that leads back to the link, with the name of its Space', async () => {
  const { headers, text } = await site.send('GET', `/g/${guest.token}/manifest.webmanifest`)
  expect(headers.get('Content-Type')).toContain('application/manifest+json')
  const manifest = JSON.parse(text) as { name: string; start_url: string; icons: { src: string }[] }
  expect(manifest).toMatchObject({ name: 'A', start_url: `/g/${guest.token}`, scope: '/g/' })
  for (const { src } of manifest.icons) expect((await site.send('GET', src)).status).toBe(200)
  expect((await site.send('GET', `/g/dead/manifest.webmanifest`)).status).toBe(404)
})

it('has a service worker that keeps one page without a link', async () => {
  const worker = await site.send('GET', '/g/worker.js')
  expect(worker.headers.get('Cache-Control')).toBe('no-cache')
  expect(worker.text).not.toContain('//')
  const offline = await site.send('GET', '/g/offline?language=hu')
  expect(offline.text).toContain('Nincs kapcsolat')
  expect(offline.headers.get('Set-Cookie')).toBeNull()
})

it('sends its script whole: nothing in it looks like a comment', async () => {
  const { script } = await import('./assets.ts')
  expect(() => new Function(script)).not.toThrow()
  expect(script).toContain("'step', told")
  expect(script.length).toBeGreaterThan(8_000)
})
