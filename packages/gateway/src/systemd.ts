// Tells systemd that the daemon is ready, and again and again that it goes on: the messages of sd_notify(3).

import { execFile } from 'node:child_process'
import type { MqttHandlers } from '@callgate/mqtt/mqttConnection'
import type { World } from '@callgate/world/world'

/** What is tried once before the daemon is ready. */
export type Tried = 'broker' | 'modem'

export interface Systemd {
  /** The first try is over, however it went: without a modem or a broker the daemon serves, too. */
  tried(what: Tried): void
  /** The daemon ends by itself. */
  stopping(): void
}

interface SystemdParts {
  readonly world: World
  /** NOTIFY_SOCKET and WATCHDOG_USEC are from systemd, sd_notify(3) and sd_watchdog_enabled(3). Without them nothing is sent. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Whether an opening hangs. Then systemd is to start the daemon again. */
  readonly isStuck: () => boolean
  /** Sends one message, such as `READY=1`. */
  readonly send?: (message: string) => void
}

/** A broker that never answers keeps nothing from its start for longer than this. Milliseconds. */
const readyWithinMs = 60_000
const sendWithinMs = 10_000

/**
 * The socket of systemd is a Unix datagram socket, which Node has not, and the packages that have one compile when they are
 * installed. So a small process sends each message: three in a minute and a half.
 */
function sendBy(world: World): (message: string) => void {
  return message => {
    execFile('systemd-notify', [message], { timeout: sendWithinMs }, error => {
      if (error) world.log.error('systemd cannot be told', { message, error: error.message.slice(0, 200) })
    })
  }
}

/** Begins to tell systemd, and goes on by itself. */
export function tellSystemd({ environment, isStuck, send, world }: SystemdParts): Systemd {
  if (!environment['NOTIFY_SOCKET']) return { tried() {}, stopping() {} }
  const tell = send ?? sendBy(world)
  const waitsFor = new Set<Tried>(['broker', 'modem'])
  let isReady = false
  const becomeReady = () => {
    if (isReady) return
    isReady = true
    tell('READY=1')
  }
  world.after(readyWithinMs, becomeReady)
  const watchdogMs = Number(environment['WATCHDOG_USEC'] ?? 0) / 1_000
  const goOn = () => {
    if (isStuck()) return world.log.error('an opening hangs: systemd is to start the daemon again')
    tell('WATCHDOG=1')
    world.after(watchdogMs / 3, goOn)
  }
  if (watchdogMs > 0) world.after(watchdogMs / 3, goOn)
  return {
    tried(what) {
      waitsFor.delete(what)
      if (waitsFor.size === 0) becomeReady()
    },
    stopping: () => tell('STOPPING=1'),
  }
}

/** Notes that the broker was tried. */
export function noting({ tried }: Systemd, handlers: MqttHandlers): MqttHandlers {
  return {
    ...handlers,
    onConnect() {
      tried('broker')
      handlers.onConnect()
    },
    onRefused(refusal) {
      tried('broker')
      handlers.onRefused(refusal)
    },
  }
}
