// Reports to systemd that the daemon is ready and, repeatedly, that it goes on: the messages of sd_notify(3).

import { execFile } from 'node:child_process'
import type { MqttHandlers } from '@callgate/mqtt/mqttConnection'
import type { World } from '@callgate/world/world'

/** The parts that are tried once before the daemon is ready. */
export type Tried = 'broker' | 'modem'

export interface Systemd {
  /** Notes that the first try has ended, with or without success: the daemon also serves without a modem or a broker. */
  tried(what: Tried): void
  /** Reports that the daemon stops by itself. */
  stopping(): void
}

interface SystemdParts {
  readonly world: World
  /** NOTIFY_SOCKET and WATCHDOG_USEC come from systemd, sd_notify(3) and sd_watchdog_enabled(3). Without them nothing is sent. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Whether an opening hangs, so that systemd must restart the daemon. */
  readonly isStuck: () => boolean
  /** Sends one message, such as `READY=1`. */
  readonly send?: (message: string) => void
}

/** A broker that never answers delays the report that the daemon is ready by this time at most. Milliseconds. */
const readyWithinMs = 60_000
const sendWithinMs = 10_000

/**
 * The socket of systemd is a Unix datagram socket, which Node lacks; packages for it compile at their installation. So a small
 * process sends each message: three in a minute and a half.
 */
function sendBy(world: World): (message: string) => void {
  return message => {
    execFile('systemd-notify', [message], { timeout: sendWithinMs }, error => {
      if (error) world.log.error('systemd cannot be told', { message, error: error.message.slice(0, 200) })
    })
  }
}

/** Starts the reports to systemd. */
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

/** Notes the first try of the broker. */
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
