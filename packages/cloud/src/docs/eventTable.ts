// The table of the events that are no actions, made from the contract, so that the page cannot miss one.

import { activityActions } from '@callgate/contract/rest/activity'
import { webhookTypes } from '@callgate/contract/rest/webhook'
import { saysOf } from '@callgate/contract/rest/webhookMessage'

/** Markdown: the types of events beside the actions of the activity, with what each means. */
export function eventTable(): string {
  const others = webhookTypes.filter(type => !Object.hasOwn(activityActions, type))
  const rows = others.map(type => `| \`${type}\` | ${saysOf(type)} |`)
  return ['| `type` | What happened |', '|--|--|', ...rows].join('\n')
}
