// The operator's commands on plans and limits: what they do and print.

import { isCountry } from '../core/country.ts'
import { type OwnLimits, type Plan, type PlanLimit, planLimits } from '../core/plan.ts'
import { setAllowedCountries } from '../gate/countries.ts'
import { changePlan, listPlans, setOwnLimits } from '../space/plans.ts'
import { actor, type CommandWork, columns, refuse } from './commandWork.ts'

const largest = { limit: 1_000_000, trialDays: 3_650 } as const

/** A whole number from `least` to `most`; undefined for any other text. */
function readCount(text: string, least: number, most: number): number | undefined {
  const count = /^(0|[1-9][0-9]{0,6})$/.test(text) ? Number(text) : undefined
  return count !== undefined && count >= least && count <= most ? count : undefined
}

const wrongCount = (option: string, least: number, most: number, or = '') =>
  `${option} must be a whole number from ${least} to ${most}${or}.`

type PlanOptions = Readonly<Record<string, string | undefined>>

/** The option of each limit, and the heading of its column. */
const limitWords: Readonly<Record<PlanLimit, readonly [option: string, heading: string]>> = {
  gateLimit: ['gates', 'GATES'],
  monthlyInvitationLimit: ['invitations', 'INVITATIONS A MONTH'],
  gatewayLimit: ['gateways', 'GATEWAYS'],
  keyLimit: ['keys', 'KEYS'],
  userLimit: ['users', 'USERS'],
  webhookLimit: ['webhooks', 'WEBHOOKS'],
}
const limitHeadings = planLimits.map(limit => limitWords[limit][1])

/** The limits in the options, or the fault of one. `cleared` is the value for the word `plan`. */
function readLimits<Cleared extends null | never>(
  given: PlanOptions,
  cleared: Cleared | undefined,
): Partial<Record<PlanLimit, number | Cleared>> | string {
  const limits: Partial<Record<PlanLimit, number | Cleared>> = {}
  for (const field of planLimits) {
    const [option] = limitWords[field]
    const text = given[option]
    if (text === undefined) continue
    const limit = cleared !== undefined && text === 'plan' ? cleared : readCount(text, 0, largest.limit)
    if (limit === undefined)
      return wrongCount(`--${option}`, 0, largest.limit, cleared === undefined ? '' : ', or the word plan')
    limits[field] = limit
  }
  return limits
}

function readChanges(given: PlanOptions): Partial<Omit<Plan, 'name'>> | string {
  const limits = readLimits<never>(given, undefined)
  if (typeof limits === 'string') return limits
  const { api, name, trialDays: days } = given
  if (api !== undefined && api !== 'yes' && api !== 'no') return '--api must be yes or no.'
  if (days !== undefined && name !== 'trial') return '--trial-days belongs to the plan trial only.'
  const trialDays = days === undefined ? undefined : readCount(days, 1, largest.trialDays)
  if (days !== undefined && trialDays === undefined) return wrongCount('--trial-days', 1, largest.trialDays)
  return {
    ...limits,
    ...(api === undefined ? {} : { hasApi: api === 'yes' }),
    ...(trialDays === undefined ? {} : { trialDays }),
  }
}

function planTable(plans: readonly Plan[]): string {
  const rows = plans.map(({ hasApi, name, trialDays, ...limits }) => [
    name,
    ...planLimits.map(limit => String(limits[limit])),
    hasApi ? 'yes' : 'no',
    trialDays === null ? null : String(trialDays),
  ])
  return columns(['PLAN', ...limitHeadings, 'API', 'TRIAL DAYS'], rows)
}

const shown = (limit: number | null) => (limit === null ? "the plan's" : String(limit))

/** `space limits`: changes the given limits, and shows those in force afterwards. */
const limits: CommandWork = async ({ database, world }, given) => {
  const own: Partial<OwnLimits> | string = readLimits(given, null)
  if (typeof own === 'string') return refuse(own)
  const { space: spaceId = '' } = given
  const set = await setOwnLimits({ database, world }, { spaceId, limits: own, actor })
  if (!set) return refuse(`There is no Space ${spaceId}; see "callgate space list".`)
  const text = columns(
    ['SPACE', 'NAME', ...limitHeadings],
    [[set.spaceId, set.name, ...planLimits.map(limit => shown(set[limit]))]],
  )
  return { ok: true, json: set, text }
}

/** `space countries`: changes the list when one is given, and shows the one in force afterwards. */
const countries: CommandWork = async ({ database, world }, { allow, space: spaceId = '' }) => {
  const codes = allow === undefined ? [] : allow.split(',').map(code => code.trim())
  const isUsual = allow === 'usual'
  const unknown = isUsual ? [] : codes.filter(code => !isCountry(code))
  if (unknown.length > 0)
    return refuse(
      `--allow does not know "${unknown.join(', ')}": give codes of ISO 3166 such as RO,DE, or the word usual.`,
    )
  const allowed = isUsual ? null : allow === undefined ? undefined : [...new Set(codes)].sort()
  const set = await setAllowedCountries({ database, world }, { spaceId, countries: allowed, actor })
  if (!set) return refuse(`There is no Space ${spaceId}; see "callgate space list".`)
  const { allowedCountries, country, name } = set
  const text = `Gates of ${name} may have numbers of ${country} and of: ${allowedCountries.join(' ')}`
  return { ok: true, json: set, text }
}

export const planWork = {
  async list({ database }) {
    const plans = await listPlans(database)
    return { ok: true, json: { plans }, text: planTable(plans) }
  },
  async set({ database }, given) {
    const changes = readChanges(given)
    if (typeof changes === 'string') return refuse(changes)
    if (Object.keys(changes).length === 0)
      return refuse(
        'Nothing to change: give --gates, --invitations, --gateways, --keys, --users, --webhooks, --api or --trial-days.',
      )
    const plan = await changePlan(database, given['name'] ?? '', changes)
    if (!plan) return refuse(`There is no plan ${given['name']}; see "callgate plan list".`)
    return { ok: true, json: plan, text: planTable([plan]) }
  },
  limits,
  countries,
} satisfies Record<string, CommandWork>
