// A wall clock that can be moved under a process of Node: its Date reads from a file how far it is from the true time.

import { renameSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

export interface MovedClock {
  /** The value for Node's `--import`: a process that loads it uses this clock. Its other clocks stay true. */
  readonly module: string
  /** Resolves when a running process has read the change. */
  setHours(hours: number): Promise<void>
}

const readEveryMs = 20

const source = (file: string) => `
import { readFileSync } from 'node:fs'
const True = Date
let aheadMs = 0
const read = () => {
  try {
    aheadMs = Number(readFileSync(${JSON.stringify(file)}, 'utf8'))
  } catch {}
}
read()
setInterval(read, ${readEveryMs}).unref()
const now = () => True.now() + aheadMs
globalThis.Date = new Proxy(True, {
  construct: (_, given, made) => Reflect.construct(True, given.length === 0 ? [now()] : given, made),
  get: (_, name, from) => (name === 'now' ? now : Reflect.get(True, name, from)),
})
`

export function movedClock(file: string): MovedClock {
  return {
    module: `data:text/javascript,${encodeURIComponent(source(file))}`,
    async setHours(hours) {
      // In one step: a process may read it at any moment.
      writeFileSync(`${file}.next`, String(hours * 3_600_000))
      renameSync(`${file}.next`, file)
      await pause(5 * readEveryMs)
    },
  }
}
