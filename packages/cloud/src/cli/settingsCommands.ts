// The operator's command on the settings of a Space: what it does and prints.

import { spaceAppOperations } from '@callgate/contract/app/space'
import { readKeeping } from '@callgate/contract/keeping'
import { spaceSettings } from '../settings/spaceSettings.ts'
import type { CommandWork } from './commandWork.ts'
import { isRefused, operatorIn } from './operator.ts'

/** `12m` in the form of the API, `P12M`; another text stays as it is, and the schema refuses it. */
function keepingOf(text: string | undefined): string | undefined {
  return text !== undefined && /^[0-9]{1,2}[md]$/.test(text) ? `P${text.toUpperCase()}` : text
}

const { getSpace, updateSpace } = spaceAppOperations

export const settingsWork = {
  async set(parts, options) {
    const operator = await operatorIn(parts, options)
    if (isRefused(operator)) return operator
    const { country, language, name, timezone } = options
    const keepIdentities = keepingOf(options['keepIdentities'])
    const body = await operator.readBody(options, { name, country, timezone, language, keepIdentities })
    if (!body.ok) return body
    const does = spaceSettings(parts)
    const isShown = options['file'] === undefined && Object.keys(body.value as object).length === 0
    const answer = isShown
      ? await operator.call(getSpace, does.getSpace, {})
      : await operator.call(updateSpace, does.updateSpace, { body: body.value })
    if (!answer.ok) return answer
    const { space } = answer.body
    const { count, unit } = readKeeping(space.keepIdentities)
    const text = [
      `${space.name} (${space.id}): ${space.country}, ${space.timezone}, ${space.language}`,
      `Who opened and who changed what is kept for ${count} ${count === 1 ? 'month' : unit}.`,
    ].join('\n')
    return { ok: true, json: { space }, text }
  },
} satisfies Record<string, CommandWork>
