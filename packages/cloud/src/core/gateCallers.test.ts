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

  it('are asked with known numbers first, and otherwise in the order given', () => {
    expect(inCallingOrder(['other', 'unknown', 'refused', 'barred', 'known'], callers)).toEqual([
      'known',
      'other',
      'unknown',
    ])
  })

  it('come last where they failed, also with a known number', () => {
    const failedAt = (gatewayId: string) => (gatewayId === 'unknown' ? undefined : 'here')
    expect(inCallingOrder(['other', 'unknown', 'known'], callers, failedAt)).toEqual([
      'unknown',
      'known',
      'other',
    ])
  })

  it('come after those known as well where they failed elsewhere, and before those that are not', () => {
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

  it('a call that opened shows that a number is known, and overrules nobody', () => {
    expect(afterOpening({}, 'a')).toEqual({ a: { mayCall: true, numberKnown: 'yes' } })
    expect(afterOpening(callers, 'known')).toBeUndefined()
    expect(afterOpening(callers, 'refused')).toBeUndefined()
    const barred: GateCallers = { a: { mayCall: false, numberKnown: 'unknown' } }
    expect(afterOpening(barred, 'a')).toEqual({ a: { mayCall: false, numberKnown: 'yes' } })
  })

  it('another number of a gateway is not known yet', () => {
    expect(withoutNumber(callers, 'barred')?.['barred']).toEqual({ mayCall: false, numberKnown: 'unknown' })
    expect(withoutNumber(callers, 'unknown')).toBeUndefined()
    expect(withoutNumber(callers, 'other')).toBeUndefined()
  })

  it('another module knows no number yet, and who may call stays', () => {
    expect(ofOtherModule(callers)['barred']).toEqual({ mayCall: false, numberKnown: 'unknown' })
    expect(Object.values(ofOtherModule(callers)).map(({ numberKnown }) => numberKnown)).toEqual(
      Array(4).fill('unknown'),
    )
  })
})
