import { expect, it } from 'vitest'
import { pageLinks } from './pageLinks.ts'

/** The query of each relation. */
function linksOf(query: object, page: Parameters<typeof pageLinks>[2], hasMore = false) {
  const { Link = '' } = pageLinks('/api/v1/openings', query, page, hasMore)
  const links = [...Link.matchAll(/<\/api\/v1\/openings\?([^>]*)>; rel="(\w+)"/g)]
  expect(links.map(([link]) => link).join(', ')).toBe(Link)
  return Object.fromEntries(
    links.map(([, search, rel]) => [rel, Object.fromEntries(new URLSearchParams(search))]),
  )
}

it('lead from an offset to the next, previous and first page, as far as these exist', () => {
  const [limit, status] = [20, 'failed']
  const at = (offset: number) => ({ limit: '20', offset: String(offset), status })
  const page = (offset: number, hasMore: boolean) => linksOf({ status }, { limit, offset }, hasMore)
  expect(page(0, true)).toEqual({ next: at(20), first: at(0) })
  expect(page(20, true)).toEqual({ next: at(40), prev: at(0), first: at(0) })
  expect(page(25, false)).toEqual({ prev: at(5), first: at(0) })
  expect(page(5, false)).toEqual({ prev: at(0), first: at(0) })
  expect(page(0, false)).toEqual({ first: at(0) })
  expect(page(2_147_483_647, true)).toEqual({ prev: at(2_147_483_627), first: at(0) })
})

it('lead on from a cursor as long as pages follow, with all filters', () => {
  const from = '2026-01-05T10:00:00+02:00'
  const query = { from, cursor: 'abc', limit: 5 }
  const at = (cursor: string) => ({ from, cursor, limit: '5' })
  expect(linksOf(query, { limit: 5, nextCursor: 'd_f' })).toEqual({ next: at('d_f'), first: at('') })
  expect(linksOf(query, { limit: 5, nextCursor: null })).toEqual({ first: at('') })
})

it('are absent where a list is answered whole', () => {
  expect(pageLinks('/api/v1/gates', {}, undefined)).toEqual({})
})
