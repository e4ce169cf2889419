// The wire: sends beats, answers the cloud's challenge, and sends reports until they are acknowledged; (state, event, time) →
// (state, effects), pure.

import { beatEveryMs, firstBeatsEveryMs } from '@callgate/contract/wire/timing'
import {
  beatApartMs,
  type Online,
  resendFirstMs,
  resendLastMs,
  type WireEffect,
  type WireEvent,
  type WireEventType,
  type WireState,
  type WireStep,
} from './wireState.ts'

function same(state: WireState): WireStep {
  return { state, effects: [] }
}

/** Takes the step while there is a connection; does nothing otherwise. */
function onlineOnly(state: WireState, then: (online: Online) => WireStep): WireStep {
  const { connection } = state
  return connection.phase === 'online' ? then(connection) : same(state)
}

/**
 * How much shorter than its full length a pause before a beat may be, as a share. It is small, because a data plan pays for each
 * beat.
 */
const earlierAtMost = 0.02

/**
 * A share from 0 to below 1, spread evenly over connections and different for each message: FNV-1a with the end of MurmurHash3.
 */
function shareOf(connectionId: string, seq: number): number {
  let hash = 0x811c9dc5
  for (const letter of `${seq}|${connectionId}`) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32
}

/** Sends a beat now and plans the next one. */
function sendBeat(state: WireState, online: Online, atMs: number): WireStep {
  const { connectionId, status } = state
  const { beatPauseMs } = online
  const seq = state.seq + 1
  const nonce = status.phase === 'challenged' ? status.nonce : undefined
  const takenUp = status.phase === 'taken_up'
  // Gateways that lost the same broker reconnect together. Their beats must not stay in step afterwards.
  const anyPauseMs = Math.ceil(beatEveryMs * (1 - earlierAtMost * shareOf(connectionId, seq)))
  const connection = {
    ...online,
    lastBeatMs: atMs,
    nextBeatMs: atMs + beatPauseMs,
    beatPauseMs: takenUp ? anyPauseMs : Math.min(beatEveryMs, beatPauseMs * 2),
  }
  return {
    state: { ...state, seq, connection },
    effects: [{ type: 'beat', beat: { seq, connectionId, online: true, takenUp, nonce } }],
  }
}

/** Plans the next sending of the reports, unless it is planned already; each pause is twice as long as the previous one. */
function planResend(online: Online, atMs: number): Online {
  const { resendMs, resendPauseMs } = online
  if (resendMs !== undefined) return online
  return {
    ...online,
    resendMs: atMs + resendPauseMs,
    resendPauseMs: Math.min(resendLastMs, resendPauseMs * 2),
  }
}

/** After the waiting reports were sent: plans to send them again, unless none waits. */
function afterResend(online: Online, waiting: number, atMs: number): Online {
  const sent = { ...online, resendMs: undefined }
  return waiting === 0 ? sent : planResend(sent, atMs)
}

function resend(waiting: number): readonly WireEffect[] {
  return waiting === 0 ? [] : [{ type: 'resend' }]
}

/** Handles a challenge to this boot; `ofSeq` is the number of the beat that it answers. */
function challenged(state: WireState, nonce: string, ofSeq: number | undefined, atMs: number): WireStep {
  const { connection, status } = state
  if (status.phase === 'taken_up') {
    // A challenge to an earlier beat is late or replayed, and proves nothing about the present.
    const isForgotten = ofSeq !== undefined && ofSeq > status.lastSeq
    return { state, effects: isForgotten ? [{ type: 'forgotten' }] : [] }
  }
  if (status.phase === 'challenged' && status.nonce === nonce) return same(state)
  const next = { ...state, status: { phase: 'challenged', nonce } } as const
  return connection.phase === 'online'
    ? sendBeat(next, { ...connection, beatPauseMs: firstBeatsEveryMs }, atMs)
    : same(next)
}

/** Notes that the cloud has taken up this boot. */
function takenUp(state: WireState): WireStep {
  const { connection, seq, status } = state
  if (status.phase === 'taken_up') return same(state)
  return {
    state: {
      ...state,
      status: { phase: 'taken_up', lastSeq: seq },
      connection: connection.phase === 'online' ? { ...connection, beatPauseMs: beatEveryMs } : connection,
    },
    effects: [{ type: 'log', what: 'taken_up' }],
  }
}

type Handlers = {
  readonly [Type in WireEventType]: (state: WireState, event: WireEvent<Type>, atMs: number) => WireStep
}

const handlers: Handlers = {
  connecting: (state, { connectionId }) => same({ ...state, connectionId, seq: state.seq + 1 }),

  connected(state, { waiting }, atMs) {
    if (state.connection.phase === 'ended') return same(state)
    // Until the boot is taken up, the first beats come soon, because a challenge or its answer may be lost. Later the second beat
    // of a connection comes at any time within the usual pause.
    const anyMs = Math.floor((beatEveryMs - firstBeatsEveryMs) * shareOf(state.connectionId, 0))
    const beatPauseMs = firstBeatsEveryMs + (state.status.phase === 'taken_up' ? anyMs : 0)
    const online: Online = {
      phase: 'online',
      lastBeatMs: atMs,
      nextBeatMs: atMs,
      beatPauseMs,
      resendMs: undefined,
      resendPauseMs: resendFirstMs,
    }
    const beaten = sendBeat(state, afterResend(online, waiting, atMs), atMs)
    return {
      state: beaten.state,
      effects: [{ type: 'log', what: 'connected' }, ...beaten.effects, ...resend(waiting)],
    }
  },

  disconnected(state) {
    if (state.connection.phase === 'ended') return same(state)
    return {
      state: { ...state, connection: { phase: 'offline' } },
      effects: [{ type: 'flushed' }, { type: 'log', what: 'lost' }],
    }
  },

  beatDue: (state, _event, atMs) => onlineOnly(state, online => sendBeat(state, online, atMs)),
  resendDue: (state, { waiting }, atMs) =>
    onlineOnly(state, online => ({
      state: { ...state, connection: afterResend(online, waiting, atMs) },
      effects: resend(waiting),
    })),

  statusChanged: (state, _event, atMs) =>
    onlineOnly(state, online => {
      const soonestMs = online.lastBeatMs + beatApartMs
      if (atMs >= soonestMs) return sendBeat(state, online, atMs)
      return same({ ...state, connection: { ...online, nextBeatMs: soonestMs } })
    }),

  report(state, { openingId, report }, atMs) {
    const seq = state.seq + 1
    const { connection } = state
    return {
      state: {
        ...state,
        seq,
        connection: connection.phase === 'online' ? planResend(connection, atMs) : connection,
      },
      effects: [{ type: 'report', seq, openingId, report }],
    }
  },

  decline(state, { openingId, reason }) {
    const seq = state.seq + 1
    return { state: { ...state, seq }, effects: [{ type: 'decline', seq, openingId, reason }] }
  },

  ack(state, { ack, header }, atMs) {
    const { reason, result } = ack
    const isOfThisBoot = header.bootId === state.bootId
    // An answer to a beat names no report, so it is handled first.
    if (result === 'refused' && reason === 'superseded' && isOfThisBoot)
      return { state, effects: [{ type: 'superseded' }] }
    if (result === 'taken_up') return isOfThisBoot ? takenUp(state) : same(state)
    if (result === 'challenge') {
      const { nonce, seq } = header
      return isOfThisBoot && nonce !== undefined ? challenged(state, nonce, seq, atMs) : same(state)
    }
    if (result === 'facts_known' || result === 'facts_wanted') {
      const facts = { type: 'facts', isKnown: result === 'facts_known', seq: header.seq } as const
      return { state, effects: isOfThisBoot ? [facts] : [] }
    }
    return { state, effects: [{ type: 'drop', header, ack }] }
  },

  dropped(state, { waiting }, atMs) {
    if (waiting === 0) return { state, effects: [{ type: 'flushed' }] }
    return onlineOnly(state, online => {
      if (online.resendPauseMs <= 2 * resendFirstMs) return same(state)
      // The cloud answers again, so the other reports need not wait for the end of a long pause.
      const connection = planResend({ ...online, resendMs: undefined, resendPauseMs: resendFirstMs }, atMs)
      return same({ ...state, connection })
    })
  },

  end: state => same({ ...state, seq: state.seq + 1, connection: { phase: 'ended' } }),
}

/** Takes one step. A beat is sent only on a connection, and no number is used twice. */
export function stepWire<Type extends WireEventType>(
  state: WireState,
  event: WireEvent<Type>,
  atMs: number,
): WireStep {
  const handle: (state: WireState, event: WireEvent<Type>, atMs: number) => WireStep = handlers[event.type]
  return handle(state, event, atMs)
}
