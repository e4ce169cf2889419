// The readings of a simulator's log: each ATD with its call, and the violations.

import type { LogEntry } from '@callgate/simulator/logFile'
import { describe, expect, it } from 'vitest'
import { dialsOf, dialsTo, violationsIn } from './simulatorLog.ts'

describe('the log', () => {
  const wire = (wallMs: number, text: string) =>
    ({ kind: 'wire', line: { atMs: wallMs, wallMs, direction: 'toModem', text } }) as const
  const call = (callId: number, phoneNumber: string, relayFired: boolean, endedAtMs?: number): LogEntry => ({
    kind: 'call',
    call: {
      callId,
      atMs: callId,
      phoneNumber,
      atdText: '',
      outcome: 'ringing',
      relayFired,
      ...(endedAtMs !== undefined && { endedAtMs }),
    },
  })

  it('gives each ATD to a number the relay and the end of its own call', () => {
    const entries = [
      wire(1, 'ATD+40722000101;'),
      call(1, '+40722000101', false),
      wire(2, 'ATD+40722000102;'),
      call(2, '+40722000102', true),
      wire(3, 'ATD+40722000101;'),
      call(3, '+40722000101', false),
      call(1, '+40722000101', true, 21),
    ]
    const dial = { phoneNumber: '+40722000101' }
    expect(dialsTo(dialsOf(entries), '+40722000101')).toEqual([
      { ...dial, atMs: 1, relayFired: true, endedAtMs: 21 },
      { ...dial, atMs: 3, relayFired: false, endedAtMs: Number.POSITIVE_INFINITY },
    ])
  })

  it('has every ATD, to whatever number', () => {
    const entries = [wire(1, 'AT'), wire(2, 'ATD112;'), wire(3, 'atd+40722000999i;'), wire(4, 'AT+CMGD=1')]
    expect(dialsOf(entries).map(({ phoneNumber }) => phoneNumber)).toEqual(['112', '+40722000999'])
  })

  it('names each violation in words', () => {
    const violation = { violation: 'byte_during_dial', text: 'AT+\r', atMs: 1 } as const
    expect(violationsIn([{ kind: 'violation', violation }])).toEqual(['byte_during_dial (AT+)'])
  })
})
