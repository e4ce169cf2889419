import { expect, it } from 'vitest'
import { createClient } from './client.ts'

/** A client over answers in their order; `asked` gets the queries. */
function clientOver(answers: readonly (readonly [status: number, body: object])[]) {
  const asked: string[] = []
  const left = [...answers]
  const fetch = async (url: string | URL | globalThis.Request) => {
    asked.push(new URL(String(url)).search)
    const [status, body] = left.shift() ?? [404, { error: { code: 'not_found', message: '' } }]
    return new Response(JSON.stringify(body), { status })
  }
  return {
    asked,
    client: createClient({ baseUrl: 'http://localhost', apiKey: 'svc_live_x', fetch, tries: 1 }),
  }
}

const page = (ids: readonly string[], nextCursor: string | null) =>
  [200, { members: ids.map(id => ({ id })), pagination: { limit: 2, nextCursor } }] as const

it('reads every row of a list, and each page when it is needed', async () => {
  const { asked, client } = clientOver([page(['a', 'b'], 'x&y'), page(['c'], null)])
  const rows = client.each('listMembers', { limit: 2, isActive: true })
  expect(asked).toEqual([])
  const first = await rows.next()
  expect(first.value).toEqual({ ok: true, row: { id: 'a' } })
  expect(asked).toEqual(['?limit=2&isActive=true&cursor='])
  const others: unknown[] = []
  for await (const item of rows) others.push(item.ok && item.row.id)
  expect(others).toEqual(['b', 'c'])
  expect(asked[1]).toBe('?limit=2&isActive=true&cursor=x%26y')
})

it('ends with the failure of a page, and reads no page after its caller has stopped', async () => {
  const failing = clientOver([page(['a'], 'x')])
  const told: unknown[] = []
  for await (const item of failing.client.each('listMembers')) told.push(item.ok ? item.row.id : item.code)
  expect(told).toEqual(['a', 'not_found'])
  const left = clientOver([page(['a'], 'x'), page(['b'], null)])
  for await (const _ of left.client.each('listMembers')) break
  expect(left.asked).toHaveLength(1)
})
