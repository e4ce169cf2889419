// The guests of a crowd: each has a link, and sends every request to the next cloud.

import { type Guest, guestOf, type PageAnswer } from '../../api/guest.ts'
import type { Clouds } from './clouds.ts'
import type { Tenant } from './tenants.ts'

/** A guest of each gate at one of the clouds, with the given number of uses. */
export async function guestsOf(
  clouds: Clouds,
  tenants: readonly Tenant[],
  maxUsage: number,
): Promise<readonly Guest<PageAnswer>[]> {
  const { baseUrls } = clouds
  return Promise.all(
    tenants.map(async ({ gateId, keys }, place) => {
      const base = baseUrls[place % baseUrls.length] ?? ''
      const headers = { authorization: `Bearer ${keys[0]}`, 'content-type': 'application/json' }
      const body = JSON.stringify({ name: `Guest ${place}`, accesses: [{ gateId, maxUsage }] })
      const made = await fetch(`${base}/api/v1/members`, { method: 'POST', headers, body })
      const { member } = (await made.json()) as { member: { accesses: { accessUrl: string }[] } }
      return member.accesses[0]?.accessUrl ?? ''
    }),
  ).then(links => links.map(link => guestOf({ send: sendInTurn(clouds) }, link)))
}

function sendInTurn({ baseUrls }: Clouds): Parameters<typeof guestOf<PageAnswer>>[0]['send'] {
  let turn = 0
  return async (method, path, { body, headers = {} } = {}) => {
    const base = baseUrls[turn++ % baseUrls.length]
    const answer = await fetch(`${base}${path}`, {
      method,
      headers: headers as Record<string, string>,
      redirect: 'manual',
      ...(typeof body === 'string' && { body }),
    })
    return {
      status: answer.status,
      text: await answer.text(),
      headers: { ...Object.fromEntries(answer.headers), 'set-cookie': answer.headers.getSetCookie() },
    }
  }
}
