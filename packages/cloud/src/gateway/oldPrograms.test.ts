import fc from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'
import { gatewayKey, strangerKey, wireRig } from '../wire/gatewayWire.kit.ts'
import { listGateways } from './gateways.ts'
import { sayOldProgram, versionIn } from './oldPrograms.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

it('reads a version beside or in the body, and none that is not one', () => {
  const beat = (version: unknown) => JSON.stringify({ body: JSON.stringify({ version }) })
  expect(versionIn(bytes(beat('0.1.0')))).toBe('0.1.0')
  expect(versionIn(bytes('{"version":"0.0.9-rc.1"}'))).toBe('0.0.9-rc.1')
  for (const text of [beat('1.0 <b>'), beat('1'.repeat(33)), beat(1), '', '[]', 'null', '{"body":"{"}'])
    expect(versionIn(bytes(text))).toBeUndefined()
  fc.assert(fc.property(fc.uint8Array(), any => versionIn(any) === undefined))
  expect([sayOldProgram({ version: '0.1.0' }), sayOldProgram({ version: null })]).toEqual([
    'its program is too old: 0.1.0',
    'its program is too old',
  ])
})

it('reports a gateway whose beats cannot be read, for five minutes, and no other', async () => {
  const rig = await wireRig()
  onTestFinished(() => rig.close())
  rig.start()
  const { database, world } = rig
  const told = async () => (await listGateways({ database, world })).map(({ tooOld }) => tooOld)
  const warned = () => world.lines.filter(({ message }) => message === 'the program of a gateway is too old')
  const beat = (more: object) =>
    rig.sealed({ type: 'beat', bootId: rig.header.bootId, seq: 1, body: JSON.stringify(more) }, gatewayKey)
  await rig.say('beat', rig.beat())
  await rig.say('beat', rig.beat().replace(/"signature":"[^"]*"/, `"signature":"${'A'.repeat(86)}"`))
  await rig.say('beat', rig.sealed({ type: 'beat', body: '{"version":"0.1.0"}' }, strangerKey))
  await rig.say('claim', '{"version":"0.1.0"}')
  expect(await told()).toEqual([null])
  for (let count = 0; count < 12; count++) await rig.say('beat', beat({ version: '0.1.0' }))
  expect(await told()).toEqual([{ version: '0.1.0' }])
  expect(warned().map(({ fields }) => fields)).toEqual([{ gatewayId: rig.gatewayId, version: '0.1.0' }])
  await world.advance(2 * 60_000)
  await rig.say('beat', 'no JSON')
  expect(await told()).toEqual([{ version: null }])
  await world.advance(5 * 60_000)
  expect(await told()).toEqual([null])
})
