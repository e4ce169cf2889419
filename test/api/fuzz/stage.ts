// A Space for generated requests: the ids that they name, and their credentials.

import { setPlan } from '@callgate/cloud/space/spaces'
import { newUser, type SignedInBrowser, signInAgain } from '@callgate/cloud/user/user.kit'
import { scopeNames } from '@callgate/contract/rest/scope'
import type { AnswerJson, Api } from '../apiServer.ts'
import type { Tenant } from '../servedCloud.ts'
import { passwordHash } from '../userRequests.ts'
import { type AppIds, type Furnished, furnish, type Ids } from '../validRequests.ts'
import type { FuzzRequest } from './generatedRequests.ts'

/** The number of newest ids of a kind that are remembered. */
const keptIds = 10

type Headers = readonly (readonly [string, string])[]

export interface Stage {
  /** The headers of the API keys, or of the browsers. Those from 40 on have fewer rights, or none. */
  readonly credentials: readonly Headers[]
  /** An id for each placeholder. */
  resolve(text: string): string
  /** Remembers the ids that an answer has created. */
  learn(request: FuzzRequest, path: string, json: Partial<AnswerJson>): void
}

const bearer = (key: string): Headers => [['Authorization', `Bearer ${key}`]]

async function keysOf(api: Api, space: Tenant): Promise<Headers[]> {
  const keys: string[] = []
  // The first entries are the same key, so that its requests meet the rate limits.
  for (let made = 0; made < 40; made++) keys.push(made < 4 && keys[0] ? keys[0] : (await space.addKey()).key)
  for (const scope of scopeNames) keys.push((await space.addKey({ scopes: [scope] })).key)
  const free = await api.addSpace('pro')
  await setPlan(api, { spaceId: free.spaceId, plan: 'free', actor: 'operator' })
  const others = [free.key, '', 'svc_live_short', '\u00ff', `${space.key}x`]
  return [...keys, ...others].slice(0, 50).map(bearer)
}

const sentBy = ({ headers }: SignedInBrowser): Headers => Object.entries(headers)

/** Owners, each in two browsers, because a request can end the user's other sessions; then admins, strangers and nobody. */
async function browsersOf(api: Api, { spaceId }: Tenant): Promise<Headers[]> {
  const browsers: SignedInBrowser[] = []
  for (let made = 0; made < 20; made++) {
    const owner = await newUser(api, { email: `owner${made}@${spaceId}.example`, spaceId })
    browsers.push(owner, await signInAgain(api, owner))
  }
  for (const role of ['admin', 'admin', 'admin'] as const)
    browsers.push(await newUser(api, { email: `${browsers.length}@${spaceId}.example`, spaceId, role }))
  browsers.push(await newUser(api, { email: `stranger@${spaceId}.example` }))
  await api.database.knex('users').update({ passwordHash })
  const [first, second] = browsers.map(sentBy)
  const forged = first?.filter(([name]) => name !== 'X-CSRF-Token') ?? []
  const foreign = second?.map(
    ([name, value]) => [name, name === 'Sec-Fetch-Site' ? 'cross-site' : value] as const,
  )
  return [
    ...browsers.map(sentBy),
    forged,
    foreign ?? [],
    [['Cookie', `sid=${'A'.repeat(43)}`]],
    [['Cookie', 'sid=\u00ff; device=1.x']],
    [],
  ]
}

type Param = keyof (Ids & AppIds) | 'spaceId'

export async function makeStage(api: Api, foreign: Furnished, side: 'rest' | 'dashboard'): Promise<Stage> {
  const space = await api.addSpace('business')
  const { appIds, deleted, own } = await furnish(api, space)
  const others = { ...foreign.own, ...foreign.appIds, spaceId: foreign.space.spaceId }
  const gone = { ...deleted } as Partial<Record<Param, string>>
  const ids = { ...own, ...appIds, spaceId: space.spaceId }
  const live = new Map<Param, string[]>(Object.entries(ids).map(([name, id]) => [name as Param, [id]]))
  live.set('accessId', [`${own.memberId}/accesses/${own.accessId}`])

  function idAt(param: Param, index: number): string {
    const known = live.get(param) ?? []
    const lost = gone[param] ?? `${param}_${'0'.repeat(26)}`
    if (index > keptIds) return index % 2 === 0 ? others[param] : lost
    return known[index % Math.max(1, known.length)] ?? lost
  }
  function add(param: Param, id: string | undefined): void {
    const known = live.get(param) ?? []
    if (id === undefined || known.includes(id)) return
    known.push(id)
    if (known.length > keptIds) known.shift()
  }
  const forget = (param: Param, isGone: (id: string) => boolean) =>
    void live.set(param, live.get(param)?.filter(id => !isGone(id)) ?? [])

  return {
    credentials: side === 'rest' ? await keysOf(api, space) : await browsersOf(api, space),
    resolve: text =>
      text
        // The path of an access needs the id of its own member.
        .replace(/@memberId:\d+@\/accesses\/@accessId:(\d+)@/, (_, index) => idAt('accessId', Number(index)))
        .replace(/@(\w+):(\d+)@/g, (_, param: Param, index) => idAt(param, Number(index))),
    learn({ operation }, path, { access, gate, member, openingId }) {
      add('gateId', gate?.id)
      add('openingId', openingId)
      if (member?.isActive) add('memberId', member.id)
      const [, memberId] = /\/members\/([^/?]+)/.exec(path) ?? []
      if (access) add('accessId', `${memberId}/accesses/${access.id}`)
      for (const { id } of member?.accesses ?? []) add('accessId', `${member?.id}/accesses/${id}`)
      if (operation.endsWith('deactivateMember')) forget('memberId', id => id === memberId)
      if (operation.endsWith('revokeAccess')) forget('accessId', id => path.includes(id))
    },
  }
}
