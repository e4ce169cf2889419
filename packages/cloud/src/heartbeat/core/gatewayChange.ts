// Decides what a beat changes in the visible state of its gateway: usually nothing.

import type { Beat } from '@callgate/contract/wire/messages'

export type GatewayChange = 'online' | 'offline' | 'changed'

/**
 * The condition of a gateway as one text. A call is no change: it begins and ends with an opening, which has events of its own.
 */
function conditionOf({ modem, trusts }: Pick<Beat, 'modem' | 'trusts'>): string {
  const { operator, registration, state, trouble = null } = modem ?? {}
  return JSON.stringify([state === 'calling' ? 'ready' : state, registration, operator, trouble, trusts])
}

/** What the beat `after` changes. `before` is the previous beat; undefined where there was none. */
export function gatewayChange(
  before: Pick<Beat, 'modem' | 'trusts'> | undefined,
  after: Pick<Beat, 'modem' | 'online' | 'trusts'>,
  wasOnline: boolean,
): GatewayChange | undefined {
  if (after.online !== wasOnline) return after.online ? 'online' : 'offline'
  // The modem's condition in an offline beat is old.
  if (!after.online || !before) return undefined
  return conditionOf(before) === conditionOf(after) ? undefined : 'changed'
}
