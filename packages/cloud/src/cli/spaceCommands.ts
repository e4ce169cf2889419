// The operator's commands on Spaces: what they do and print.

import { isCountry } from '../core/country.ts'
import { planNames } from '../core/plan.ts'
import { sentZone } from '../core/schedule/zone.ts'
import { createSandbox } from '../sandbox/sandboxes.ts'
import { createSpace, listSpaces, setContact, setPlan } from '../space/spaces.ts'
import { actor, type CommandWork, columns, refuse } from './commandWork.ts'

export const spaceWork = {
  async create({ database, world }, options) {
    const { country = 'RO', name = '', plan = '', sandbox, timezone = 'Europe/Bucharest' } = options
    const known = planNames.find(word => word === plan)
    if (!known) return refuse(`--plan must be one of ${planNames.join(', ')}.`)
    if (!isCountry(country)) return refuse('--country must be a code of ISO 3166, such as RO.')
    if (!sentZone(timezone)) return refuse('--timezone must be an IANA name, such as Europe/Bucharest.')
    const given = { name, plan: known, country, timezone }
    const make = sandbox === undefined ? createSpace : createSandbox
    const space = await make({ database, world }, given)
    return {
      ok: true,
      json: space,
      text: `The ${sandbox === undefined ? 'Space' : 'sandbox'} ${name} is made: ${space.spaceId}`,
    }
  },
  async list({ database }) {
    const spaces = await listSpaces(database)
    const rows = spaces.map(space => [
      space.spaceId,
      space.name,
      space.mode,
      space.plan,
      space.trialEndsAt,
      space.country,
    ])
    return {
      ok: true,
      json: { spaces },
      text: columns(['SPACE', 'NAME', 'MODE', 'PLAN', 'TRIAL ENDS', 'COUNTRY'], rows),
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
    const { checkContact } = await import('./optionChecks.ts')
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
} satisfies Record<string, CommandWork>
