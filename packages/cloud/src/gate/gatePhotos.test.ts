import type { OwnOperationId } from '@callgate/contract/app/appOperations'
import { photoLimits } from '@callgate/contract/photo/jpeg'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { AppRequest } from '../http/handler.ts'
import { adminRequest, outdated } from '../http/requests.kit.ts'
import { type ExchangeRig, exchangeRig } from '../opening/exchange.kit.ts'
import { newSpace } from '../space/space.kit.ts'
import { examplePhoto } from './gatePhotos.kit.ts'
import { gatePhotoHandlers } from './gatePhotos.ts'

let rig: ExchangeRig
let gateId: string
let handlers: ReturnType<typeof gatePhotoHandlers>
beforeEach(async () => {
  rig = await exchangeRig()
  gateId = await rig.addGate()
  handlers = gatePhotoHandlers(rig)
})
afterEach(() => rig.close())

const { bytes, hash, jpeg } = examplePhoto
const request = <Id extends OwnOperationId>(given: object = {}, spaceId: string = rig.spaceId) =>
  adminRequest<Id>(rig.database, spaceId, { params: { gateId }, ...given }) as AppRequest<Id>
const set = (text: string | null = jpeg, more: object = {}) =>
  handlers.setGatePhoto(request({ body: { jpeg: text }, ...more }))
const remove = (more: object = {}) => set(null, more)
const read = () => handlers.getGatePhoto(request())
const show = (of = hash, spaceId?: string) =>
  handlers.showGatePhoto(request({ query: { hash: of } }, spaceId))
const actions = () =>
  rig.database.knex('activity').where('action', 'like', 'gate.photo%').orderBy('id').pluck('action')
const base64 = (other: Uint8Array) => Buffer.from(other).toString('base64')

/** Another picture: its table of quantization is another. */
const changed = () => {
  const other = Buffer.from(bytes)
  other[10] = 77
  return base64(other)
}

it('A5: keeps one photo of a gate, shows it by its hash, and records each change once', async () => {
  expect(await read()).toEqual({ status: 200, body: { photo: null } })
  expect(await set()).toMatchObject({ status: 200, body: { photo: { hash } } })
  expect(await set()).toMatchObject({ status: 200 })
  expect(await show()).toEqual({ jpeg: bytes })
  expect(await actions()).toEqual(['gate.photo_set'])
  await set(changed())
  // The address of the former one shows nothing any more.
  expect(await show()).toMatchObject({ problem: 'not_found' })
  expect(await rig.database.knex('gatePhotos').pluck('gateId')).toEqual([gateId])
  expect(await remove()).toEqual({ status: 200, body: { photo: null } })
  expect(await remove()).toEqual({ status: 200, body: { photo: null } })
  expect(await read()).toEqual({ status: 200, body: { photo: null } })
  expect(await actions()).toEqual(['gate.photo_set', 'gate.photo_set', 'gate.photo_removed'])
})

it('S1: shows, sets and removes nothing of another Space', async () => {
  await set()
  const spaceId = await newSpace(rig)
  const none = { problem: 'not_found' }
  expect(await handlers.getGatePhoto(request({}, spaceId))).toMatchObject(none)
  expect(await show(hash, spaceId)).toMatchObject(none)
  expect(await handlers.setGatePhoto(request({ body: { jpeg: changed() } }, spaceId))).toMatchObject(none)
  expect(await handlers.setGatePhoto(request({ body: { jpeg: null } }, spaceId))).toMatchObject(none)
  expect(await show()).toEqual({ jpeg: bytes })
})

it('changes nothing where If-Match names another state, which is the photo', async () => {
  await set()
  const states: object[] = []
  const stale = (current: object) => {
    states.push(current)
    return outdated
  }
  expect(await set(changed(), { stale })).toEqual(outdated)
  expect(await remove({ stale })).toEqual(outdated)
  const { body } = (await read()) as { body: object }
  expect(states).toEqual([body, body])
  expect(await show()).toEqual({ jpeg: bytes })
})

it.each<[string, (photo: Buffer) => string, string]>([
  ['of a PNG', () => base64(Buffer.from('89504e470d0a1a0a', 'hex')), 'is not one whole JPEG file'],
  ['that is cut off', photo => base64(photo.subarray(0, 120)), 'is not one whole JPEG file'],
  [
    'with EXIF',
    photo =>
      base64(
        Buffer.concat([photo.subarray(0, 2), Buffer.from('ffe10008457869660000', 'hex'), photo.subarray(2)]),
      ),
    'has metadata',
  ],
  [
    'of too many bytes',
    photo => base64(Buffer.concat([photo, Buffer.alloc(photoLimits.bytes)])),
    'has more than 60000 bytes',
  ],
  ['in a text that is no base64', photo => `${base64(photo)}A===`, 'is not base64'],
])('refuses a photo %s', async (_, make, message) => {
  expect(await set(make(bytes))).toMatchObject({
    problem: 'validation_error',
    message: expect.stringContaining(`jpeg ${message}`),
  })
  expect(await read()).toEqual({ status: 200, body: { photo: null } })
})
