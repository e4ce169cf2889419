// How the daemon keeps the keys that the cloud sends: on the disk before they count, and whole after a power cut.

import { signingKey } from '@callgate/contract/wire/signature'
import { fakeWorld } from '@callgate/world/fake'
import { describe, expect, it } from 'vitest'
import { openCloudKeys } from './cloudKeys.ts'
import { daemonRig, publicHalf } from './daemon.kit.ts'
import { type DiskOperation, type MemoryDisk, memoryDisk } from './memoryDisk.kit.ts'

const [a, b, c] = [1, 2, 3].map(byte => signingKey(new Uint8Array(32).fill(byte))) as [
  ReturnType<typeof signingKey>,
  ReturnType<typeof signingKey>,
  ReturnType<typeof signingKey>,
]
const statement = (number: number, ...keys: readonly (typeof a)[]) => ({
  result: 'keys' as const,
  number,
  keys: keys.map(({ publicKey }) => publicKey),
})
const world = fakeWorld(1)
const open = (disk: MemoryDisk, ...configured: readonly (typeof a)[]) =>
  openCloudKeys({ world, disk, configured: configured.map(publicHalf) })
const idsOf = (...keys: readonly (typeof a)[]) => keys.map(({ keyId }) => keyId)

describe('the keys of the cloud', () => {
  it('are those of the configuration, until the cloud announces others', async () => {
    const disk = memoryDisk()
    const keys = await open(disk, a)
    expect(keys.trust()).toEqual({ number: 0, keyIds: idsOf(a) })
    expect(await keys.follow(statement(5, a, b), a.keyId)).toBe(true)
    expect(keys.trust()).toEqual({ number: 5, keyIds: idsOf(a, b) })
    expect(keys.trusted().map(({ keyId }) => keyId)).toEqual(idsOf(a, b))
    disk.crash()
    expect((await open(disk, a)).trust()).toEqual({ number: 5, keyIds: idsOf(a, b) })
  })

  it('G2: ignore a statement that is old, is not signed by the newest key, or leaves its signer out', async () => {
    const keys = await open(memoryDisk(), a)
    expect(await keys.follow(statement(5, b), a.keyId)).toBe(false)
    expect(await keys.follow(statement(5, a, a), a.keyId)).toBe(false)
    await keys.follow(statement(5, a, b), a.keyId)
    for (const [said, signer] of [
      [statement(5, a, c), b],
      [statement(4, b, c), b],
      [statement(6, a, c), a],
      [statement(6, a), a],
      [statement(6, a), b],
    ] as const)
      expect(await keys.follow(said, signer.keyId)).toBe(false)
    expect(keys.trust()).toEqual({ number: 5, keyIds: idsOf(a, b) })
    expect(await keys.follow(statement(6, b), b.keyId)).toBe(true)
    expect(keys.trust().keyIds).toEqual(idsOf(b))
  })

  it.each<DiskOperation>(['open', 'append', 'sync', 'rename', 'syncFolder'])(
    'stay the former ones when the disk fails at %s, and the next statement is followed',
    async operation => {
      const disk = memoryDisk()
      const keys = await open(disk, a)
      disk.fault = failing => (failing === operation ? 'EIO' : undefined)
      expect(await keys.follow(statement(5, a, b), a.keyId)).toBe(false)
      expect(keys.trust()).toEqual({ number: 0, keyIds: idsOf(a) })
      disk.fault = () => undefined
      expect(await keys.follow(statement(5, a, b), a.keyId)).toBe(true)
    },
  )

  it('are whole after a power cut at any moment', async () => {
    for (const operation of ['open', 'append', 'sync', 'rename', 'syncFolder'] as const) {
      const disk = memoryDisk()
      await (await open(disk, a)).follow(statement(5, a, b), a.keyId)
      disk.fault = failing => {
        if (failing === operation) disk.crash(3)
        return undefined
      }
      const dying = await open(disk, a)
      await dying.follow(statement(6, b), b.keyId)
      disk.fault = () => undefined
      disk.crash(3)
      expect([5, 6]).toContain((await open(disk, a)).trust().number)
    }
  })

  it('are those of the configuration again when the configuration changes or the file cannot be read', async () => {
    const disk = memoryDisk()
    await (await open(disk, a)).follow(statement(5, a, b), a.keyId)
    expect((await open(disk, c)).trust()).toEqual({ number: 0, keyIds: idsOf(c) })
    const wrong = [
      'torn',
      '[]',
      '7',
      '{"configured":[]}',
      JSON.stringify({ configured: idsOf(a), number: 0.5, keys: [b.publicKey] }),
      JSON.stringify({ configured: idsOf(a), number: 5, keys: ['x'] }),
      JSON.stringify({ configured: idsOf(a), number: 5, keys: [] }),
      'x'.repeat(5_000),
    ]
    for (const text of wrong) {
      disk.write('cloud-keys', Buffer.from(text))
      expect((await open(disk, a)).trust(), text.slice(0, 80)).toEqual({ number: 0, keyIds: idsOf(a) })
    }
    expect(JSON.stringify(world.lines)).toContain('cannot be read')
  })
})

it('let a daemon follow a rotation to its end without a restart, and report that in its beats', async () => {
  const rig = await daemonRig()
  rig.start()
  rig.answer('ack', {}, statement(5, a, b), a)
  await rig.world.advance(1_000)
  expect(rig.beat().trusts).toEqual({ number: 5, keyIds: idsOf(a, b) })
  rig.answer('ack', {}, statement(6, b), b)
  await rig.world.advance(1_000)
  expect(rig.beat().trusts).toEqual({ number: 6, keyIds: idsOf(b) })
  rig.answer('ack', {}, statement(7, a, c), a)
  await rig.world.advance(1_000)
  expect(rig.beat().trusts).toEqual({ number: 6, keyIds: idsOf(b) })
  const next = await daemonRig({ disk: rig.disk })
  next.connect()
  next.daemon.start()
  next.connect()
  expect(next.beat().trusts).toEqual({ number: 6, keyIds: idsOf(b) })
})
