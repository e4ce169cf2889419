import { createHash } from 'node:crypto'
import { newId } from '@callgate/world/ids'
import { isoTime } from '@callgate/world/world'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { mailLimits } from '../core/mailLimits.ts'
import { readAddressee } from '../member/addressee.ts'
import { newSpace } from '../space/space.kit.ts'
import { type MailHouse, mailHouse } from './mail.kit.ts'
import { createMailer, type Mailer } from './mailer.ts'
import { mailTiming, retryDelayMs } from './mailTiming.ts'
import type { Delivery, Message, Transport } from './message.ts'
import { claimMail } from './outbox.ts'

let house: MailHouse
beforeEach(async () => {
  house = await mailHouse()
})
afterEach(() => house.database.close())

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** Advances the wall clock, by which mails are due, in ten-minute steps, and lets the mailer check once in each. */
async function pass(durationMs: number): Promise<void> {
  for (let passedMs = 0; passedMs < durationMs; passedMs += 10 * minuteMs) {
    house.world.jumpWallClock(10 * minuteMs - mailTiming.pollMs)
    await house.world.advance(mailTiming.pollMs)
  }
}
const busy: Delivery = { outcome: 'failed', isForAll: false, why: 'the server answered: 451 later' }

/** A transport that gives `answers` in turn, then repeats the last one, and keeps the messages. */
function scripted(...answers: (Delivery | Promise<Delivery>)[]) {
  const messages: Message[] = []
  const transport = {
    where: 'a script',
    async send(message: Message) {
      const answer = answers[Math.min(messages.length, answers.length - 1)]
      messages.push(message)
      return answer ?? { outcome: 'sent' as const }
    },
  }
  return { messages, transport }
}

const mailerOf = (way: { readonly transport: Transport }): Mailer =>
  createMailer({
    ...house,
    transport: way.transport,
    readAddressee: mail =>
      readAddressee(house.database, { seal: house.seal, appUrl: 'https://gates.example' }, mail),
  })

it('sends the facts of the moment of sending, in the language of the member, once', async () => {
  const mailId = await house.queue()
  await house.changeMember({ name: 'Ana-Maria', preferredLanguage: 'ro' })
  const way = scripted()
  const mailer = mailerOf(way)
  mailer.start()
  await pass(3 * hourMs)
  const [message, ...more] = way.messages
  expect(more).toEqual([])
  expect(message).toMatchObject({ mailId, to: { name: 'Ana-Maria', address: 'ana@example.com' } })
  expect(message?.text).toContain('Ana-Maria, puteți deschide o poartă')
  expect(message?.text).toMatch(/https:\/\/gates\.example\/g\/[\w-]{32}\n/)
  expect((await house.mail(mailId))['sentAt']).not.toBeNull()
  expect(JSON.stringify(house.world.lines)).not.toMatch(/\/g\/|example\.com|Ana/)
  await mailer.stop()
})

it('uses the language of the Space until the member picks one, and names only the new gate', async () => {
  await house.database.knex('spaces').update({ language: 'hu' })
  await house.queue('access_granted')
  const way = scripted()
  mailerOf(way).start()
  await house.world.advance(0)
  expect(way.messages[0]?.subject).toBe('Lake view: új kapu, amelyet már kinyithat: Barrier')
})

it('retries after a failure until the mail is sent, and never after that', async () => {
  const mailId = await house.queue()
  const way = scripted(busy, busy, { outcome: 'sent' })
  mailerOf(way).start()
  await pass(10 * hourMs)
  expect(way.messages.map(message => message.mailId)).toEqual([mailId, mailId, mailId])
  expect(await house.mail(mailId)).toMatchObject({ attempts: 3, givenUpAt: null })
})

it('delays a mail while its inbox is full, also after a change of the address, and sends it once there is room', async () => {
  const { database, world } = house
  const spaceId = await newSpace({ database, world }, { name: 'Other' })
  const sentAt = isoTime(world.nowMs())
  const memberId = newId(world, 'member')
  await database.knex('members').insert({ id: memberId, spaceId, name: 'Eve', createdAt: sentAt })
  for (let sent = 0; sent < mailLimits.recipient; sent++) {
    const of = { spaceId, memberId, kind: 'invitation', createdAt: sentAt }
    const inboxHash = createHash('sha256').update('eve@example.com').digest('hex')
    const record = { mailId: `mail_${sent}`, inboxHash, recipient: 'e***', actor: 'api:Other' }
    await database.knex('mailRecords').insert({ ...of, ...record })
    await database.knex('outbox').insert({ ...of, id: `mail_${sent}`, nextAttemptAt: sentAt, sentAt })
  }
  const mailId = await house.queue()
  await house.changeMember({ email: 'eve@example.com' })
  const way = scripted()
  mailerOf(way).start()
  await pass(23 * hourMs)
  expect(way.messages).toEqual([])
  expect(await house.mail(mailId)).toMatchObject({
    attempts: 0,
    givenUpAt: null,
    nextAttemptAt: isoTime(Date.parse(sentAt) + 24 * hourMs),
    lastError: expect.stringMatching(/^held back: at most 30 mails of all Spaces/),
  })
  await pass(2 * hourMs)
  expect(way.messages.map(message => message.mailId)).toEqual([mailId])
})

it('gives up after a day of failures, with the last reason', async () => {
  const mailId = await house.queue()
  const way = scripted(busy)
  mailerOf(way).start()
  await pass(30 * hourMs)
  expect(way.messages).toHaveLength(mailTiming.attempts)
  const spanMs = (way.messages.at(-1)?.atMs ?? 0) - (way.messages[0]?.atMs ?? 0)
  expect(spanMs).toBeGreaterThan(21 * hourMs)
  expect(spanMs).toBeLessThan(27 * hourMs)
  expect(await house.mail(mailId)).toMatchObject({
    sentAt: null,
    lastError: 'the server answered: 451 later',
  })
})

it.each([
  [{ outcome: 'refused', why: '550 nobody' } as const, /^550 nobody$/],
  [{ outcome: 'unknown', why: 'silence' } as const, /may have arrived.*silence/],
])('never retries after %j', async (delivery, lastError) => {
  const mailId = await house.queue()
  const way = scripted(delivery)
  mailerOf(way).start()
  await pass(10 * hourMs)
  expect(way.messages).toHaveLength(1)
  const row = await house.mail(mailId)
  expect(row['givenUpAt']).not.toBeNull()
  expect(row['lastError']).toMatch(lastError)
})

it('does not resend a mail that a killed process may have sent', async () => {
  const mailId = await house.queue()
  await claimMail(house)
  const way = scripted()
  mailerOf(way).start()
  await pass(hourMs)
  expect(way.messages).toEqual([])
  expect((await house.mail(mailId))['lastError']).toContain('may have arrived')
})

it('sends each mail once, although two processes share the outbox', async () => {
  const mailIds = [await house.queue(), await house.queue(), await house.queue()]
  const way = scripted()
  for (const mailer of [mailerOf(way), mailerOf(way)]) mailer.start()
  await pass(hourMs)
  expect(way.messages.map(({ mailId }) => mailId).sort()).toEqual(mailIds.sort())
})

describe('gives up without a warning', () => {
  it.each([
    ['inactive', { isActive: false }],
    ['without e-mail', { email: null }],
    ['without a link', { linkHash: null, linkSealed: null }],
    ['with a second address smuggled in', { email: 'a@example.com,b@example.com' }],
  ])('for a member who is %s', async (_, columns) => {
    const mailId = await house.queue()
    await house.changeMember(columns)
    const way = scripted()
    mailerOf(way).start()
    await pass(hourMs)
    expect(way.messages).toEqual([])
    expect((await house.mail(mailId))['givenUpAt']).not.toBeNull()
    expect(house.world.lines.filter(({ level }) => level === 'warn' || level === 'error')).toEqual([])
  })

  it('for an access that is gone, but sends the invitation', async () => {
    const gone = await house.queue('access_granted')
    await house.queue()
    await house.database.knex('accesses').delete()
    const way = scripted()
    mailerOf(way).start()
    await pass(hourMs)
    expect(way.messages).toHaveLength(1)
    expect(way.messages[0]?.text).toContain('No gate is assigned to you yet')
    expect((await house.mail(gone))['lastError']).toBe('the access is gone or inactive')
  })
})

it('keeps a mail whose link cannot be unsealed, and goes on with the others', async () => {
  const mailId = await house.queue()
  await house.changeMember({ linkSealed: '9.AAAA' })
  const way = scripted()
  mailerOf(way).start()
  await house.world.advance(1_000)
  expect(way.messages).toEqual([])
  expect(await house.mail(mailId)).toMatchObject({ givenUpAt: null, attempts: 1 })
  expect((await house.mail(mailId))['lastError']).toContain('sealing keys')
})

it('pauses when the transport fails for all mails', async () => {
  for (const _ of [1, 2, 3, 4, 5]) await house.queue()
  const way = scripted({ outcome: 'failed', isForAll: true, why: 'ECONNREFUSED' })
  mailerOf(way).start()
  await house.world.advance(mailTiming.pauseMs - 1)
  expect(way.messages).toHaveLength(2)
  await house.world.advance(1)
  expect(way.messages).toHaveLength(4)
})

it('finds queued mails after some seconds', async () => {
  const way = scripted()
  mailerOf(way).start()
  await house.world.advance(100)
  await house.queue()
  await house.world.advance(mailTiming.pollMs - 101)
  expect(way.messages).toHaveLength(0)
  await house.world.advance(1)
  expect(way.messages).toHaveLength(1)
})

it('finishes the running mails at a stop, and begins no other', async () => {
  let answer: (delivery: Delivery) => void = () => {}
  for (const _ of [1, 2, 3]) await house.queue()
  const way = scripted(new Promise<Delivery>(resolve => (answer = resolve)))
  const mailer = mailerOf(way)
  mailer.start()
  await house.world.advance(0)
  const stopped = mailer.stop()
  answer({ outcome: 'sent' })
  await stopped
  await pass(hourMs)
  expect(way.messages).toHaveLength(2)
  for (const { mailId } of way.messages) expect((await house.mail(mailId))['sentAt']).not.toBeNull()
})

it('ends an attempt that takes too long, and one during a stop', async () => {
  const endedAtMs: number[] = []
  const transport = {
    where: 'nowhere',
    send: (_: Message, signal: AbortSignal) =>
      new Promise<Delivery>(resolve => {
        signal.addEventListener('abort', () => {
          endedAtMs.push(Math.floor(house.world.monotonicMs()))
          resolve(busy)
        })
      }),
  }
  for (const _ of [1, 2, 3]) await house.queue()
  const mailer = mailerOf({ transport })
  mailer.start()
  await house.world.advance(mailTiming.sendWithinMs)
  const first = [mailTiming.sendWithinMs, mailTiming.sendWithinMs]
  expect(endedAtMs).toEqual(first)
  const stopped = mailer.stop()
  await house.world.advance(mailTiming.stopWithinMs)
  await stopped
  expect(endedAtMs).toEqual([...first, mailTiming.sendWithinMs + mailTiming.stopWithinMs])
})

it('waits longer after each failure, but at most four hours and a tenth', () => {
  const minutes = Array.from({ length: 13 }, (_, failed) =>
    Math.round(retryDelayMs(failed + 1, 128) / 60_000),
  )
  expect(minutes).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 240, 240, 240, 240, 240])
  expect(retryDelayMs(1, 0)).toBe(54_000)
  expect(retryDelayMs(1, 255)).toBe(66_000)
})
