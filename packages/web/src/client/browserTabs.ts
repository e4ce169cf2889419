// The browser's parts for the stream of events: the lock that one tab holds, and the channel between the tabs.

import { after, random } from '../clock.ts'
import type { Surroundings } from './eventStream.ts'

/** Without locks or channels, as in an old browser, each tab has a stream of its own. */
export const browserTabs: Surroundings = {
  fetch: (...given) => fetch(...given),
  after,
  random,
  isVisible: () => document.visibilityState === 'visible',
  onOnline(then) {
    addEventListener('online', then)
    return () => removeEventListener('online', then)
  },
  async lead(name, mustSteal, signal, run) {
    if (!('locks' in navigator)) return run()
    // A stolen lock must not wait, so it takes no signal.
    await navigator.locks.request(name, mustSteal ? { steal: true } : { signal }, run)
  },
  openChannel(name, onTold) {
    if (!('BroadcastChannel' in globalThis)) return { tell() {}, close() {} }
    const channel = new BroadcastChannel(name)
    channel.onmessage = ({ data }) => onTold(data)
    return { tell: told => channel.postMessage(told), close: () => channel.close() }
  },
}
