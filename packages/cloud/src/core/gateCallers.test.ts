import type { GateCallers } from '@callgate/contract/call/gateCallers'
import { describe, expect, it } from 'vitest'
import { afterOpening, callsGate, inCallingOrder, ofOtherModule, withoutNumber } from './gateCallers.ts'

const callers: GateCallers = {
  known: { mayCall: true, numberKnown: 'yes' },
  unknown: { mayCall: true, numberKnown: 'unknown' },
  refused: { mayCall: true, numberKnown: 'no' },
  barred: { mayCall: false, numberKnown: 'yes' },
}

describe('the gateways of a gate', () => {
  it('all call it where nothing is set', () => {
    expect(inCallingOrder(['b', 'a'], {})).toEqual(['b', 'a'])
    expect(callsGate({}, 'constructor')).toBe(true)
  })

  it('are sorted with known numbers first, and otherwise in the given order', () => {
    expect(inCallingOrder(['other', 'unknown', 'refused', 'barred', 'known'], callers)).toEqual([
      'known',
      'other',
      'unknown',
    ])
  })

  it('come last where they failed at this gate, also with a known number', () => {
    const failedAt = (gatewayId: string) => (gatewayId === 'unknown' ? undefined : 'here')
    expect(inCallingOrder(['other', 'unknown', 'known'], callers, failedAt)).toEqual([
      'unknown',
      'known',
      'other',
    ])
  })

  it('come after other known ones where they failed elsewhere, and before those with unknown numbers', () => {
    const failedAt = (gatewayId: string) => (gatewayId === 'unknown' ? undefined : 'elsewhere')
    expect(inCallingOrder(['other', 'unknown', 'known'], callers, failedAt)).toEqual([
      'known',
      'unknown',
      'other',
    ])
  })

  it.each([
    ['known', true],
    ['unknown', true],
    ['refused', false],
    ['barred', false],
  ])('%s: calls it is %s', (gatewayId, expected) => {
    expect(callsGate(callers, gatewayId)).toBe(expected)
  })

  it('become known by a call that opened, but a setting is not overruled', () => {
    expect(afterOpening({}, 'a')).toEqual({ a: { mayCall: true, numberKnown: 'yes' } })
    expect(afterOpening(callers, 'known')).toBeUndefined()
    expect(afterOpening(callers, 'refused')).toBeUndefined()
    const barred: GateCallers = { a: { mayCall: false, numberKnown: 'unknown' } }
    expect(afterOpening(barred, 'a')).toEqual({ a: { mayCall: false, numberKnown: 'yes' } })
  })

  it('become unknown with another number', () => {
    expect(withoutNumber(callers, 'barred')?.['barred']).toEqual({ mayCall: false, numberKnown: 'unknown' })
    expect(withoutNumber(callers, 'unknown')).toBeUndefined()
    expect(withoutNumber(callers, 'other')).toBeUndefined()
  })

  it('become unknown with another module, but keep the setting who may call', () => {
    expect(ofOtherModule(callers)['barred']).toEqual({ mayCall: false, numberKnown: 'unknown' })
    expect(Object.values(ofOtherModule(callers)).map(({ numberKnown }) => numberKnown)).toEqual(
      Array(4).fill('unknown'),
    )
  })
})
