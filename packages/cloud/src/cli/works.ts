// What each of the operator's commands does, and what it prints: JSON, or text for a person.

import { readFileSync } from 'node:fs'
import { CallProfileInput, callProfile } from '@callgate/contract/call/callProfile'
import { sayTrouble } from '@callgate/contract/call/modemTrouble'
import { isScope, type Scope, scopeNames } from '@callgate/contract/rest/scope'
import { closed, line } from '@callgate/contract/text'
import { checker } from '@callgate/contract/validate'
import { verifyingKey } from '@callgate/contract/wire/signature'
import { isoTime, type World } from '@callgate/world/world'
import { type Config, mqttUrlOf } from '../config.ts'
import { planNames } from '../core/plan.ts'
import { sentZone } from '../core/schedule/zone.ts'
import type { Database } from '../database/database.ts'
import { addGateway, listGateways, revokeGateway } from '../gateway/gateways.ts'
import { gatewayComplaints } from '../network/network.ts'
import { loadKeyring } from '../secrets/keyring.ts'
import { createApiKey, listApiKeys, revokeApiKey } from '../space/apiKeys.ts'
import { createSpace, listSpaces, setContact, setPlan } from '../space/spaces.ts'

export interface Parts {
  readonly config: Config
  readonly database: Database
  readonly world: World
}

/** What a command prints. `json` is one object; `text` is for a person. `exitCode` is 0 unless it is given. */
export type Said =
  | { readonly ok: true; readonly json: object; readonly text: string; readonly exitCode?: number }
  | { readonly ok: false; readonly message: string }

export type Options = Readonly<Record<string, string | undefined>>
export type Work = (parts: Parts, options: Options) => Promise<Said>
/** Work on the files themselves: no database is opened or made for it. */
export type FileWork = (parts: Omit<Parts, 'database'>, options: Options) => Promise<Said>

/** The actor in the activity log for what the commands do. */
export const actor = 'operator'
export const refuse = (message: string): Said => ({ ok: false, message })

/** Rows in columns, below a heading. */
export function columns(heading: readonly string[], rows: readonly (readonly (string | null)[])[]): string {
  if (rows.length === 0) return 'There are none.'
  const all = [heading, ...rows].map(row => row.map(cell => cell ?? '-'))
  const widths = heading.map((_, column) => Math.max(...all.map(row => row[column]?.length ?? 0)))
  return all
    .map(row =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** Whether `code` is one of ISO 3166 for a country. */
export function isCountry(code: string): boolean {
  const isCode = /^[A-Z]{2}$/.test(code)
  return isCode && new Intl.DisplayNames('en', { type: 'region', fallback: 'none' }).of(code) !== undefined
}

/** Guests dial it with a tap: digits, and the punctuation that people put between them. */
const checkContact = checker(
  closed({
    phone: {
      ...line(1, 32, 'Digits'),
      pattern: '^\\s*\\+?[0-9][0-9 ()./-]*$',
      examples: ['+40 21 555 0100'],
    },
  }),
  'the options',
)

export const spaceWork = {
  async create({ database, world }, { name = '', plan = '', country = 'RO', timezone = 'Europe/Bucharest' }) {
    const known = planNames.find(word => word === plan)
    if (!known) return refuse(`--plan must be one of ${planNames.join(', ')}.`)
    if (!isCountry(country)) return refuse('--country must be a code of ISO 3166, such as RO.')
    if (!sentZone(timezone)) return refuse('--timezone must be an IANA name, such as Europe/Bucharest.')
    const space = await createSpace({ database, world }, { name, plan: known, country, timezone })
    return { ok: true, json: space, text: `The Space ${name} is made: ${space.spaceId}` }
  },
  async list({ database }) {
    const spaces = await listSpaces(database)
    const rows = spaces.map(space => [
      space.spaceId,
      space.name,
      space.plan,
      space.trialEndsAt,
      space.country,
    ])
    return {
      ok: true,
      json: { spaces },
      text: columns(['SPACE', 'NAME', 'PLAN', 'TRIAL ENDS', 'COUNTRY'], rows),
    }
  },
  async setPlan({ database, world }, { space = '', plan = '' }) {
    const known = planNames.find(word => word === plan)
    if (!known) return refuse(`--plan must be one of ${planNames.join(', ')}.`)
    const changed = await setPlan({ database, world }, { spaceId: space, plan: known, actor })
    if (!changed) return refuse(`There is no Space ${space}; see "callgate space list".`)
    const { name, trialEndsAt } = changed
    const until = trialEndsAt === null ? '' : ` until ${trialEndsAt}, and then free`
    return { ok: true, json: changed, text: `The Space ${name} has the plan ${known}${until}.` }
  },
  async contact({ database }, { space: spaceId = '', name, nobody, phone }) {
    const isNobody = nobody !== undefined
    if (isNobody ? name !== undefined || phone !== undefined : name === undefined || phone === undefined)
      return refuse('Give --name and --phone, or --nobody alone.')
    const checked = checkContact({ phone })
    if (!isNobody && !checked.ok) return refuse(`--${checked.message}.`)
    const contact = { contactName: name ?? null, contactPhone: phone?.trim() ?? null }
    const changed = await setContact(database, spaceId, contact)
    if (!changed) return refuse(`There is no Space ${spaceId}; see "callgate space list".`)
    const { contactName, contactPhone } = contact
    const text = contactName ? `${contactName}, ${contactPhone}` : 'nobody'
    return { ok: true, json: changed, text: `Guests of ${changed.name} are told to call ${text}.` }
  },
} satisfies Record<string, Work>

/** What `all` stands for: the specification wants gates:open to be given explicitly. */
const allButOpening = scopeNames.filter(scope => scope !== 'gates:open')

/** The scopes of `--scopes`: a list, in which `all` may stand. */
function readScopes(text: string): readonly Scope[] | string {
  const words = text.split(',').map(scope => scope.trim())
  const given = [...new Set(words.flatMap(word => (word === 'all' ? allButOpening : [word])))]
  const unknown = given.filter(scope => !isScope(scope))
  return unknown.length === 0
    ? given.filter(isScope)
    : `--scopes does not know "${unknown.join(', ')}". The scopes are: ${scopeNames.join(', ')}; all is each but gates:open.`
}

const checkInstant = checker(closed({ at: { ...line(1, 30, 'A time'), format: 'date-time' } }), 'the options')
const unitMs: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000 }

/** When `--expires` is: an age such as 90d or 12h, a day, or a time in UTC. Undefined when it is none of these. */
function readExpiry(text: string, nowMs: number): string | undefined {
  const [, count, unit = ''] = /^([1-9][0-9]{0,4})([dh])$/.exec(text) ?? []
  if (count !== undefined) return isoTime(nowMs + Number(count) * (unitMs[unit] ?? 0))
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text
  return at.endsWith('Z') && checkInstant({ at }).ok ? isoTime(Date.parse(at)) : undefined
}

export const keyWork = {
  async create({ database, world }, { space = '', name = '', scopes = '', expires }) {
    const given = readScopes(scopes)
    if (typeof given === 'string') return refuse(given)
    const nowMs = world.nowMs()
    const expiresAt = expires === undefined ? null : readExpiry(expires, nowMs)
    if (expiresAt === undefined)
      return refuse('--expires must be like 90d, 12h, 2027-01-31 or 2027-01-31T12:00:00Z.')
    if (expiresAt !== null && expiresAt <= isoTime(nowMs)) return refuse('--expires must be in the future.')
    const apiKey = await createApiKey(
      { database, world },
      { spaceId: space, name, scopes: given, expiresAt, actor },
    )
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
      key.revokedAt === null ? (key.expiresAt ?? 'never') : 'revoked',
      key.lastUsedAt,
    ])
    const heading = ['KEY', 'NAME', 'BEGINS WITH', 'SCOPES', 'EXPIRES', 'LAST USED']
    return { ok: true, json: { apiKeys }, text: columns(heading, rows) }
  },
  async revoke({ database, world }, { key = '' }) {
    // A secret is not printed again, not even to the person who typed it: output can be kept.
    if (key.startsWith('svc_')) return refuse('--key is the id of the key (key_…), not the key itself.')
    const isKnown = await revokeApiKey({ database, world }, { apiKeyId: key, actor })
    if (!isKnown) return refuse(`There is no key ${key}; see "callgate key list". The id begins with key_.`)
    return { ok: true, json: { apiKeyId: key, isRevoked: true }, text: `The key ${key} is revoked.` }
  },
} satisfies Record<string, Work>

export const gatewayWork = {
  async add({ config, database, world }, { space = '', name = '', publicKey = '' }) {
    if (!verifyingKey(publicKey))
      return refuse(
        '--public-key must be the key that the gateway prints at "keygen": 43 characters of base64url.',
      )
    const loaded = await loadKeyring(world, config.dataFolder)
    if (!loaded.ok) return refuse(loaded.message)
    const gateway = await addGateway({ database, world }, { spaceId: space, name, publicKey, actor })
    if (!gateway) return refuse(`There is no Space ${space}; see "callgate space list".`)
    const mqttUrl = mqttUrlOf(config)
    const warnings = gatewayComplaints(config, mqttUrl)
    const json = { ...gateway, mqttUrl, cloudKeys: loaded.keyring.publicKeys, warnings }
    const text = [
      `The gateway ${name} is added. Give it these; the password is shown this once:`,
      '',
      `  gatewayId     ${json.gatewayId}`,
      `  mqttUrl       ${json.mqttUrl}`,
      `  mqttPassword  ${json.mqttPassword}`,
      `  cloudKeys     ${json.cloudKeys.join(' ')}`,
      '',
      ...warnings.map(warning => `Warning: ${warning}.`),
    ].join('\n')
    return { ok: true, json, text }
  },
  async list({ database }: Pick<Parts, 'database'>, { space }: Options) {
    const gateways = await listGateways(database, space)
    const rows = gateways.map(({ gatewayId, lastBeatAt, modem, name, revokedAt, spaceId }) => [
      gatewayId,
      name,
      spaceId,
      revokedAt === null ? 'admitted' : 'revoked',
      lastBeatAt,
      modem && `${modem.state}, ${modem.registration}`,
      modem && modem.signalDbm !== null ? `${modem.signalDbm} dBm` : null,
      modem?.trouble ? sayTrouble(modem.trouble) : null,
    ])
    return {
      ok: true,
      json: { gateways },
      text: columns(['GATEWAY', 'NAME', 'SPACE', 'STATE', 'LAST BEAT', 'MODEM', 'SIGNAL', 'SEE TO'], rows),
    }
  },
  async revoke({ database, world }, { gateway = '' }) {
    const isKnown = await revokeGateway({ database, world }, { gatewayId: gateway, actor })
    if (!isKnown) return refuse(`There is no gateway ${gateway}; see "callgate gateway list".`)
    const text = `The gateway ${gateway} is revoked; the broker cuts it within 5 s.`
    return { ok: true, json: { gatewayId: gateway, isRevoked: true }, text }
  },
} satisfies Record<string, Work>

const checkProfile = checker(CallProfileInput, 'the call profile')

/** The call profile in a file, with the defaults of its mode; or what is wrong with it. */
function readProfile(file: string): ReturnType<typeof checkProfile> {
  try {
    return checkProfile(JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) }
  }
}

export const gateWork = {
  async profile({ database, world }, { gate = '', file = '' }) {
    const read = readProfile(file)
    if (!read.ok) return refuse(`The call profile in ${file} cannot be used: ${read.message}.`)
    const profile = callProfile(read.value)
    // Only this command needs the module of gates, which loads the phone numbers of all countries.
    const { profileConflict, setGateProfile } = await import('../gate/gates.ts')
    const conflict = profileConflict(profile)
    if (conflict !== undefined) return refuse(`The call profile in ${file} cannot be used: ${conflict}.`)
    const changed = await setGateProfile({ database, world }, { gateId: gate, profile, actor })
    if (!changed) return refuse(`There is no gate ${gate}; GET /api/v1/gates lists them.`)
    const json = { gateId: gate, ...changed, callProfile: profile }
    return { ok: true, json, text: `The gate ${changed.name} has the call profile ${profile.mode}.` }
  },
} satisfies Record<string, Work>

export const migrateWork: Work = async () => ({
  ok: true,
  json: { isMigrated: true },
  text: 'The tables are in their newest form.',
})
