// The operator's commands on API keys: what they do and print.

import { isScope, limitableScopes, type Scope, scopeNames } from '@callgate/contract/rest/scope'
import { isoTime } from '@callgate/world/world'
import { createApiKey, keyLimitProblem, listApiKeys, revokeApiKey } from '../space/apiKeys.ts'
import { actor, type CommandWork, columns, refuse } from './commandWork.ts'

/** The scopes of `all`: the specification requires gates:open to be given explicitly. */
const allButOpening = scopeNames.filter(scope => scope !== 'gates:open')

/** The scopes of `--scopes`: a list that may contain `all`. A key that is limited to gates cannot have each of them. */
function readScopes(text: string, isLimited: boolean): readonly Scope[] | string {
  const all = allButOpening.filter(scope => !isLimited || limitableScopes.includes(scope))
  const words = text.split(',').map(scope => scope.trim())
  const given = [...new Set(words.flatMap(word => (word === 'all' ? all : [word])))]
  const unknown = given.filter(scope => !isScope(scope))
  return unknown.length === 0
    ? given.filter(isScope)
    : `--scopes does not know "${unknown.join(', ')}". The scopes are: ${scopeNames.join(', ')}; all is each but gates:open.`
}

const unitMs: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000 }

/** The time of `--expires`: an age such as 90d or 12h, a day, or a time in UTC. Undefined for any other text. */
async function readExpiry(text: string, nowMs: number): Promise<string | undefined> {
  const [, count, unit = ''] = /^([1-9][0-9]{0,4})([dh])$/.exec(text) ?? []
  if (count !== undefined) return isoTime(nowMs + Number(count) * (unitMs[unit] ?? 0))
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text
  const { checkInstant } = await import('./optionChecks.ts')
  return at.endsWith('Z') && checkInstant({ at }).ok ? isoTime(Date.parse(at)) : undefined
}

export const keyWork = {
  async create({ database, world }, { space = '', name = '', scopes = '', expires, gates }) {
    const gateIds = gates?.split(',').map(id => id.trim()) ?? null
    const given = readScopes(scopes, gateIds !== null)
    if (typeof given === 'string') return refuse(given)
    const nowMs = world.nowMs()
    const expiresAt = expires === undefined ? null : await readExpiry(expires, nowMs)
    if (expiresAt === undefined)
      return refuse('--expires must be like 90d, 12h, 2027-01-31 or 2027-01-31T12:00:00Z.')
    if (expiresAt !== null && expiresAt <= isoTime(nowMs)) return refuse('--expires must be in the future.')
    const asked = { spaceId: space, name, scopes: given, gateIds, expiresAt, actor }
    const beyond = await keyLimitProblem(database.knex, asked)
    if (beyond) return refuse(beyond.message)
    const apiKey = await createApiKey({ database, world }, asked)
    if (!apiKey) return refuse(`There is no Space ${space}; see "callgate space list".`)
    const text = `The key ${name} (${apiKey.apiKeyId}) is made. It is shown this once:\n\n  ${apiKey.key}\n`
    return { ok: true, json: apiKey, text }
  },
  async list({ database }, { space }) {
    const apiKeys = await listApiKeys(database, space)
    const rows = apiKeys.map(key => [
      key.apiKeyId,
      key.name,
      `${key.shownPrefix}…`,
      key.scopes.join(','),
      key.gateIds?.join(',') ?? 'all',
      key.revokedAt === null ? (key.expiresAt ?? 'never') : 'revoked',
      key.lastUsedAt,
    ])
    const heading = ['KEY', 'NAME', 'BEGINS WITH', 'SCOPES', 'GATES', 'EXPIRES', 'LAST USED']
    return { ok: true, json: { apiKeys }, text: columns(heading, rows) }
  },
  async revoke({ database, world }, { key = '' }) {
    // A secret is not printed again, not even to the person who typed it: output can be stored.
    if (key.startsWith('svc_')) return refuse('--key is the id of the key (key_…), not the key itself.')
    const isKnown = await revokeApiKey({ database, world }, { apiKeyId: key, actor })
    if (!isKnown) return refuse(`There is no key ${key}; see "callgate key list". The id begins with key_.`)
    return { ok: true, json: { apiKeyId: key, isRevoked: true }, text: `The key ${key} is revoked.` }
  },
} satisfies Record<string, CommandWork>
