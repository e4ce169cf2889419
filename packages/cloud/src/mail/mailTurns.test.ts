import { isoTime } from '@callgate/world/world'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { onPostgres } from '../database/postgres.kit.ts'
import { plansOf } from '../database/queryPlan.kit.ts'
import { newSpace } from '../space/space.kit.ts'
import { type MailHouse, mailHouse } from './mail.kit.ts'
import { createMailer } from './mailer.ts'
import { nextMail } from './mailTurns.ts'
import type { Delivery, Message } from './message.ts'
import { claimMail, queueSecurityMail } from './outbox.ts'

let house: MailHouse
beforeEach(async () => {
  house = await mailHouse()
})
afterEach(() => house.database.close())

/** Queues mails of a Space, or of none, that have been due for `dueAgoMs`. */
async function queue(spaceId: string | null, ids: readonly string[], dueAgoMs = 0) {
  const now = isoTime(house.world.nowMs())
  const nextAttemptAt = isoTime(house.world.nowMs() - dueAgoMs)
  for (const id of ids)
    await house.database
      .knex('outbox')
      .insert({ id, spaceId, kind: 'password_reset', linkId: id, createdAt: now, nextAttemptAt })
}
const names = (mark: string, count: number) => Array.from({ length: count }, (_, at) => `${mark}${at}`)
const spaces = async (count: number) => {
  const made: string[] = []
  for (let space = 0; space < count; space++) made.push(await newSpace(house, { name: `Space ${space}` }))
  return made.sort()
}

/** The mails in the order of successive claims. */
async function claimed(): Promise<string[]> {
  const mailIds: string[] = []
  let after: string | undefined
  for (let mail = await claimMail(house); mail; mail = await claimMail(house, { after })) {
    mailIds.push(mail.mailId)
    after = mail.spaceId ?? after
  }
  return mailIds
}

describe('the next mail', () => {
  it('belongs to no Space first, then to each Space in turn, the longest due first', async () => {
    const [one = '', two = '', three = ''] = await spaces(3)
    await queue(one, names('a', 3), 5_000)
    await queue(two, names('b', 2), 9_000)
    await queue(three, names('c', 1))
    await queue(null, names('reset', 2))
    await queue(two, ['later'], -1)
    expect(await claimed()).toEqual(['reset0', 'reset1', 'a0', 'b0', 'c0', 'a1', 'b1', 'a2'])
  })

  it('belongs to no Space where only such mails may be sent', async () => {
    const [one = ''] = await spaces(1)
    await queue(one, names('a', 1))
    expect(await claimMail(house, { isOfNoSpace: true })).toBeUndefined()
    await house.database.write(tx =>
      queueSecurityMail(tx, house.world, { userId: 'user_1', kind: 'password_changed' }),
    )
    expect(await claimMail(house, { isOfNoSpace: true })).toMatchObject({ kind: 'password_changed' })
  })

  it('is found by the index, without reading all waiting mails', async ({ skip }) => {
    skip(onPostgres, 'the plan is one of SQLite')
    const [one = '', two = ''] = await spaces(2)
    await queue(one, names('a', 3), -1)
    await queue(two, names('b', 3))
    const now = isoTime(house.world.nowMs())
    const steps = (await plansOf(house.database, db => nextMail(db, now, { after: one }))).flat()
    expect(steps.filter(step => /outbox/.test(step) && !/SEARCH .*outbox_turns/.test(step))).toEqual([])
    expect(steps.filter(step => /TEMP B-TREE/.test(step))).toEqual([])
  })
})

describe('the mailer', () => {
  /** A transport that answers for a mail when it is told to. */
  function slowWay() {
    const begun: string[] = []
    const ends = new Map<string, () => void>()
    const transport = {
      where: 'a slow server',
      send: ({ mailId }: Message) =>
        new Promise<Delivery>(resolve => {
          begun.push(mailId)
          ends.set(mailId, () => resolve({ outcome: 'sent' }))
        }),
    }
    const facts = {
      kind: 'password_reset',
      language: 'en',
      memberName: 'Ana',
      link: 'https://a.example',
    } as const
    const mailer = createMailer({
      ...house,
      transport,
      readAddressee: async () => ({ ok: true, address: 'ana@example.com', facts }),
    })
    const end = async (mailId: string) => {
      ends.get(mailId)?.()
      await house.world.advance(0)
    }
    return { begun, end, mailer, transport }
  }

  it('sends two mails of Spaces at a time, of two Spaces, and a third one that belongs to no Space', async () => {
    const [one = '', two = ''] = await spaces(2)
    await queue(one, names('a', 120), 5_000)
    await queue(two, names('b', 1))
    const { begun, end, mailer } = slowWay()
    mailer.start()
    await house.world.advance(0)
    expect(begun).toEqual(['a0', 'b0'])
    await queue(null, names('reset', 2))
    await house.world.advance(5_000)
    expect(begun).toEqual(['a0', 'b0', 'reset0'])
    await end('a0')
    expect(begun.slice(3)).toEqual(['reset1'])
    await end('reset0')
    expect(begun.slice(4)).toEqual(['a1'])
    for (const mailId of ['b0', 'reset1', 'a1', 'a2', 'a3']) await end(mailId)
    const stopped = mailer.stop()
    for (const mailId of begun) await end(mailId)
    await stopped
  })
})
