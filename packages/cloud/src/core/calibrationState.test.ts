import { callProfile } from '@callgate/contract/call/callProfile'
import { isoTime } from '@callgate/world/world'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  awaitedCall,
  calibrationMs,
  calibrationStep,
  goingOn,
  type KnownCall,
  type LastTestCall,
  newCalibration,
  testCallFault,
  withCall,
} from './calibrationState.ts'
import type { CallSigns } from './callSigns.ts'

const startMs = Date.parse('2026-03-27T16:00:00.000Z')
const signs: CallSigns = {
  end: 'rejected',
  setupMs: 5_000,
  ringMs: 2_000,
  talkMs: null,
  tookMs: 2_000,
  isNoAnswer: false,
  isRejectCause: true,
  isSaidUntaken: false,
  isForwarded: false,
  isWaiting: false,
}
const profile = callProfile({ mode: 'unverified', coolDownMs: 40_000 })

/** Test calls, one a minute from the start. */
const calls: fc.Arbitrary<readonly KnownCall[]> = fc
  .array(
    fc.record({
      isHidden: fc.boolean(),
      isOver: fc.oneof({ weight: 6, arbitrary: fc.constant(true) }, fc.boolean()),
      end: fc.constantFrom('rejected', 'rejected', 'unclear', 'rang'),
      isReported: fc.oneof({ weight: 6, arbitrary: fc.constant(true) }, fc.boolean()),
      hasMoved: fc.oneof({ weight: 6, arbitrary: fc.constant(true) }, fc.constantFrom(null, false)),
    }),
    { maxLength: 11 },
  )
  .map(given =>
    given.map(({ end, hasMoved, isHidden, isOver, isReported }, place) => ({
      openingId: `open_${place}`,
      isHidden,
      isOver,
      hasMoved: isOver && isReported && end !== 'unclear' ? hasMoved : null,
      afterS: null,
      signs: isOver && isReported ? { ...signs, end } : null,
      caller: null,
      dialledAfterMs: 0,
    })),
  )

const lastOf = (known: readonly KnownCall[]): LastTestCall | undefined => {
  const call = known.at(-1)
  return call && { endedMs: call.isOver ? startMs + known.length * 60_000 : null }
}

describe('a calibration', () => {
  it('C1: allows no test call while another one runs, waits for an answer, or the gate still moves', () => {
    fc.assert(
      fc.property(calls, fc.boolean(), fc.nat(13 * 60_000), (known, isHidden, sinceMs) => {
        const nowMs = startMs + sinceMs
        const last = lastOf(known)
        const step = calibrationStep(newCalibration(isoTime(startMs)), known, profile, last)
        if (testCallFault(step, known, { isHidden, nowMs }) !== undefined) return
        expect(known.every(({ isOver }) => isOver)).toBe(true)
        const silent = (call: KnownCall) => call.signs === null || call.signs.end === 'unclear'
        expect(known.every(call => call.hasMoved !== null || silent(call))).toBe(true)
        expect(nowMs).toBeGreaterThanOrEqual((last?.endedMs ?? 0) + profile.coolDownMs)
        expect(known.length).toBeLessThan(10)
        if (isHidden) expect(step.proposal?.kind).toBe('proposed')
      }),
      { numRuns: 2_000 },
    )
  })

  it('C2: always names one next step, and proposes only after three answers', () => {
    fc.assert(
      fc.property(calls, known => {
        const { callsLeft, proposal, step } = calibrationStep(
          newCalibration(isoTime(startMs)),
          known,
          profile,
          lastOf(known),
        )
        expect(proposal !== undefined).toBe(step === 'decide')
        if (step === 'decide') expect(callsLeft).toBe(0)
      }),
    )
  })

  it('C2: proposes only from calls of the last gateway, with one modem on one network', () => {
    const first = { gatewayId: 'gw_1', modem: 'SIM800C', operator: 'Orange RO' }
    const answered = {
      isOver: true,
      hasMoved: true,
      afterS: null,
      signs,

      dialledAfterMs: 0,
    }
    const by = (caller: KnownCall['caller'], place: number): KnownCall => ({
      ...answered,
      openingId: `open_${place}`,
      isHidden: false,
      caller,
    })
    const step = (...callers: KnownCall['caller'][]) =>
      calibrationStep(newCalibration(isoTime(startMs)), callers.map(by), profile, undefined)
    expect(step(first, first, first)).toMatchObject({ step: 'decide', callsLeft: 0 })
    for (const other of [{ gatewayId: 'gw_2' }, { modem: 'SIM7600E' }, { operator: null }]) {
      const second = { ...first, ...other }
      expect(step(first, first, second)).toMatchObject({ step: 'call', callsLeft: 2 })
      expect(step(first, second, first, first)).toMatchObject({ step: 'decide', callsLeft: 0 })
    }
  })

  it('C1: awaits the press of one principal, once, for a minute, and ends after half an hour', () => {
    const until = isoTime(startMs + 60_000)
    const kept = { ...newCalibration(isoTime(startMs)), awaits: { askerId: 'user_a', isHidden: true, until } }
    const json = JSON.stringify(kept)
    expect(awaitedCall(json, 'user_a', startMs + 60_000)).toMatchObject({ isHidden: true })
    expect(awaitedCall(json, 'user_a', startMs + 60_001)).toBeUndefined()
    expect(awaitedCall(json, 'user_b', startMs)).toBeUndefined()
    expect(awaitedCall(json, null, startMs)).toBeUndefined()
    expect(withCall(kept, 'open_1')).toMatchObject({ awaits: null, calls: [{ isHidden: true }] })
    expect(goingOn(json, startMs + calibrationMs - 1)).toEqual(kept)
    expect(goingOn(json, startMs + calibrationMs)).toBeUndefined()
    expect(goingOn(null, startMs)).toBeUndefined()
  })
})
