// The points that an opening passes on its way, for whoever measures it: nobody in normal work.

import { channel } from 'node:diagnostics_channel'

/** A channel of `node:diagnostics_channel`; its messages are the points, as texts. */
export const hopChannel = 'callgate:opening'
const hops = channel(hopChannel)

/** Tells whoever listens on the channel that an opening has come to `point`. It costs nothing while nobody listens. */
export function passed(point: string): void {
  if (hops.hasSubscribers) hops.publish(point)
}
