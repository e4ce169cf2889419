// Since when a request may have waited in its socket, unread, because this process stalled.

import type { IncomingMessage } from 'node:http'
import { ageMs, type Moment, moment, type Timer, type World } from '@callgate/world/world'

export interface Stalls {
  start(): void
  stop(): void
  /** A connection or a request has just come out of a socket. */
  came(): void
  /** When a request that is being read was sent, at the earliest. */
  receivedFrom(): Moment
}

const tickMs = 250
/** A longer time between two ticks means that the event loop stalled. */
const mostGapMs = 1_000
/** So many whole turns of the event loop in a row must find nothing: one accepts a connection, the next one reads from it. */
const quietTurns = 2

/**
 * Notices that the process stalled: stopped, frozen, or held by one long piece of work. From then on, every request dates
 * from before that gap, until the event loop has found all sockets empty.
 */
export function watchStalls(world: World): Stalls {
  let ticked = moment(world)
  let timer: Timer | undefined
  let beforeGap: Moment | undefined
  let hasCome = false

  async function emptySockets() {
    // The present turn may have read its sockets before the gap.
    let quiet = -1
    while (quiet < quietTurns) {
      hasCome = false
      await world.turn()
      quiet = hasCome ? 0 : quiet + 1
    }
    beforeGap = undefined
  }

  function check() {
    const last = ticked
    const isGap = ageMs(world, last) > mostGapMs
    ticked = moment(world)
    if (!isGap) return
    hasCome = true
    if (beforeGap) return
    beforeGap = last
    void emptySockets()
  }

  function tick() {
    check()
    timer = world.after(tickMs, tick)
  }

  return {
    start() {
      ticked = moment(world)
      timer = world.after(tickMs, tick)
    },
    stop: () => timer?.cancel(),
    came() {
      hasCome = true
    },
    receivedFrom() {
      // A request may be read before the tick that is late. It is no tick itself: many short requests can make one long turn.
      if (ageMs(world, ticked) > mostGapMs) check()
      return beforeGap ?? moment(world)
    },
  }
}

const received = new WeakMap<IncomingMessage, Moment>()

/** Notes when a request was sent at the earliest. A read changes nothing, so its age does not count. */
export function noteReceived(request: IncomingMessage, stalls: Stalls | undefined): void {
  stalls?.came()
  if (stalls && request.method !== 'GET') received.set(request, stalls.receivedFrom())
}

/** From when the age of a request counts: now, where its server watches no stalls. */
export function receivedAt(world: World, request: IncomingMessage): Moment {
  return received.get(request) ?? moment(world)
}
