// The table of the actions in the activity log, made from the contract, so that the page cannot miss an action.

import { activityActions } from '@callgate/contract/rest/activity'
import { entryIds } from '@callgate/contract/rest/activityDetails'

interface ObjectSchema {
  readonly properties: Readonly<Record<string, unknown>>
}

const code = (words: readonly string[]) => words.map(word => `\`${word}\``).join(', ')

function detailsText({ properties }: ObjectSchema): string {
  const { changes, ...others } = properties as { readonly changes?: ObjectSchema }
  // Every entry has these ids, so the page explains them only once.
  const told = [
    code(Object.keys(others).filter(name => !Object.hasOwn(entryIds, name))),
    changes ? `\`changes\` of ${code(Object.keys(changes.properties))}` : '',
  ]
  return told.filter(text => text !== '').join('; ') || 'none'
}

/** Markdown: every action with its target and details. */
export function activityTable(): string {
  const rows = Object.entries(activityActions).map(
    ([action, { details, says, targetType }]) =>
      `| \`${action}\` | ${says} | \`${targetType}\` | ${detailsText(details)} |`,
  )
  return ['| `action` | What happened | `targetType` | `details` |', '|--|--|--|--|', ...rows].join('\n')
}
