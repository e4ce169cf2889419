import type { Ack, Envelope } from '@callgate/contract/wire/messages'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stepWire } from './wire.ts'
import {
  type BeatHead,
  lastBeat,
  type WireEffect,
  type WireEvent,
  type WireState,
  wireState,
} from './wireState.ts'

const boot = 'B'.repeat(22)

/** A wire to which tests pass events one by one. */
function toldWire() {
  let state = wireState(boot, 'first')
  const beats: BeatHead[] = []
  return {
    beats,
    state: () => state,
    tell(atMs: number, event: WireEvent): string[] {
      const taken = stepWire(state, event, atMs)
      state = taken.state
      for (const effect of taken.effects) if (effect.type === 'beat') beats.push(effect.beat)
      return taken.effects.map(effect => (effect.type === 'log' ? `log ${effect.what}` : effect.type))
    },
  }
}

function ackOf(ack: Ack, header: Partial<Envelope> = {}): WireEvent<'ack'> {
  const envelope = { type: 'ack', gatewayId: 'gw', keyId: '', body: '', signature: '', bootId: boot } as const
  return { type: 'ack', header: { ...envelope, ...header }, ack }
}

const challenge = (nonce: string, seq?: number) =>
  ackOf({ result: 'challenge' }, { nonce, ...(seq !== undefined && { seq }) })
const takenUp = ackOf({ result: 'taken_up' })
const connected = { type: 'connected', waiting: 0 } as const
const report = { type: 'report', openingId: 'a', report: { phase: 'not_dialled', sinceClaimMs: 1 } } as const

/** On a connection since 0, with one beat sent. */
function online() {
  const wire = toldWire()
  wire.tell(0, { type: 'connecting', connectionId: 'c' })
  expect(wire.tell(0, connected)).toEqual(['log connected', 'beat'])
  return wire
}

const nextBeatMs = ({ connection }: WireState) =>
  connection.phase === 'online' ? connection.nextBeatMs : undefined
const resendMs = ({ connection }: WireState) =>
  connection.phase === 'online' ? connection.resendMs : undefined

describe('the wire of a boot', () => {
  it('answers a challenge at once, and answers a repeated one no more', () => {
    const wire = online()
    expect(wire.tell(10, challenge('n', 2))).toEqual(['beat'])
    expect(wire.tell(20, challenge('n', 2))).toEqual([])
    expect(wire.tell(30, challenge('m', 3))).toEqual(['beat'])
    expect(wire.tell(40, { type: 'beatDue' })).toEqual(['beat'])
    expect(wire.beats.map(({ nonce }) => nonce)).toEqual([undefined, 'n', 'm', 'm'])
    expect(wire.tell(50, ackOf({ result: 'challenge' }))).toEqual([])
  })

  it('sends beats soon, then less often, until it is taken up', () => {
    const wire = online()
    let atMs = 0
    const pauses = Array.from({ length: 5 }, () => {
      const dueMs = nextBeatMs(wire.state()) ?? 0
      const pauseMs = dueMs - atMs
      atMs = dueMs
      wire.tell(atMs, { type: 'beatDue' })
      return pauseMs
    })
    expect(pauses).toEqual([2_000, 4_000, 8_000, 10_000, 10_000])
    wire.tell(atMs, { type: 'disconnected' })
    wire.tell(atMs, connected)
    expect(nextBeatMs(wire.state())).toBe(atMs + 2_000)
    expect(wire.tell(atMs, takenUp)).toEqual(['log taken_up'])
  })

  it('sends beats at most 10 s apart once it is taken up, out of step with gateways that connected at the same time', () => {
    const places = Array.from({ length: 200 }, (_, gateway) => {
      const wire = toldWire()
      wire.tell(0, { type: 'connecting', connectionId: `connection ${gateway}` })
      wire.tell(0, takenUp)
      wire.tell(0, connected)
      let atMs = 0
      for (let beat = 0; beat < 8; beat++) {
        const dueMs = nextBeatMs(wire.state()) ?? 0
        expect(dueMs - atMs).toBeGreaterThanOrEqual(beat === 0 ? 2_000 : 9_800)
        expect(dueMs - atMs).toBeLessThanOrEqual(10_000)
        atMs = dueMs
        wire.tell(atMs, { type: 'beatDue' })
      }
      return Math.floor(atMs / 1_000) % 10
    })
    const inSecond = Array.from(
      { length: 10 },
      (_, second) => places.filter(place => place === second).length,
    )
    expect(Math.max(...inSecond)).toBeLessThan(40)
    // The second beat never comes within 2 s, so two of the ten seconds stay nearly empty.
    expect(inSecond.filter(places => places > 5).length).toBeGreaterThanOrEqual(8)
  })

  it('is forgotten when a beat is challenged that was sent after it was taken up, but not on a replayed challenge', () => {
    const wire = online()
    wire.tell(1, challenge('n', 2))
    expect(wire.tell(2, takenUp)).toEqual(['log taken_up'])
    expect(wire.state().status).toEqual({ phase: 'taken_up', lastSeq: 3 })
    expect(wire.tell(3, challenge('m', 3))).toEqual([])
    expect(wire.tell(3, challenge('m'))).toEqual([])
    expect(wire.tell(3, challenge('m', 4))).toEqual(['forgotten'])
  })

  it('keeps a challenge that arrives without a connection for the next connection', () => {
    const wire = toldWire()
    expect(wire.tell(0, challenge('n', 1))).toEqual([])
    wire.tell(1, connected)
    expect(wire.beats).toMatchObject([{ nonce: 'n', takenUp: false }])
    expect(lastBeat(wire.state())).toMatchObject({ nonce: undefined, online: false })
  })

  it('is superseded by a refusal of its own boot only', () => {
    const refusal = { result: 'refused', reason: 'superseded' } as const
    const wire = online()
    expect(wire.tell(1, ackOf(refusal))).toEqual(['superseded'])
    expect(wire.tell(1, ackOf(refusal, { bootId: 'x' }))).toEqual(['drop'])
    expect(wire.tell(1, ackOf({ result: 'taken_up' }, { bootId: 'x' }))).toEqual([])
    expect(wire.tell(1, ackOf({ result: 'challenge' }, { bootId: 'x', nonce: 'n' }))).toEqual([])
  })

  it('reports a changed status at once, but at most once in a second', () => {
    const wire = online()
    expect(wire.tell(300, { type: 'statusChanged' })).toEqual([])
    expect(nextBeatMs(wire.state())).toBe(1_000)
    expect(wire.tell(1_000, { type: 'statusChanged' })).toEqual(['beat'])
  })

  it('repeats reports with a growing pause, and soon again once the cloud answers', () => {
    const wire = online()
    expect(wire.tell(0, report)).toEqual(['report'])
    const sentMs: number[] = []
    for (
      let dueMs = resendMs(wire.state());
      dueMs !== undefined && dueMs < 70_000;
      dueMs = resendMs(wire.state())
    ) {
      expect(wire.tell(dueMs, { type: 'resendDue', waiting: 2 })).toEqual(['resend'])
      sentMs.push(dueMs)
    }
    expect(sentMs).toEqual([2_000, 6_000, 14_000, 30_000, 60_000])
    expect(wire.tell(61_000, { type: 'dropped', waiting: 1 })).toEqual([])
    expect(resendMs(wire.state())).toBe(63_000)
    expect(wire.tell(61_500, { type: 'dropped', waiting: 1 })).toEqual([])
    expect(resendMs(wire.state())).toBe(63_000)
    expect(wire.tell(62_000, { type: 'dropped', waiting: 0 })).toEqual(['flushed'])
    expect(wire.tell(63_000, { type: 'resendDue', waiting: 0 })).toEqual([])
    expect(resendMs(wire.state())).toBeUndefined()
  })

  it('sends waiting reports on a new connection, and plans nothing without one', () => {
    const wire = toldWire()
    expect(wire.tell(0, report)).toEqual(['report'])
    expect(wire.state().connection).toEqual({ phase: 'offline' })
    expect(wire.tell(5, { type: 'connected', waiting: 1 })).toEqual(['log connected', 'beat', 'resend'])
    expect(resendMs(wire.state())).toBe(2_005)
    expect(wire.tell(6, { type: 'disconnected' })).toEqual(['flushed', 'log lost'])
  })

  it('sends nothing more by itself once it has ended', () => {
    const wire = online()
    wire.tell(1, { type: 'end' })
    for (const type of ['disconnected', 'beatDue', 'statusChanged'] as const)
      expect(wire.tell(9, { type })).toEqual([])
    expect(wire.tell(9, { type: 'connected', waiting: 3 })).toEqual([])
    expect(wire.state().connection).toEqual({ phase: 'ended' })
  })
})

const nonces = fc.constantFrom('n', 'm', 'o')
const anyAck: fc.Arbitrary<WireEvent> = fc
  .record({
    ack: fc.constantFrom<Ack>(
      { result: 'challenge' },
      { result: 'challenge' },
      { result: 'taken_up' },
      { result: 'applied' },
      { result: 'refused', reason: 'superseded' },
    ),
    nonce: nonces,
    seq: fc.nat(60),
    bootId: fc.constantFrom(boot, boot, boot, 'other'),
  })
  .map(({ ack, ...header }) => ackOf(ack, header))
const waiting = fc.nat(3)
const anyEvent: fc.Arbitrary<WireEvent> = fc.oneof(
  anyAck,
  anyAck,
  fc.record({ type: fc.constant('connected' as const), waiting }),
  fc.record({ type: fc.constantFrom('resendDue' as const, 'dropped' as const), waiting }),
  fc.record({ type: fc.constant('connecting' as const), connectionId: fc.string() }),
  fc.constantFrom<WireEvent>(
    { type: 'disconnected' },
    { type: 'beatDue' },
    { type: 'statusChanged' },
    { type: 'statusChanged' },
    report,
    { type: 'decline', openingId: 'b', reason: 'no_network' },
    { type: 'end' },
  ),
)

/** The message numbers that an effect uses. */
const seqOf = (effect: WireEffect) => {
  if (effect.type === 'beat') return [effect.beat.seq]
  return effect.type === 'report' || effect.type === 'decline' ? [effect.seq] : []
}

function checkBeat(beat: BeatHead, before: WireState, after: WireState, event: WireEvent, atMs: number) {
  const { connection } = after
  if (connection.phase !== 'online') throw new Error(`a beat while ${connection.phase}`)
  expect(connection.nextBeatMs - atMs).toBeGreaterThanOrEqual(2_000)
  expect(connection.nextBeatMs - atMs).toBeLessThanOrEqual(10_000)
  expect(beat.takenUp).toBe(after.status.phase === 'taken_up')
  expect(beat.nonce).toBe(after.status.phase === 'challenged' ? after.status.nonce : undefined)
  // A status that changes all the time causes one beat in a second; only a challenge is answered sooner.
  const sinceMs = before.connection.phase === 'online' ? atMs - before.connection.lastBeatMs : Number.NaN
  if (event.type === 'statusChanged') expect(sinceMs).toBeGreaterThanOrEqual(1_000)
  if (event.type === 'ack') expect(beat.nonce).toBe(event.header.nonce)
}

it('with any events in any order, numbers grow, beats need a connection, and a boot stays taken up', () => {
  const counts = { beats: 0, forgotten: 0, takenUp: 0, resent: 0 }
  fc.assert(
    fc.property(fc.array(fc.tuple(anyEvent, fc.nat(3_000)), { maxLength: 60 }), story => {
      let state = wireState(boot, 'first')
      let atMs = 0
      let lastSeq = 0
      for (const [event, waitMs] of story) {
        atMs += waitMs
        const before = state
        const taken = stepWire(before, event, atMs)
        state = taken.state
        for (const effect of taken.effects) {
          for (const seq of seqOf(effect)) {
            expect(seq).toBeGreaterThan(lastSeq)
            lastSeq = seq
          }
          if (effect.type === 'beat') checkBeat(effect.beat, before, state, event, atMs)
          if (effect.type === 'resend') expect(resendMs(state)).toBeGreaterThanOrEqual(atMs + 2_000)
          if (effect.type === 'forgotten') expect(before.status.phase).toBe('taken_up')
          if (effect.type === 'beat') counts.beats++
          if (effect.type === 'forgotten') counts.forgotten++
          if (effect.type === 'resend') counts.resent++
        }
        expect(state.seq).toBeGreaterThanOrEqual(lastSeq)
        if (before.status.phase === 'taken_up') expect(state.status).toBe(before.status)
        else if (state.status.phase === 'taken_up') counts.takenUp++
        if (before.connection.phase === 'ended') expect(state.connection.phase).toBe('ended')
        expect((resendMs(state) ?? atMs) - atMs).toBeLessThanOrEqual(30_000)
      }
    }),
    { numRuns: 500, seed: 20_260_105 },
  )
  // Proves that the property covers all kinds of events.
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(20)
})
