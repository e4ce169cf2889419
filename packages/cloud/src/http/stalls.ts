// Detects stalls of this process, in which a request may have waited unread in its socket.

import type { IncomingMessage } from 'node:http'
import { ageMs, type Moment, moment, type Timer, type World } from '@callgate/world/world'

export interface Stalls {
  start(): void
  stop(): void
  /** A connection or a request has just been read from a socket. */
  came(): void
  /** The earliest time at which the request that is being read may have been sent. */
  receivedFrom(): Moment
}

const tickMs = 250
/** A longer time between two ticks means that the event loop stalled. */
const mostGapMs = 1_000
/** This many whole turns of the event loop in a row must find nothing: one accepts a connection, the next one reads from it. */
const quietTurns = 2

/**
 * Detects that the process stalled: stopped, frozen, or held by one long piece of work. After that, every request is dated before
 * that gap, until the event loop has found all sockets empty.
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
      // A request may be read before the late tick. It does not count as a tick: many short requests can make one long turn.
      if (ageMs(world, ticked) > mostGapMs) check()
      return beforeGap ?? moment(world)
    },
  }
}

const received = new WeakMap<IncomingMessage, Moment>()

/** Notes the earliest time at which a request may have been sent. A GET changes nothing, so its age does not matter. */
export function noteReceived(request: IncomingMessage, stalls: Stalls | undefined): void {
  stalls?.came()
  if (stalls && request.method !== 'GET') received.set(request, stalls.receivedFrom())
}

/** The time from which the age of a request counts: now, where its server does not detect stalls. */
export function receivedAt(world: World, request: IncomingMessage): Moment {
  return received.get(request) ?? moment(world)
}
