// A guest with a browser: opens the page behind a magic link and presses what is on it.

import type { Answer, Sending } from './apiServer.ts'

/** The parts of an answer that a guest reads. */
export type PageAnswer = Omit<Answer, 'json'>

export interface Guest<A extends PageAnswer = Answer> {
  /** The page behind the link. */
  visit(): Promise<A>
  /**
   * Presses the gate's button. Returns the opening's id, or undefined when there is no button or the press is refused.
   * `meanwhile` runs between the load of the page and the press.
   */
  press(gateId: string, meanwhile?: () => Promise<unknown>): Promise<string | undefined>
  pickLanguage(language: string): Promise<A>
}

/** `accessUrl`: the magic link. */
export function guestOf<A extends PageAnswer>(
  api: { send(method: string, path: string, sending?: Sending): Promise<A> },
  accessUrl: string,
): Guest<A> {
  const path = new URL(accessUrl).pathname
  let cookie = ''

  async function visit(): Promise<A> {
    const page = await api.send('GET', path, { key: null, headers: { cookie } })
    const [given] = page.headers['set-cookie'] ?? []
    if (given) cookie = given.split(';')[0] ?? ''
    return page
  }

  const post = (to: string, fields: Record<string, string>) =>
    api.send('POST', `${path}${to}`, {
      key: null,
      headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields).toString(),
    })

  return {
    visit,
    async press(gateId, meanwhile) {
      const { text } = await visit()
      await meanwhile?.()
      const form = text.split('<form').find(part => part.includes(`/gates/${gateId}"`)) ?? ''
      const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(form)?.[1] ?? ''
      if (form === '') return undefined
      // In the form of the page's script, with the time from the page to the press.
      const fields = { access: field('access'), press: field('ask'), after: '0' }
      const { headers } = await post(`/gates/${gateId}`, fields)
      return headers.location?.split('/').at(-1)
    },
    pickLanguage: language => post('/language', { language }),
  }
}
