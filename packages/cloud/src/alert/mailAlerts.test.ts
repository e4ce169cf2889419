// Failing mails, and their notifications, which do not cause further notifications.

import { newId } from '@callgate/world/ids'
import { isoTime } from '@callgate/world/world'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { locked } from '../database/dialect.ts'
import { onPostgres } from '../database/postgres.kit.ts'
import { claimMail, giveUp, markSent, postpone } from '../mail/outbox.ts'
import { retryMail } from '../mail/unsentMails.ts'
import { newUser } from '../user/user.kit.ts'
import { AlertHouse } from './alertHouse.kit.ts'
import { tellIncidents } from './notifications.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

let house: AlertHouse
let spaceId: string
beforeEach(async () => {
  house = await AlertHouse.open()
  spaceId = await house.addSpace()
  house.startCloud()
})
afterEach(() => house.close())

let mails = 0
/** Queues a mail to a member. */
async function queue(): Promise<string> {
  const { database, world } = house
  const memberId = newId(world, 'member')
  const id = `mail_${String(++mails).padStart(26, '0')}`
  const at = new Date(world.nowMs()).toISOString()
  const row = { id, spaceId, memberId, kind: 'invitation', createdAt: at, nextAttemptAt: at }
  const member = { id: memberId, spaceId, name: 'Ana', email: 'ana@example.com', createdAt: at }
  await database.knex('members').insert(member)
  await database.knex('outbox').insert(row)
  return id
}

/** Refuses or sends every mail that is due. */
async function deliver(how: 'refused' | 'sent' | 'failed'): Promise<number> {
  for (let count = 0; ; count++) {
    const mail = await claimMail(house)
    if (!mail) return count
    if (how === 'sent') await markSent(house, mail)
    else if (how === 'refused') await giveUp(house, mail, 'failed', '550 nobody of this name')
    else await postpone(house, mail, minuteMs, 'no answer')
  }
}

const states = async () => (await house.incidents()).map(({ closedAt, kind }) => [kind, closedAt === null])
const kinds = async () => (await house.mails()).map(({ kind }) => kind)

it('notifies that a mail was refused, and that it arrived after all', async () => {
  const id = await queue()
  await deliver('refused')
  await house.pass(minuteMs)
  expect(await states()).toEqual([['mail_failing', true]])
  expect((await house.incidents())[0]?.figure).toBe(1)
  expect(await kinds()).toEqual(['opened'])
  await deliver('sent')
  expect(await retryMail(house, id)).toBe('due')
  await deliver('sent')
  await house.pass(minuteMs)
  expect(await states()).toEqual([['mail_failing', false]])
  expect(await kinds()).toEqual(['opened', 'closed'])
})

it('waits for the third failed attempt, and does not count an unneeded mail as failed', async () => {
  await queue()
  const unneeded = await queue()
  const { knex } = house.database
  await knex('outbox').where({ id: unneeded }).update({ nextAttemptAt: '2026-01-05T07:00:00.000Z' })
  const mail = await claimMail(house)
  if (mail) await giveUp(house, mail, 'not_needed', 'the member has no link any more')
  for (const expected of [0, 0, 1]) {
    await deliver('failed')
    await house.pass(minuteMs)
    expect(await house.incidents()).toHaveLength(expected)
  }
})

it('sends no mail to users whose own mails fail, and opens no incident for a mail about mails', async () => {
  await newUser(house, { email: 'ion@example.com', spaceId, role: 'admin', name: 'Ion' })
  await queue()
  await deliver('refused')
  await house.pass(minuteMs)
  // Both users are notified, and neither mail arrives.
  expect(await kinds()).toEqual(['opened', 'opened'])
  expect(await deliver('refused')).toBe(2)
  await house.pass(10 * minuteMs)
  expect((await house.incidents())[0]?.figure).toBe(1)
  // The incident counts no longer after a day; nobody is told that it is over.
  await house.pass(dayMs)
  expect(await states()).toEqual([['mail_failing', false]])
  expect(await kinds()).toEqual(['opened', 'opened'])
  expect(await deliver('sent')).toBe(0)
})

it('shows that the mails about a gateway do not arrive, and sends none to users whom none reaches', async () => {
  const gateway = await house.addGateway(spaceId)
  gateway.isUp = false
  await house.pass(7 * minuteMs)
  expect(await deliver('refused')).toBe(1)
  await house.pass(minuteMs)
  expect(await states()).toEqual([
    ['gateway_offline', true],
    ['mail_failing', true],
  ])
  expect(await deliver('sent')).toBe(0)
})

/** Adds mails of another Space that a user got just now. */
async function toldBy(other: string, userId: string, count: number): Promise<void> {
  const createdAt = isoTime(house.world.nowMs())
  const told = { spaceId: other, userId, kind: 'opened', incidentIds: '[]', isAboutMails: false, createdAt }
  await house.database.write(async tx => {
    for (let place = 0; place < count; place++)
      await tx('alertMails').insert({ ...told, id: `alert_${place}`, tellingId: `t${place}` })
  })
}

it('sends a person at most sixty mails a day, from all Spaces together', async () => {
  const other = await house.addSpace('Other')
  const { userId } = await newUser(house, { email: 'ion@example.com', spaceId, name: 'Ion' })
  const told = () => house.database.knex('alertMails').where({ spaceId, userId }).pluck('kind')
  await toldBy(other, userId, 59)
  const gateway = await house.addGateway(spaceId)
  gateway.isUp = false
  await house.pass(7 * minuteMs)
  expect(await told()).toEqual(['opened'])
  gateway.isUp = true
  await house.pass(3 * minuteMs)
  // The other user of the Space is still notified.
  expect([await told(), (await kinds()).filter(kind => kind === 'closed')]).toEqual([['opened'], ['closed']])
})

it('keeps the limit of a person where two Spaces notify at the same moment', async ({ skip }) => {
  skip(!onPostgres, '`pnpm test:postgres` runs it: SQLite has one writer')
  const { database, world } = house
  const other = await house.addSpace('Other')
  const { userId } = await newUser(house, { email: 'ion@example.com', spaceId, name: 'Ion' })
  await database.knex('userRoles').where({ spaceId }).whereNot({ userId }).update({ getsAlerts: false })
  const createdAt = isoTime(world.nowMs())
  await toldBy(other, userId, 59)
  let end = () => {}
  const telling = database.write(
    async tx => {
      await locked(tx, tx('users').where({ id: userId })).first('id')
      const last = await tx('alertMails').where({ id: 'alert_58' }).first()
      await tx('alertMails').insert({ ...last, id: 'alert_59', tellingId: 't59' })
      await new Promise<void>(resolve => {
        end = resolve
      })
    },
    { spaceId: other },
  )
  const incident = { id: 'inc_a', spaceId, kind: 'mail_failing', targetId: spaceId, figure: 1 }
  const opened = { ...incident, seenAt: createdAt, openedAt: createdAt }
  await database.write(tx => tx('incidents').insert(opened), { spaceId })
  const own = tellIncidents(house)
  const waiting = () => database.knex('pg_locks').where({ granted: false }).pluck('pid')
  await expect.poll(waiting).toHaveLength(1)
  end()
  await Promise.all([telling, own])
  expect(await database.knex('alertMails').where({ spaceId }).pluck('id')).toEqual([])
})
