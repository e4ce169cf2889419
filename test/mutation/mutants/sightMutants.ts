// Mutants of pushes and of photos: somebody sees what is not theirs, a file carries more than its picture, or one device delays others.

import type { Mutant } from './mutant.ts'

const devices = 'cloud/src/push/pushDevices.ts'
const sender = 'cloud/src/push/pushSender.ts'
const jpeg = 'contract/src/photo/jpeg.ts'
const ofSender = 'cloud/src/push/pushSender.test.ts'
const ofHandlers = 'cloud/src/push/pushHandlers.test.ts'
const ofPhotos = 'cloud/src/gate/gatePhotos.test.ts'
const ofJpeg = 'contract/src/photo/jpeg.test.ts'

export const sightMutants: readonly Mutant[] = [
  {
    name: 'a push goes to whoever was a user when it was queued',
    file: devices,
    find: "const row = await devicesToTell(db, message).where('device.id', deviceId)",
    replace: "const row = await db('pushDevices as device').where('device.id', deviceId)",
    why: 'somebody who was removed from the Space still learns when it has alerts and openings',
    test: ofSender,
    breaks: 'S1',
  },
  {
    name: 'a push goes to a user who may not sign in',
    file: devices,
    find: ".whereNull('user.deactivatedAt')",
    replace: '',
    why: 'a user who was switched off is told of everything',
    test: ofSender,
    breaks: 'S1',
  },
  {
    name: 'a push goes to the users of every Space',
    file: devices,
    find: "wanted(db, kind).where('role.spaceId', spaceId)",
    replace: 'wanted(db, kind)',
    why: 'strangers learn when the gates of a Space open',
    test: ofSender,
    breaks: 'S1',
  },
  {
    name: 'the private key of pushes is not sealed',
    file: 'cloud/src/push/pushKeys.ts',
    find: 'seal.seal(privateKey, pushKeysPlace)',
    replace: 'privateKey',
    why: 'whoever reads a backup signs pushes as this installation',
    test: ofHandlers,
    breaks: 'S1',
  },
  {
    name: 'the subscription of a device is not sealed',
    file: 'cloud/src/push/pushHandlers.ts',
    find: 'seal.seal(JSON.stringify({ endpoint, keys }), pushDevicePlace(id))',
    replace: 'JSON.stringify({ endpoint, keys })',
    why: 'whoever reads a backup has the addresses and secrets of browsers',
    test: ofHandlers,
    breaks: 'S1',
  },
  {
    name: 'the words of a push are those of an opening of any Space',
    file: 'cloud/src/push/pushText.ts',
    find: "where({ id: id ?? '', spaceId })",
    replace: "where({ id: id ?? '' })",
    why: 'a user of one Space reads who opened a gate of another one',
    test: ofHandlers,
    breaks: 'S1',
  },
  {
    name: 'a photo is served to the users of any Space',
    file: 'cloud/src/gate/gatePhotos.ts',
    find: 'where({ gateId, hash, spaceId })',
    replace: 'where({ gateId, hash })',
    why: 'a user of one Space sees the gates of another one',
    test: ofPhotos,
    breaks: 'S1',
  },
  {
    name: 'a photo is served to every guest of the Space',
    file: 'cloud/src/guest/photos.ts',
    find: 'const gate = await findGuestGate(database.knex, member, String(gateId))',
    replace: 'const gate = { gateId: String(gateId) }',
    why: 'a guest sees a gate that is none of theirs, also when their access has ended',
    test: 'cloud/src/guest/photos.test.ts',
    breaks: 'S1',
  },
  {
    name: 'a photo may have metadata',
    file: jpeg,
    find: "if (pieces.some(({ marker }) => !drawing.has(marker))) return 'has_metadata'",
    replace: '',
    why: 'guests read the place and the time of a photo',
    test: ofJpeg,
    breaks: 'S2',
  },
  {
    name: 'a photo may be one byte too long',
    file: jpeg,
    find: 'if (bytes.length > photoLimits.bytes)',
    replace: 'if (bytes.length > photoLimits.bytes + 1)',
    why: 'the limit that is promised is another one',
    test: ofJpeg,
    breaks: 'S2',
  },
  {
    name: 'a photo may be one pixel too wide',
    file: jpeg,
    find: 'width <= photoLimits.width',
    replace: 'width <= photoLimits.width + 1',
    why: 'the limit that is promised is another one',
    test: ofJpeg,
    breaks: 'S2',
  },
  {
    name: 'a device that is gone is kept',
    file: sender,
    find: 'status === 404 || status === 410',
    replace: 'status === 404',
    why: 'a push service is asked for ever for a browser that it does not know any more',
    test: ofSender,
    breaks: 'S3',
  },
  {
    name: 'a device takes every place of its user',
    file: sender,
    find: 'ofDevice < runningOfDevice && ',
    replace: '',
    why: 'a service that does not answer delays the other devices of its user',
    test: ofSender,
    breaks: 'S3',
  },
  {
    name: 'a Space takes every place',
    file: sender,
    find: ' && ofSpace < runningOfSpace',
    replace: '',
    why: 'the devices of one Space, at a service that does not answer, delay the pushes of all others',
    test: ofSender,
    breaks: 'S3',
  },
]
