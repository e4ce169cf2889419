// The links of the rail: the pages by their group, and below the reference its operations and schemas.

import { type Page, type PageName, pageGroups } from './docPages.ts'
import { homePath, type Rail, referencePath } from './layout.ts'
import { type OpenApi, type Route, routesOf } from './openApi.ts'
import { hrefOfOperation, hrefOfSchema } from './reference.ts'

/** The address of a page. */
export const hrefOf = (name: PageName): string => (name === 'start' ? homePath : `/docs/${name}`)

/** The operations by their groups. */
export function operationsOf(api: OpenApi): Rail {
  const routes = routesOf(api)
  const links = api.tags.map(({ name }) => {
    const own = routes.filter(({ operation: { tags } }) => tags.includes(name))
    const linkOf = (route: Route) => ({
      href: hrefOfOperation(route),
      label: route.operation.summary,
      method: route.method,
      path: route.path,
    })
    return [name, own.map(linkOf)] as const
  })
  return Object.fromEntries(links)
}

/** The rail of the site. The reference comes before the pages of its group. */
export function railOf(pages: readonly Page[], api: OpenApi): Rail {
  const linksOf = (names: readonly string[]) =>
    pages
      .filter(({ name }) => names.includes(name))
      .map(({ name, title }) => ({ href: hrefOf(name), label: name === 'start' ? 'Your first gate' : title }))
  const groups = Object.entries(pageGroups).map(([group, names]) => [group, linksOf(names)] as const)
  const schemas = Object.keys(api.components.schemas).map(name => ({ href: hrefOfSchema(name), label: name }))
  const parts = { ...operationsOf(api), Schemas: schemas }
  const reference = { href: referencePath, label: 'Every operation', parts }
  return Object.fromEntries(
    groups.map(([group, links]) => [group, group === 'Reference' ? [reference, ...links] : links]),
  )
}
