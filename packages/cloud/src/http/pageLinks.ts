// Page links: the header that leads from one page of a list to its neighbours (RFC 8288).

import type { Pagination } from '@callgate/contract/rest/paging'

const mostOffset = 2_147_483_647

/** The path at which this principal reads a list: keys and users read the same lists at paths of their own. */
export function listPath({ base }: { readonly base: string }, { path }: { readonly path: string }): string {
  return path.replace('/api/v1', base)
}

/** The values of `offset` or `cursor` for each neighbouring page that exists. */
function pagesBeside(page: Pagination, hasMore: boolean): Readonly<Record<string, object>> {
  if (page.nextCursor !== undefined) {
    // A cursor leads only forwards: the previous page has no cursor.
    const next = page.nextCursor === null ? {} : { next: { cursor: page.nextCursor } }
    return { ...next, first: { cursor: '' } }
  }
  const { limit, offset } = page
  return {
    ...(hasMore && offset + limit <= mostOffset && { next: { offset: offset + limit } }),
    ...(offset > 0 && { prev: { offset: Math.max(0, offset - limit) } }),
    first: { offset: 0 },
  }
}

/**
 * The header `Link` of a page of the list at `path`; none for a list that is answered whole. `query` is the client's query: its
 * filters stay. `hasMore` is needed where the page has an offset. The targets have no host, so they are valid behind a proxy as
 * well.
 */
export function pageLinks(
  path: string,
  query: object,
  page: Pagination | undefined,
  hasMore = false,
): Readonly<Record<string, string>> {
  if (!page) return {}
  const links = Object.entries(pagesBeside(page, hasMore)).map(([rel, place]) => {
    const asked = Object.entries({ ...query, limit: page.limit, ...place })
    const search = new URLSearchParams(asked.map(([name, value]): [string, string] => [name, String(value)]))
    return `<${path}?${search}>; rel="${rel}"`
  })
  return { Link: links.join(', ') }
}
