import { createServer, type Server } from 'node:http'
import { Router } from '@koa/router'
import Koa from 'koa'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { answerErrors } from '../http/answerError.ts'
import { limitsInMemory } from '../limit/limits.ts'
import { type ExchangeRig, exchangeRig, type Guest } from '../opening/exchange.kit.ts'
import { newSeal } from '../space/space.kit.ts'
import { type Screen, screenOf } from './pages.kit.ts'
import { serveGuestPages } from './pages.ts'
import { formLifeMs, type PressForms } from './pressForms.ts'
import { pressLeaseMs, storedPressForms } from './storedPressForms.ts'

let rig: ExchangeRig
let guest: Guest
let bases: string[]
let forms: PressForms
const servers: Server[] = []

/** The pages as one replica serves them: it shares the database and the keys with the others. */
async function replica(shared: PressForms): Promise<string> {
  const router = new Router()
  serveGuestPages(router, {
    ...rig,
    limits: limitsInMemory(rig.world),
    forms: shared,
    appUrl: 'http://localhost',
  })
  const server = createServer(new Koa().use(answerErrors(rig.world)).use(router.routes()).callback())
  server.keepAliveTimeout = 600_000
  servers.push(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}

beforeEach(async () => {
  rig = await exchangeRig()
  guest = await rig.addGuest(await rig.addGate({ name: 'North' }))
  const seal = newSeal(rig.world)
  const made = [1, 2].map(() => storedPressForms({ ...rig, seal }, true))
  ;[forms] = made as [PressForms, PressForms]
  bases = await Promise.all(made.map(replica))
})
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  }
  await rig.close()
})

const baseOf = (place: number) => bases[place % bases.length] ?? ''
const openings = () => rig.database.knex('openings').where({ memberId: guest.memberId })

async function send(place: number, method: string, path: string, cookie = '', body?: string) {
  const headers = { Cookie: cookie, 'Content-Type': 'application/x-www-form-urlencoded' }
  const answer = await fetch(baseOf(place) + path, {
    method,
    headers,
    redirect: 'manual',
    ...(body !== undefined && { body }),
  })
  const [given = cookie] = (answer.headers.get('Set-Cookie') ?? cookie).split(';')
  return { status: answer.status, headers: answer.headers, text: await answer.text(), cookie: given }
}
const show = async (place: number): Promise<Screen> => screenOf(await send(place, 'GET', `/g/${guest.token}`))
const press = (place: number, screen: Screen) =>
  send(place, 'POST', screen.action, screen.cookie, screen.form)
const nonceOf = ({ form }: Screen) => new URLSearchParams(form).get('press') ?? ''

/** Moves the clock: a request that waits for another replica polls. */
async function moving<T>(work: Promise<T>): Promise<T> {
  let isOver = false
  const end = () => {
    isOver = true
  }
  work.then(end, end)
  while (!isOver) await rig.world.advance(50)
  return work
}

describe('a form that replicas share', () => {
  it('P1: presses once at all of them, however many times it is sent at once', async () => {
    const screen = await show(0)
    const all = await moving(Promise.all(Array.from({ length: 10 }, (_, place) => press(place, screen))))
    expect(all.map(({ status }) => status)).toEqual(Array(10).fill(303))
    expect(new Set(all.map(({ headers }) => headers.get('Location'))).size).toBe(1)
    expect(await openings()).toHaveLength(1)
    const found = await send(1, 'GET', `/g/${guest.token}/presses/${nonceOf(screen)}`, screen.cookie)
    expect(found.headers.get('Location')).toBe(all[0]?.headers.get('Location'))
  })

  it('presses only for its browser, its gate and five minutes, by the clock of the database', async () => {
    const screen = await show(0)
    const other = { ...screen, cookie: 'guest=aaaaaaaaaaaaaaaaaaaaaa' }
    expect((await press(1, other)).status).toBe(409)
    const altered = {
      ...screen,
      form: screen.form.replace(/press=(\d+)/, (_, at) => `press=${Number(at) + 1}`),
    }
    expect((await press(1, altered)).status).toBe(409)
    await rig.world.advance(formLifeMs)
    expect((await press(1, screen)).status).toBe(409)
    expect(await openings()).toEqual([])
  })

  it('P2: rejects a press that took more than 15 s to another replica', async () => {
    const screen = await show(0)
    await rig.world.advance(15_001)
    expect((await press(1, screen)).text).toContain('your press came too late')
    expect(await openings()).toEqual([])
  })

  it('says that nothing was sent where no replica has it', async () => {
    const screen = await show(0)
    const path = `/g/${guest.token}/presses/${nonceOf(screen)}`
    const find = async () => (await send(1, 'GET', path, screen.cookie)).text
    expect(await find()).toContain('your press did not arrive')
    await rig.world.advance(formLifeMs)
    expect(await find()).not.toContain('your press did not arrive')
  })

  it('may press again where a press failed, and 15 s after a replica died during a press', async () => {
    const nonce = nonceOf(await show(0))
    const failing = forms.press(nonce, () => Promise.reject(new Error('no')))
    await expect(failing).rejects.toThrow('no')
    expect(await forms.pressed(nonce)).toBeUndefined()
    void forms.press(nonce, () => new Promise(() => {}))
    let found: string | undefined
    const waiting = forms.press(nonce, async keep => {
      await rig.database.write(tx => keep(tx, 'open_second'))
      return { openingId: 'open_second' }
    })
    void waiting.then(one => {
      found = one?.openingId
    })
    await rig.world.advance(pressLeaseMs - 200)
    expect(found).toBeUndefined()
    await rig.world.advance(400)
    expect(await waiting).toEqual({ openingId: 'open_second' })
  })

  it('P1: has its press rolled back when its claim was taken over in the meantime', async () => {
    const nonce = nonceOf(await show(0))
    let go: () => void = () => {}
    const held = new Promise<void>(resolve => {
      go = resolve
    })
    const slow = forms.press(nonce, async keep => {
      await held
      await rig.database.write(tx => keep(tx, 'open_late'))
      return { openingId: 'open_late' }
    })
    await rig.world.advance(pressLeaseMs)
    const quick = await forms.press(nonce, async keep => {
      await rig.database.write(tx => keep(tx, 'open_quick'))
      return { openingId: 'open_quick' }
    })
    go()
    expect([quick, await slow]).toEqual([{ openingId: 'open_quick' }, { openingId: 'open_quick' }])
  })
})
