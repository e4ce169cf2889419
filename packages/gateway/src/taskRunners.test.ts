// Tasks at a whole daemon: asked for and reported over the wire.

import type { Task, TaskReport } from '@callgate/contract/wire/tasks'
import { fakeWorld } from '@callgate/world/fake'
import { newId } from '@callgate/world/ids'
import { expect, it } from 'vitest'
import { daemonRig, granted, strangerKey } from './daemon.kit.ts'
import type { Outcome } from './taskRunners.ts'

const task: Task = { taskId: newId(fakeWorld(5), 'task'), kind: 'ussd', code: '*100#' }
const answer = { text: 'Credit 5.00 EUR', isMenu: false }

/** A daemon with a task that ends when the test says so, or when it is cancelled. */
async function rigWithTask() {
  const ran: string[] = []
  let end: (outcome: Outcome<'ussd'>) => void = () => {}
  const rig = await daemonRig({
    taskRunners: {
      ussd(asked, { cancelled }) {
        ran.push(asked.code)
        return new Promise(resolve => {
          end = resolve
          void cancelled.then(() => resolve({ state: 'not_done', reason: 'openings_first' }))
        })
      },
    },
  })
  rig.start()
  const told = (): TaskReport[] => rig.ofType('told').map(({ body }) => JSON.parse(body))
  return { rig, ran, told, end: (outcome: Outcome<'ussd'>) => end(outcome) }
}

it('names its tasks in its beats, and carries one out once', async () => {
  const { end, ran, rig, told } = await rigWithTask()
  expect(rig.beat().can).toEqual(['ussd'])
  const named = rig.last('beat')
  rig.answer('task', named, task)
  rig.answer('task', named, task)
  await rig.world.advance(1)
  expect([ran, told()]).toEqual([['*100#'], []])
  end({ state: 'done', answer })
  await rig.world.advance(1)
  const done = { taskId: task.taskId, kind: 'ussd', state: 'done', answer }
  expect(told()).toEqual([done])
  rig.answer('task', named, task)
  expect([ran.length, told()]).toEqual([1, [done, done]])
  expect(rig.last('told').bootId).toBe(rig.daemon.bootId)
})

it('names no tasks in its beats where it can do none', async () => {
  const rig = await daemonRig({ taskRunners: {} })
  rig.start()
  expect(rig.beat().can).toBeUndefined()
  rig.answer('task', rig.last('beat'), task)
  await rig.world.advance(1)
  expect(JSON.parse(rig.last('told').body)).toMatchObject({ state: 'not_done', reason: 'refused' })
})

it('ignores a task that the cloud has not signed, or that names no beat', async () => {
  const { ran, rig } = await rigWithTask()
  const named = rig.last('beat')
  rig.answer('task', named, task, strangerKey)
  rig.answer('task', { bootId: rig.daemon.bootId }, task)
  rig.answer('task', named, { ...task, code: '*21#' })
  await rig.world.advance(61_000)
  rig.answer('task', named, task)
  await rig.world.advance(1)
  expect(ran).toEqual([])
})

it('gives way to an opening, which is dialled as soon as the modem is free', async () => {
  const { ran, rig, told } = await rigWithTask()
  rig.answer('task', rig.last('beat'), task)
  await rig.world.advance(1)
  rig.hint()
  await rig.world.until(() => rig.sent.some(({ envelope }) => envelope.type === 'claim'))
  rig.answer('grant', rig.last('claim'), granted)
  await rig.world.advance(100)
  expect(rig.modem.dials).toHaveLength(1)
  expect(told()).toEqual([{ taskId: task.taskId, state: 'not_done', reason: 'openings_first' }])
  expect(ran).toHaveLength(1)
})

it('T1: sends a typed line, and rejects one while an opening is served', async () => {
  const rig = await daemonRig()
  rig.start()
  const { at } = rig.daemon.answers()
  expect(await at('AT+CSQ')).toMatchObject({ result: 'ok' })
  rig.hint()
  await rig.world.until(() => rig.sent.some(({ envelope }) => envelope.type === 'claim'))
  const refused = { result: 'refused', why: expect.stringContaining('An opening is being served') }
  expect(await at('AT+CSQ')).toMatchObject(refused)
})

it('ends a running task when the daemon stops', async () => {
  const { rig, told } = await rigWithTask()
  rig.answer('task', rig.last('beat'), task)
  await rig.world.advance(1)
  const stopped = rig.daemon.stop()
  await rig.world.advance(5_000)
  await stopped
  expect(told()).toHaveLength(1)
})

it('G5: does not pause while a task runs', async () => {
  const { end, rig } = await rigWithTask()
  rig.answer('task', rig.last('beat'), task)
  await rig.world.advance(1)
  expect(rig.daemon.pause()).toEqual({ rests: false })
  end({ state: 'done', answer })
  await rig.world.advance(1)
  expect(rig.daemon.pause()).toEqual({ rests: true })
})

it('G5: begins no task while the daemon pauses, and begins the waiting one when nobody has stopped the daemon', async () => {
  const { ran, rig } = await rigWithTask()
  expect(rig.daemon.pause()).toEqual({ rests: true })
  rig.answer('task', rig.last('beat'), task)
  await rig.world.advance(29_000)
  expect(ran).toEqual([])
  // A waiting task prevents another pause.
  expect(rig.daemon.pause()).toEqual({ rests: false })
  await rig.world.advance(1_001)
  expect(ran).toHaveLength(1)
})

it('queries the network by USSD', async () => {
  const rig = await daemonRig()
  rig.start()
  expect(rig.beat().can).toEqual(['ussd', 'sms'])
  rig.answer('task', rig.last('beat'), task)
  await rig.world.advance(1)
  expect(JSON.parse(rig.last('told').body)).toMatchObject({
    state: 'done',
    answer: { text: 'Credit for *100#', isMenu: false },
  })
})
