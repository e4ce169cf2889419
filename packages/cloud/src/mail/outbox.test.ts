import { afterEach, beforeEach, expect, it } from 'vitest'
import { type MailHouse, mailHouse } from './mail.kit.ts'
import { claimMail, giveUp, markSent, postpone, queueMail } from './outbox.ts'
import { listUnsentMails, retryMail } from './unsentMails.ts'

let house: MailHouse
beforeEach(async () => {
  house = await mailHouse()
})
afterEach(() => house.database.close())

const list = async () => {
  const mails = await listUnsentMails(house.database, { spaceId: house.spaceId, limit: 10 })
  return mails.map(({ attempts, lastError, mailId, state }) => ({ attempts, lastError, mailId, state }))
}

it('queues nothing when the transaction fails', async () => {
  const { database, memberId, spaceId, world } = house
  const mail = { spaceId, memberId, kind: 'invitation', gateId: null } as const
  const failed = database.write(async tx => {
    await queueMail(tx, world, { ...mail, address: 'ana@example.com', actor: 'api:Desk' })
    throw new Error('planted')
  })
  await expect(failed).rejects.toThrow('planted')
  expect(await list()).toEqual([])
})

it('gives each mail to one claim only, and begins with the mail that has been due longest', async () => {
  const first = await house.queue()
  await house.world.advance(1)
  const second = await house.queue('access_granted')
  const claims = await Promise.all([claimMail(house), claimMail(house), claimMail(house), claimMail(house)])
  const mailIds = claims.flatMap(claim => claim?.mailId ?? [])
  for (let mail = await claimMail(house); mail; mail = await claimMail(house)) mailIds.push(mail.mailId)
  expect(mailIds).toEqual([first, second])
})

it('gives every due mail to exactly one of four replicas that claim at once', async () => {
  const queued: string[] = []
  for (let count = 0; count < 12; count++) queued.push(await house.queue())
  const replica = async () => {
    const mine: string[] = []
    for (let mail = await claimMail(house); mail; mail = await claimMail(house)) mine.push(mail.mailId)
    return mine
  }
  const claimed = (await Promise.all([replica(), replica(), replica(), replica()])).flat()
  expect(claimed.sort()).toEqual(queued.sort())
})

it('gives the mail of a replica that died to another after 15 minutes, as one that may already be sent', async () => {
  const mailId = await house.queue()
  expect((await claimMail(house))?.mailId).toBe(mailId)
  await house.world.advance(15 * 60_000 - 1)
  expect(await claimMail(house)).toBeUndefined()
  await house.world.advance(1)
  expect(await claimMail(house)).toMatchObject({ mailId, attempts: 2, isUnsure: true })
})

it('deletes mails 30 days after they were sent, and nothing else', async () => {
  const { database, world } = house
  const send = async () => {
    await house.queue()
    const claim = await claimMail(house)
    if (!claim) throw new Error('nothing was due')
    await markSent(house, claim)
    return claim.mailId
  }
  const kept = () => database.knex('outbox').orderBy('createdAt').pluck('id')
  const givenUp = await house.queue()
  const claim = await claimMail(house)
  if (claim) await giveUp(house, claim, 'failed', 'never')
  const old = [await send(), await send()]
  await world.advance(30 * 24 * 60 * 60 * 1000 - 1)
  const second = await send()
  expect((await kept()).sort()).toEqual([givenUp, ...old, second].sort())
  await world.advance(1)
  const third = await send()
  expect((await kept()).sort()).toEqual([givenUp, second, third].sort())
})

it('lists the state of each unsent mail, and retries mails that wait or were given up', async () => {
  const mailId = await house.queue()
  expect(await list()).toEqual([{ mailId, state: 'waiting', attempts: 0, lastError: null }])
  const claim = await claimMail(house)
  if (!claim) throw new Error('nothing was due')
  expect(await list()).toEqual([{ mailId, state: 'sending', attempts: 1, lastError: null }])
  expect(await retryMail(house, mailId)).toBe('sending')
  await postpone(house, claim, 60_000, 'later')
  expect(await list()).toEqual([{ mailId, state: 'waiting', attempts: 1, lastError: 'later' }])
  expect(await claimMail(house)).toBeUndefined()
  expect(await retryMail(house, mailId)).toBe('due')
  expect(await claimMail(house)).toMatchObject({ mailId, attempts: 1, isUnsure: false })
  await giveUp(house, claim, 'failed', 'never')
  expect(await list()).toEqual([{ mailId, state: 'given_up', attempts: 1, lastError: 'never' }])
  expect(await retryMail(house, mailId)).toBe('due')
  expect(await claimMail(house)).toMatchObject({ mailId, attempts: 1, isUnsure: false })
  await markSent(house, claim)
  expect(await list()).toEqual([])
  expect(await retryMail(house, mailId)).toBe('sent')
  expect(await retryMail(house, 'mail_x')).toBe('unknown')
})
