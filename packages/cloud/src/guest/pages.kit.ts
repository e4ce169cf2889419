// The guests' pages on a real socket, for tests, and a guest whose browser runs no script or sends the requests of the script.

import { createServer, type Server } from 'node:http'
import { Router } from '@koa/router'
import Koa from 'koa'
import { answerErrors } from '../http/answerError.ts'
import { limitsInMemory } from '../limit/limits.ts'
import { type ExchangeRig, exchangeRig, type Guest } from '../opening/exchange.kit.ts'
import { serveGuestPages } from './pages.ts'

export type Headers = Record<string, string>

export interface Answer {
  readonly status: number
  readonly headers: Response['headers']
  readonly text: string
  readonly cookie: string
}

/** The page in a browser. */
export interface Screen extends Answer {
  /** The first form that presses a gate, in the form in which the page's script sends it. */
  readonly form: string
  readonly action: string
  readonly fields: Readonly<Record<string, string>>
}

export function screenOf(answer: Answer): Screen {
  const [form = ''] = answer.text.split('<form').filter(part => part.includes('data-press'))
  const [, action = ''] = /action="([^"]*)"/.exec(form) ?? []
  const found = [...form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)]
  const fields = Object.fromEntries(found.map(([, name = '', value = '']) => [name, value]))
  const { ask, press = ask, ...more } = fields
  const sent = new URLSearchParams({ ...more, press: press ?? '', after: '0' }).toString()
  return { ...answer, action, fields, form: sent }
}

export interface GuestSite {
  readonly rig: ExchangeRig
  readonly base: string
  /** Serves the pages like another process, which has its own key for the forms. */
  serve(appUrl?: string): Promise<string>
  send(method: string, path: string, headers?: Headers, body?: string): Promise<Answer>
  show(of: Guest, from?: string): Promise<Screen>
  press(screen: Screen, headers?: Headers): Promise<Answer>
  /** Presses, and fails where nothing was pressed. */
  pressedId(screen: Screen): Promise<string>
  close(): Promise<void>
}

/** One Space with a gateway that a test plays, on a clock that only the test moves. */
export async function guestSite(): Promise<GuestSite> {
  const rig = await exchangeRig()
  const servers: Server[] = []

  async function serve(appUrl = 'http://localhost'): Promise<string> {
    const router = new Router()
    serveGuestPages(router, { ...rig, limits: limitsInMemory(rig.world), appUrl })
    const app = new Koa().use(answerErrors(rig.world)).use(router.routes())
    const server = createServer(app.callback())
    // A machine that stalls for seconds must not lose the connection between two requests.
    server.keepAliveTimeout = 600_000
    servers.push(server)
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  }

  const base = await serve()

  const send: GuestSite['send'] = async (method, path, headers = {}, body) => {
    const url = path.startsWith('http') ? path : base + path
    const type = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const init = body === undefined ? { headers } : { headers: { ...type, ...headers }, body }
    const answer = await fetch(url, { method, redirect: 'manual', ...init })
    const cookie = (answer.headers.get('Set-Cookie') ?? '').split(';')[0] ?? ''
    return { status: answer.status, headers: answer.headers, text: await answer.text(), cookie }
  }
  const press: GuestSite['press'] = (screen, headers = {}) =>
    send('POST', screen.action, { Cookie: screen.cookie, ...headers }, screen.form)

  return {
    rig,
    base,
    serve,
    send,
    show: async (of, from = base) => screenOf(await send('GET', `${from}/g/${of.token}`)),
    press,
    async pressedId(screen) {
      const { headers, status } = await press(screen)
      if (status !== 303) throw new Error(`a press was answered with ${status}`)
      return headers.get('Location')?.split('/').at(-1) ?? ''
    },
    async close() {
      for (const server of servers) {
        server.closeAllConnections()
        await new Promise(resolve => server.close(resolve))
      }
      await rig.close()
    },
  }
}
