import { isProblem } from '@callgate/contract/rest/problem'
import { newId } from '@callgate/world/ids'
import { isoTime } from '@callgate/world/world'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { mailLimits } from '../core/mailLimits.ts'
import { newSpace } from '../space/space.kit.ts'
import { type MailHouse, mailHouse } from './mail.kit.ts'
import { heldBy, listMailRecords } from './mailRecords.ts'
import { claimMail, holdBack, markSent, queueMail } from './outbox.ts'

let house: MailHouse
beforeEach(async () => {
  house = await mailHouse()
})
afterEach(() => house.database.close())

/** Queues one invitation. Returns `queued`, or the wait and its reason. */
async function queue(address = 'ana@example.com', of: { spaceId: string; memberId: string } = house) {
  const { spaceId, memberId } = of
  const mail = { spaceId, memberId, kind: 'invitation', gateId: null, address, actor: 'api:Desk' } as const
  const problem = await house.database.write(tx => queueMail(tx, house.world, mail))
  if (!isProblem(problem)) return 'queued'
  return [problem.problem, Number(problem.headers?.['Retry-After']), problem.message] as const
}

async function fill(count: number, address?: string, of?: { spaceId: string; memberId: string }) {
  for (let sent = 0; sent < count; sent++) expect(await queue(address, of)).toBe('queued')
}

/** Another Space with a member. */
async function otherSpace() {
  const { database, world } = house
  const spaceId = await newSpace({ database, world }, { name: 'Other' })
  const memberId = newId(world, 'member')
  const createdAt = isoTime(world.nowMs())
  await database.knex('members').insert({ id: memberId, spaceId, name: 'Bob', createdAt })
  return { spaceId, memberId }
}

it('lets a Space send 20 mails in 24 hours to one inbox, under all spellings of its address', async () => {
  await fill(mailLimits.spaceRecipient - 1)
  await house.world.advance(1_000)
  expect(await queue('Ana+1@EXAMPLE.com')).toBe('queued')
  expect(await queue()).toEqual([
    'rate_limited',
    24 * 60 * 60 - 1,
    expect.stringMatching(/^At most 20 mails of a Space may go to one address .*; nothing was done\.$/),
  ])
  expect(await queue('bob@example.com')).toBe('queued')
  expect(await house.database.knex('outbox').pluck('id')).toHaveLength(21)
  await house.world.advance(24 * 60 * 60 * 1000 - 1_001)
  expect(await queue()).toMatchObject(['rate_limited', 1, expect.anything()])
  await house.world.advance(1)
  expect(await queue()).toBe('queued')
})

it('answers a Space as usual when all Spaces together fill an inbox, and delays the mail until there is room', async () => {
  const other = await otherSpace()
  await fill(mailLimits.spaceRecipient, undefined, other)
  await fill(mailLimits.recipient - mailLimits.spaceRecipient)
  await house.world.advance(1_000)
  await fill(2)
  const due = () => house.database.knex('outbox').orderBy('id', 'desc').first()
  // The first 30 were sent at the same moment, so there is room for all waiting mails at the same moment, too.
  expect(await due()).toMatchObject({
    attempts: 0,
    nextAttemptAt: isoTime(house.world.nowMs() - 1_000 + mailLimits.windowMs),
    lastError: 'held back: at most 30 mails of all Spaces may go to one address in any 24 hours',
  })
  const [newest] = await listMailRecords(house.database, { limit: 1, spaceId: house.spaceId })
  expect(newest).toMatchObject({ sentAt: null, why: expect.stringMatching(/^held back: at most 30 mails/) })
  // From now on it counts against the limits of its own Space.
  await fill(mailLimits.spaceRecipient - 12)
  expect(await queue()).toMatchObject([
    'rate_limited',
    86_399,
    expect.stringMatching(/^At most 20 mails of a/),
  ])
})

it('gives each mail that waits for an inbox its place, 30 in any 24 hours', async () => {
  const spaces = [house, await otherSpace(), await otherSpace(), await otherSpace()]
  for (const space of spaces) await fill(mailLimits.spaceRecipient, undefined, space)
  const dueAt: string[] = await house.database.knex('outbox').orderBy('nextAttemptAt').pluck('nextAttemptAt')
  const days = dueAt.map(at => (Date.parse(at) - house.world.nowMs()) / mailLimits.windowMs)
  expect(days).toEqual([...Array(30).fill(0), ...Array(30).fill(1), ...Array(20).fill(2)])
})

it('lets a Space send twice its monthly invitations in 24 hours', async () => {
  const { database, spaceId, world } = house
  await database.knex('spaceLimits').insert({ spaceId, monthlyInvitationLimit: 51 })
  const record = { spaceId, memberId: house.memberId, kind: 'invitation', actor: 'api:Desk', recipient: 'x' }
  const rows = Array.from({ length: 101 }, (_, n) => ({
    ...record,
    mailId: `mail_${n}`,
    inboxHash: String(n),
  }))
  await database.knex.batchInsert(
    'mailRecords',
    rows.map(row => ({ ...row, createdAt: isoTime(world.nowMs()) })),
    50,
  )
  expect(await queue()).toBe('queued')
  expect(await queue()).toMatchObject(['rate_limited', 86_400, expect.stringMatching(/^At most 102 mails/)])
})

it('counts no more than the limit for many requests at once', async () => {
  const asked = await Promise.all(Array.from({ length: 40 }, () => queue()))
  expect(asked.filter(answer => answer === 'queued')).toHaveLength(mailLimits.spaceRecipient)
})

it('counts a waiting mail against the address to which it is finally sent', async () => {
  const other = await otherSpace()
  const mailId = await house.queue()
  const held = (id: string, address: string) => heldBy(house, { mailId: id, spaceId: house.spaceId }, address)
  expect(await held(mailId, 'bob@example.com')).toBeUndefined()
  expect(await listMailRecords(house.database, { limit: 9 })).toMatchObject([
    { mailId, recipient: 'b***@example.com', actor: 'api:Desk', kind: 'invitation' },
  ])
  await fill(mailLimits.spaceRecipient, 'eve@example.com', other)
  await fill(mailLimits.recipient - mailLimits.spaceRecipient, 'eve@example.com')
  // A waiting mail does not count for an inbox before it is sent.
  const atMs = house.world.nowMs()
  await house.database
    .knex('outbox')
    .whereNot({ id: mailId })
    .update({ sentAt: isoTime(atMs) })
  const freeMs = atMs + mailLimits.windowMs
  await house.world.advance(5_000)
  expect(await held(mailId, 'eve@example.com')).toEqual({ name: 'mails_to_inbox', most: 30, freeMs })
  expect(await held('mail_older', 'eve@example.com')).toBeUndefined()
  await house.world.advance(mailLimits.windowMs - 5_001)
  expect(await held(mailId, 'eve@example.com')).toMatchObject({ freeMs })
  await house.world.advance(1)
  expect(await held(mailId, 'eve@example.com')).toBeUndefined()
})

it('holds back a mail to a new address that has reached the limit of its own Space', async () => {
  const mailId = await house.queue()
  await fill(mailLimits.spaceRecipient, 'eve@example.com')
  const { spaceId, world } = house
  expect(await heldBy(house, { mailId, spaceId }, 'eve@example.com')).toEqual({
    freeMs: world.nowMs() + mailLimits.windowMs,
    name: 'mails_to_address',
    most: 20,
  })
})

it('forgets a record after 30 days', async () => {
  await queue()
  await house.world.advance(30 * 24 * 60 * 60 * 1000)
  await queue()
  expect(await listMailRecords(house.database, { limit: 9, spaceId: house.spaceId })).toHaveLength(1)
  expect(await listMailRecords(house.database, { limit: 9, spaceId: 'space_x' })).toEqual([])
})

it('lets two replicas that send to one inbox at once not exceed its limit', async () => {
  const other = await otherSpace()
  await fill(mailLimits.spaceRecipient, undefined, other)
  await fill(mailLimits.recipient - 1 - mailLimits.spaceRecipient)
  for (let mail = await claimMail(house); mail; mail = await claimMail(house)) await markSent(house, mail)
  await house.database.knex('mailRecords').update({ createdAt: isoTime(house.world.nowMs() - 1) })
  await fill(2)
  await house.database.knex('outbox').where({ sentAt: null }).update({ nextAttemptAt: '2026-01-01' })
  let sent = 0
  for (let round = 0; round < 100; round++) {
    // Both replicas claim before either of them counts.
    const claims = [await claimMail(house), await claimMail(house)]
    const limits = await Promise.all(claims.map(one => one && heldBy(house, one, 'ana@example.com')))
    for (const [place, mail] of claims.entries()) {
      const limit = limits[place]
      if (mail && limit) await holdBack(house, mail, limit)
      else if (mail) await markSent(house, mail)
      if (mail && !limit) sent += 1
    }
    await house.world.advance(100)
  }
  expect(sent).toBe(1)
  const [waiting] = await house.database.knex('outbox').where({ sentAt: null })
  expect(Date.parse(waiting.nextAttemptAt) - house.world.nowMs()).toBeGreaterThan(23 * 3_600_000)
})
