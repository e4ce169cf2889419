// The count of a day's messages and codes: on the disk before one is sent, whole after a power cut, and safe where it is unknown.

import { fakeWorld } from '@callgate/world/fake'
import { expect, it } from 'vitest'
import { type MemoryDisk, memoryDisk } from './memoryDisk.kit.ts'
import { mostInDay, SentToday } from './sentToday.ts'

const dayMs = 24 * 3_600_000
const fileName = 'sent-messages'

function rig(disk: MemoryDisk = memoryDisk()) {
  const world = fakeWorld(1)
  const start = () => new SentToday({ world, disk, of: 'messages' })
  /** How many may be sent now, by a daemon that has just started. */
  async function left(): Promise<number> {
    const messages = start()
    let count = 0
    while ((await messages.note()) === 'noted') count++
    for (let sent = 0; sent < count; sent++) await messages.takeBack()
    return count
  }
  async function send(count: number, messages = start()) {
    for (let sent = 0; sent < count; sent++) expect(await messages.note()).toBe('noted')
  }
  return { disk, left, send, start, world }
}

it('counts over restarts and power cuts, for a day from each message', async () => {
  const { disk, left, send, world } = rig()
  await send(5)
  await world.advance(dayMs / 2)
  await send(15)
  disk.crash()
  expect(await left()).toBe(0)
  await world.advance(dayMs / 2)
  expect(await left()).toBe(5)
  await world.advance(dayMs / 2)
  expect(await left()).toBe(mostInDay)
})

it('keeps a file of a few lines, however many messages are sent', async () => {
  const { disk, send, start, world } = rig()
  const messages = start()
  for (let day = 0; day < 5; day++) {
    await send(mostInDay, messages)
    await world.advance(dayMs)
  }
  expect(disk.content(fileName)?.byteLength).toBeLessThan(1_000)
})

it('counts a message for a day while it runs, wherever the wall clock is set', async () => {
  const { send, start, world } = rig()
  const messages = start()
  await send(mostInDay, messages)
  world.jumpWallClock(30 * dayMs)
  expect(await messages.note()).toBe('too_many')
  world.jumpWallClock(-60 * dayMs)
  await world.advance(dayMs - 1_000)
  expect(await messages.note()).toBe('too_many')
  await world.advance(1_000)
  expect(await messages.note()).toBe('noted')
})

it('forgets nothing while the clock is behind and after it is set at the next start', async () => {
  const { left, send, start, world } = rig()
  await send(mostInDay - 1)
  world.jumpWallClock(-2 * dayMs)
  const messages = start()
  await send(1, messages)
  expect(await messages.note()).toBe('too_many')
  await messages.takeBack()
  world.jumpWallClock(2 * dayMs)
  expect(await left()).toBe(1)
  await world.advance(dayMs)
  expect(await left()).toBe(mostInDay)
})

it('counts a time in the future as now at each start, until it has run for a day', async () => {
  const { left, send, start, world } = rig()
  await send(mostInDay)
  world.jumpWallClock(-300 * dayMs)
  for (let day = 0; day < 3; day++) {
    expect(await left()).toBe(0)
    await world.advance(dayMs)
  }
  const messages = start()
  expect(await messages.note()).toBe('too_many')
  await world.advance(dayMs)
  expect(await messages.note()).toBe('noted')
  expect(await left()).toBe(mostInDay - 1)
})

it('corrects the times of a clock that was behind when it writes the next one', async () => {
  const { left, send, start, world } = rig()
  world.jumpWallClock(-2 * dayMs)
  const messages = start()
  await send(mostInDay - 1, messages)
  world.jumpWallClock(2 * dayMs)
  await send(1, messages)
  expect(await left()).toBe(0)
})

it.each(['torn', '', 'null', '[]', '{}', '{"sentAt":7}', '{"sentAt":["soon"]}', 'x'.repeat(5_000)])(
  'sends none for a day where the file is %j, and then as many as ever',
  async text => {
    const { disk, left, world } = rig()
    disk.write(fileName, Buffer.from(text))
    for (let start = 0; start < 4; start++) {
      expect(await left()).toBe(0)
      await world.advance(dayMs / 4)
    }
    expect(await left()).toBe(mostInDay)
    expect(JSON.stringify(world.lines)).toContain('cannot be read')
  },
)

it('sends none for a day where the disk cannot read the file', async () => {
  const { disk, left, send } = rig()
  await send(1)
  disk.fault = operation => (operation === 'read' ? 'EIO' : undefined)
  expect(await left()).toBe(0)
})

it.each(['open', 'append', 'sync', 'rename', 'syncFolder'] as const)(
  'lets none be sent that the disk has not kept: a fault at %s, and a power cut there',
  async operation => {
    const { disk, left, send, start } = rig()
    await send(3)
    disk.fault = failing => (failing === operation ? 'EIO' : undefined)
    expect(await start().note()).toBe('not_kept')
    disk.fault = () => undefined
    disk.crash()
    // The message that was not sent may be counted.
    expect([mostInDay - 4, mostInDay - 3]).toContain(await left())
  },
)

it('counts codes in a file of their own', async () => {
  const { disk, left, send, world } = rig()
  await send(mostInDay, new SentToday({ world, disk, of: 'codes' }))
  expect(disk.content('sent-codes')?.byteLength).toBeGreaterThan(100)
  expect(await new SentToday({ world, disk, of: 'codes' }).note()).toBe('too_many')
  expect(await left()).toBe(mostInDay)
})
