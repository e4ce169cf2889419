// demo.json: each part of it is either understood or made again.

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { nothingRemembered, type Remembered, readRemembered } from './remembered.ts'

const known: Remembered = {
  spaceId: 'space_1',
  gateway: { gatewayId: 'gw_1', mqttPassword: 'secret', cloudKeys: ['key'] },
  sandbox: { spaceId: 'space_2', apiKey: 'svc_test_secret' },
  memberId: 'member_1',
  apiKeyIds: ['key_1'],
  gates: { reject_busy: { id: 'gate_1', profileFor: 'normal' }, ring_forever: { id: 'gate_2' } },
}

it('reads what was written', () => {
  expect(readRemembered(JSON.parse(JSON.stringify(known)))).toEqual(known)
})

it('leaves out missing and invalid parts', () => {
  expect(readRemembered(undefined)).toEqual(nothingRemembered)
  expect(readRemembered({ ...known, gateway: { gatewayId: 'gw_1' } })).toEqual({
    ...known,
    gateway: undefined,
  })
  expect(readRemembered({ ...known, gates: { a: 1, b: { id: 2 } } }).gates).toEqual({})
})

it('accepts any JSON', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (gates, gateway) => {
      const read = readRemembered({ spaceId: 'space_1', gates, gateway })
      expect(readRemembered(JSON.parse(JSON.stringify(read)))).toEqual(read)
    }),
  )
})
