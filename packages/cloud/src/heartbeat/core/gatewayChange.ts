// What a beat changes of its gateway, for those who look at it: nothing, most of the time.

import type { Beat } from '@callgate/contract/wire/messages'

export type GatewayChange = 'online' | 'offline' | 'changed'

/** What a gateway is, in one text. A call is no change: it begins and ends with an opening, which has events of its own. */
function conditionOf({ modem, trusts }: Pick<Beat, 'modem' | 'trusts'>): string {
  const { operator, registration, state, trouble = null } = modem ?? {}
  return JSON.stringify([state === 'calling' ? 'ready' : state, registration, operator, trouble, trusts])
}

/** What the beat `after` changes. `before` is the one before it, and undefined where none was ever heard. */
export function gatewayChange(
  before: Pick<Beat, 'modem' | 'trusts'> | undefined,
  after: Pick<Beat, 'modem' | 'online' | 'trusts'>,
  wasOnline: boolean,
): GatewayChange | undefined {
  if (after.online !== wasOnline) return after.online ? 'online' : 'offline'
  // What an offline beat says of the modem is old.
  if (!after.online || !before) return undefined
  return conditionOf(before) === conditionOf(after) ? undefined : 'changed'
}
