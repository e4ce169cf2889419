import { createHash } from 'node:crypto'
import type { Schedule } from '@callgate/contract/rest/schedule'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Guest, said } from '../opening/exchange.kit.ts'
import { setContact } from '../space/spaces.ts'
import { type GuestSite, guestSite, type Headers, type Screen, screenOf } from './pages.kit.ts'

let site: GuestSite
let rig: GuestSite['rig']
let guest: Guest
let base = ''

beforeAll(async () => {
  site = await guestSite()
  rig = site.rig
  base = site.base
})
afterAll(() => site.close())
beforeEach(async () => {
  guest = await rig.addGuest(await rig.addGate({ name: 'North <b>"gate"</b>', location: "Baker's yard" }))
})

const serve = (appUrl?: string) => site.serve(appUrl)
const show = (from = base, of = guest) => site.show(of, from)
const { press, pressedId, send } = {
  press: (screen: Screen, headers: Headers = {}) => site.press(screen, headers),
  pressedId: (screen: Screen) => site.pressedId(screen),
  send: (method: string, path: string, headers: Headers = {}, body?: string) =>
    site.send(method, path, headers, body),
}

/** The page without the texts for a lost connection. */
const mainOf = (text: string) => text.slice(0, text.indexOf('<template'))

const openings = (of = guest) => rig.database.knex('openings').where({ memberId: of.memberId })

describe('a link', () => {
  it('shows the gates, and does not reveal to a preview whose they are', async () => {
    const { headers, status, text } = await show()
    expect(status).toBe(200)
    expect(text).toContain('aria-label="Open North &lt;b&gt;&quot;gate&quot;&lt;/b&gt;"')
    expect(text).toContain('Baker&#39;s yard')
    expect(text).toContain('<html lang="en"')
    expect(text).not.toContain('Ana')
    const head = text.slice(0, text.indexOf('</head>'))
    expect(head).not.toMatch(/North|Baker/)
    expect(head).toContain('<title>Open a gate</title>')
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow, noarchive',
      'content-type': 'text/html; charset=utf-8',
    })
  })

  it('allows only its own style and script', async () => {
    const { headers, text } = await show()
    const hashOf = (tag: string) => {
      const inside = text.slice(text.lastIndexOf(`<${tag}>`) + tag.length + 2, text.lastIndexOf(`</${tag}>`))
      return `'sha256-${createHash('sha256').update(inside).digest('base64')}'`
    }
    expect(headers.get('Content-Security-Policy')).toBe(
      `default-src 'none'; style-src ${hashOf('style')}; script-src ${hashOf('script')}; connect-src 'self'; img-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types guest`,
    )
  })

  it('has no effect until somebody presses', async () => {
    for (const method of ['GET', 'HEAD', 'OPTIONS']) {
      await send(method, `/g/${guest.token}?open=1`)
      await send(method, `/g/${guest.token}/gates/${guest.gateId}`)
      await send(method, `/g/${guest.token}/presses/1.${'n'.repeat(30)}.${'s'.repeat(43)}`)
    }
    expect(await openings()).toEqual([])
  })

  it('is not prefetched', async () => {
    const { status, text } = await send('GET', `/g/${guest.token}`, { 'Sec-Purpose': 'prefetch;prerender' })
    expect({ status, text }).toEqual({ status: 403, text: '' })
  })

  it('gives the same page where it is dead, unknown or malformed, and for an unknown path behind a live one', async () => {
    const { knex } = rig.database
    const [dead, gone] = [await rig.addGuest(guest.gateId), await rig.addGuest(guest.gateId)]
    const foreign = await rig.press(await rig.addGuest(await rig.addGate()))
    await knex('members').where({ id: dead.memberId }).update({ linkHash: null })
    await knex('members').where({ id: gone.memberId }).update({ isActive: false })
    const lost = [`${guest.token}/extra`, `${guest.token}/openings`, '']
    const paths = [dead.token, gone.token, 'x'.repeat(32), 'x', `${guest.token}/openings/${foreign}`, ...lost]
    const answers = await Promise.all(paths.map(path => send('GET', `/g/${path}`)))
    const [first] = answers
    expect(first?.text).toContain('This link does not work')
    for (const { cookie, status, text } of answers)
      expect({ cookie, status, text }).toEqual({ cookie: '', status: 404, text: first?.text })
    expect((await send('POST', `/g/${dead.token}/gates/${dead.gateId}`, {}, '')).text).toBe(first?.text)
  })

  it('over https has a cookie that no other host can set', async () => {
    const secure = await serve('https://gates.example.com')
    const { headers } = await send('GET', `${secure}/g/${guest.token}`)
    expect(headers.get('Set-Cookie')).toMatch(
      /^__Host-guest=[\w-]{22}; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Lax; Secure$/,
    )
  })

  it('says why a gate does not open now, and when it opens next, in its zone', async () => {
    const schedule: Schedule = {
      type: 'weekdays',
      timeWindows: [{ from: '18:00', to: '20:00' }],
      timezone: 'Europe/Bucharest',
    }
    const closed = await rig.addGuest(await rig.addGate(), { schedules: [schedule], preferredLanguage: 'de' })
    const used = await rig.addGuest(await rig.addGate({ name: 'Back' }), { maxUsage: 1, of: closed })
    await rig.database.knex('accesses').where({ id: used.accessId }).update({ usageCount: 1 })
    const { text } = await show(base, closed)
    expect(text).toMatch(
      /Sie dürfen öffnen ab<b><time datetime="2026-01-05T16:00:00.000Z"[^>]*>18:00<\/time>/,
    )
    expect(text).toContain('Ihre Zeiten')
    expect(text).toContain('Montag bis Freitag, 18:00–\u206020:00')
    expect(text).toContain('Alle Öffnungen sind verbraucht')
    expect(text).not.toContain('name="ask"')
  })

  it('says that an ended access has ended, and not that it is outside its hours', async () => {
    const until2020: Schedule = { type: 'one-shot', expiresAt: '2020-01-01T00:00:00Z', timezone: 'UTC' }
    const screen = await show()
    const schedules = JSON.stringify([until2020])
    await rig.database.knex('accesses').where({ id: guest.accessId }).update({ schedules })
    const openingId = await pressedId(screen)
    expect(await rig.opening(openingId)).toMatchObject({ reason: 'access_ended', safeToRetry: 0 })
    for (const path of ['', `/openings/${openingId}`]) {
      const { text } = await send('GET', `/g/${guest.token}${path}`)
      expect(text).toContain('Your access has ended')
      expect(text).toContain('Ended on 1 January 2020.')
      expect(text).not.toMatch(/at this time|You may open from/)
    }
  })

  it('promises no time for an access that is used up, and shows no end that is in the future', async () => {
    // Monday, 10:00 in Bucharest.
    const [evening, morning] = ['18:00', '09:00'].map(
      (from): Schedule => ({
        type: 'weekdays',
        timeWindows: [{ from, to: from.replace(':00', ':45') }],
        timezone: 'Europe/Bucharest',
      }),
    )
    const used = { schedules: JSON.stringify([evening]), maxUsage: 1, usageCount: 1 }
    const screen = await show()
    const ofGuest = () => rig.database.knex('accesses').where({ id: guest.accessId })
    await ofGuest().update(used)
    const openingId = await pressedId(screen)
    expect(await rig.opening(openingId)).toMatchObject({ reason: 'outside_schedule' })
    for (const path of ['', `/openings/${openingId}`])
      expect((await send('GET', `/g/${guest.token}${path}`)).text).not.toMatch(/datetime=|You may open from/)
    expect((await show()).text).toContain('You have no uses left')
    const over = { ...morning, expiresAt: '2026-01-06T08:00' }
    await ofGuest().update({ schedules: JSON.stringify([over]), maxUsage: null })
    const { text } = await show()
    expect(text).toContain('Your access has ended')
    expect(text).not.toContain('Ended on')
  })

  it('shows first the gates that open now', async () => {
    await rig.addGuest(await rig.addGate({ name: 'Annex' }), { of: guest, maxUsage: 1 })
    await rig.database
      .knex('accesses')
      .where({ maxUsage: 1, memberId: guest.memberId })
      .update({ usageCount: 1 })
    const { text } = await show()
    expect(text.indexOf('Annex')).toBeGreaterThan(text.indexOf('Open North'))
    expect(text).not.toContain('Open Annex')
  })

  it('leaves out gates that can never be opened', async () => {
    const { knex } = rig.database
    await rig.addGuest(await rig.addGate({ name: 'Off' }), { of: guest })
    await knex('gates').where({ name: 'Off' }).update({ isActive: false })
    await knex('accesses').where({ id: guest.accessId }).update({ isActive: false })
    expect((await show()).text).toContain('There is no gate that you can open at the moment.')
  })
})

describe('a press', () => {
  it('opens the gate, and the page follows the call to its end', async () => {
    const screen = await show()
    const { headers } = await press(screen, { 'Sec-Fetch-Site': 'same-origin' })
    const location = headers.get('Location') ?? ''
    const openingId = location.split('/').at(-1) ?? ''
    expect(location).toBe(`/g/${guest.token}/openings/${openingId}`)
    const calling = await send('GET', location)
    expect(calling.text).toContain('class="live" data-lit="1"')
    expect(calling.text).toContain('<noscript><meta http-equiv="refresh" content="2"></noscript>')
    const { accessId, memberId } = guest
    const actor = { actorType: 'guest', actorName: 'Ana', actorEmail: 'ana@example.com', memberId, accessId }
    expect(await rig.opening(openingId)).toMatchObject(actor)
    await rig.claim(openingId)
    await rig.report(openingId, { phase: 'ringing', sinceClaimMs: 1 })
    expect((await send('GET', location)).text).toContain('data-lit="3"')
    await rig.report(openingId, said.completed)
    const done = await send('GET', location)
    expect(done.text).toContain('The gate took the call')
    expect(done.text).not.toContain('http-equiv="refresh"')
    expect(done.text).toContain(`reference ${openingId.slice(-5)}`)
  })

  it('counts once, however often its form is sent', async () => {
    const screen = await show()
    const twins = await Promise.all([1, 2, 3, 4, 5].map(() => press(screen)))
    const locations = new Set(twins.map(({ headers }) => headers.get('Location')))
    expect(locations.size).toBe(1)
    await rig.world.advance(60_000)
    expect((await press(screen)).headers.get('Location')).toBe([...locations][0])
    expect(await openings()).toHaveLength(1)
  })

  it('counts for its own gate, access and browser only, and not after five minutes or a restart', async () => {
    const south = await rig.addGuest(await rig.addGate({ name: 'South' }), { of: guest })
    const screen = await show()
    const elsewhere = { ...screen, action: screen.action.replace(/[^/]+$/, south.gateId) }
    const restarted = await serve()
    const refused = [
      await press({ ...screen, cookie: '' }),
      await press({ ...screen, cookie: `guest=${'x'.repeat(22)}` }),
      await press(elsewhere),
      await press({ ...screen, form: screen.form.replace('access_', 'access_0') }),
      await press({ ...screen, form: screen.form.replace(/.(?=&after)/, '') }),
      await press({ ...screen, form: '' }),
      await press({ ...screen, form: `${screen.form}&more=${'x'.repeat(5_000)}` }),
      await press({ ...screen, action: restarted + screen.action }),
    ]
    for (const { status, text } of refused) {
      expect(status).toBe(409)
      expect(text).toContain('Nothing was opened: the page was too old.')
    }
    await rig.world.advance(5 * 60_000)
    expect((await press(screen)).status).toBe(409)
    expect(await openings()).toEqual([])
  })

  it('from another site is refused', async () => {
    const screen = await show()
    for (const from of ['cross-site', 'same-site', 'none'])
      expect((await press(screen, { 'Sec-Fetch-Site': from })).status).toBe(403)
    expect(await openings()).toEqual([])
  })

  it('after a refusal, from the page of the refusal, opens', async () => {
    const refused = screenOf(await press({ ...(await show()), cookie: '' }))
    await pressedId(refused)
    expect(await openings()).toHaveLength(1)
  })

  it('during the call of the last use of its access follows this call', async () => {
    await rig.database.knex('accesses').where({ id: guest.accessId }).update({ maxUsage: 1 })
    const screens = [await show(), await show(), await show()]
    const [first, second] = [await pressedId(screens[0] as Screen), await pressedId(screens[1] as Screen)]
    await rig.claim(first)
    const third = await pressedId(screens[2] as Screen)
    const page = async (id: string) => (await send('GET', `/g/${guest.token}/openings/${id}`)).text
    for (const id of [second, third])
      expect(await page(id)).toContain('The gate is being called already; your press joins that call.')
    await rig.report(first, said.completed)
    for (const id of [first, second, third]) expect(await page(id)).toContain('The gate took the call')
  })

  it('shows the wait for the call of another gate, and about how long it takes', async () => {
    // The calls of other tests are over by then.
    await rig.world.advance(100_000)
    const other = await rig.addGuest(await rig.addGate())
    const called = await rig.press(other)
    await rig.claim(called)
    await rig.world.advance(4_000)
    const openingId = await pressedId(await show())
    const page = async () => (await send('GET', `/g/${guest.token}/openings/${openingId}`)).text
    const next = 'Another gate is being called; yours is next, in about 8\u00a0s.'
    expect(await page()).toContain(`<p class="queue">${next}</p>`)
    expect(await page()).toContain(`data-say="${next}"`)
    await rig.report(called, said.completed)
    expect(await page()).toContain('<p class="queue"></p>')
  })

  it('by an access that was revoked after the page was shown is recorded, and the page says so', async () => {
    const screen = await show()
    await rig.database.knex('accesses').where({ id: guest.accessId }).del()
    const openingId = await pressedId(screen)
    expect(await rig.opening(openingId)).toMatchObject({ status: 'failed', reason: 'access_revoked' })
    const { text } = await send('GET', `/g/${guest.token}/openings/${openingId}`)
    expect(text).toContain('This gate is no longer open to you.')
  })

  it('that opens nothing shows whom to call, and one that opens does not', async () => {
    const { database } = rig
    const { spaceId } = await database.knex('members').where({ id: guest.memberId }).first('spaceId')
    const someone = { contactName: 'Front <desk>', contactPhone: '+40 21 555 0100' }
    await setContact(database, spaceId, someone)
    const line = /<a class="b" href="tel:\+40215550100">.*Call Front &lt;desk&gt;/
    const screen = await show()
    expect(mainOf(screen.text)).not.toContain('Front')
    await database.knex('accesses').where({ id: guest.accessId }).update({ maxUsage: 1, usageCount: 1 })
    expect(mainOf((await show()).text)).toMatch(line)
    const openingId = await pressedId(screen)
    const opening = () => send('GET', `/g/${guest.token}/openings/${openingId}`)
    expect(mainOf((await opening()).text)).toMatch(line)
    await database.knex('openings').where({ id: openingId }).update({ status: 'completed' })
    expect(mainOf((await opening()).text)).not.toContain('Front')
    await setContact(database, spaceId, { contactName: null, contactPhone: null })
    expect((await show()).text).not.toContain('tel:')
  })

  it('is one of at most ten a minute; more are not recorded', async () => {
    for (let count = 0; count < 10; count++) await pressedId(await show())
    await rig.world.advance(20_000)
    const screen = await show()
    const { headers, status, text } = await press(screen)
    expect(status).toBe(429)
    expect(headers.get('Retry-After')).toBe('40')
    expect(text).toContain('Wait 40\u00a0s')
    expect(await openings()).toHaveLength(10)
    await rig.world.advance(40_000)
    await pressedId({ ...screen, form: screen.form.replace('after=0', 'after=60000') })
    expect(await openings()).toHaveLength(11)
  })
})

describe('the language', () => {
  const langOf = async (headers: Headers = {}) =>
    /<html lang="(..)"/.exec((await send('GET', `/g/${guest.token}`, headers)).text)?.[1]

  it("is the browser's, otherwise the Space's", async () => {
    expect(await langOf({ 'Accept-Language': 'ja, uk-UA;q=0.8, fr;q=0.5' })).toBe('uk')
    await rig.database.knex('spaces').update({ language: 'ro' })
    expect(await langOf({ 'Accept-Language': 'ja' })).toBe('ro')
    expect(await langOf({ 'Accept-Language': '*' })).toBe('ro')
    await rig.database.knex('spaces').update({ language: 'en' })
  })

  it('is stored for every device of the member when it is chosen', async () => {
    const path = `/g/${guest.token}/language`
    const foreign = await send('POST', path, { 'Sec-Fetch-Site': 'cross-site' }, 'language=fr')
    expect(foreign.status).toBe(403)
    const picked = await send('POST', path, {}, 'language=hu')
    expect(picked.status).toBe(303)
    expect(picked.headers.get('Location')).toBe(`/g/${guest.token}`)
    await send('POST', path, {}, 'language=xx')
    expect(await langOf({ 'Accept-Language': 'fr' })).toBe('hu')
  })
})

it('the token is in no log, whatever fails', async () => {
  const screen = await show()
  await rig.database.knex.schema.renameTable('spaces', 'spacesAway')
  const failed = [await press(screen), await show()]
  await rig.database.knex.schema.renameTable('spacesAway', 'spaces')
  for (const { status, text } of failed) {
    expect(status).toBe(500)
    expect(text).toContain('Something went wrong')
  }
  expect(rig.world.lines.filter(({ message }) => message === 'a guest page failed')).toHaveLength(2)
  expect(JSON.stringify(rig.world.lines)).not.toContain(guest.token)
  await pressedId(screen)
})

describe('the rate of a link', () => {
  it('is 120 requests in a minute; then the page says in its language when it reloads', async () => {
    for (let visit = 0; visit < 120; visit++) expect((await show()).status).toBe(200)
    const { headers, status, text } = await send('GET', `${base}/g/${guest.token}`, {
      'Accept-Language': 'de',
    })
    const seconds = Number(headers.get('Retry-After'))
    expect(status).toBe(429)
    expect(seconds).toBeGreaterThan(0)
    expect(text).toContain(
      `Diese Seite wurde zu oft geladen. Sie wird in ${seconds}\u00a0s noch einmal geladen.`,
    )
    expect(text).toContain(`<meta http-equiv="refresh" content="${seconds}">`)
    // Another link is not affected, and this one is served again after the time.
    const other = await rig.addGuest(await rig.addGate({}))
    expect((await show(base, other)).status).toBe(200)
    await rig.world.advance(seconds * 1000)
    expect((await show()).status).toBe(200)
  })

  it('is 600 dead links in a minute for an address, whose valid links still work', async () => {
    const own = await serve()
    for (let visit = 0; visit < 600; visit++) expect((await send('GET', `${own}/g/dead`)).status).toBe(404)
    expect((await send('GET', `${own}/g/dead`)).status).toBe(429)
    expect((await show(own)).status).toBe(200)
  })
})
