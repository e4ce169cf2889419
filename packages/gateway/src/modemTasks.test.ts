// Set-up messages and codes at the gateway: which ones are sent, and which ones never.

import { sealText } from '@callgate/contract/wire/sealedText'
import { signingKey } from '@callgate/contract/wire/signature'
import { aboutSms, mostAnswerCharacters } from '@callgate/contract/wire/sms'
import type { TaskOf } from '@callgate/contract/wire/tasks'
import type { SmsRequest, SmsResult, UssdResult } from '@callgate/modem/modem'
import { fakeWorld } from '@callgate/world/fake'
import { newId } from '@callgate/world/ids'
import { expect, it } from 'vitest'
import { memoryDisk } from './memoryDisk.kit.ts'
import { modemTasks } from './modemTasks.ts'

const world = fakeWorld(5)
const gatewayId = newId(world, 'gw')
const key = signingKey(new Uint8Array(32).fill(2))
const never = new Promise<void>(() => {})
const given = {
  brand: 'rtu5024',
  phoneNumber: '+40722123456',
  callerNumber: '+40740000111',
  place: '007',
} as const

function taskOf(password = '1234', change: Partial<TaskOf<'sms'>> = {}): TaskOf<'sms'> {
  const about = aboutSms({ ...given, gatewayId })
  const { publicKey } = key
  const sealedPassword = sealText(password, { about, publicKey, randomBytes: world.randomBytes(32) })
  return { taskId: newId(world, 'task'), kind: 'sms', ...given, sealedPassword, ...change }
}

function gateway(result: SmsResult = { ok: true, isSent: true, answer: null }, disk = memoryDisk()) {
  const sent: SmsRequest[] = []
  const modem = {
    ussd: async () => ({ ok: true, text: '', isMenu: false }) as const,
    async sms(request: SmsRequest) {
      sent.push(request)
      return result
    },
  }
  const { sms } = modemTasks({ world, disk, gatewayId, signingKey: key, modem })
  const run = (task = taskOf()) => sms?.(task, { cancelled: never, stopped: never })
  return { run, sent }
}

it('composes the message itself, and reports the answer without password and numbers', async () => {
  const answer = { text: '1234#TEL0040740000111#007# OK', isWhole: true }
  const { run, sent } = gateway({ ok: true, isSent: true, answer })
  expect(await run()).toEqual({
    state: 'done',
    sent: 'yes',
    answer: { text: '****#TEL*****111#007# OK', isWhole: true },
  })
  expect(sent).toEqual([
    { phoneNumber: '+40722123456', text: '1234#TEL0040740000111#007#', answerWithinMs: 120_000 },
  ])
})

it("limits the answer to the cloud's length, even where the mask of a short password is longer than the password", async () => {
  const change = { brand: 'jablotron_gd04', place: null } as const
  const about = aboutSms({ ...given, ...change, gatewayId })
  const { publicKey } = key
  const sealedPassword = sealText('PC', { about, publicKey, randomBytes: world.randomBytes(32) })
  const text = 'PC!'.repeat(mostAnswerCharacters / 3)
  const { run } = gateway({ ok: true, isSent: true, answer: { text, isWhole: true } })
  const outcome = await run(taskOf('PC', { ...change, sealedPassword }))
  const shown = '****!'.repeat(mostAnswerCharacters / 5)
  expect(outcome).toMatchObject({ state: 'done', answer: { text: shown } })
})

it.each<readonly [string, TaskOf<'sms'>]>([
  ['a password of another number', taskOf('1234', { phoneNumber: '+40722999999' })],
  ['a password of another caller', taskOf('1234', { callerNumber: '+40740000222' })],
  ['a password of another brand', taskOf('1234', { brand: 'king_pigeon_rtu5025' })],
  ['a password that is none', taskOf('1234 #X')],
  ['a number that is never called', taskOf('1234', { phoneNumber: '+40900123456' })],
  ['nothing that was sealed', taskOf('1234', { sealedPassword: 'A'.repeat(107) })],
])('sends nothing for %s', async (_, task) => {
  const { run, sent } = gateway()
  expect(await run(task)).toMatchObject({ state: 'not_done', reason: 'refused' })
  expect(sent).toEqual([])
})

it('sends at most twenty messages a day, for any request and over any number of restarts', async () => {
  const disk = memoryDisk()
  const { run, sent } = gateway(undefined, disk)
  for (let count = 0; count < 20; count++) await run()
  const next = gateway(undefined, disk)
  for (const one of [run, next.run])
    expect(await one()).toMatchObject({ state: 'not_done', detail: 'too many messages today' })
  await world.advance(24 * 3_600_000)
  expect(await next.run()).toMatchObject({ state: 'done' })
  expect([sent.length, next.sent.length]).toEqual([20, 1])
})

it('sends no message that it cannot count', async () => {
  const disk = memoryDisk()
  disk.fault = operation => (operation === 'append' ? 'ENOSPC' : undefined)
  const { run, sent } = gateway(undefined, disk)
  expect(await run()).toMatchObject({ reason: 'refused', detail: 'the disk cannot count the message' })
  expect(sent).toEqual([])
})

it('does not count a message that was not sent', async () => {
  const disk = memoryDisk()
  const { run } = gateway({ ok: false, reason: 'cancelled' }, disk)
  for (let count = 0; count < 25; count++) expect(await run()).toMatchObject({ reason: 'openings_first' })
  expect(disk.content('sent-messages')?.toString()).toBe('{"sentAt":[]}\n')
})

it('reports tasks that the modem could not do, and those whose outcome is unknown', async () => {
  expect(await gateway({ ok: false, reason: 'cancelled' }).run()).toEqual({
    state: 'not_done',
    reason: 'openings_first',
  })
  const refused = { ok: false, reason: 'refused', detail: '+CMS ERROR: 38' } as const
  expect(await gateway(refused).run()).toEqual({
    state: 'not_done',
    reason: 'refused',
    detail: '+CMS ERROR: 38',
  })
  const unknown = { ok: true, isSent: false, answer: null } as const
  expect(await gateway(unknown).run()).toEqual({ state: 'done', sent: 'unknown', answer: null })
})

function asking(result: UssdResult = { ok: true, text: '5.00 EUR', isMenu: false }, disk = memoryDisk()) {
  const codes: string[] = []
  const modem = {
    async ussd(code: string) {
      codes.push(code)
      return result
    },
    sms: async () => ({ ok: false, reason: 'cancelled' }) as const,
  }
  const { ussd } = modemTasks({ world, disk, gatewayId, signingKey: key, modem })
  const task = (): TaskOf<'ussd'> => ({ taskId: newId(world, 'task'), kind: 'ussd', code: '*100*1*2#' })
  return { codes, run: () => ussd?.(task(), { cancelled: never, stopped: never }) }
}

it('sends at most twenty codes a day, for any request and over any number of restarts', async () => {
  const disk = memoryDisk()
  const { codes, run } = asking(undefined, disk)
  for (let count = 0; count < 20; count++) expect(await run()).toMatchObject({ state: 'done' })
  const next = asking(undefined, disk)
  for (const one of [run, next.run])
    expect(await one()).toMatchObject({
      state: 'not_done',
      reason: 'refused',
      detail: 'too many codes today',
    })
  await world.advance(24 * 3_600_000)
  expect(await next.run()).toMatchObject({ state: 'done' })
  expect([codes.length, next.codes.length]).toEqual([20, 1])
})

it('counts each code that may have been sent, also without an answer', async () => {
  for (const reason of ['no_answer', 'refused', 'cancelled'] as const) {
    const disk = memoryDisk()
    for (let count = 0; count < 20; count++) await asking({ ok: false, reason }, disk).run()
    expect(await asking(undefined, disk).run()).toMatchObject({ detail: 'too many codes today' })
  }
})

it('does not count a code for which the modem was not free', async () => {
  const disk = memoryDisk()
  for (let count = 0; count < 25; count++) await asking({ ok: false, reason: 'modem_busy' }, disk).run()
  expect(await asking(undefined, disk).run()).toMatchObject({ state: 'done' })
})

it('sends no code that it cannot count', async () => {
  const disk = memoryDisk()
  disk.fault = operation => (operation === 'append' ? 'ENOSPC' : undefined)
  const { codes, run } = asking(undefined, disk)
  expect(await run()).toMatchObject({ reason: 'refused', detail: 'the disk cannot count the code' })
  expect(codes).toEqual([])
})
